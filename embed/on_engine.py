"""Train on all workers of an engine: groups of documents train in parallel, and their changes are merged.

This is for trainings that do not fit the memory of one worker (see `embed.one_worker`).

Document rows do not move: each group has its own in a file beside the edges. The rows of instances and contexts do:
every turn the workers get the current ones, each trains one group on a copy, and returns the changes. These are
merged as those of lanes are (`merge_kernel`): a row that n groups changed gets their sum times n^-1/2.

Groups, turns and rates depend on the edges, the options and the seed alone, so the result does not depend on the
number of workers or on their speed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from embed.edges import Edges
from embed.options import EmbedOptions
from embed.sgd.schedule import default_epochs
from embed.sgd.trainer import Parameters, Report, Trainer, start_parameters
from hin.arrays.types import Floats, Int64
from hin.engines.base import Engine
from hin.engines.through_files import through_files
from hin.graph import Csr
from hin.progress import Progress, silent

#: Documents per group and turn: with more, the copies would diverge before they are merged.
_TOGETHER = 1024
#: Groups that train in parallel: one per this many documents, up to the maximum.
_DOCUMENTS, _MOST = 10_000, 64


@dataclass(frozen=True)
class DocumentGroups:
    """The assignment of documents to groups: document d is in group ``d % (parallel * turns)``.

    Attributes
    ----------
    parallel : groups that train in parallel.
    turns : merges per epoch.
    epochs : passes over all documents.
    """

    parallel: int
    turns: int
    epochs: int

    @classmethod
    def of(cls, edges: Edges, options: EmbedOptions) -> DocumentGroups:
        """Choose the grouping of a corpus; it depends on its size alone."""
        parallel = int(np.clip(edges.n_documents // _DOCUMENTS, 2, _MOST))
        turns = max(1, round(edges.n_documents / (parallel * _TOGETHER)))
        return cls(parallel, turns, options.epochs or default_epochs(len(edges.instances)))

    def documents(self, group: int, total: int) -> Int64:
        """Return the documents of a group."""
        return np.arange(group, total, self.parallel * self.turns)


@dataclass(frozen=True)
class _Task:
    """The work of one worker in one turn."""

    group: int
    epoch: int


@dataclass(frozen=True)
class _Changed:
    """The changed rows of instances and contexts of a group, with their changes."""

    rows: Int64
    change: Floats
    kappa: Floats
    edges: float
    loss: float


def train_groups(
    edges: Edges, options: EmbedOptions, engine: Engine, folder: Path, progress: Progress = silent
) -> tuple[Parameters, Report]:
    """Train on an engine and return the parameters in the form of a run on this machine.

    Parameters
    ----------
    folder : path
        An empty folder that all workers have access to.
    """
    import time

    begun = time.perf_counter()
    engine.check([folder])
    engine = through_files(engine, folder)  # rows are sent in every turn
    grouping = DocumentGroups.of(edges, options)
    edges.save(folder)
    # One thread each: there are as many workers as cores.
    fixed = engine.share((grouping, replace(options, threads=1, epochs=grouping.epochs)))
    table, kappa = _start(edges, options)
    done, trained, loss = 0, 0.0, float("nan")
    for epoch in range(grouping.epochs):
        for turn in range(grouping.turns):
            note = f"{grouping.parallel} groups in parallel, loss {loss:.3f}"
            progress("embedding", done, grouping.epochs * grouping.turns, note)
            work = partial(_train, str(folder), fixed, engine.share((table, kappa)))
            tasks = [_Task(turn * grouping.parallel + k, epoch) for k in range(grouping.parallel)]
            changed = list(engine.map(work, tasks))
            _merge(table, kappa, changed)
            trained += sum(one.edges for one in changed)
            loss = float(np.mean([one.loss for one in changed]))
            done += 1
    parameters = _combine_groups(edges, grouping, table, kappa, folder, done)
    parameters.edges, parameters.seconds = trained, time.perf_counter() - begun
    return parameters, Report(parameters.seconds, int(trained), engine.workers, grouping.epochs, loss)


def _start(edges: Edges, options: EmbedOptions) -> tuple[Floats, Floats]:
    """Return the initial rows of instances and contexts; each group initialises its own documents."""
    none = np.zeros(1, np.int64)
    alone = replace(edges, instance_offsets=none, token_offsets=none, instances=edges.instances[:0])
    started = start_parameters(alone, options)
    return np.array(started.table), started.kappa


def _train(
    folder: str, fixed: Callable[[], tuple[Any, ...]], state: Callable[[], tuple[Floats, Floats]], task: _Task
) -> _Changed:
    grouping, options = fixed()
    table, kappa = state()
    edges = _group_edges(folder, grouping, task.group)
    trainer = Trainer(edges, replace(options, seed=options.seed + task.group))
    mine, n_shared = trainer.parameters, len(table)
    mine.table[:n_shared] = table
    mine.kappa[:] = kappa
    path = Path(folder) / f"rows-{task.group:06d}"
    if task.epoch:
        mine.table[n_shared:] = np.load(f"{path}-{task.epoch - 1}.npy", allow_pickle=False)
    mine.step = task.epoch * trainer.plan.rounds
    loss = trainer.run_epoch(task.epoch)
    part = Path(f"{path}-{task.epoch}.part")
    with part.open("wb") as file:  # named by the pass, so that a retry reads the same input
        np.save(file, mine.table[n_shared:], allow_pickle=False)
    part.replace(f"{path}-{task.epoch}.npy")
    moved = mine.table[:n_shared] - table
    changes = mine.kappa - kappa
    touched = np.asarray(moved.any(axis=1))
    touched[: len(kappa)] |= changes != 0
    rows = np.flatnonzero(touched)
    return _Changed(rows, moved[rows], changes[rows[rows < len(kappa)]], mine.edges, loss)


@lru_cache(maxsize=4)  # a worker trains the same few groups repeatedly
def _open_edges(folder: str) -> Edges:
    return Edges.open(Path(folder))


def _group_edges(folder: str, grouping: DocumentGroups, group: int) -> Edges:
    """Return the edges of one group's documents, numbered from 0."""
    whole = _open_edges(folder)
    documents = grouping.documents(group, whole.n_documents)
    held = Csr(whole.instance_offsets, whole.instances).take(documents)
    read = Csr(whole.token_offsets, whole.tokens).take(documents)
    mine = replace(whole, instance_offsets=held.offsets, instances=held.targets)
    return replace(mine, token_offsets=read.offsets, tokens=read.targets)


def _merge(table: Floats, kappa: Floats, changed: list[_Changed]) -> None:
    """Add the changes of the groups, in the order of the groups."""
    times = np.zeros(len(table), np.float32)
    for one in changed:
        times[one.rows] += 1
    damping = 1 / np.sqrt(np.maximum(times, 1))
    for one in changed:
        table[one.rows] += damping[one.rows, None] * one.change
        instances = one.rows[one.rows < len(kappa)]
        kappa[instances] += damping[instances] * one.kappa
    np.maximum(kappa, 0, out=kappa)


def _combine_groups(
    edges: Edges, grouping: DocumentGroups, table: Floats, kappa: Floats, folder: Path, steps: int
) -> Parameters:
    """Combine the shared rows and those of all groups into one table."""
    whole = np.empty((edges.n_rows, table.shape[1]), np.float32)
    whole[: len(table)] = table
    for group in range(grouping.parallel * grouping.turns):
        rows = np.load(folder / f"rows-{group:06d}-{grouping.epochs - 1}.npy", allow_pickle=False)
        whole[len(table) + grouping.documents(group, edges.n_documents)] = rows
    return Parameters(whole, kappa, steps)
