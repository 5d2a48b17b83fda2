"""Graphs small enough to check by hand, for examples and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hin.graph import Csr, ExtraEdges, Graph, Texts
from hin.node_names import NameTable

Rows = Sequence[Sequence[str]]


def make_graph(
    fields: Mapping[str, Rows],
    terms: Rows | None = None,
    links: Mapping[str, Sequence[Sequence[int]]] | None = None,
    extra: Mapping[str, tuple[str, str, Iterable[tuple[str, str]]]] | None = None,
) -> Graph:
    """Make a graph from lists: per field, per document, the values; links by document number.

    Examples
    --------
    >>> graph = make_graph({"venue": [["KDD"], ["WWW"]]}, terms=[["data"], ["web", "data"]])
    >>> graph.node_types, len(graph)
    (('document', 'term', 'venue'), 2)
    """
    import pyarrow as pa

    n_documents = max([len(rows) for rows in fields.values()] + [len(terms or [])], default=0)
    words = [list(row) for row in terms] if terms is not None else [[] for _ in range(n_documents)]
    nodes: dict[str, NameTable] = {}
    adjacency: dict[str, Csr] = {}
    numbers: dict[str, dict[str, int]] = {}
    for kind, rows in {"term": words, **fields}.items():
        number: dict[str, int] = {}
        ids = [[number.setdefault(v, len(number)) for v in dict.fromkeys(row)] for row in rows]
        nodes[kind], adjacency[kind], numbers[kind] = (
            NameTable.of(number, what=kind),
            Csr.from_lists(ids),
            number,
        )
    for name, targets in (links or {}).items():
        adjacency[name] = Csr.from_lists([list(row) for row in targets])
    documents = NameTable.of([f"doc{i}" for i in range(n_documents)], what="document")
    numbers["document"] = {name: i for i, name in enumerate(documents)}
    more: dict[str, ExtraEdges] = {}
    for name, (source, target, pairs) in (extra or {}).items():
        ends = [(numbers[source][a], numbers[target][b]) for a, b in pairs]
        sources, targets_ = (
            Csr.from_lists([[a for a, _ in ends]]).targets,
            Csr.from_lists([[b for _, b in ends]]).targets,
        )
        more[name] = ExtraEdges(source, target, sources, targets_)
    return Graph(
        documents=documents,
        fields=tuple(fields),
        links=tuple(links or {}),
        nodes=nodes,
        adjacency=adjacency,
        tokens=Csr.from_lists([[numbers["term"][w] for w in row] for row in words]),
        texts=Texts(pa.table({"text": [" ".join(row) for row in words]})),
        extra=more,
    )


def tiny_graph() -> Graph:
    """Make a graph of five papers with authors, venues, years, terms and citations.

    Examples
    --------
    >>> len(tiny_graph())
    5
    """
    return make_graph(
        {
            "author": [["Ann", "Bob"], ["Bob", "Ann", "Cy"], ["Ann", "Bob"], ["Cy"], ["Dee", "Cy"]],
            "venue": [["KDD"], ["KDD"], ["KDD"], ["WWW"], []],
            "year": [["2008"], ["2008"], ["2009"], ["2008"], ["2009"]],
        },
        terms=[["data", "mining"], ["data", "web", "data"], ["mining"], ["web"], ["web", "data"]],
        links={"cites": [[1], [0, 3], [0], [1], []]},
    )
