"""The schedule is a plain value that covers every edge once an epoch."""

from __future__ import annotations

import numpy as np
import pytest

from embed import Edges, EmbedOptions
from embed.sgd.schedule import cut_pieces, default_epochs, make_plan
from tests.embed.planted import planted_edges


def one_long_document(tokens: int) -> Edges:
    text = np.zeros(tokens, np.int32)
    return Edges(np.array([0, 1]), np.zeros(1, np.int32), np.array([0, tokens]), text, 1, 0, 1)


def test_every_instance_edge_and_token_is_in_exactly_one_piece() -> None:
    edges, _ = planted_edges(documents=101)
    plan = make_plan(edges, EmbedOptions(lanes=4, lane_documents=2), pool_rows=10)
    for epoch in (0, 1):
        order = plan.epoch(epoch)
        covered = np.concatenate([np.arange(a, b) for a, b in order.pieces[:, 1:3]])
        assert np.array_equal(np.sort(covered), np.arange(len(edges.instances)))
        covered = np.concatenate([np.arange(a, b) for a, b in order.pieces[:, 3:5]])
        assert np.array_equal(np.sort(covered), np.arange(len(edges.tokens)))
        assert len(order.lanes) == plan.rounds * plan.lanes + 1
        assert order.lanes[0] == 0
        assert order.lanes[-1] == len(order.pieces)
        assert np.all(np.diff(order.lanes) >= 0)
    assert not np.array_equal(plan.epoch(0).pieces, plan.epoch(1).pieces)
    assert np.array_equal(plan.epoch(1).pieces, plan.epoch(1).pieces)


def test_a_long_document_is_cut_into_pieces_that_fit_a_lane() -> None:
    pieces = cut_pieces(one_long_document(10_000), limit=100)
    assert len(pieces) == 101
    assert np.all(pieces[:, 0] == 0)
    assert np.max(pieces[:, 2] - pieces[:, 1] + pieces[:, 4] - pieces[:, 3]) <= 101


def test_the_learning_rate_falls_to_its_floor() -> None:
    edges, _ = planted_edges(documents=64)
    plan = make_plan(edges, EmbedOptions(learning_rate=0.1, epochs=3), pool_rows=10)
    rates = [plan.learning_rate(step) for step in range(3 * plan.rounds)]
    assert rates[0] == pytest.approx(0.1)
    assert all(a >= b for a, b in zip(rates, rates[1:], strict=False))
    assert rates[-1] > 0


def test_the_work_follows_the_edges() -> None:
    work = [default_epochs(n) * n for n in (10**4, 10**5, 10**6, 10**7, 10**8)]
    assert all(3 < b / a <= 10 for a, b in zip(work, work[1:], strict=False))


def test_a_lane_never_needs_more_rows_than_planned() -> None:
    edges, _ = planted_edges(documents=200)
    plan = make_plan(edges, EmbedOptions(lanes=3, lane_documents=7), pool_rows=11)
    order = plan.epoch(0)
    for lane in range(plan.rounds * plan.lanes):
        mine = order.pieces[order.lanes[lane] : order.lanes[lane + 1]]
        assert len(mine) <= plan.lane_pieces
        rows = np.sum(1 + mine[:, 2] - mine[:, 1] + 2 * (mine[:, 4] - mine[:, 3])) + 11
        assert rows <= plan.lane_rows
