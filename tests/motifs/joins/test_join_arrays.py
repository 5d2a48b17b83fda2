"""Edges are looked at some rows at a time: what is found does not depend on how many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.graph import Csr
from motifs.joins import arrays

rows_of_nodes = st.lists(st.lists(st.integers(0, 5), max_size=4, unique=True), max_size=12)


@given(rows_of_nodes, st.integers(1, 4), st.integers(1, 5))
def test_frequent_nodes_stay_whatever_the_number_of_rows(rows: list[list[int]], least: int, together: int) -> None:
    often = {node for node in range(6) if sum(node in row for row in rows) >= least}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_ROWS", together)
        edges = Csr.from_lists(rows)
        found = arrays.frequent_rows(edges, edges.in_degrees(6), least)
    assert [found.row(i).tolist() for i in range(len(found))] == [[n for n in row if n in often] for row in rows]


def test_edges_are_counted_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = Csr.from_lists([[0, 2], [2], [], [1, 2]])
    monkeypatch.setattr("hin.graph.COUNTED", 2)
    assert edges.in_degrees(4).tolist() == [1, 1, 3, 0]
    assert np.array_equal(arrays.transpose(edges, 3).degrees(), [1, 1, 3])


@given(rows_of_nodes, st.sets(st.integers(0, 5)), st.integers(0, 6))
def test_edges_are_turned_around_whatever_the_number_at_a_time(
    rows: list[list[int]], kept: set[int], together: int
) -> None:
    keep = np.array([node in kept for node in range(6)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_MANY", together)
        transposed, some = (arrays.transpose(Csr.from_lists(rows), 6, wanted) for wanted in (None, keep))
    whole = [[i for i, row in enumerate(rows) if node in row] for node in range(6)]
    assert [transposed.row(node).tolist() for node in range(6)] == whole
    assert [some.row(node).tolist() for node in range(6)] == [whole[node] * bool(keep[node]) for node in range(6)]
    assert transposed.targets.dtype == some.targets.dtype == np.int32
