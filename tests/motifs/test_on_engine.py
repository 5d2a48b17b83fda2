"""Matching range by range gives the tables that one pass gives, whatever the ranges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hin.building.graph_builder import build_graph
from hin.engines.base import open_engine
from hin.graph import Graph
from hin.reading.records import RecordBatch
from hin.stores.graph_files import write_graph
from motifs import MotifOptions, Pattern, match
from motifs.on_engine import match_on_engine
from motifs.table import MotifTable

PATTERNS = [
    "venue",
    "author-author",
    "venue-year",
    "venue-author-author",
    "term-term",
    "(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)",
    "(d:document)-[:author]->(a:author)<-[:author]-(e:document)-[:venue]->(v:venue)",
]


def graph_of(count: int = 300) -> Graph:
    chance = np.random.default_rng(3)
    words = [f"w{i}" for i in range(30)]
    return build_graph(
        [
            RecordBatch(
                [f"p{i}" for i in range(count)],
                [(" ".join(chance.choice(words, 6)),) for _ in range(count)],
                {
                    "author": [[f"a{a}" for a in chance.integers(0, 25, chance.integers(0, 5))] for _ in range(count)],
                    "venue": [[f"v{chance.integers(0, 6)}"] for _ in range(count)],
                    "year": [[f"{chance.integers(2000, 2008)}"] for _ in range(count)],
                },
                [None] * count,
                {"cites": [[f"p{c}" for c in chance.integers(0, count, 3)] for _ in range(count)]},
                [("-", i) for i in range(count)],
            )
        ],
        ["text"],
    )


def same(one: MotifTable, other: MotifTable) -> bool:
    return (
        one.parts.tobytes() == other.parts.tobytes()
        and one.incidence.equals(other.incidence)
        and one.skipped.tolist() == other.skipped.tolist()
    )


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("options", [MotifOptions(min_count=2), MotifOptions(min_count=3, max_per_document=12)])
@pytest.mark.parametrize("engine", ["local:1", "local:3"])
def test_ranges_give_the_same_table(pattern: str, options: MotifOptions, engine: str, tmp_path: Path) -> None:
    graph = graph_of()
    write_graph(graph, tmp_path)
    expected = match(graph, Pattern(pattern), options=options)
    found = match_on_engine(open_engine(engine), tmp_path, graph, Pattern(pattern), options)
    assert same(found, expected)
    assert len(expected) or len(expected.skipped)
