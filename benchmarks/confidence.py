"""How well confidence ranks and what it is worth, which categories are flagged as weak, how many labels are expected.

    python -m benchmarks.confidence [--corpus X] [--documents 5000] [--keep FILE] [--fit] [--classifier linear]

For each corpus, with all metadata and with the texts alone: the AUROC of being right, mean confidence less accuracy,
the same with constants fitted on the other corpora (leave one corpus out), and how many of the categories with a
precision below .3 are flagged, and how many of the flagged are such. A document without a true label counts as wrong.
`--fit` prints the constants for `classify.model.confidence.CORRECTION`; `--keep` adds the figures of each run to a file
and reads what is there, so that corpora can be run one by one. True labels are read to print the figures, by nothing
else.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import hin
from benchmarks.common import cores, corpus, rows_of
from classify import MotifClassifier, read_categories
from classify.evaluation import true_sets
from classify.model.confidence import CORRECTION, accuracy_signals, expected_accuracy, view_support

CORPORA = (
    "gnad", "nsf-grants", "github-issues", "un-rollcalls", "tmdb", "aiconf", "newsgroups", "amazon-mixed", "debian",
    "arxiv-cs", "bolivia-news-es", "petitions-ko",
)  # fmt: skip
_RIDGE = 0.5

Doubles = npt.NDArray[np.float64]


def measure(name: str, patterns: list[str] | None, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return a run's figures and what the constants are fitted on."""
    from sklearn.metrics import roc_auc_score

    rows = rows_of(name, arguments.documents)
    categories = read_categories(corpus(name) / "labels.txt", several=True)
    graph = hin.load(rows)
    model = MotifClassifier(categories, patterns, classifier=arguments.classifier, n_jobs=arguments.threads).fit(graph)
    truth = true_sets(graph.labels, [category.name for category in categories])
    labels, sure = model.labels_, model.probabilities_.max(axis=1)
    right = truth[np.arange(len(labels)), labels]
    counts = np.bincount(labels, minlength=len(categories))
    precision = np.bincount(labels, weights=right, minlength=len(categories)) / np.maximum(counts, 1)
    flagged = {weak.category for weak in model.reliability_.weak}
    return {
        "corpus": name,
        "text": patterns is not None,
        "auroc": float(roc_auc_score(right, sure)),
        "confidence": float(sure.mean()),
        "accuracy": float(right.mean()),
        "signals": signals(model),
        "bad": [c.name for c, p, n in zip(categories, precision, counts, strict=True) if n and p < 0.3],
        "flagged": sorted(flagged),
    }


def signals(model: MotifClassifier) -> list[float]:
    """Compute the signals that the constants are factors of."""
    soft = model.soft_labels_
    estimate = expected_accuracy(model.labels_, soft.start, soft.opinions, soft.opinion_weights)
    support = view_support(model.labels_, soft.views, soft.opinions)
    return accuracy_signals(estimate, support, soft.opinions, soft.named, len(model.classes_))


def fit(runs: list[dict[str, Any]]) -> Doubles:
    """Return the constants: a ridge regression of the accuracy's log odds, every corpus counting alike."""
    names = [run["corpus"] for run in runs]
    weights = np.array([1 / names.count(name) for name in names])[:, None]
    values, right = np.array([run["signals"] for run in runs]), np.array([[run["accuracy"]] for run in runs])
    target = np.log(right / (1 - right))
    middle, level = np.average(values, axis=0, weights=weights[:, 0]), np.average(target, weights=weights)
    spread = np.sqrt(np.average((values - middle) ** 2, axis=0, weights=weights[:, 0])) + 1e-9
    units = (values - middle) / spread
    square = units.T @ (weights * units) + _RIDGE * np.eye(units.shape[1])
    factors = np.linalg.solve(square, units.T @ (weights * (target - level)))[:, 0] / spread
    return np.array([level - factors @ middle, *factors])


def accuracy_by(constants: Doubles, run: dict[str, Any]) -> float:
    """Return the accuracy that constants give a run."""
    return float(1 / (1 + np.exp(-(constants[0] + constants[1:] @ np.array(run["signals"])))))


def main() -> None:
    """Measure, and print a line for each run and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", help="a folder of HIN_CORPORA (default: all of its own)")
    parser.add_argument("--documents", type=int, default=5_000, help="a sample of larger corpora (default 5000)")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--fit", action="store_true", help="print the constants fitted on all these runs")
    parser.add_argument("--classifier", default="linear")
    parser.add_argument("--threads", type=int, default=cores())
    arguments = parser.parse_args()
    there = arguments.keep is not None and arguments.keep.exists()
    runs = [json.loads(line) for line in arguments.keep.read_text(encoding="utf-8").splitlines()] if there else []
    done = {(run["corpus"], run["text"]) for run in runs}
    for name in arguments.corpus or CORPORA:
        for patterns in (None, ["term"]):
            if (name, patterns is not None) not in done:
                runs.append(measure(name, patterns, arguments))
                if arguments.keep:
                    with arguments.keep.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(runs[-1]) + "\n")
                print(f"{name} {runs[-1]['accuracy']:.3f}", flush=True)
    show(runs)
    if arguments.fit:
        print("CORRECTION =", tuple(fit(runs).round(3).tolist()), "was", CORRECTION)


def show(runs: list[dict[str, Any]]) -> None:
    """Print a line for each run and the means."""
    off, left_out = [], []
    print("corpus            fields  AUROC  accuracy  confidence - accuracy  the same, corpus left out")
    for run in runs:
        others = [other for other in runs if other["corpus"] != run["corpus"]]
        off.append(run["confidence"] - run["accuracy"])
        left_out.append(accuracy_by(fit(others), run) - run["accuracy"] if others else np.nan)
        fields = "text" if run["text"] else "all"
        print(f"{run['corpus']:18}{fields:8}{run['auroc']:.3f}  {run['accuracy']:.3f}     {off[-1]:+.3f}"
              f"                 {left_out[-1]:+.3f}")  # fmt: skip
    mean = np.mean([run["auroc"] for run in runs])
    print(
        f"{'mean':26}{mean:.3f}            {np.mean(np.abs(off)):.3f}                  {np.mean(np.abs(left_out)):.3f}"
    )
    bad, flagged = (sum(len(run[key]) for run in runs) for key in ("bad", "flagged"))
    hits = sum(len(set(run["bad"]) & set(run["flagged"])) for run in runs)
    print(f"categories with precision below .3: {bad}, flagged {flagged}, of them such {hits}")


if __name__ == "__main__":
    main()
