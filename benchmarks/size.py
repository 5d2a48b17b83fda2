"""How far one machine goes: time and peak memory of each command from 20,000 to 1,000,000 documents.

    python -m benchmarks.size [--documents 20000 115806 500000 1000000] [--commands load motifs classify predict]

The corpus is made of arxiv-cs by splicing. The first 115,806 documents (or fewer) are the real ones. After them,
document i has the first half of the words of real document i mod 115,806 and the second half of another of its
category, drawn with seed 0; year, venue and label are the first one's. Its authors are the first one's too, with a
number behind their names that changes every 115,806 documents, so that authors and their pairs grow with the corpus.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

from benchmarks.common import cores, corpus, print_table, rows_of, run

SIZES = [20_000, 115_806, 500_000, 1_000_000]
COMMANDS = ["load", "motifs", "classify", "predict"]


def splice(target: Path, count: int) -> Path:
    """Write a corpus of that many documents."""
    rows = rows_of("arxiv-cs")
    of_label: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        of_label.setdefault(row["label"], []).append(number)
    chance = random.Random(0)
    with target.open("w", encoding="utf-8") as out:
        for number in range(count):
            row = rows[number % len(rows)]
            turn = number // len(rows)
            if turn:
                first, second = row["text"].split(), rows[chance.choice(of_label[row["label"]])]["text"].split()
                text = " ".join([*first[: len(first) // 2], *second[len(second) // 2 :]])
                authors = [f"{name} {turn}" for name in row.get("author", [])]
                row = {**row, "document": f"{row['document']}-{turn}", "text": text, "author": authors}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return target


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, nargs="+", default=SIZES)
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=COMMANDS)
    parser.add_argument("--make", type=Path, help="only write the corpus of the (first) size to this file")
    given = parser.parse_args()
    if given.make:
        splice(given.make, given.documents[0])
        return
    labels = str(corpus("arxiv-cs") / "labels.txt")
    python = sys.executable
    rows = [("documents, command", "measured", "bytes a document beyond the smallest")]
    least: dict[str, tuple[int, float]] = {}
    for count in given.documents:
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            graph = str(work / "size.hin")
            source = splice(work / "size.jsonl", count)
            new = work / "new.jsonl"
            with source.open("rb") as lines, new.open("wb") as out:
                out.writelines(line for _, line in zip(range(2000), lines, strict=False))
            wanted = {
                "load": ["load", str(source), "--graph", graph],
                "motifs": ["motifs", "-p", "venue-year", "-p", "author", "-p", "author-author", "--graph", graph],
                "classify": ["classify", "--categories", labels, "--graph", graph, "--out", str(work / "labels.csv")],
                "predict": ["predict", str(new), "--graph", graph, "--out", str(work / "new.csv")],
            }
            for name in COMMANDS:
                if name not in given.commands:
                    continue
                done = run(python, "-m", "hin", *wanted[name], "--quiet")
                first = least.setdefault(name, (count, done.megabytes))
                growth = (done.megabytes - first[1]) * 1e6 / (count - first[0]) if count > first[0] else None
                measured = f"{done.seconds:.1f} s ({done.processor:.1f} s of processor time), {done.megabytes:,.0f} MB"
                rows.append((f"{count:,} {name}", measured, "" if growth is None else f"{growth:,.0f}"))
    print(f"arxiv-cs spliced, {cores()} cores")
    print_table(rows)


if __name__ == "__main__":
    main()
