"""Training: initialise the parameters, run the plan's rounds on threads, stop and resume cleanly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from embed.edges import Edges
from embed.options import EmbedOptions
from embed.sgd.kernel_tables import EdgeTables, Lanes, TrainingShape
from embed.sgd.noise import AliasTable, keep_probability
from embed.sgd.schedule import Plan, make_plan
from hin.arrays.types import Floats, Int32
from hin.engines.local import core_count
from hin.errors import DamagedGraph
from hin.progress import Progress, silent

#: Rows are padded to whole cache lines.
_LINE = 16


@dataclass
class Parameters:
    """The trained parameters: one row per motif instance, then per term context, then per document."""

    table: Floats
    kappa: Floats
    step: int = 0
    edges: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class Report:
    """The cost of a training run."""

    seconds: float
    edges: int
    threads: int
    epochs: int
    loss: float

    @property
    def edges_per_second(self) -> float:
        """Positive edges per second."""
        return self.edges / self.seconds if self.seconds > 0 else 0.0


def aligned_zeros(shape: tuple[int, ...]) -> Floats:
    """Allocate zeros aligned to a cache line."""
    size = int(np.prod(shape))
    raw = np.zeros(size + _LINE, np.float32)
    start = (-raw.ctypes.data // 4) % _LINE
    return raw[start : start + size].reshape(shape)


class Trainer:
    """One training run over given edges.

    Examples
    --------
    >>> offsets = np.array([0, 2, 4])
    >>> ids = np.array([0, 1, 1, 2], np.int32)
    >>> edges = Edges(offsets, ids, offsets, ids, n_instances=3, term_offset=0, n_terms=3)
    >>> trainer = Trainer(edges, EmbedOptions(dim=8, epochs=2, threads=1))
    >>> report = trainer.run()
    >>> trainer.parameters.step == trainer.plan.epochs * trainer.plan.rounds
    True
    """

    def __init__(self, edges: Edges, options: EmbedOptions, parameters: Parameters | None = None) -> None:
        self.edges, self.options = edges, options
        self.sphere = options.objective == "paper"
        document_pool, term_pool = _pool_sizes(options)
        self.plan: Plan = make_plan(edges, options, pool_rows=document_pool + term_pool)
        self.shape = TrainingShape(
            n_instances=edges.n_instances,
            term_offset=edges.term_offset,
            n_terms=edges.n_terms,
            window=options.window,
            shrink=int(options.shrink_window),
            negatives=options.negatives,
            group=8,
            passes=options.document_passes,
            document_pool=document_pool,
            term_pool=term_pool,
            sphere=int(self.sphere),
            lanes=options.lanes,
        )
        self.parameters = parameters if parameters is not None else start_parameters(edges, options)
        self._check_parameters()
        self.threads = min(options.threads or core_count(), options.lanes)

    def _check_parameters(self) -> None:
        """Raise if the sizes of a saved state do not fit these edges: the compiled loops do not check them."""
        state, edges = self.parameters, self.edges
        shape = (edges.n_rows, padded_width(self.options.dim))
        fits = state.table.shape == shape and len(state.kappa) == edges.n_instances
        if not fits or not 0 <= state.step <= self.plan.epochs * self.plan.rounds:
            raise DamagedGraph(
                "the checkpoint does not match the graph",
                hint="delete it, or train without `resume=True`",
            )

    def run(
        self,
        progress: Progress | None = None,
        checkpoint: Callable[[Parameters], None] | None = None,
        checkpoint_seconds: float = 60.0,
    ) -> Report:
        """Run the rest of the plan. On Ctrl-C the current round is finished and a checkpoint written."""
        progress = progress or silent
        plan, parameters = self.plan, self.parameters
        loss = float("nan")
        try:
            for epoch in range(parameters.step // plan.rounds, plan.epochs):
                loss = self.run_epoch(epoch, progress, checkpoint, checkpoint_seconds)
        except KeyboardInterrupt:
            # all threads have stopped after a whole round, so the parameters are a state to resume from
            if checkpoint is not None:
                checkpoint(parameters)
            raise
        return Report(parameters.seconds, int(parameters.edges), self.threads, plan.epochs, loss)

    @cached_property
    def _lanes(self) -> Lanes:
        return lane_buffers(self.plan, self.shape, self.parameters.table.shape[1])

    @cached_property
    def _noise(self) -> tuple[Any, ...]:
        """Compute the keep probabilities of instances and tokens, and the noise distributions of the negatives."""
        edges, options = self.edges, self.options
        token_counts = edges.token_counts()
        documents = AliasTable.of_degrees(edges.document_degrees(), options.noise_power)
        terms = AliasTable.of_degrees(token_counts, options.noise_power)
        keep_token = keep_probability(token_counts, options.subsample)
        keep_instance = np.ones(edges.n_instances, np.float32)
        keep_instance[edges.term_offset : edges.term_offset + edges.n_terms] = keep_token
        return keep_instance, keep_token, documents.accept, documents.alias, terms.accept, terms.alias

    def run_epoch(
        self,
        epoch: int,
        progress: Progress = silent,
        checkpoint: Callable[[Parameters], None] | None = None,
        checkpoint_seconds: float = 60.0,
    ) -> float:
        """Run the rest of one epoch and return the mean loss."""
        order = self.plan.epoch(epoch)
        corpus = EdgeTables(order.pieces, order.lanes, self.edges.instances, self.edges.tokens, *self._noise)
        return self._run_epoch(epoch, corpus, self._lanes, progress, checkpoint, checkpoint_seconds)

    def _run_epoch(
        self,
        epoch: int,
        corpus: EdgeTables,
        lanes: Lanes,
        progress: Progress,
        checkpoint: Callable[[Parameters], None] | None,
        checkpoint_seconds: float,
    ) -> float:
        plan, parameters = self.plan, self.parameters
        first_step = epoch * plan.rounds
        rates = np.array([plan.learning_rate(first_step + r) for r in range(plan.rounds)], np.float32)
        loss = float("nan")
        while parameters.step < first_step + plan.rounds:
            threads = _EpochThreads(self, corpus, lanes, first_step, rates)
            try:
                threads.start()
                while not threads.wait(0.2):
                    threads.report_to(parameters)
                    self._report_progress(progress, threads.loss())
                    if checkpoint is not None and threads.age > checkpoint_seconds:
                        threads.stop()
            except BaseException:
                threads.stop()
                threads.join()
                threads.report_to(parameters)
                raise
            threads.join()
            threads.report_to(parameters)
            loss = threads.loss()
            if threads.failures:
                raise threads.failures[0]
            if checkpoint is not None and threads.stopped:
                checkpoint(parameters)
        self._report_progress(progress, loss)
        return loss

    def _report_progress(self, progress: Progress, loss: float) -> None:
        parameters, plan = self.parameters, self.plan
        total = plan.epochs * plan.rounds
        done = max(parameters.step, 1)
        rate = parameters.edges / max(parameters.seconds, 1e-9)
        left = parameters.seconds / done * (total - parameters.step)
        note = f"{rate / 1e6:.1f} M edges/s, loss {loss:.3f}, {left:.0f} s left"
        progress("embedding", parameters.step, total, note)


class _EpochThreads:
    """The threads that run rounds of one epoch until its end or until asked to stop."""

    def __init__(self, trainer: Trainer, corpus: EdgeTables, lanes: Lanes, first_step: int, rates: Floats) -> None:
        from embed.sgd.round_kernel import CONTROL_WORDS, DONE

        parameters, plan = trainer.parameters, trainer.plan
        self.control = np.zeros(CONTROL_WORDS, np.int64)
        self.first = parameters.step - first_step
        self.control[DONE] = self.first
        self.totals = np.zeros(3)
        self.first_step = first_step
        self._edges_before, self._seconds_before = parameters.edges, parameters.seconds
        self._begun = time.perf_counter()
        self.failures: list[BaseException] = []
        n = trainer.threads
        head = np.full(trainer.edges.n_rows, -1, np.int32)
        touched = np.empty((n, plan.lanes * plan.lane_rows), np.int32)
        seed = np.uint64(plan.seed & (2**64 - 1))
        speed = np.float32(trainer.options.relative_kappa_rate)
        state = (parameters.table, parameters.kappa, trainer.shape, corpus, lanes, head, touched)
        #: The arguments of the rounds that are the same for all threads.
        self._shared = (first_step, seed, rates, speed, *state, self.totals, self.control)
        self._threads = [
            threading.Thread(target=self._work, args=(i, n, self.first, plan.rounds), name=f"embed-{i}", daemon=True)
            for i in range(n)
        ]

    def _work(self, *rounds: int) -> None:
        from embed.sgd.round_kernel import FAILED, run_rounds

        try:
            run_rounds(*rounds, *self._shared)
        except BaseException as failure:  # passed to the caller's thread
            self.failures.append(failure)
            self.control[FAILED] = 1

    @property
    def done(self) -> int:
        """Rounds of the epoch that are finished."""
        from embed.sgd.round_kernel import DONE

        return int(self.control[DONE])

    @property
    def stopped(self) -> bool:
        """Whether the threads stopped before the epoch's end."""
        from embed.sgd.round_kernel import HALTED

        return bool(self.control[HALTED])

    @property
    def age(self) -> float:
        """Seconds since this object was made."""
        return time.perf_counter() - self._begun

    def report_to(self, parameters: Parameters) -> None:
        """Set step, edges and seconds to the last finished round."""
        parameters.step = self.first_step + self.done
        parameters.edges = self._edges_before + float(self.totals[0])
        parameters.seconds = self._seconds_before + self.age

    def loss(self) -> float:
        """Return the mean loss so far of a positive edge with its negatives."""
        _, loss, measured = self.totals
        return float(loss / measured) if measured else float("nan")

    def start(self) -> None:
        """Compile, or load from the cache, then start the clock and the threads."""
        from embed.sgd.round_kernel import run_rounds

        run_rounds(0, 1, 0, 0, *self._shared)  # no round
        self._begun = time.perf_counter()
        for thread in self._threads:
            thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for the threads; return whether all have stopped."""
        end = time.perf_counter() + seconds
        for thread in self._threads:
            thread.join(max(end - time.perf_counter(), 0.0))
        return not any(thread.is_alive() for thread in self._threads)

    def stop(self) -> None:
        """Ask the threads to stop after the current round."""
        from embed.sgd.round_kernel import STOP

        self.control[STOP] = 1

    def join(self) -> None:
        """Wait until all threads have stopped; a second Ctrl-C does not interrupt the current round."""
        for thread in self._threads:
            while thread.ident is not None and thread.is_alive():
                try:
                    thread.join()
                except KeyboardInterrupt:
                    self.stop()


def padded_width(dim: int) -> int:
    """Return the padded length of a row: whole cache lines."""
    return -(-dim // _LINE) * _LINE


def start_parameters(edges: Edges, options: EmbedOptions) -> Parameters:
    """Initialise the parameters: random vectors from the seed, every kappa at its first value."""
    width = padded_width(options.dim)
    table = aligned_zeros((edges.n_rows, width))
    generator = np.random.Generator(np.random.Philox(key=[options.seed & (2**64 - 1), 2**63]))
    sphere = options.objective == "paper"
    n = edges.n_rows if sphere else edges.n_instances
    for first in range(0, n, 65536):
        last = min(first + 65536, n)
        if sphere:
            block = generator.standard_normal((last - first, options.dim), dtype=np.float32)
            block /= np.sqrt(np.einsum("ij,ij->i", block, block))[:, None]
        else:  # as in word2vec: left rows small and random, right rows zero
            block = generator.random((last - first, options.dim), dtype=np.float32) - np.float32(0.5)
            block /= np.float32(options.dim)
        table[first:last, : options.dim] = block
    return Parameters(table, np.full(edges.n_instances, options.starting_kappa, np.float32))


def _pool_sizes(options: EmbedOptions) -> tuple[int, int]:
    """Compute how many documents and terms a lane draws as negatives: enough that groups of edges rarely share one."""
    each = max(options.negatives, 1) * options.lane_documents
    return max(128, 3 * each), max(512, 12 * each)


def lane_buffers(plan: Plan, shape: TrainingShape, width: int) -> Lanes:
    """Allocate the buffers for all lanes of a round."""
    n, rows = plan.lanes, plan.lane_rows
    buckets = 1
    while buckets < 2 * rows:
        buckets *= 2

    def slots(*size: int) -> Int32:
        return np.zeros((n, *size), np.int32)

    return Lanes(
        vectors=aligned_zeros((n, rows + 1, width)),
        kappa=np.ones((n, rows + 1), np.float32),
        rows=slots(rows),
        counts=np.zeros(n, np.int64),
        buckets=slots(buckets),
        documents=slots(plan.lane_pieces),
        lefts=slots(plan.lane_instances),
        token_lefts=slots(plan.lane_tokens),
        token_rights=slots(plan.lane_tokens),
        ends=slots(plan.lane_pieces, 2),
        document_pool=slots(shape.document_pool),
        term_pool=slots(shape.term_pool),
        stats=np.zeros((n, 3)),
        chain=slots(rows),
    )
