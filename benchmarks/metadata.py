"""Metadata that helps, or keeps silent: thirty-three variants of corpora with metadata of every doubtful kind.

    python -m benchmarks.metadata [--corpus X] [--variant X] [--seeds 3] [--documents N] [--judge] [--threads N]

Three corpora (of a large one N documents), each with fields added (random ones with 2, 3, 70 and 5,000
values, flags, copies and coarsenings of its own, a date, a source that goes with the time), with its own fields
shuffled, with texts of 25 words, and with several labels (two documents in one). For each: which fields the default
uses, micro/macro-F1 of the texts alone, of the default and of every field and pair, and the default less the texts
alone. Where no field is used and none taken out, the default is the text-only run to the byte and is not run again.
`--judge` prints the judgement alone, which takes seconds. True labels are read to print the figures, by nothing else.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import hin
from benchmarks.common import cores, corpus, rows_of
from classify import Category, ClassifyOptions, MotifClassifier, Pipeline, read_categories
from classify.figures import figures_of
from classify.several.options import SeveralOptions
from motifs.default_patterns import default_patterns

CORPORA = ("gnad", "nsf-grants", "aiconf")
Row = dict[str, Any]
Change = Callable[[list[Row], np.random.Generator], list[Row]]


def _random(values: int) -> Change:
    return lambda rows, rng: [{**row, "random": f"v{rng.integers(values)}"} for row in rows]


def _flags(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    return [{**row, **{f"flag{k}": str(int(rng.random() < 0.3)) for k in range(3)}} for row in rows]


def _copies(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    return [{**row, **{f"{name}_again": _each(row[name], "x {}".format) for name in _own(row)}} for row in rows]


def _coarser(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    return [{**row, **{f"{name}_first": _each(row[name], lambda v: v[:1]) for name in _own(row)}} for row in rows]


def _date(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    days = np.datetime64("2015-01-01") + rng.integers(2_000, size=len(rows))
    return [{**row, "date": str(day)} for row, day in zip(rows, days, strict=True)]


def _source(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    """Let a year pass through the file, and a source go with it in nine of ten documents."""
    years = [2000 + 20 * i // len(rows) for i in range(len(rows))]
    noise = [int(rng.integers(20)) if rng.random() < 0.1 else 0 for _ in rows]
    return [{**row, "year": str(y), "source": f"s{(y + n) // 4}"} for row, y, n in zip(rows, years, noise, strict=True)]


def _shuffled(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    made = [dict(row) for row in rows]
    for name in sorted({name for row in rows for name in _own(row)}):
        for row, other in zip(made, rng.permutation(len(rows)).tolist(), strict=True):
            row[name] = rows[other].get(name, [])
    return made


def _short(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    return [{**row, "text": " ".join(row["text"].split()[:25])} for row in rows]


def _two(rows: list[Row], rng: np.random.Generator) -> list[Row]:
    """Make one document with both labels of two neighbours in a random order."""
    order = rng.permutation(len(rows)).tolist()
    made = []
    for a, b in zip(order[::2], order[1::2], strict=False):
        one, other = rows[a], rows[b]
        both = {name: [*_listed(one.get(name)), *_listed(other.get(name))] for name in {*_own(one), *_own(other)}}
        labels = sorted({one["label"], other["label"]})
        made.append({**one, **both, "text": f"{one['text']}\n{other['text']}", "label": labels})
    return made


def _own(row: Row) -> list[str]:
    return [name for name in row if name not in ("document", "text", "label")]


def _listed(value: Any) -> list[str]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _each(value: Any, change: Callable[[str], str]) -> list[str]:
    return [change(one) for one in _listed(value) if one]


#: By name; those that change the texts or labels are named in `OTHER_TEXTS`.
VARIANTS: dict[str, Change] = {
    "random 2": _random(2),
    "random 3": _random(3),
    "random 70": _random(70),
    "random 5000": _random(5_000),
    "flags": _flags,
    "copies": _copies,
    "coarser": _coarser,
    "date": _date,
    "source and time": _source,
    "shuffled": _shuffled,
    "25 words": _short,
    "several": _two,
}
OTHER_TEXTS = ("25 words", "several")


@cache
def read(name: str, documents: int) -> list[Row]:
    """Return a corpus, or a sample of it."""
    return rows_of(name, documents)


class Variant:
    """A corpus with other metadata."""

    texts: dict[tuple[str, str], tuple[float, float]] = {}

    def __init__(self, name: str, variant: str, arguments: argparse.Namespace) -> None:
        self.name, self.variant, self.arguments = name, variant, arguments
        self.several = variant == "several"
        self.categories = read_categories(corpus(name) / "labels.txt", self.several)
        self.graph = hin.load(VARIANTS[variant](read(name, arguments.documents), np.random.default_rng(7)))

    def judged(self) -> list[str]:
        """Return the fields that the default uses, or takes out of the views, with the first seed."""
        options = ClassifyOptions(several=SeveralOptions(self.several), seed=0)
        with Pipeline(self.graph, self.categories, options) as pipeline:
            found = pipeline.fields
        if found is None:
            return []
        taken = [f"{one.field or 'clusters'} taken out" for one in found.nuisances]
        return [one.field + "*" * one.in_pairs for one in found.fields if one.used] + taken

    def scored(self, patterns: list[str] | None) -> tuple[float, float]:
        """Return micro- and macro-F1, means over the seeds."""
        key = (self.name, self.variant if self.variant in OTHER_TEXTS else "")
        if patterns == [] and key in self.texts:
            return self.texts[key]
        runs = [self._run(patterns, seed) for seed in range(self.arguments.seeds)]
        found = tuple(np.mean(runs, axis=0).tolist())
        if patterns == []:
            self.texts[key] = found
        return found

    def _run(self, patterns: list[str] | None, seed: int) -> tuple[float, float]:
        categories: list[Category] = [replace(one, share=None) for one in self.categories]
        model = MotifClassifier(categories, patterns, several=self.several, classifier="linear", random_state=seed)
        model.set_params(n_jobs=self.arguments.threads).fit(self.graph)
        names = [category.name for category in categories]
        found = figures_of(self.graph.labels, names, model.probabilities_, model.decision())
        return found["micro_f1"], found["macro_f1"]


def main() -> None:
    """Measure every variant asked for, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", choices=CORPORA)
    parser.add_argument("--variant", action="append", choices=[*VARIANTS])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=2_000, help="a sample of larger corpora (default 2000)")
    parser.add_argument("--judge", action="store_true", help="print which fields are used, and train nothing")
    parser.add_argument("--threads", type=int, default=cores())
    arguments = parser.parse_args()
    below = 0
    print(f"{'corpus':12}{'variant':17}{'text':12}{'default':12}{'all':12}{'gain':15}used (* only in pairs)")
    for name in arguments.corpus or CORPORA:
        for kind in arguments.variant or VARIANTS:
            if name == "gnad" and kind in ("copies", "coarser", "shuffled"):
                continue  # it has no metadata of its own
            variant = Variant(name, kind, arguments)
            used, cells, gain = variant.judged(), " " * 36, ""
            if not arguments.judge:
                text = variant.scored([])
                default = variant.scored(None) if used else text
                every = variant.scored(default_patterns(variant.graph)) if variant.graph.fields else text
                cells = "".join(f"{micro:.3f}/{macro:.3f} " for micro, macro in (text, default, every))
                gain = "/".join(f"{b - a:+.3f}" for a, b in zip(text, default, strict=True))
                below += default[0] < text[0] - 0.005
            print(f"{name:12}{kind:17}{cells}{gain:15}{', '.join(used) or 'none'}", flush=True)
    if not arguments.judge:
        print(f"{below} more than .005 below the texts alone (micro-F1)")


if __name__ == "__main__":
    main()
