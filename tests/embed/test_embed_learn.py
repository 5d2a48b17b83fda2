"""Training: planted topics are found, and the same bytes come out whatever happens on the way."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from embed import Edges, EmbedOptions, estimate_specificity
from embed.sgd.checkpoint import Checkpoint, fingerprint
from embed.sgd.trainer import Parameters, Trainer
from embed.vectors import centred_units, unit_rows
from tests.embed.planted import NARROW, TERM_OFFSET, TOPICS, is_narrow, planted_edges

OPTIONS = EmbedOptions(dim=24, epochs=12, threads=2)


def trained(edges: Edges, options: EmbedOptions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unit vectors of instances, learned ones of documents, and the learned kappa."""
    trainer = Trainer(edges, options)
    trainer.run()
    table, n = trainer.parameters.table[:, : options.dim], edges.n_instances
    assert np.isfinite(table).all()
    return unit_rows(table[:n]), unit_rows(table[n + edges.n_terms :]), trainer.parameters.kappa


@pytest.mark.parametrize("objective", ["free", "paper"])
def test_vectors_recover_planted_topics_and_kappa_separates_narrow_from_broad(objective: str) -> None:
    edges, topics = planted_edges()
    vectors, learned, kappa = trained(edges, EmbedOptions(dim=24, epochs=12, objective=objective))  # type: ignore[arg-type]
    estimated = estimate_specificity(edges, vectors, learned)
    venues = centred_units(vectors)[:TOPICS]
    assert np.mean(np.argmax(venues @ centred_units(estimated.documents).T, axis=0) == topics) > 0.95
    units = centred_units(vectors)
    terms = np.repeat(np.arange(TOPICS), NARROW)
    nearest = np.argmax(venues @ units[TERM_OFFSET : TERM_OFFSET + TOPICS * NARROW].T, axis=0)
    assert np.mean(nearest == terms) > 0.95
    narrow = is_narrow()
    assert estimated.kappa[narrow].min() > estimated.kappa[~narrow].max()
    assert np.all(kappa >= 0)
    if objective == "paper":  # off the sphere the vectors' lengths take over part of kappa's work
        assert kappa[narrow].mean() > kappa[~narrow].mean()


def test_paper_objective_holds_the_unit_sphere() -> None:
    edges, _ = planted_edges(documents=100)
    trainer = Trainer(edges, EmbedOptions(dim=24, epochs=2, objective="paper"))
    trainer.run()
    assert np.linalg.norm(trainer.parameters.table, axis=1) == pytest.approx(np.ones(edges.n_rows), abs=1e-5)


@pytest.mark.parametrize("objective", ["free", "paper"])
def test_one_two_and_four_threads_give_the_same_bytes(objective: str) -> None:
    edges, _ = planted_edges(documents=300)
    results = []
    for threads in (1, 2, 4):
        options = EmbedOptions(dim=24, epochs=3, objective=objective, threads=threads)  # type: ignore[arg-type]
        trainer = Trainer(edges, options)
        trainer.run()
        n = edges.n_instances
        vectors = unit_rows(trainer.parameters.table[:n, :24])
        learned = unit_rows(trainer.parameters.table[n + edges.n_terms :, :24])
        found = estimate_specificity(edges, vectors, learned, threads)
        parts = (trainer.parameters.table, trainer.parameters.kappa, found.kappa, found.documents)
        results.append(b"".join(part.tobytes() for part in parts))
    assert results[0] == results[1] == results[2]


def test_another_seed_gives_another_result() -> None:
    edges, _ = planted_edges(documents=50)
    first, second = (trained(edges, EmbedOptions(dim=8, epochs=1, seed=seed))[0] for seed in (0, 1))
    assert not np.array_equal(first, second)


