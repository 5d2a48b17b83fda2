"""The inner loop of reading new text: words to terms, the longest known phrase first."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit

_MIX = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def fill_table(keys: Any, values: Any, slots: Any, found: Any) -> None:
    """Insert keys with their values into an open-addressing hash table of a power of two slots."""
    shift = np.uint64(64 - int(np.log2(len(slots))))
    for k in range(len(keys)):
        slot = np.int64((np.uint64(keys[k]) * _MIX) >> shift)
        while slots[slot] >= 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = keys[k]
        found[slot] = values[k]


@njit(cache=True, nogil=True)
def _look_up(key: int, slots: Any, found: Any, shift: Any) -> int:
    slot = np.int64((np.uint64(key) * _MIX) >> shift)
    while slots[slot] >= 0:
        if slots[slot] == key:
            return int(found[slot])
        slot = (slot + 1) & (len(slots) - 1)
    return -1


@njit(cache=True, nogil=True)
def longest_terms(
    words: Any,
    breaks: Any,
    offsets: Any,
    n_words: int,
    term_of_word: Any,
    slots: Any,
    found: Any,
    term_of_state: Any,
    out: Any,
    out_offsets: Any,
) -> int:
    """Split each document into terms, left to right, and return their number; words that are no term are dropped.

    Phrases are a trie: (state, word) leads to the next state; a single word is the state with its number. A phrase
    spans nothing but white space between its words.
    """
    shift = np.uint64(64 - int(np.log2(len(slots))))
    n = 0
    for document in range(len(offsets) - 1):
        out_offsets[document] = n
        i, stop = offsets[document], offsets[document + 1]
        while i < stop:
            word = words[i]
            if word >= n_words:
                i += 1
                continue
            best, length = term_of_word[word], 1
            state, j = np.int64(word), i + 1
            while j < stop and breaks[j] == 0 and words[j] < n_words:
                state = np.int64(_look_up(state * n_words + words[j], slots, found, shift))
                if state < 0:
                    break
                j += 1
                if term_of_state[state] >= 0:
                    best, length = term_of_state[state], j - i
            if best >= 0:
                out[n] = best
                n += 1
            i += length
    out_offsets[len(offsets) - 1] = n
    return n
