"""Our labels beside published figures on public data sets, from category names alone (micro-F1 / macro-F1).

    python -m benchmarks.published [--ag-news test.csv] [--seeds 1] [--classifier linear]

AG News is the test set of Zhang, Zhao and LeCun (2015), `ag_news_csv/test.csv` in many public repositories: 7,600 lines
of class, title, description. 20 Newsgroups is the corpus `newsgroups` (see its README) in the five groups of X-Class,
without misc.forsale, with and without metadata. A file that is not there is skipped with the reason. True labels are
read to print the figures, by nothing else.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hin
from benchmarks.common import ROOT, cores
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
    """The documents of AG News, title and description joined."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return [
        {"id": str(i), "text": f"{title}. {text}", "label": AG_NEWS[int(code) - 1]}
        for i, (code, title, text) in enumerate(rows)
    ]


def newsgroups(metadata: bool) -> list[dict[str, Any]]:
    """The documents of the five groups."""
    home = ROOT.parent / "shared" / "corpora" / "newsgroups" / "documents.jsonl.xz"
    with lzma.open(home, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = []
    for row in rows:
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


def show(title: str, data: str, rows: list[dict[str, Any]], names: list[str], arguments: argparse.Namespace) -> None:
    """Print our figures and the published ones."""
    start = time.monotonic()
    micro, macro = np.mean(list(measured(rows, names, arguments)), axis=0)
    seconds = (time.monotonic() - start) / arguments.seeds
    print(
        f"{title}, {len(rows):,} documents: hin {micro:.3f} / {macro:.3f} in {seconds:.0f} s a seed on {cores()} cores"
    )
    for system, (one, other) in PUBLISHED[data].items():
        print(f"    {system} {one:.3f} / {other:.3f}")


def main() -> None:
    """Measure what is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ag-news", type=Path, help="test.csv of AG News")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--classifier", help="such as linear; by default the preset's")
    arguments = parser.parse_args()
    if arguments.ag_news is None or not arguments.ag_news.exists():
        print(f"AG News: skipped, {arguments.ag_news or 'no --ag-news'}: not there")
    else:
        show("AG News, test set", "AG News", ag_news(arguments.ag_news), list(AG_NEWS), arguments)
    names = list(dict.fromkeys(GROUPS.values()))
    for metadata in (True, False):
        title = f"20 Newsgroups in five groups, {'with' if metadata else 'without'} metadata"
        try:
            rows = newsgroups(metadata)
        except OSError as error:
            print(f"{title}: skipped, {error}")
            continue
        show(title, "20 Newsgroups", rows, names, arguments)


if __name__ == "__main__":
    main()
