"""Do labels gain where instances that are no more than chance are left out? Every corpus, old and new in turn.

    python -m benchmarks.chance [--corpus X] [--seeds 2] [--documents 3000] [--threads 1] [--keep FILE]

Each seed draws its own sample. Instances of two and more fields whose q is above .05 are dropped before the embedding;
where there are none, the second fit would be the first. True labels are read to print the figures, by nothing else.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import hin
from benchmarks.common import corpus, print_table, rows_of
from benchmarks.stranger import CORPORA, figures
from classify import MotifClassifier, read_categories
from classify.categories.naming import motifs_of_names
from motifs import MotifSet


def more_than_chance(motif_set: MotifSet) -> tuple[MotifSet, int, int]:
    """Return a motif set without the combinations that are no more than chance, and how many there were and are."""
    tables, total, left = [], 0, 0
    for table in motif_set:
        found = table.quick_significance() if len(table.fields) > 1 else None
        if found is not None:
            rows = np.flatnonzero(found.adds())
            total, left = total + len(table), left + len(rows)
            table = replace(table, parts=table.parts[rows], incidence=table.incidence.take(rows), compared=None)
        tables.append(table)
    return MotifSet(tuple(table for table in tables if len(table)), motif_set.graph), total, left


def measure(name: str, seed: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of one sample with all instances, and without those that are no more than chance."""
    rows = rows_of(name, arguments.documents, seed)
    several = any(isinstance(row.get("label"), list) for row in rows)
    categories = read_categories(corpus(name) / "labels.txt", several)
    counted = (0, 0)

    def fitted(graph: Any) -> tuple[float, ...]:
        model = MotifClassifier(
            categories, several=several, classifier="linear", knowledge="wordllama", random_state=seed,
            n_jobs=arguments.threads,
        )  # fmt: skip
        return figures(model.fit(graph), graph, [category.name for category in categories])[:2]

    def all_instances(*given: Any) -> MotifSet:
        nonlocal counted
        found: MotifSet = motifs_of_names(*given)
        counted = more_than_chance(found)[1:]
        return found

    graph = hin.load(rows)
    with patch("classify.pipeline.motifs_of_names", all_instances):
        every = fitted(graph)
    without = every
    if counted[1] < counted[0]:
        with patch("classify.pipeline.motifs_of_names", lambda *given: more_than_chance(motifs_of_names(*given))[0]):
            without = fitted(graph)
    return {"corpus": name, "seed": seed, "all": every, "without": without, "combinations": counted}


def main() -> None:
    """Measure, and print the table with the mean over the corpora."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", choices=CORPORA)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--documents", type=int, default=3000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="append what was measured, a line a sample")
    arguments = parser.parse_args()
    rows, means = [("corpus", "all instances", "more than chance alone", "kept of the combinations")], []
    for name in arguments.corpus or CORPORA:
        found = []
        for seed in range(arguments.seeds):
            found.append(measure(name, seed, arguments))
            if arguments.keep is not None:
                with arguments.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found[-1]) + "\n")
        means.append(np.mean([[one["all"], one["without"]] for one in found], axis=0))
        total, left = np.sum([one["combinations"] for one in found], axis=0)
        rows.append((name, *("{:.3f} / {:.3f}".format(*pair) for pair in means[-1]), f"{left:,} of {total:,}"))
    rows.append(("mean", *("{:.4f} / {:.4f}".format(*pair) for pair in np.mean(means, axis=0)), ""))
    print_table(rows)


if __name__ == "__main__":
    main()
