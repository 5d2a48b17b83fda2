"""The graph as igraph and networkx see it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import hin


def test_igraph_and_networkx_see_the_same_graph(papers: Path) -> None:
    graph = hin.load(papers, links="cites")
    seen = graph.to_igraph()
    nodes = [(v["type"], v["name"]) for v in seen.vs]
    edges = Counter((nodes[e.source], nodes[e.target], e["type"]) for e in seen.es)
    other = graph.to_networkx()
    assert set(other.nodes) == set(nodes)
    assert Counter(list(other.edges(keys=True))) == edges
    assert edges[("document", "p1"), ("document", "p2"), "cites"] == 1
    assert other.edges[("document", "p1"), ("term", "mining"), "term"]["count"] == 2
