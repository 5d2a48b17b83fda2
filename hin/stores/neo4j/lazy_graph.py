"""A graph in Neo4j that is fetched part by part on first access: parts that no command uses are never streamed.

This is to a database what memory mapping is to a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hin.graph import Csr, Graph, Labels, Texts
from hin.node_names import NameTable

if TYPE_CHECKING:
    import pyarrow as pa

    from hin.stores.neo4j.reader import Reader

T = TypeVar("T")


class Neo4jGraph(Graph):
    """The graph of a database; before the first access, only the names of its types and their sizes are known."""

    _source: _Source

    @classmethod
    def of(cls, reader: Reader, unchanged: Callable[[], None]) -> Neo4jGraph:
        """Make a graph whose parts the reader fetches on first access.

        Parameters
        ----------
        unchanged : callable
            Raises if the database now holds another graph; called after each part, so that all parts are of one graph.
        """
        described = reader.described
        graph, source = cls.__new__(cls), _Source(reader, unchanged)
        graph._source = source
        graph.fields, graph.links = tuple(described["fields"]), tuple(described["links"])
        graph.schema = described["schema"]
        graph.nodes = _Parts(("term", *graph.fields), lambda name: source.fetch(reader.names, name))
        graph.adjacency = _Parts(graph.edge_types, source.edges)
        ends = {name: row for name, *row in described["extra"]}
        graph.extra = _Parts(ends, lambda name: source.fetch(reader.extra, name, *ends[name]))
        graph.dangling = _Parts(described["dangling"], lambda name: source.fetch(reader.dangling, name))
        graph.texts = _LazyTexts(described["texts"], lambda: source.fetch(reader.texts))
        return graph

    def __len__(self) -> int:
        return len(self.documents) if "documents" in self.__dict__ else self.size("document")

    def size(self, node_type: str) -> int:
        """Count the nodes of one type, without fetching them."""
        totals = self._source.reader.totals
        return totals[node_type] if node_type in totals else super().size(node_type)

    @property
    def whole(self) -> bool:
        """Whether the graph is in memory, so that access fetches nothing."""
        return False

    @cached_property
    def documents(self) -> NameTable:  # type: ignore[override]
        """The ids."""
        return self._source.fetch(self._source.reader.names, "document")

    @cached_property
    def tokens(self) -> Csr:  # type: ignore[override]
        """Each document's terms in text order."""
        return self._source.tokens

    @cached_property
    def labels(self) -> Labels | None:  # type: ignore[override]
        """The true categories."""
        return self._source.fetch(self._source.reader.labels)


class _Source:
    """Where the parts come from; it does not hold the graph, so that a dropped graph closes its connection."""

    def __init__(self, reader: Reader, unchanged: Callable[[], None]) -> None:
        self.reader = reader
        self._unchanged = unchanged

    def fetch(self, read: Callable[..., T], *arguments: Any) -> T:
        """Return one part, of the graph that was opened."""
        part = read(*arguments)
        self._unchanged()
        return part

    @cached_property
    def tokens(self) -> Csr:
        """Each document's terms in text order."""
        return self.fetch(self.reader.tokens)

    def edges(self, edge_type: str) -> Csr:
        """Return the edges of one type."""
        described = self.reader.described
        if edge_type != "term":
            target = "Document" if edge_type in described["links"] else self.reader.cypher_names.labels[edge_type]
            return self.fetch(self.reader.edges, edge_type, target)
        if described["terms_follow_tokens"]:
            return Csr(self.tokens.offsets, self.tokens.targets, np.ones(self.tokens.n_edges, np.int32))
        return self.fetch(lambda: self.reader.edges("term", "Term", counts=True))


class _Parts(Mapping[str, T]):
    """Parts by name, each fetched once, on first access."""

    def __init__(self, names: Iterable[str], fetch: Callable[[str], T]) -> None:
        self._names = tuple(names)
        self._fetch = fetch
        self._there: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._there:
            self._there[name] = self._fetch(name)
        return self._there[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names  # the default would fetch the part to see whether it is there

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _LazyTexts(Texts):
    """Texts whose fields are known before they are fetched."""

    def __init__(self, fields: Iterable[str], fetch: Callable[[], pa.Table]) -> None:
        self.__dict__.update(_fields=tuple(fields), _fetch=fetch)

    @cached_property
    def table(self) -> pa.Table:
        """The columns."""
        return self.__dict__["_fetch"]()

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the text fields."""
        fields: tuple[str, ...] = self.__dict__["_fields"]
        return fields
