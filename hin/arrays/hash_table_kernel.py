"""A hash table of numbers by open addressing: each slot has the position of a key, or -1."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit

_MIX = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def fill_slots(keys: Any, slots: Any) -> None:
    """Insert the positions of keys that differ into empty slots, whose number is a power of two."""
    shift = np.uint64(64 - int(np.log2(len(slots))))
    for k in range(len(keys)):
        slot = np.int64((np.uint64(keys[k]) * _MIX) >> shift)
        while slots[slot] >= 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = k


@njit(cache=True, nogil=True)
def position_of(key: int, keys: Any, slots: Any, shift: Any) -> int:
    """Return the position of a key, or -1; `shift` is 64 minus the logarithm of the number of slots."""
    slot = np.int64((np.uint64(key) * _MIX) >> shift)
    while slots[slot] >= 0:
        if keys[slots[slot]] == key:
            return int(slots[slot])
        slot = (slot + 1) & (len(slots) - 1)
    return -1
