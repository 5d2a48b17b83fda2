"""Merge the lanes' copies of rows into the shared table."""

from __future__ import annotations

from typing import Any

import numpy as np

from embed.sgd.lane_kernel import normalise
from embed.sgd.vector_kernel import prefetch_row
from hin.arrays.compiling import njit

#: How many rows ahead of the one being merged are prefetched.
_AHEAD = 4
#: The last seven bits of a row's number decide which owner merges it.
_OWNER_MASK = 127
#: One number encodes the lane and the slot of a copy.
_SLOT_BITS = 20
_SLOT_MASK = (1 << _SLOT_BITS) - 1


@njit(cache=True, nogil=True, fastmath=True)
def merge_lanes(
    owner: Any, owners: Any, n_lanes: Any, table: Any, kappa: Any, shape: Any, lanes: Any, head: Any, touched: Any
) -> None:
    """Merge the rows assigned to one owner (by row number), each row in lane order.

    A row that n lanes changed gets the sum of their changes times n^-1/2: the full sum overshoots when all of them
    moved it the same way, the mean is too slow. Any number of owners gives the same bytes. `head` is int32[rows] of
    -1 on entry and on return; `touched` is int32 scratch, one row per owner.
    """
    width = table.shape[1]
    mine = touched[owner]
    owner_of = np.arange(_OWNER_MASK + 1) % owners
    n = 0
    for lane in range(n_lanes - 1, -1, -1):
        for s in range(lanes.counts[lane]):
            row = lanes.rows[lane, s]
            if owner_of[row & _OWNER_MASK] != owner:
                continue
            if head[row] < 0:
                mine[n] = row
                n += 1
            lanes.chain[lane, s] = head[row]
            head[row] = (lane << _SLOT_BITS) | s
    total = np.empty(width, np.float32)
    for k in range(n):
        if k + _AHEAD < n:
            prefetch_row(table.ctypes.data + np.int64(mine[k + _AHEAD]) * width * 4, width * 4)
        row = mine[k]
        at = head[row]
        head[row] = -1
        lane, s = at >> _SLOT_BITS, at & _SLOT_MASK
        if lanes.chain[lane, s] < 0:  # one lane only: its copy is the new row
            for c in range(width):
                table[row, c] = lanes.vectors[lane, s, c]
            if row < shape.n_instances:
                kappa[row] = lanes.kappa[lane, s]
            continue
        for c in range(width):
            total[c] = np.float32(0.0)
        kappa_total = np.float32(0.0)
        times = np.float32(0.0)
        while at >= 0:
            lane, s = at >> _SLOT_BITS, at & _SLOT_MASK
            for c in range(width):
                total[c] += lanes.vectors[lane, s, c] - table[row, c]
            if row < shape.n_instances:
                kappa_total += lanes.kappa[lane, s] - kappa[row]
            times += np.float32(1.0)
            at = lanes.chain[lane, s]
        damping = np.float32(1.0) / np.sqrt(times)
        for c in range(width):
            table[row, c] += damping * total[c]
        if row < shape.n_instances:
            kappa[row] = max(kappa[row] + damping * kappa_total, np.float32(0.0))
        if shape.sphere:
            normalise(table, row)
