"""A motif pattern: a small typed graph with an anchor document, independent of its spelling (section 2).

Equal-typed nodes of a pattern stand for distinct nodes of the graph, and assignments that an automorphism maps onto
one another are one instance, so that author-author is not counted twice.
"""

from __future__ import annotations

import difflib
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from motifs.errors import BadPattern
from motifs.language.canonical_form import canonical_order
from motifs.language.parser import parse
from motifs.language.template import DOCUMENT, Edge, Template, quote_name
from motifs.language.template_text import spell

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx

    from hin.graph import Graph

T = TypeVar("T", int, str)

#: A motif is small; eight nodes have at most 5,040 automorphisms.
MAX_NODES = 8


class Pattern:
    """A motif template, in the short or the long form.

    Parameters
    ----------
    text : str
        `venue-year`, or Cypher-like paths such as `(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)`.
        The anchor is the only document, the one called `d`, or the one marked as in `(p:document!)`.

    Examples
    --------
    >>> Pattern("year-venue") == Pattern("(d)-[:venue]->(v), (d)-[:year]->(y)")
    True
    >>> Pattern("year-venue").name
    'venue-year'
    >>> len(Pattern("author-author-venue").automorphisms)
    2
    """

    def __init__(self, text: str | Pattern) -> None:
        self.text: str = text.text if isinstance(text, Pattern) else text
        written = parse(self.text)
        self._check_shape(written)
        types = tuple(node.type for node in written.nodes)
        arrows = _arrows(tuple(_drop_implied(written.edges)))
        order = canonical_order(_kinds(types, written.anchor), arrows)
        number = {old: new for new, old in enumerate(order)}
        #: Type of each node; node 0 is the anchor, other documents follow, then the parts by type.
        self.types: tuple[str, ...] = tuple(written.nodes[old].type for old in order)
        self._type_positions = tuple(written.nodes[old].position for old in order)
        edges = [
            Edge(number[e.source], number[e.target], e.type, e.directed, e.position)
            if e.directed or number[e.source] < number[e.target]
            else Edge(number[e.target], number[e.source], e.type, directed=False, position=e.position)
            for e in _drop_implied(written.edges)
        ]
        self.edges: tuple[Edge, ...] = tuple(sorted(edges, key=_edge_key))

    def _check_shape(self, written: Template) -> None:
        if len(written.nodes) > MAX_NODES:
            raise BadPattern.at(
                self.text,
                written.nodes[MAX_NODES].position,
                f"a pattern has at most {MAX_NODES} nodes, the document included",
                hint="split it into smaller ones",
            )
        if all(node.type == DOCUMENT for node in written.nodes):
            raise BadPattern.at(
                self.text,
                0,
                "there is nothing but documents, so nothing to name an instance by",
                hint="add a metadata or term node",
            )
        reached = _reached(written)
        if len(reached) < len(written.nodes):
            lost = min(set(range(len(written.nodes))) - reached)
            raise BadPattern.at(
                self.text,
                written.nodes[lost].position,
                "this node is not connected to the anchor",
                hint="join it to the rest with an edge",
            )

    @property
    def key(self) -> tuple[tuple[str, ...], tuple[tuple[int, int, str, bool], ...]]:
        """The canonical form: equal for all spellings of one template."""
        return self.types, tuple(_edge_key(e) for e in self.edges)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Pattern({self.name!r})"

    def __str__(self) -> str:
        return self.name

    @property
    def fields(self) -> tuple[str, ...]:
        """The types of the nodes that an instance assigns, in the order of a table's part columns."""
        return self.types[self.n_documents :]

    @property
    def n_documents(self) -> int:
        """How many document nodes there are; the anchor is node 0."""
        return self.types.count(DOCUMENT)

    @cached_property
    def is_star(self) -> bool:
        """Whether it is one document joined to each part, which the short form can express."""
        return (
            self.n_documents == 1
            and len(self.edges) == len(self.fields)
            and all(e.source == 0 and e.type == self.types[e.target] for e in self.edges)
        )

    @cached_property
    def name(self) -> str:
        """The canonical spelling: the short form if it can express the pattern."""
        if self.is_star:
            return "-".join(quote_name(field) for field in self.fields)
        return spell(self.types, self.edges)

    @cached_property
    def template(self) -> networkx.MultiDiGraph:
        """The pattern as a networkx graph, nodes in canonical order."""
        return _build(self.types, self.edges, 0)

    @cached_property
    def automorphisms(self) -> tuple[tuple[int, ...], ...]:
        """Every renumbering of the nodes that preserves types, edges and the anchor."""
        from networkx.algorithms import isomorphism

        matcher = isomorphism.MultiDiGraphMatcher(
            self.template,
            self.template,
            node_match=isomorphism.categorical_node_match(["rank", "type"], [None, None]),
            edge_match=isomorphism.categorical_multiedge_match("type", None),
        )
        nodes = range(len(self.types))
        return tuple(sorted(tuple(found[n] for n in nodes) for found in matcher.isomorphisms_iter()))

    @cached_property
    def column_symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of the part columns by the automorphisms, each once."""
        first = self.n_documents
        return tuple(sorted({tuple(n - first for n in found[first:]) for found in self.automorphisms}))

    def smallest(self, row: Sequence[T]) -> list[T]:
        """Return the smallest of the assignments that are symmetric to a row of parts.

        Examples
        --------
        >>> Pattern("author-author-year").smallest(["Bob", "Ann", "2008"])
        ['Ann', 'Bob', '2008']
        """
        if self.is_star:  # parts of one field are interchangeable, and fields are in order
            return [value for group in self._groups for value in sorted(row[group])]
        return min([row[c] for c in symmetry] for symmetry in self.column_symmetries)

    @cached_property
    def _groups(self) -> tuple[slice, ...]:
        """The columns of each field, which are adjacent."""
        starts = {kind: self.fields.index(kind) for kind in self.fields}
        return tuple(slice(start, start + self.fields.count(kind)) for kind, start in starts.items())

    @cached_property
    def smallest_first(self) -> tuple[tuple[int, int], ...]:
        """Pairs of part columns (a, b) such that requiring a < b selects one assignment of each class.

        A symmetry is decided by the first column it moves: equal-typed nodes are distinct, so that column is either
        smaller or larger than the one it is swapped with.
        """
        moved = (next((c, other) for c, other in enumerate(s) if c != other) for s in self.column_symmetries[1:])
        return tuple(sorted(set(moved)))

    def check(self, graph: Graph) -> None:
        """Raise if the pattern names a field, a link or an edge that the graph does not have."""
        known = graph.node_types
        for kind, position in zip(self.types, self._type_positions, strict=True):
            if kind not in known:
                raise self._unknown(graph, kind, position)
        for edge in self.edges:
            ends = (self.types[edge.source], self.types[edge.target])
            if edge.type in graph.links:
                if ends != (DOCUMENT, DOCUMENT):
                    raise self._fault(
                        graph,
                        edge.position,
                        f"{edge.type!r} joins documents, not a {ends[0]} and a {ends[1]}",
                    )
            elif edge.type in graph.extra:
                extra = graph.extra[edge.type]
                if ends != (extra.source_type, extra.target_type) and (
                    edge.directed or ends[::-1] != (extra.source_type, extra.target_type)
                ):
                    raise self._fault(
                        graph,
                        edge.position,
                        f"{edge.type!r} goes from a {extra.source_type} to a {extra.target_type}",
                    )
            elif edge.type not in known or edge.type == DOCUMENT:
                raise self._unknown(graph, edge.type, edge.position, edge=True)
            elif ends != (DOCUMENT, edge.type):
                raise self._fault(graph, edge.position, f"{edge.type!r} edges go from a document to a {edge.type}")

    def _unknown(self, graph: Graph, name: str, position: int, edge: bool = False) -> BadPattern:
        choices = [t for t in graph.node_types if t != DOCUMENT]
        if edge:
            choices += [*graph.links, *graph.extra]
        what = "edge type" if edge else "field"
        if name in graph.links:
            return self._fault(graph, position, f"{name!r} is a link between documents; write (e:document) at its end")
        if name in graph.extra:
            ends = [quote_name(kind) for kind in (graph.extra[name].source_type, graph.extra[name].target_type)]
            written = f"(x:{ends[0]})-[:{quote_name(name)}]->(y:{ends[1]})"
            return self._fault(graph, position, f"{name!r} joins nodes whose types have to be written, as in {written}")
        near = difflib.get_close_matches(name, choices, n=1) or [c for c in choices if c.lower() == name.lower()]
        if not near:
            near = [c for c in choices if "-" in c and name in c.split("-")]
        guess = f", did you mean {quote_name(near[0])}?" if near else ""
        return self._fault(graph, position, f"no {what} {name!r}{guess}")

    def _fault(self, graph: Graph, position: int, what: str) -> BadPattern:
        fields = ", ".join(quote_name(t) for t in graph.node_types if t != DOCUMENT)
        others = [*graph.links, *graph.extra]
        links = f"; links and other edges: {', '.join(quote_name(name) for name in others)}" if others else ""
        return BadPattern.at(self.text, position, what, hint=f"fields: {fields}{links}")


def _edge_key(edge: Edge) -> tuple[int, int, str, bool]:
    return edge.source, edge.target, edge.type, edge.directed


def _drop_implied(edges: tuple[Edge, ...]) -> list[Edge]:
    """Leave out `-[:cites]-` if there is a directed edge of the same type between the same nodes."""
    arrows = {(frozenset((e.source, e.target)), e.type) for e in edges if e.directed}
    return [e for e in edges if e.directed or (frozenset((e.source, e.target)), e.type) not in arrows]


def _reached(written: Template) -> set[int]:
    """Return the nodes that are connected to the anchor, ignoring directions."""
    reached, more = set[int](), {written.anchor}
    while more:
        reached |= more
        ends = ((e.source, e.target) for e in written.edges if (e.source in reached) != (e.target in reached))
        more = {end for pair in ends for end in pair} - reached
    return reached


def _kinds(types: tuple[str, ...], anchor: int) -> list[tuple[int, str]]:
    """Return rank and type of each node: the anchor, other documents, the rest."""
    return [(0 if n == anchor else 1 if kind == DOCUMENT else 2, kind) for n, kind in enumerate(types)]


def _arrows(edges: tuple[Edge, ...]) -> list[tuple[int, int, str]]:
    """Return the edges as arrows; an undirected edge becomes a pair of arrows of its own kind."""
    there = [(e.source, e.target, e.type if e.directed else f"-{e.type}-") for e in edges]
    return there + [(e.target, e.source, f"-{e.type}-") for e in edges if not e.directed]


def _build(types: tuple[str, ...], edges: tuple[Edge, ...], anchor: int) -> networkx.MultiDiGraph:
    """Return the networkx graph of a template."""
    import networkx

    graph = networkx.MultiDiGraph()
    for number, (rank, kind) in enumerate(_kinds(types, anchor)):
        graph.add_node(number, type=kind, rank=rank)
    for source, target, label in _arrows(edges):
        graph.add_edge(source, target, type=label)
    return graph
