"""Generate a synthetic corpus whose structure is known.

The model, document by document
-------------------------------
1. A *team* writes it: two to four authors who share one field of research for six years. Every author is in about
   three teams of different fields, one after or beside the other, so an author alone says little about the category,
   a pair of authors nearly all.
2. Its *category* is the team's field, or, once in ten times, any other.
3. Its *year* is one of the team's; in every year all fields have equally many teams.
4. Its *venue* is drawn among those that stand for the category in that year. Each venue changes its scope every three
   years and goes through all categories, so venue and year say little alone and nearly all together; one document in
   eight goes anywhere.
5. Its *text* (title and abstract) fills sentences with words: of one of the category's topics with probability .5, of
   any category's with .25, common ones else; every word list is used by Zipf's law. One document in five names its
   category, one in fifty another one.
6. It *cites* up to four earlier documents, three times out of four of its own category.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from hin.arrays.types import Doubles
from hin.demo.options import DemoOptions
from hin.errors import BadUsage
from hin.files.atomic import atomic_file, mark_folder

__all__ = ["WORDS", "DemoFiles", "DemoOptions", "demo_records", "write_demo"]

#: Hand-written, and free of any real document. `topics` has each category's topics with their words, `common` those
#: that say nothing about the category; in `openings` and `sentences` {a}, {b} and {d} stand for a topic's words, {c}
#: for a common one. Names of `venues` do not hint at a category: the scope of a venue changes over the years.
WORDS: dict[str, Any] = json.loads(files("hin.demo").joinpath("words.json").read_text("utf-8"))


@dataclass(frozen=True)
class DemoFiles:
    """The paths of the demo's files."""

    documents: Path
    labels: Path


@dataclass(frozen=True)
class _Team:
    category: int
    authors: tuple[str, ...]
    first_year: int


@cache
def _zipf(count: int) -> Doubles:
    weights = 1 / np.arange(2, count + 2)
    ends: Doubles = np.cumsum(weights / weights.sum())
    ends[-1] = 1
    return ends


class _Model:
    def __init__(self, options: DemoOptions) -> None:
        self.options = options
        self.random = np.random.default_rng(options.seed)
        self.names = tuple(WORDS["topics"])
        self.teams = self._teams(max(12, options.documents // 15))
        # A Latin square: in any one year the venues cover all categories evenly, and so does a venue over its years.
        self.first_scope = self.random.permutation(len(WORDS["venues"])) % len(self.names)

    def pick(self, items: Sequence[Any]) -> Any:
        """Draw one of some items uniformly."""
        return items[int(self.random.integers(len(items)))]

    def pick_word(self, words: Sequence[str]) -> str:
        """Draw one of some words, the first ones more often (Zipf's law)."""
        return words[int(np.searchsorted(_zipf(len(words)), self.random.random(), side="right"))]

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def _teams(self, count: int) -> list[_Team]:
        everyone = [f"{given} {family}" for given in WORDS["given_names"] for family in WORDS["family_names"]]
        people = [everyone[i] for i in self.random.permutation(len(everyone))[: max(8, count)]]
        fields: dict[str, set[int]] = {person: set() for person in people}
        teams = []
        for number in range(count):
            category = number % len(self.names)
            size = int(self.random.choice([2, 3, 4], p=[0.4, 0.4, 0.2]))
            # Authors with the fewest fields so far join first, so that hardly anyone is known for one field.
            order = self.random.permutation(len(people))
            free = sorted((p for p in order if category not in fields[people[p]]), key=lambda p: len(fields[people[p]]))
            members = tuple(people[p] for p in free[:size]) or (people[int(order[0])],)
            for person in members:
                fields[person].add(category)
            period = number // len(self.names) % max(1, self.options.years // self.options.team_years)
            teams.append(_Team(category, members, period * self.options.team_years))
        return teams

    def venue(self, category: int, year: int) -> str:
        if self.chance(self.options.stray_venue):
            return str(self.pick(WORDS["venues"]))
        period = year // self.options.scope_years
        fitting = [v for v, first in enumerate(self.first_scope) if (first + period) % len(self.names) == category]
        return str(WORDS["venues"][self.pick(fitting)])

    def text(self, category: int) -> tuple[str, str]:
        topic = self.pick(WORDS["topics"][self.names[category]])

        def word() -> str:
            draw = self.random.random()
            if draw < self.options.own:
                return self.pick_word(topic)
            if draw < self.options.own + self.options.other:
                return self.pick_word(self.pick(WORDS["topics"][self.pick(self.names)]))
            return self.pick_word(WORDS["common"])

        def fill(template: str) -> str:
            text = template.format(a=word(), b=word(), c=self.pick_word(WORDS["common"]), d=word())
            return text[:1].upper() + text[1:]

        title = fill(self.pick(WORDS["openings"]))
        sentences = [fill(self.pick(WORDS["sentences"])) for _ in range(int(self.random.integers(4, 8)))]
        if self.chance(self.options.names_itself):
            sentences.append(f"This matters to {self.names[category]}.")
        elif self.chance(0.02):
            sentences.append(f"This matters to {self.pick(self.names)}.")
        return title, " ".join(sentences)


def demo_records(options: DemoOptions | None = None) -> Iterator[dict[str, Any]]:
    """Generate the documents, one by one.

    Examples
    --------
    >>> records = list(demo_records(DemoOptions(documents=50)))
    >>> sorted(records[0])
    ['abstract', 'author', 'cites', 'document', 'label', 'title', 'venue', 'year']
    >>> records == list(demo_records(DemoOptions(documents=50)))
    True
    """
    options = options or DemoOptions()
    if options.documents < 1:
        raise BadUsage("a demo needs at least one document", hint="use --documents 3000")
    model = _Model(options)
    earlier: list[list[str]] = [[] for _ in model.names]
    everything: list[str] = []
    for number in range(options.documents):
        team = model.pick(model.teams)
        category = model.pick(range(len(model.names))) if model.chance(options.stray_team) else team.category
        year = team.first_year + int(model.random.integers(min(options.team_years, options.years)))
        venue = model.venue(category, year)
        title, abstract = model.text(category)
        cites: dict[str, None] = {}
        for _ in range(int(model.random.integers(5))):
            known = earlier[category] if model.chance(0.75) else everything
            if known:
                cites[model.pick(known)] = None
        name = f"demo-{number + 1:04d}"
        earlier[category].append(name)
        everything.append(name)
        yield {
            "document": name,
            "title": title,
            "abstract": abstract,
            "author": list(team.authors),
            "venue": venue,
            "year": options.first_year + year,
            "cites": list(cites),
            "label": model.names[category],
        }


def write_demo(folder: str | Path, options: DemoOptions | None = None) -> DemoFiles:
    """Write the documents and the category names into a folder.

    Examples
    --------
    >>> import tempfile
    >>> files = write_demo(tempfile.mkdtemp(), DemoOptions(documents=20))
    >>> files.labels.read_text().splitlines()[0]
    'astronomy'
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = DemoFiles(folder / "documents.jsonl", folder / "labels.txt")
    with atomic_file(made.documents) as path, path.open("w", encoding="utf-8", newline="\n") as out:
        for record in demo_records(options):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    with atomic_file(made.labels) as path:
        path.write_text("".join(f"{name}\n" for name in WORDS["topics"]), encoding="utf-8", newline="\n")
    mark_folder(folder, "demo")
    return made
