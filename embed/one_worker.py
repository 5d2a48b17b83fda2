"""Train on one worker of an engine: with the same plan as on this machine, and so the same bytes.

Parallel groups (`embed.on_engine`) are for trainings that do not fit one worker. Any other training is one task for one
worker, because its rounds of a millisecond are too short to distribute. The worker writes its progress to a small file,
and its checkpoints where a run on this machine would: if the worker dies, another continues from there.

The choice depends on the edges and on one setting, `EmbedOptions.worker_memory`, never on the workers' actual memory:
the same command gives the same embedding on any cluster.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from embed.edges import Edges
from embed.options import EmbedOptions
from embed.sgd.checkpoint import Checkpoint
from embed.sgd.trainer import Parameters, Report, Trainer, padded_width
from embed.trained import Learned, Trained
from hin.engines.base import Engine, EngineError
from hin.engines.local import core_count
from hin.files.atomic import atomic_file, atomic_folder
from hin.progress import Progress, silent

_WHERE = "on one worker"
#: Seconds between two reads of the worker's progress.
_POLL_SECONDS = 0.5
#: Bytes per document besides its row: its piece in the plan and in the order of an epoch, offsets, noise.
_PIECE = 150


def fits_one_worker(edges: Edges, options: EmbedOptions) -> bool:
    """Check whether the whole training fits a worker with the memory that `options` names.

    Examples
    --------
    >>> import numpy as np
    >>> offsets = np.array([0, 2, 4])
    >>> ids = np.array([0, 1, 1, 2], np.int32)
    >>> edges = Edges(offsets, ids, offsets, ids, n_instances=3, term_offset=0, n_terms=3)
    >>> fits_one_worker(edges, EmbedOptions()), fits_one_worker(edges, EmbedOptions(worker_memory=0))
    (True, False)
    """
    row = 4 * padded_width(options.dim) + 16
    targets = 4 * (len(edges.instances) + len(edges.tokens))
    return edges.n_rows * row + edges.n_documents * _PIECE + targets <= options.worker_memory * 1_000_000


def train_on_one_worker(
    edges: Edges,
    options: EmbedOptions,
    engine: Engine,
    folder: Path,
    progress: Progress = silent,
    saver: Checkpoint | None = None,
    resume: bool = False,
) -> tuple[Trained, Report]:
    """Train on one worker and return the same result as training here, as memory-mapped files in `folder`.

    Parameters
    ----------
    folder : path
        An empty folder that all workers have access to.
    saver : the checkpoint, which all workers have access to as well; `resume` continues from it.
    """
    engine.check([folder])
    edges.save(folder)
    task = _Task(str(folder), replace(options, threads=options.threads or engine.cores), saver, resume)
    with ThreadPoolExecutor(1, thread_name_prefix="hin-embed") as pool:
        progress("embedding", 0, None, _WHERE)
        training = pool.submit(lambda: list(engine.map(_train, [task])))
        while not wait([training], _POLL_SECONDS).done:
            _report_progress(folder, progress)
    try:
        (report,) = training.result()
    except EngineError as error:
        hint = f"{error.hint}; `--worker-memory 0` trains in rounds, which need less on each worker"
        raise EngineError(error.message, hint=hint) from None
    _report_progress(folder, progress)
    return Trained.open(folder / "trained"), report


def _report_progress(folder: Path, progress: Progress) -> None:
    """Report the progress that the worker wrote last."""
    with suppress(OSError, ValueError):
        label, done, total, note, _ = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
        progress(label, done, total, f"{_WHERE}, {note}" if note else _WHERE)


@dataclass(frozen=True)
class _Task:
    """The worker's parameters; it finds the edges in the folder."""

    folder: str
    options: EmbedOptions
    saver: Checkpoint | None
    resume: bool


def _train(task: _Task) -> Report:
    folder = Path(task.folder)
    edges = Edges.open(folder)
    options = replace(task.options, threads=min(task.options.threads or 1, core_count()))
    begun = folder / "saved"  # made by an earlier try: then the checkpoint there belongs to this run
    start = task.saver.load() if task.saver is not None and (task.resume or begun.exists()) else None
    trainer = Trainer(edges, options, start)
    save = None if task.saver is None else partial(_save, task.saver, begun)
    report_progress = _progress_writer(folder / "progress.json")
    report, parameters = trainer.run(report_progress, save), trainer.parameters
    del trainer, start
    learned = Learned.of(parameters, edges, options.dim)
    del parameters
    report_progress("specificity", 0, 1)
    trained = learned.with_specificity(edges, options.threads)
    with atomic_folder(folder / "trained", "training", own=True) as fresh:
        trained.save(fresh)
    return report


def _save(saver: Checkpoint, begun: Path, parameters: Parameters) -> None:
    saver.save(parameters)
    begun.touch()


def _progress_writer(file: Path) -> Callable[..., None]:
    """Return a progress callback that writes to a file from time to time.

    If the folder is gone, nobody waits for this try any more, and the failed write ends it.
    """
    last = [0.0]

    def report_progress(label: str, done: int, total: int | None, note: str = "") -> None:
        now = time.monotonic()
        if done and now - last[0] < _POLL_SECONDS and done != total:
            return
        last[0] = now
        state: list[Any] = [label, done, total, note, os.getpid()]
        with atomic_file(file, own=True) as temporary:
            temporary.write_text(json.dumps(state), encoding="utf-8")

    return report_progress
