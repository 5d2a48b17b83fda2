"""The records that a reader passes to the graph builder: in columns, a few thousand at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

BATCH_SIZE = 4096


class Record(NamedTuple):
    """One document as it was read, its values as the file spells them.

    Examples
    --------
    >>> record = Record("p1", ("A title",), {"year": ["2008"]}, None, {}, ("papers.jsonl", 1))
    >>> record.metadata["year"]
    ['2008']
    """

    id: str
    texts: tuple[str, ...]
    metadata: dict[str, list[str]]
    label: str | tuple[str, ...] | None
    links: dict[str, list[str]]
    where: tuple[str, int]


@dataclass(slots=True)
class RecordBatch:
    """Up to `BATCH_SIZE` records in columns; row i of every column belongs to ``ids[i]``.

    A metadata field or link name is a key only from the first batch on that has a value of it (the order of the
    keys is the order of first appearance, or the order the user named them in). ``texts[i]`` has one part for each
    text field, empty where the record has none. ``labels[i]`` is a tuple where a record has several.

    Examples
    --------
    >>> batch = RecordBatch(["p1"], [("A title",)], {"year": [["2008"]]}, [None], {}, [("papers.jsonl", 1)])
    >>> len(batch), [record.id for record in batch.records()]
    (1, ['p1'])
    """

    ids: list[str] = field(default_factory=list)
    texts: list[tuple[str, ...]] = field(default_factory=list)
    metadata: dict[str, list[list[str]]] = field(default_factory=dict)
    labels: list[str | tuple[str, ...] | None] = field(default_factory=list)
    links: dict[str, list[list[str]]] = field(default_factory=dict)
    where: list[tuple[str, int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, records: Iterable[Record]) -> RecordBatch:
        """Convert records to columns.

        >>> RecordBatch.of([Record("p1", ("A title",), {"year": ["2008"]}, None, {}, ("-", 1))]).metadata
        {'year': [['2008']]}
        """
        rows = list(records)
        fields = dict.fromkeys(name for row in rows for name in row.metadata)
        links = dict.fromkeys(name for row in rows for name in row.links)
        return cls(
            [row.id for row in rows],
            [row.texts for row in rows],
            {name: [row.metadata.get(name, []) for row in rows] for name in fields},
            [row.label for row in rows],
            {name: [row.links.get(name, []) for row in rows] for name in links},
            [row.where for row in rows],
        )

    def records(self) -> Iterator[Record]:
        """Yield the records row by row."""
        for i, name in enumerate(self.ids):
            yield Record(
                name,
                self.texts[i],
                {key: column[i] for key, column in self.metadata.items()},
                self.labels[i],
                {key: column[i] for key, column in self.links.items()},
                self.where[i],
            )
