"""The inner loop of reading new text: words to terms, the longest known phrase first."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit
from hin.arrays.hash_table_kernel import position_of


@njit(cache=True, nogil=True)
def longest_terms(
    words: Any,
    breaks: Any,
    offsets: Any,
    n_words: int,
    term_of_word: Any,
    keys: Any,
    slots: Any,
    term_of_state: Any,
    out: Any,
    out_offsets: Any,
) -> int:
    """Split each document into terms, left to right, and return their number; words that are no term are dropped.

    Phrases are a trie: (state, word), one of `keys`, leads to the state numbered by its position after the words; a
    single word is the state with its number. A phrase spans nothing but white space between its words.
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
                at = position_of(state * n_words + words[j], keys, slots, shift)
                if at < 0:
                    break
                state = np.int64(n_words + at)
                j += 1
                if term_of_state[state] >= 0:
                    best, length = term_of_state[state], j - i
            if best >= 0:
                out[n] = best
                n += 1
            i += length
    out_offsets[len(offsets) - 1] = n
    return n
