"""The tokeniser's inner loop: code points in, term ids out."""

from __future__ import annotations

from typing import Any

import numpy as np

from hin.arrays.compiling import njit

# Classes of characters; hin/text/tokenize.py says which character is which.
BREAK, SPACE, LETTER, DIGIT, SINGLE, JOINER, POINT, SIGN, MARK, WORD_JOINER = range(10)

_FNV_START = np.uint64(14695981039346656037)
_FNV_STEP = np.uint64(1099511628211)
_PLUS = np.uint32(ord("+"))


@njit(cache=True, nogil=True)
def _find(pool: Any, starts: Any, slots: Any, hashes: Any, begin: int, end: int, key: Any, known: int) -> int:
    """Look the pooled spelling [begin, end) up; a new one takes the id `known`."""
    mask = len(slots) - 1
    slot = np.int64(key & np.uint64(mask))
    while True:
        term = slots[slot]
        if term < 0:
            slots[slot] = known
            hashes[known] = key
            starts[known + 1] = end
            return known
        if hashes[term] == key and starts[term + 1] - starts[term] == end - begin:
            same = True
            for k in range(end - begin):
                if pool[starts[term] + k] != pool[begin + k]:
                    same = False
                    break
            if same:
                return int(term)
        slot = (slot + 1) & mask


@njit(cache=True, nogil=True)
def rehash(slots: Any, hashes: Any, known: int) -> None:
    """Fill an empty table with the ids of the known spellings."""
    mask = len(slots) - 1
    for term in range(known):
        slot = np.int64(hashes[term] & np.uint64(mask))
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = term


@njit(cache=True, nogil=True)
def absorb(
    pool: Any,
    starts: Any,
    slots: Any,
    hashes: Any,
    known: int,
    new_pool: Any,
    new_starts: Any,
    new_hashes: Any,
    numbers: Any,
) -> int:
    """Look up the spellings of another table, adding those that are new; returns how many are known then."""
    for term in range(len(new_hashes)):
        begin = starts[known]
        end = begin
        for k in range(new_starts[term], new_starts[term + 1]):
            pool[end] = new_pool[k]
            end += 1
        numbers[term] = _find(pool, starts, slots, hashes, begin, end, new_hashes[term], known)
        if numbers[term] == known:
            known += 1
    return known


@njit(cache=True, nogil=True)
def scan(
    text: Any,
    bounds: Any,
    classes: Any,
    folded: Any,
    pool: Any,
    starts: Any,
    slots: Any,
    hashes: Any,
    known: int,
    tokens: Any,
    breaks: Any,
    lengths: Any,
) -> tuple[int, int]:
    """Cut each document into terms.

    `tokens` receives term ids, `breaks` a 1 where something other than space stood before the term, `lengths` the
    number of terms a document has. Returns the number of known spellings and of tokens written.
    """
    n = 0
    for document in range(len(bounds) - 1):
        i, stop = bounds[document], bounds[document + 1]
        first = n
        broken = 1
        while i < stop:
            kind = classes[text[i]]
            if kind == MARK:  # a combining mark without a letter before it
                kind = LETTER
            if kind != LETTER and kind != DIGIT and kind != SINGLE:
                if kind != SPACE and kind != WORD_JOINER:
                    broken = 1
                i += 1
                continue
            begin = starts[known]
            end = begin
            key = _FNV_START
            if kind == SINGLE:
                while i < stop:
                    pool[end] = text[i]
                    key = (key ^ np.uint64(text[i])) * _FNV_STEP
                    end += 1
                    i += 1
                    if i < stop and classes[text[i]] == MARK:
                        continue
                    # A segmenter put a joiner between the characters of one word.
                    if i + 1 < stop and classes[text[i]] == WORD_JOINER and classes[text[i + 1]] == SINGLE:
                        i += 1
                        continue
                    break
            else:
                letters = 0
                while i < stop:
                    char = text[i]
                    kind = classes[char]
                    if kind == MARK:
                        kind = LETTER
                    if kind == JOINER or kind == POINT:
                        # A joiner holds only between word characters, a point only between digits.
                        after = classes[text[i + 1]] if i + 1 < stop else SPACE
                        before = classes[text[i - 1]]
                        after = LETTER if after == MARK else after
                        before = LETTER if before == MARK else before
                        if kind == JOINER and not (after == LETTER or after == DIGIT):
                            break
                        if kind == JOINER and not (before == LETTER or before == DIGIT):
                            break
                        if kind == POINT and not (after == DIGIT and before == DIGIT):
                            break
                    elif kind != LETTER and kind != DIGIT:
                        break
                    else:
                        letters += 1
                    char = folded[char]
                    pool[end] = char
                    key = (key ^ np.uint64(char)) * _FNV_STEP
                    end += 1
                    i += 1
                # One letter with a sign behind it is a name: c++, c#, f#.
                if letters == 1 and end - begin == 1 and i < stop and classes[text[i]] == SIGN:
                    take = 1
                    if text[i] == _PLUS:
                        take = 2 if i + 1 < stop and text[i + 1] == _PLUS else 0
                    for _ in range(take):
                        pool[end] = text[i]
                        key = (key ^ np.uint64(text[i])) * _FNV_STEP
                        end += 1
                        i += 1
            term = _find(pool, starts, slots, hashes, begin, end, key, known)
            if term == known:
                known += 1
            tokens[n] = term
            breaks[n] = broken
            broken = 0
            n += 1
        lengths[document] = n - first
    return known, n
