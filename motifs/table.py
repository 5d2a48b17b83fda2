"""The instances of one pattern: parts, document counts, and the documents of each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hin.arrays.types import Int32, Int64
from hin.graph import Csr, Graph
from motifs.errors import BadInstanceName, TooManyInstances
from motifs.instance_names import escape_value, field_label, parse_name
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.options import MotifOptions
from motifs.significance.compare import compare_with_chance
from motifs.significance.result import Significance


@dataclass(eq=False)
class MotifTable:
    """Instances of a pattern in at least `min_count` documents, sorted by their parts.

    Attributes
    ----------
    pattern : Pattern
    parts : int32 array, instances x parts
        Node numbers; the type of column c is `fields[c]`.
    incidence : Csr
        Instance to its distinct anchor documents, sorted.
    graph : Graph
        The graph that has the names of the nodes.
    min_count, max_per_document : int
        The limits it was matched with.
    skipped : int64 array
        Documents left out because they exceeded `max_per_document`.
    compared : Significance, optional
        The comparison with chance, once it is made or if a store has it.

    Examples
    --------
    >>> from motifs import Pattern, match
    >>> from motifs.samples import tiny_graph
    >>> table = match(tiny_graph(), Pattern("author-author"), min_count=2)
    >>> table.names(), table.documents.tolist(), table.incidence.row(0).tolist()
    (['AUTHOR[Ann]-AUTHOR[Bob]'], [3], [0, 1, 2])
    """

    pattern: Pattern
    parts: Int32
    incidence: Csr
    graph: Graph
    min_count: int = MotifOptions.min_count
    max_per_document: int = MotifOptions.max_per_document
    skipped: Int64 = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    compared: Significance | None = None

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        return f"MotifTable({self.pattern.name!r}, {len(self):,} instances)"

    def _repr_html_(self) -> str:
        from motifs.output import table_card

        return table_card(self)

    @property
    def fields(self) -> tuple[str, ...]:
        """The node type of each part column."""
        return self.pattern.fields

    @property
    def documents(self) -> Int32:
        """The number of distinct anchor documents of each instance."""
        return self.incidence.degrees().astype(np.int32)

    @property
    def coverage(self) -> float:
        """The share of documents with at least one instance."""
        hit = np.zeros(len(self.graph), dtype=np.bool_)
        hit[self.incidence.targets] = True
        return float(hit.mean()) if len(hit) else 0.0

    def significance(self, columns: Columns | None = None) -> Significance:
        """Compare each instance, and the pattern as a whole, with chance; `columns` are the graph's sorted arrays.

        The null model preserves the degree of every node in each edge type, and shuffles one type at a time: an
        instance must be more frequent than each of its parts explains.

        Examples
        --------
        >>> from motifs import match
        >>> from motifs.samples import tiny_graph
        >>> found = match(tiny_graph(), "venue-year", min_count=2).significance()
        >>> found.expected.tolist(), found.lift.round(2).tolist(), found.p.round(2).tolist()
        ([2.25], [0.89], [1.0])
        """
        if self.compared is None:
            self.compared = compare_with_chance(self, columns or Columns(self.graph))
        return self.compared

    def quick_significance(self, columns: Columns | None = None) -> Significance | None:
        """Return the comparison with chance if it is known or has a closed form that fits in memory, else None."""
        if self.compared is None and not self.pattern.is_star:
            return None
        try:
            return self.significance(columns)
        except TooManyInstances:
            return None

    def values_of(self, instances: Int64 | list[int], graph: Graph | None = None) -> list[tuple[str, ...]]:
        """Return the values of some instances' parts; where columns are interchangeable, in the order of the names.

        So an instance has one name, whatever the order of the documents when the nodes were numbered.
        """
        chosen, source = self.parts[np.asarray(instances, dtype=np.int64)], graph or self.graph
        columns = [source.names(kind).take(chosen[:, c]) for c, kind in enumerate(self.fields)]
        rows = zip(*columns, strict=True)
        if len(set(self.fields)) == len(self.fields):
            return list(rows)
        return [tuple(self.pattern.smallest(row)) for row in rows]

    def name(self, i: int) -> str:
        """Return the name of one instance."""
        return self.names_of([i])[0]

    def names(self, graph: Graph | None = None) -> list[str]:
        """Return the names of all instances, from the table's graph or another one."""
        return self.names_of(np.arange(len(self)), graph)

    def names_of(self, instances: Int64 | list[int], graph: Graph | None = None) -> list[str]:
        """Return the names of some instances."""
        labels = [field_label(kind, (graph or self.graph).node_types) for kind in self.fields]
        return [
            "-".join(f"{label}[{escape_value(value)}]" for label, value in zip(labels, row, strict=True))
            for row in self.values_of(instances, graph)
        ]

    def find(self, name: str) -> int | None:
        """Return the number of the instance with a name, in any order of its parts; None if there is none."""
        parts = parse_name(name, self.graph.node_types)
        return self.find_parts(parts)

    def find_parts(self, parts: list[tuple[str, str]]) -> int | None:
        """Return the number of the instance with these (field, value) parts; None if there is none.

        Parts of different fields may be in any order; those of one field as well, if they are interchangeable.
        """
        if sorted(kind for kind, _ in parts) != sorted(self.fields):
            return None
        row: list[int] = []
        for kind, value in sorted(parts, key=lambda part: part[0]):  # stable: parts of one field keep their order
            node = self.graph.names(kind).get(value)
            if node is None:
                return None
            row.append(node)
        return self._search(self.pattern.smallest(row))

    def _search(self, row: list[int]) -> int | None:
        """Binary search for a row of parts, column by column."""
        low, high = 0, len(self)
        for c, node in enumerate(row):
            column = self.parts[low:high, c]
            low, high = (
                low + int(np.searchsorted(column, node)),
                low + int(np.searchsorted(column, node, side="right")),
            )
        return low if low < high else None

    def __getitem__(self, name: str) -> int:
        """Return the number of documents of the instance with a name."""
        found = self.find(name)
        if found is None:
            raise BadInstanceName(
                f"no instance {name!r} of {self.pattern.name}",
                hint=f"it may be in fewer than {self.min_count} documents",
            )
        return int(self.documents[found])
