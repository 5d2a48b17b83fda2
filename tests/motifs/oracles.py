"""Slow and obvious ways to match, to check the joins against."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import igraph
import networkx

from hin.graph import Graph
from motifs import Pattern
from motifs.table import MotifTable

Node = tuple[str, int]
Instances = dict[tuple[int, ...], set[int]]


def triples(graph: Graph) -> set[tuple[Node, str, Node]]:
    """Every edge of a graph as (node, type, node)."""
    found: set[tuple[Node, str, Node]] = set()
    for kind in graph.edge_types:
        target = "document" if kind in graph.links else kind
        edges = graph.edges(kind)
        found |= {(("document", d), kind, (target, int(t))) for d in range(len(graph)) for t in edges.row(d)}
    for kind, extra in graph.extra.items():
        pairs = zip(extra.sources.tolist(), extra.targets.tolist(), strict=True)
        found |= {((extra.source_type, a), kind, (extra.target_type, b)) for a, b in pairs}
    return found


def as_networkx(graph: Graph) -> networkx.MultiDiGraph:
    whole = networkx.MultiDiGraph()
    whole.add_nodes_from((kind, i) for kind in graph.node_types for i in range(len(graph.names(kind))))
    for source, kind, target in triples(graph):
        whole.add_edge(source, target, key=kind)
    return whole


def _orbit_key(pattern: Pattern, parts: tuple[int, ...]) -> tuple[int, ...]:
    """One assignment of the class that the automorphisms make, found by trying all of them."""
    types, edges = pattern.types, {(e.source, e.target, e.type, e.directed) for e in pattern.edges}

    def keeps(renamed: tuple[int, ...]) -> bool:
        moved = {
            (renamed[a], renamed[b], kind, directed)
            if directed or renamed[a] < renamed[b]
            else (renamed[b], renamed[a], kind, directed)
            for a, b, kind, directed in edges
        }
        return moved == edges and all(types[renamed[n]] == types[n] for n in range(len(types)))

    first = pattern.n_documents
    whole = (0,) * first + parts
    found = [(0, *rest) for rest in permutations(range(1, len(types))) if keeps((0, *rest))]
    return min(tuple(whole[renamed[n]] for n in range(first, len(types))) for renamed in found)


def brute_force(graph: Graph, pattern: Pattern) -> Instances:
    """Try every assignment of distinct nodes over the networkx graph."""
    whole = as_networkx(graph)
    choices = [[i for kind, i in whole.nodes if kind == wanted] for wanted in pattern.types]
    found: Instances = {}
    for assigned in product(*choices):
        nodes = list(zip(pattern.types, assigned, strict=True))
        if len(set(nodes)) < len(nodes):
            continue
        if all(
            whole.has_edge(nodes[e.source], nodes[e.target], key=e.type)
            or (not e.directed and whole.has_edge(nodes[e.target], nodes[e.source], key=e.type))
            for e in pattern.edges
        ):
            found.setdefault(_orbit_key(pattern, assigned[pattern.n_documents :]), set()).add(assigned[0])
    return found


def _as_igraph(
    nodes: list[Any], colours: list[str], edges: list[tuple[Any, str, Any]]
) -> tuple[igraph.Graph, list[str]]:
    """A directed graph without parallel edges: each edge is a vertex of its own, coloured by type."""
    number = {node: i for i, node in enumerate(nodes)}
    colours = list(colours)
    pairs = []
    for source, kind, target in edges:
        pairs += [(number[source], len(colours)), (len(colours), number[target])]
        colours.append(f"edge {kind}")
    return igraph.Graph(len(colours), pairs, directed=True), colours


def vf2(graph: Graph, pattern: Pattern) -> tuple[Instances, int]:
    """Instances by igraph's VF2, and the number of embeddings it found."""
    nodes = [(kind, i) for kind in graph.node_types for i in range(len(graph.names(kind)))]
    big, big_colours = _as_igraph(nodes, [kind for kind, _ in nodes], sorted(triples(graph)))
    found: Instances = {}
    embeddings: set[tuple[int, ...]] = set()
    free = [e for e in pattern.edges if not e.directed]
    for transposed in product([False, True], repeat=len(free)):
        swap = {id(e): t for e, t in zip(free, transposed, strict=True)}
        edges = [
            (e.target, e.type, e.source) if swap.get(id(e)) else (e.source, e.type, e.target) for e in pattern.edges
        ]
        small, small_colours = _as_igraph(list(range(len(pattern.types))), list(pattern.types), edges)
        palette = {c: i for i, c in enumerate(sorted({*big_colours, *small_colours}))}
        maps = big.get_subisomorphisms_vf2(
            small, color1=[palette[c] for c in big_colours], color2=[palette[c] for c in small_colours]
        )
        embeddings |= {tuple(nodes[v][1] for v in m[: len(pattern.types)]) for m in maps}
    for assigned in embeddings:
        found.setdefault(_orbit_key(pattern, assigned[pattern.n_documents :]), set()).add(assigned[0])
    return found, len(embeddings)


def at_least(instances: Instances, min_count: int) -> Instances:
    return {parts: documents for parts, documents in instances.items() if len(documents) >= min_count}


def from_table(table: MotifTable) -> Instances:
    """What a table says, each instance by the orbit's representative."""
    rows = [tuple(row) for row in table.parts.tolist()]
    return {_orbit_key(table.pattern, row): set(table.incidence.row(i).tolist()) for i, row in enumerate(rows)}
