"""What suggestions are worth when they are accepted blindly: the first three of each weak category.

    python -m benchmarks.suggest [--corpus gnad ...] [--documents 6000] [--accept 3] [--classifier linear]

Fits with the names alone, asks for suggestions, and fits again with the first words offered for each category whose
name is weak as keywords. Documents with several true labels count as right with any of them. True labels are read to
print the figures, by nothing else. The embedding is trained once for each corpus: keywords leave it as it is.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
import numpy.typing as npt

import hin
from benchmarks.common import corpus, rows_of
from classify import MotifClassifier, Workspace, evaluate, read_categories
from classify.suggestions.labels_file import with_suggestions

CORPORA = ("aiconf", "amazon-mixed", "arxiv-cs", "debian", "gnad", "newsgroups", "tmdb")


def figures(predicted: npt.NDArray[np.int64], true: list[set[int]], names: list[str]) -> tuple[float, float]:
    """Micro- and macro-F1; of several true labels the predicted one counts, else the first."""
    truth = np.array(
        [label if label in own else min(own, default=-1) for label, own in zip(predicted, true, strict=True)]
    )
    found = evaluate(truth, predicted, names)
    return found["micro_f1"], found["macro_f1"]


def measure(name: str, arguments: argparse.Namespace) -> tuple[float, float]:
    """Print a corpus's figures before and after; return the gains."""
    start = time.process_time()
    categories = read_categories(corpus(name) / "labels.txt")
    names = [category.name for category in categories]
    number = {label: i for i, label in enumerate(names)}
    rows = rows_of(name, arguments.documents)
    given = [row["label"] if isinstance(row["label"], list) else [row["label"]] for row in rows]
    true = [{number[label] for label in labels if label in number} for labels in given]
    graph = hin.load(rows)
    workspace = Workspace()
    model = MotifClassifier(categories, classifier=arguments.classifier, n_jobs=arguments.threads).fit(
        graph, workspace=workspace
    )
    before = figures(np.asarray(model.labels_), true, names)
    accepted = [with_suggestions(one, arguments.accept) for one in model.suggest()]
    changed = [one for one, old in zip(accepted, categories, strict=True) if one != old]
    after = before
    if changed:
        model.set_params(categories=accepted).fit(graph, workspace=workspace)
        after = figures(np.asarray(model.labels_), true, names)
    print(
        f"{name:14s} {len(graph):7,} documents  {before[0]:.3f}/{before[1]:.3f} -> {after[0]:.3f}/{after[1]:.3f}  "
        f"{len(changed)} weak of {len(names)}, {time.process_time() - start:.0f} s of processor time"
    )
    for one in changed:
        print(f"    {one.name}: {', '.join(one.keywords)}")
    sys.stdout.flush()
    return after[0] - before[0], after[1] - before[1]


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", choices=CORPORA)
    parser.add_argument("--documents", type=int, help="a random sample of larger corpora")
    parser.add_argument("--accept", type=int, default=3, help="suggestions accepted for each weak category")
    parser.add_argument("--classifier", help="what is trained in the end")
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    gains = [measure(name, arguments) for name in arguments.corpus or CORPORA]
    mean, least = np.mean(gains, axis=0), np.min(gains, axis=0)
    print(f"mean of {len(gains)}: {mean[0]:+.4f}/{mean[1]:+.4f}; the least {least[0]:+.4f}/{least[1]:+.4f}")


if __name__ == "__main__":
    main()
