"""The instances below the minimum count, counted without their documents, against a full match."""

from __future__ import annotations

import numpy as np
import pytest

from motifs import MotifOptions, Pattern, match
from motifs.joins.sorted_edges import Columns
from motifs.joins.star import StarPlan
from motifs.significance import rarer
from motifs.significance.distinct import distinct_rows
from motifs.significance.rarer import rarer_instances
from tests.motifs.significance.graphs import random_graph


@pytest.mark.parametrize("pattern", ["author-author", "author-venue", "author-year", "tag-author", "author-tag-year"])
@pytest.mark.parametrize("at_once", [0, 1 << 22])
def test_rarer_instances_are_those_of_a_full_match(pattern: str, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rarer, "_MOST_PAIRS", at_once)
    graph = random_graph(5)
    plan = StarPlan(Pattern(pattern), Columns(graph), MotifOptions(min_count=2))
    every = match(graph, pattern, min_count=2)
    wanted = (every.documents < 4).nonzero()[0]
    assert 0 < len(wanted) <= len(every)
    parts, counts = rarer_instances(plan, np.ones(len(graph), dtype=np.bool_), 4)
    assert parts.tolist() == every.parts[wanted].tolist()
    assert counts.tolist() == every.documents[wanted].tolist()


def test_distinct_rows_are_those_of_a_set_for_dense_and_for_wide_numbers() -> None:
    rng = np.random.default_rng(0)
    for high in (5, 10**12):
        columns = [rng.integers(3, size=500), rng.integers(3, size=500) * float(high), rng.integers(2, size=500)]
        first, back = distinct_rows(*columns)
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        assert len(first) == len(set(rows))
        assert [rows[first[i]] for i in back] == rows
    assert [len(found) for found in distinct_rows(np.empty(0), np.empty(0))] == [0, 0]
