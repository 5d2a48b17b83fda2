"""The loop over rounds that every thread runs: claim lanes, wait, merge, wait.

Threads wait at barriers of atomic counters, because a round takes a millisecond or two and a barrier through the
interpreter would cost a tenth of it. Threads claim lanes in any order; the result does not depend on it.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from embed.sgd.lane_kernel import train_lane
from embed.sgd.merge_kernel import merge_lanes
from embed.sgd.random_kernel import lane_key
from hin.arrays.compiling import njit

# Words of `control`, eight apart so that each has a cache line of its own.
ARRIVED, GENERATION, CLAIMED, STOP, HALTED, DONE, FAILED = 0, 8, 16, 24, 32, 40, 48
CONTROL_WORDS = 56
#: How often a thread checks a barrier before it yields its core between checks.
_SPINS = 4000

_INT = ir.IntType(64)


def _pointer(builder: Any, address: Any) -> Any:
    return builder.inttoptr(address, _INT.as_pointer())


def _fetch_add_code(typingctx: Any, address: Any, amount: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _pointer(builder, args[0]), args[1], "seq_cst")

    return types.int64(types.intp, types.int64), codegen


def _read_code(typingctx: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_pointer(builder, args[0]), "seq_cst", 8)

    return types.int64(types.intp), codegen


def _write_code(typingctx: Any, address: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[1], _pointer(builder, args[0]), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(types.intp, types.int64), codegen


def _yield_core_code(typingctx: Any) -> Any:
    """Yield the core to another thread."""
    name = "SwitchToThread" if sys.platform == "win32" else "sched_yield"

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function: Any = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, ir.FunctionType(ir.IntType(32), []), name
        )
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), codegen


_fetch_add: Any = intrinsic(_fetch_add_code)
_read: Any = intrinsic(_read_code)
_write: Any = intrinsic(_write_code)
_yield_core: Any = intrinsic(_yield_core_code)


@njit(cache=True, nogil=True)
def _wait_at_barrier(control: Any, threads: Any, finished: Any) -> Any:
    """Wait at a barrier for all threads; the last one resets the claims and, after a merge, decides whether to stop."""
    base = control.ctypes.data
    generation = _read(base + 8 * GENERATION)
    if _fetch_add(base + 8 * ARRIVED, 1) == threads - 1:
        _write(base + 8 * ARRIVED, 0)
        _write(base + 8 * CLAIMED, 0)
        if finished >= 0:
            _write(base + 8 * DONE, finished)
            _write(base + 8 * HALTED, _read(base + 8 * STOP))
        _write(base + 8 * GENERATION, generation + 1)
        return
    spins = 0
    while _read(base + 8 * GENERATION) == generation:
        spins += 1
        if spins > _SPINS:
            _yield_core()
            if _read(base + 8 * FAILED) != 0:  # a thread has failed and will never arrive
                return


def _sources() -> str:
    """Return a hash of all kernels: numba's cache checks a function's own file only, not those it calls."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*kernel*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _make_run_rounds(sources: str) -> Any:
    @njit(cache=True, nogil=True)
    def run_rounds(
        thread: Any,
        threads: Any,
        first_round: Any,
        last_round: Any,
        first_step: Any,
        seed: Any,
        rates: Any,
        kappa_speed: Any,
        table: Any,
        kappa: Any,
        shape: Any,
        corpus: Any,
        lanes: Any,
        head: Any,
        touched: Any,
        totals: Any,
        control: Any,
    ) -> None:
        """Run the rounds `first_round` to `last_round` of an epoch, together with the other threads.

        Round 0 of the epoch is step `first_step` of the training.

        ``control[STOP]`` asks all threads to leave after the round they are in; ``control[DONE]`` is the next round.
        `totals` float64[3] sums edges, loss and measured edges.
        """
        assert len(sources) > 0  # a closure's variables are part of the cache key
        base = control.ctypes.data
        for r in range(first_round, last_round):
            rate = rates[r]
            while True:
                lane = _fetch_add(base + 8 * CLAIMED, 1)
                if lane >= shape.lanes:
                    break
                at = r * shape.lanes + lane
                key = lane_key(seed, first_step + r, shape.lanes, lane)
                train_lane(
                    lane,
                    corpus.lane_starts[at],
                    corpus.lane_starts[at + 1],
                    table,
                    kappa,
                    shape,
                    corpus,
                    lanes,
                    key,
                    rate,
                    rate * kappa_speed,
                )
            _wait_at_barrier(control, threads, -1)
            if _read(base + 8 * FAILED) != 0:
                break
            merge_lanes(thread, threads, shape.lanes, table, kappa, shape, lanes, head, touched)
            if thread == 0:
                for lane in range(shape.lanes):
                    for k in range(3):
                        totals[k] += lanes.stats[lane, k]
            _wait_at_barrier(control, threads, r + 1)
            if _read(base + 8 * HALTED) != 0 or _read(base + 8 * FAILED) != 0:
                break

    return run_rounds


#: Compiled on first use, then cached on disk until a kernel's source changes.
run_rounds = _make_run_rounds(_sources())
