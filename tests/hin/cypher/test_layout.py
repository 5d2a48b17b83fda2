"""A folder shows queries the same nodes, relationships and properties that Neo4j gets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from hin.cypher.folder_graph import FolderGraph
from hin.stores.findings import Findings
from hin.stores.layout import layout_of, project
from tests.neo4j.neo4j_samples import hostile_graph, sample_findings, sample_graph


def _hashable(properties: dict[str, Any]) -> Any:
    return tuple(
        sorted((key, repr(value)) for key, value in properties.items() if value is not None and value == value)
    )


@pytest.mark.parametrize("which", ["papers", "found", "hostile"])
def test_the_layout_is_the_projection(which: str) -> None:
    graph = hostile_graph() if which == "hostile" else sample_graph(loops=True)
    found = sample_findings(graph) if which == "found" else Findings()
    wanted = project(graph, found)
    layout = layout_of(graph, found, {})
    view = FolderGraph(layout)
    for nodes in wanted.nodes:
        table = layout.node_table(nodes.label)
        rows = [_hashable(row) for row in nodes.table.to_pylist()]
        assert [_hashable(view.properties(table.first + i)) for i in range(table.count)] == rows
    edges: Counter[Any] = Counter()
    for group in wanted.relationships:
        for i in range(len(group)):
            properties = {key: values[i].item() for key, values in group.properties.items()}
            ends = (group.source, int(group.sources[i]), group.target, int(group.targets[i]))
            edges[(group.type, ends, _hashable(properties))] += 1
    seen: Counter[Any] = Counter()
    for table in layout.relationships:
        for at in range(table.first, table.first + table.count):
            source, target = view.ends(at)
            ends = (
                view.labels(source)[0], source - table.source.first, view.labels(target)[0], target - table.target.first
            )  # fmt: skip
            seen[(view.type(at), ends, _hashable(view.relationship_properties(at)))] += 1
    assert seen == edges


def test_both_ways_along_every_relationship() -> None:
    graph = sample_graph(loops=True)
    view = FolderGraph(layout_of(graph, sample_findings(graph), {}))
    out = Counter((n, r, o) for n in view.nodes(None) for r, o in view.expand(n, None, 1))
    back = Counter((o, r, n) for n in view.nodes(None) for r, o in view.expand(n, None, -1))
    either = Counter((n, r, o) for n in view.nodes(None) for r, o in view.expand(n, None, 0))
    assert out == back
    assert either == out | Counter((o, r, n) for n, r, o in out)
