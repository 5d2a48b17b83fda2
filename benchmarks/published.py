"""Our labels beside published figures on public data sets, from category names alone (micro-F1 / macro-F1).

    python -m benchmarks.published [--ag-news test.csv] [--seeds 1] [--classifier linear]

AG News is the test set of Zhang, Zhao and LeCun (2015), 7,600 lines of class, title, description:
`ag_news_csv/test.csv` in many public repositories, such as madhubandru's
Text-Classification-on-News-Articles-using-BERT-Framework on GitHub. 20 Newsgroups is the corpus `newsgroups` (see its
README) in the five groups of X-Class, without misc.forsale, with and without metadata. A file that is not there is
skipped with the reason. True labels are read to print the figures, by nothing else.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hin
from benchmarks.common import cores, rows_of
from classify import MotifClassifier, evaluate, true_codes

#: As X-Class's authors report them, fitted on 120,000 documents of AG News; X-Class and LOTClass use BERT.
PUBLISHED = {
    "AG News": {"X-Class": (0.848, 0.847), "LOTClass": (0.869, 0.868), "WeSTClass": (0.823, 0.821)},
    "20 Newsgroups": {"X-Class": (0.814, 0.806), "LOTClass": (0.738, 0.725), "WeSTClass": (0.713, 0.699)},
}
AG_NEWS = ("politics", "sports", "business", "technology")
#: The first part of a newsgroup's name, and the group of X-Class.
GROUPS = {
    "comp": "computer",
    "rec": "sports",
    "sci": "science",
    "talk.politics": "politics",
    "talk.religion": "religion",
    "soc.religion": "religion",
    "alt.atheism": "religion",
}


def ag_news(path: Path) -> list[dict[str, Any]]:
    """The documents of AG News, title and description joined; some copies have a header line."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row and row[0].isdigit()]
    if {len(row) for row in rows} != {3} or not {row[0] for row in rows} <= set("1234"):
        raise ValueError(f"{path} is not class (1 to 4), title, description")
    return [
        {"id": str(i), "text": f"{title}. {text}", "label": AG_NEWS[int(code) - 1]}
        for i, (code, title, text) in enumerate(rows)
    ]


def newsgroups(metadata: bool) -> list[dict[str, Any]]:
    """The documents of the five groups."""
    found = []
    for row in rows_of("newsgroups"):
        group = next((to for first, to in GROUPS.items() if row["document"].startswith(first)), None)
        if group is not None:
            kept = row if metadata else {name: row[name] for name in ("document", "text")}
            found.append({**kept, "label": group})
    return found


def measured(
    rows: list[dict[str, Any]], names: list[str], arguments: argparse.Namespace
) -> Iterator[tuple[float, float]]:
    """Micro- and macro-F1 of each seed."""
    graph = hin.load(rows, label="label")
    assert graph.labels is not None
    truth = true_codes(graph.labels, names)
    for seed in range(arguments.seeds):
        model = MotifClassifier(names, classifier=arguments.classifier, random_state=seed).fit(graph)
        found = evaluate(truth, model.labels_, names)
        yield found["micro_f1"], found["macro_f1"]


def show(title: str, rows: list[dict[str, Any]], names: list[str], arguments: argparse.Namespace) -> None:
    """Print our figures and the published ones."""
    start = time.monotonic()
    micro, macro = np.mean(list(measured(rows, names, arguments)), axis=0)
    seconds = (time.monotonic() - start) / arguments.seeds
    print(
        f"{title}, {len(rows):,} documents: hin {micro:.3f} / {macro:.3f} in {seconds:.0f} s a seed on {cores()} cores"
    )
    published = next(figures for data, figures in PUBLISHED.items() if title.startswith(data))
    for system, (one, other) in published.items():
        print(f"    {system} {one:.3f} / {other:.3f}")


def main() -> None:
    """Measure what is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ag-news", type=Path, default=Path("ag_news_csv/test.csv"))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--classifier", help="such as linear; by default the preset's")
    arguments = parser.parse_args()
    groups, twenty = list(dict.fromkeys(GROUPS.values())), "20 Newsgroups in five groups"
    wanted: list[tuple[str, Callable[[], list[dict[str, Any]]], list[str]]] = [
        ("AG News, test set", lambda: ag_news(arguments.ag_news), list(AG_NEWS)),
        (f"{twenty}, with metadata", lambda: newsgroups(metadata=True), groups),
        (f"{twenty}, without metadata", lambda: newsgroups(metadata=False), groups),
    ]
    for title, read, names in wanted:
        try:
            rows = read()
        except (OSError, ValueError, SystemExit) as error:  # without the corpus
            print(f"{title}: skipped, {error}")
            continue
        show(title, rows, names, arguments)


if __name__ == "__main__":
    main()
