"""Training whole on one worker: the bytes of this machine, with progress, and continued by a second try."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embed import EmbedOptions, train
from embed.learn import edges_of
from embed.on_engine import DocumentGroups
from embed.one_worker import _progress_writer, fits_one_worker, train_on_one_worker
from embed.sgd.checkpoint import Checkpoint, fingerprint
from embed.sgd.trainer import Trainer, _EpochThreads
from embed.trained import Learned
from hin.engines.base import EngineError
from hin.engines.local import LocalEngine
from motifs import match_all
from motifs.samples import tiny_graph
from tests.embed.planted import planted_edges

OPTIONS = EmbedOptions(dim=16, epochs=3, lanes=2)


class Elsewhere(LocalEngine):
    """Threads that are worked with as if they were a cluster's."""

    here = False


def test_one_worker_gives_the_bytes_of_this_machine(tmp_path: Path) -> None:
    edges, _ = planted_edges(documents=400)
    here = Trainer(edges, OPTIONS)
    report = here.run()
    reported: list[tuple[int, int | None, str]] = []

    def progress(label: str, done: int, total: int | None, note: str = "") -> None:
        reported.append((done, total, note))

    there, said = train_on_one_worker(edges, OPTIONS, Elsewhere("local:2"), tmp_path, progress)
    expected = Learned.of(here.parameters, edges, 16).with_specificity(edges)
    assert all(np.array_equal(one, other) for one, other in zip(expected, there, strict=True))
    assert (said.edges, said.epochs, said.loss) == (report.edges, 3, report.loss)
    assert reported[0][:2] == (0, None) and reported[-1][:2] == (
        0,
        1,
    )  # what it said last: how specific the instances are
    assert all("on one worker" in note for _, _, note in reported)


@pytest.mark.parametrize("whole", [True, False])
def test_the_memory_of_a_worker_decides(whole: bool) -> None:
    graph = tiny_graph()
    motif_set = match_all(graph, ["term", "venue"], min_count=1)
    options = replace(OPTIONS, worker_memory=2000 if whole else 0)
    edges = edges_of(graph, motif_set)
    assert fits_one_worker(edges, options) is whole
    here = train(graph, motif_set, options)
    there = train(graph, motif_set, options, engine=Elsewhere("local:2"))
    assert np.array_equal(here.vectors, there.vectors) is whole
    assert np.array_equal(here.documents, there.documents) is whole


def test_more_documents_need_more_memory() -> None:
    small, large = (planted_edges(documents=count)[0] for count in (400, 40_000))
    options = EmbedOptions(worker_memory=4)
    assert fits_one_worker(small, options) and not fits_one_worker(large, options)
    assert fits_one_worker(large, EmbedOptions(worker_memory=60)) and DocumentGroups.of(large, options).parallel == 4


def test_the_setting_shapes_nothing_by_itself() -> None:
    edges, _ = planted_edges(documents=50)
    one, other = OPTIONS, replace(OPTIONS, worker_memory=0, threads=1)
    assert one.shaping == other.shaping and fingerprint(edges, one) == fingerprint(edges, other)


class Dying(Elsewhere):
    """A worker that dies after it saved its state twice; Spark gives the block to another."""

    def map(self, work: Any, blocks: Any) -> Iterator[Any]:
        (task,) = blocks
        saves: list[int] = []

        def dies(saver: Checkpoint, parameters: Any) -> None:
            saves.append(parameters.step)
            Checkpoint.save(saver, parameters)
            if len(saves) == 2:
                raise MemoryError

        with pytest.MonkeyPatch.context() as patch:
            run, wait = Trainer.run, _EpochThreads.wait
            patch.setattr(Trainer, "run", lambda self, tell, save, seconds=0.0: run(self, tell, save, seconds))
            patch.setattr(
                _EpochThreads, "wait", lambda self, seconds: wait(self, 0.0)
            )  # or a quick machine is done at a look
            mortal = replace(task, saver=_Saver(task.saver.folder, task.saver.run, dies))
            with pytest.raises(MemoryError):
                work(mortal)
        self.begun_at = saves[-1]
        yield work(task)


class _Saver(Checkpoint):
    def __init__(self, folder: Path, run: str, save: Any) -> None:
        super().__init__(folder, run)
        self._save = save

    def save(self, parameters: Any) -> None:
        self._save(Checkpoint(self.folder, self.run), parameters)


def test_a_second_try_goes_on_where_the_first_one_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edges, _ = planted_edges(documents=4000)
    here = Trainer(edges, OPTIONS)
    here.run()
    started: list[int] = []
    run = Trainer.run
    monkeypatch.setattr(Trainer, "run", lambda self, *rest: started.append(self.parameters.step) or run(self, *rest))
    files, engine = tmp_path / "files", Dying("local:2")
    files.mkdir()
    # What another run left is not resumed unless that is asked for.
    saver = Checkpoint(tmp_path / "checkpoint", fingerprint(edges, OPTIONS))
    saver.save(replace(here.parameters, step=7))
    there, _ = train_on_one_worker(edges, OPTIONS, engine, files, saver=saver)
    assert started == [0, engine.begun_at] and engine.begun_at > 0
    expected = Learned.of(here.parameters, edges, 16)
    assert np.array_equal(there.vectors, expected.vectors)
    assert np.array_equal(there.contexts, expected.contexts)


def test_a_try_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    reported = _progress_writer(tmp_path / "gone" / "progress.json")
    with pytest.raises(FileNotFoundError):
        reported("embedding", 1, 9)


def test_a_worker_without_memory_is_reported_the_way_out(tmp_path: Path) -> None:
    class Failing(Elsewhere):
        def map(self, work: Any, blocks: Any) -> Iterator[Any]:
            raise EngineError("the cluster gave up: lost", hint="see the logs of its workers")
            yield

    edges, _ = planted_edges(documents=50)
    with pytest.raises(EngineError, match="`--worker-memory 0` trains in rounds") as failed:
        train_on_one_worker(edges, OPTIONS, Failing("local:1"), tmp_path)
    assert failed.value.message == "the cluster gave up: lost"
