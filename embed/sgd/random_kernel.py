"""Random numbers of the training kernel: a pure function of a lane's key and a counter."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFF)
_TO_UNIT = np.float32(1.0 / 16777216.0)


@njit(cache=True, nogil=True, inline="always")
def draw(key: Any, counter: Any) -> Any:
    """Draw 64 random bits (SplitMix64)."""
    z = key + counter * _GOLDEN
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@njit(cache=True, nogil=True)
def lane_key(seed: Any, step: Any, lanes: Any, lane: Any) -> Any:
    """Derive the key of a lane in round `step`: mixed twice, so that neighbouring lanes and seeds are unrelated."""
    return draw(draw(seed, np.uint64(1)) ^ np.uint64(step * lanes + lane), np.uint64(1))


@njit(cache=True, nogil=True, inline="always")
def below(bits: Any, bound: Any) -> Any:
    """Return an index in [0, bound) from the upper half of 64 random bits."""
    return np.int64(((bits >> _S32) * np.uint64(bound)) >> _S32)


@njit(cache=True, nogil=True, inline="always")
def unit(bits: Any) -> Any:
    """Return a number in [0, 1) from the lower bits."""
    return np.float32(bits & _LOW) * _TO_UNIT


@njit(cache=True, nogil=True, inline="always")
def noise_index(bits: Any, accept: Any, alias: Any) -> Any:
    """Draw from an alias table: the bucket from the upper bits, acceptance from the lower."""
    k = below(bits, accept.size)
    return k if unit(bits) < accept[k] else np.int64(alias[k])
