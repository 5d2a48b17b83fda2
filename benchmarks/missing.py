"""Documents that belong to no named category: five names left out, how well their documents are found and grouped.

    python -m benchmarks.missing [--corpus arxiv-cs] [--documents 20000] [--draws 1] [--threads N]

AUROC of "belongs to none" against the documents of the five, and how many of the five are the commonest true category
of one of the first eight groups. Labels are read to print the figures only.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

import hin
from benchmarks.common import cores, corpus, print_table, rows_of
from classify import MotifClassifier, read_categories


def measure(name: str, arguments: argparse.Namespace) -> None:
    """Leave out five names by draw, and print what was found."""
    from sklearn.metrics import roc_auc_score

    categories = read_categories(corpus(name) / "labels.txt")
    rows = rows_of(name, arguments.documents)
    labels = np.array([row["label"] for row in rows])
    graph = hin.load(rows)
    lines = [("left out", "AUROC", "found among the first eight groups")]
    for draw in range(arguments.draws):
        left = np.random.default_rng(draw).permutation(len(categories))[:5].tolist()
        out = [categories[i].name for i in sorted(left)]
        model = MotifClassifier(
            [category for category in categories if category.name not in out],
            classifier="linear",
            n_jobs=arguments.threads,
        ).fit(graph)
        found = model.suggest_missing()
        figure = roc_auc_score(np.isin(labels, out), found.scores)
        tops = {Counter(labels[group.documents].tolist()).most_common(1)[0][0] for group in found.groups[:8]}
        hit = [category for category in out if category in tops]
        lines.append((", ".join(out), f"{figure:.3f}", f"{len(hit)} of 5: {', '.join(hit)}"))
        for group in found.groups[:8]:
            common = Counter(labels[group.documents].tolist()).most_common(2)
            reported = ", ".join(f"{label} {count / len(group.documents):.0%}" for label, count in common)
            lines.append(
                (f"  {len(group.documents)} documents", "", f"{reported}; words: {', '.join(group.words[:5])}")
            )
    print(f"{name}: {len(graph)} documents, promised AUROC .75 and 5 of 5")
    print_table(lines)


def main() -> None:
    """Measure every corpus asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--threads", type=int, default=cores())
    arguments = parser.parse_args()
    for name in arguments.corpus or ["arxiv-cs"]:
        measure(name, arguments)


if __name__ == "__main__":
    main()