SCRIPT = """
import hashlib, sys
from embed import EmbedOptions
from embed.sgd.trainer import Trainer
from tests.embed.planted import planted_edges
trainer = Trainer(planted_edges(documents=80)[0], EmbedOptions(dim=16, epochs=2, threads=2))
trainer.run()
print(hashlib.sha256(trainer.parameters.table.tobytes() + trainer.parameters.kappa.tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_the_hash_seed_changes_nothing() -> None:
    root = Path(__file__).parents[2]
    seen = set()
    for seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True, cwd=root
        )
        seen.add(done.stdout)
    assert len(seen) == 1


class Interrupter:
    """A progress display that presses Ctrl-C after some rounds."""

    def __init__(self, after: int) -> None:
        self.after, self.reported = after, 0

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        self.reported += 1
        if done >= self.after:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_interrupt_and_resume_give_the_bytes_of_an_uninterrupted_run(tmp_path: Path) -> None:
    edges, _ = planted_edges(documents=600)
    options = EmbedOptions(dim=24, epochs=40, threads=2)
    whole = Trainer(edges, options)
    whole.run()
    place = Checkpoint(tmp_path / "state", fingerprint(edges, options))
    start: Parameters | None = None
    stops = 0
    for after in (1, whole.plan.rounds * 3, whole.plan.rounds * 10):
        trainer = Trainer(edges, options, start)
        with pytest.raises(KeyboardInterrupt):
            trainer.run(Interrupter(after), place.save)
        start = place.load()
        assert start is not None
        assert start.step > 0
        stops += 1
    resumed = Trainer(edges, EmbedOptions(dim=24, epochs=40, threads=1), start)
    resumed.run()
    assert stops == 3
    assert resumed.parameters.table.tobytes() == whole.parameters.table.tobytes()
    assert resumed.parameters.kappa.tobytes() == whole.parameters.kappa.tobytes()


def test_regular_checkpoints_change_nothing(tmp_path: Path) -> None:
    edges, _ = planted_edges(documents=300)
    options = EmbedOptions(dim=24, epochs=20, threads=2)
    whole, saved = Trainer(edges, options), Trainer(edges, options)
    whole.run()
    place = Checkpoint(tmp_path / "state", fingerprint(edges, options))
    saved.run(checkpoint=place.save, checkpoint_seconds=0.0)
    assert whole.parameters.table.tobytes() == saved.parameters.table.tobytes()


def test_a_checkpoint_of_another_run_is_not_taken(tmp_path: Path) -> None:
    edges, _ = planted_edges(documents=50)
    first = EmbedOptions(dim=8, epochs=1)
    trainer = Trainer(edges, first)
    trainer.run()
    Checkpoint(tmp_path / "state", fingerprint(edges, first)).save(trainer.parameters)
    other = EmbedOptions(dim=8, epochs=1, seed=1)
    assert Checkpoint(tmp_path / "state", fingerprint(edges, other)).load() is None
    same = EmbedOptions(dim=8, epochs=1, threads=1)
    assert Checkpoint(tmp_path / "state", fingerprint(edges, same)).load() is not None


def test_ctrl_c_leaves_no_thread_behind() -> None:
    edges, _ = planted_edges(documents=300)
    with pytest.raises(KeyboardInterrupt):
        Trainer(edges, EmbedOptions(dim=24, epochs=50, threads=2)).run(Interrupter(1))
    for thread in threading.enumerate():
        if thread.name.startswith("embed-"):
            thread.join(60)
            assert not thread.is_alive()


def test_progress_reports_rate_loss_and_time_left() -> None:
    edges, _ = planted_edges(documents=100)
    reported: list[tuple[str, int, int | None, str]] = []
    trainer = Trainer(edges, EmbedOptions(dim=8, epochs=2))
    report = trainer.run(lambda label, done, total, note="": reported.append((label, done, total, note)))
    assert reported[-1][1] == reported[-1][2] == 2 * trainer.plan.rounds
    assert all(word in reported[-1][3] for word in ("edges/s", "loss", "left"))
    assert report.edges > 0
    assert 0 < report.loss < 6


def edges_from(instances: list[list[int]], tokens: list[list[int]], n_instances: int, n_terms: int) -> Edges:
    def ends(rows: list[list[int]]) -> np.ndarray:
        return np.cumsum([0, *map(len, rows)]).astype(np.int64)

    return Edges(
        ends(instances), np.array(sum(instances, []), np.int32), ends(tokens), np.array(sum(tokens, []), np.int32),
        n_instances, n_instances - n_terms, n_terms,
    )  # fmt: skip


@pytest.mark.parametrize("objective", ["free", "paper"])
@pytest.mark.parametrize(
    ("instances", "tokens", "n_instances", "n_terms"),
    [
        ([[0, 1], [0, 2], [0, 1, 2]], [[0, 1], [1], [0, 0, 1]], 3, 2),  # instance 0 in every document
        ([[0], [0], []], [[], [], []], 1, 0),  # no terms at all, an empty document
        ([[0, 1]], [[0, 1, 0]], 2, 2),  # one document
        ([[0, 1, 2], [0, 2]], [[0, 1, 2], [0, 2]], 3, 3),  # no metadata
        ([[0]], [[0]], 1, 1),  # one instance, one document, one token
    ],
)
def test_degenerate_corpora_train(
    objective: str, instances: list[list[int]], tokens: list[list[int]], n_instances: int, n_terms: int
) -> None:
    edges = edges_from(instances, tokens, n_instances, n_terms)
    options = EmbedOptions(dim=8, epochs=2, objective=objective, subsample=0.0)  # type: ignore[arg-type]
    vectors, learned, kappa = trained(edges, options)
    found = estimate_specificity(edges, vectors, learned)
    for array in (kappa, found.kappa, found.documents, found.weights):
        assert np.isfinite(array).all()


@pytest.mark.parametrize("window", [0, 1, 7])
@pytest.mark.parametrize("negatives", [1, 5, 13])
@pytest.mark.parametrize("dim", [1, 100])
def test_other_shapes_train(dim: int, window: int, negatives: int) -> None:
    edges, _ = planted_edges(documents=30)
    trained(edges, EmbedOptions(dim=dim, window=window, negatives=negatives, epochs=1, shrink_window=window != 7))
