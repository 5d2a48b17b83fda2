"""Lanes' copies come back into the table by one rule, whoever merges them."""

from __future__ import annotations

import numpy as np
import pytest

from embed import EmbedOptions
from embed.sgd.kernel_tables import Lanes
from embed.sgd.merge_kernel import merge_lanes
from embed.sgd.trainer import Trainer, lane_buffers
from tests.embed.planted import planted_edges


def filled(seed: int = 0) -> tuple[Trainer, Lanes]:
    """Lanes that hold changed copies of some rows, several of them in more than one lane."""
    edges, _ = planted_edges(documents=64)
    trainer = Trainer(edges, EmbedOptions(dim=16, lanes=4, lane_documents=2, threads=1, epochs=1))
    lanes = lane_buffers(trainer.plan, trainer.shape, 16)
    generator = np.random.default_rng(seed)
    for lane in range(4):
        rows = generator.permutation(edges.n_rows)[:60]
        lanes.rows[lane, :60] = rows
        lanes.counts[lane] = 60
        lanes.vectors[lane, :60] = trainer.parameters.table[rows] + generator.normal(size=(60, 16))
        lanes.kappa[lane, :60] = generator.uniform(0, 2, 60)
    return trainer, lanes


def merged(owners: int) -> tuple[np.ndarray, np.ndarray]:
    trainer, lanes = filled()
    table, kappa = trainer.parameters.table, trainer.parameters.kappa
    head = np.full(len(table), -1, np.int32)
    touched = np.empty((owners, lanes.rows.size), np.int32)
    for owner in range(owners):
        merge_lanes(owner, owners, 4, table, kappa, trainer.shape, lanes, head, touched)
    assert np.all(head == -1)
    return table, kappa


def test_a_row_takes_the_sum_of_changes_damped_by_the_root_of_the_lanes() -> None:
    trainer, lanes = filled()
    before, before_kappa = trainer.parameters.table.copy(), trainer.parameters.kappa.copy()
    table, kappa = merged(1)
    for row in range(len(before)):
        at = np.argwhere(lanes.rows[:, :60] == row)
        change = sum((lanes.vectors[lane, s] - before[row] for lane, s in at), np.zeros(16))
        damping = 1 / np.sqrt(max(len(at), 1))
        assert table[row] == pytest.approx(before[row] + damping * change, abs=1e-5)
        if row < len(kappa):
            change = sum(lanes.kappa[lane, s] - before_kappa[row] for lane, s in at)
            assert kappa[row] == pytest.approx(max(before_kappa[row] + damping * change, 0), abs=1e-5)


@pytest.mark.parametrize("owners", [2, 3, 4])
def test_any_number_of_owners_gives_the_same_bytes(owners: int) -> None:
    one, many = merged(1), merged(owners)
    assert one[0].tobytes() == many[0].tobytes()
    assert one[1].tobytes() == many[1].tobytes()
