"""Text into terms: Unicode words, case folded, hyphenated and accented words whole, numbers kept.

A word is a run of letters, marks and digits; a hyphen, an apostrophe or an underscore between two of them belongs to
it, a point between two digits too (`3.14`). Ideographs, kana, Thai and other letters that are written without spaces
are terms of their own, one character each with its marks (phrase mining joins them), unless a segmenter found words
(`hin.text.segments`). Korean words lose their particles (`hin.text.particles`). Emojis are terms. One letter with `#`
or `++` behind it is a name (`c++`). Soft hyphens and joiners are skipped.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Int32, Int64
from hin.text.particles import PARTICLE, drop_particles
from hin.text.segments import INVISIBLE_JOINER, join_characters, segment_words

_HYPHENS = "-\u2010\u2011"
_APOSTROPHES = "'\u2019\u02bc"
_SKIPPED = "\u00ad\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_SINGLES = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17DD),  # Thai, Lao, Burmese, Khmer
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
#: Pictures: all of the newer blocks, and of the older ones those that are shown in colour.
_EMOJIS = (
    *((0x1F000, 0x1F3FA), (0x1F400, 0x1FAFF)),
    *(
        (code, code)
        for code in map(
            ord,
            "\u2600\u2601\u2602\u2603\u2614\u2615\u2639\u263a\u2665\u26a0\u26a1\u26bd\u26be"
            "\u26c4\u26d4\u2705\u2708\u270a\u270b\u270c\u2728\u274c\u2753\u2757\u2764\u2795\u2b50",
        )
    ),
)
_CHUNK = 1 << 20


def fold(text: str) -> str:
    """Normalise a text for the comparison of terms: case folded, composed, without invisible characters.

    >>> fold("Größe E\u0301TUDE")
    'grösse étude'
    """
    if text.isascii():
        return text.lower()
    for char in _SKIPPED:
        if char in text:
            text = text.replace(char, "")
    return unicodedata.normalize("NFC", text.casefold())


@lru_cache(maxsize=1)
def _tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
    """Return the class of every code point, and what it is written as inside a term."""
    from hin.text.tokenize_kernel import BREAK, DIGIT, JOINER, LETTER, MARK, POINT, SIGN, SINGLE, SPACE, WORD_JOINER

    classes = np.full(sys.maxunicode + 1, BREAK, dtype=np.uint8)
    kinds = {"L": LETTER, "M": LETTER, "N": DIGIT, "Z": SPACE}
    for code in (*range(0x32400), *range(0xE0100, 0xE01F0)):  # nothing beyond is a letter or a mark
        kind = kinds.get(unicodedata.category(chr(code))[0])
        if kind is not None:
            classes[code] = kind
    for low, high in _SINGLES:
        for code in range(low, min(high, 0x323FF) + 1):
            if classes[code] == LETTER:
                classes[code] = MARK if unicodedata.category(chr(code))[0] == "M" else SINGLE
    for low, high in _EMOJIS:
        span = classes[low : high + 1]
        span[span == BREAK] = SINGLE
    for chars, kind in (
        ("\t\n\v\f\r", SPACE),
        (INVISIBLE_JOINER, WORD_JOINER),
        (_HYPHENS + _APOSTROPHES + "_", JOINER),
        (".", POINT),
        ("+#", SIGN),
    ):
        for char in chars:
            classes[ord(char)] = kind
    folded = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    for char in _HYPHENS:
        folded[ord(char)] = ord("-")
    for char in _APOSTROPHES:
        folded[ord(char)] = ord("'")
    return classes, folded


@dataclass(frozen=True)
class Vocabulary:
    """Distinct spellings by number: their characters one after the other, where each begins, and their hashes."""

    pool: npt.NDArray[np.uint32]
    starts: Int64
    hashes: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.hashes)


class Tokenizer:
    """Cuts texts into terms and numbers the spellings in the order they are first met.

    Examples
    --------
    >>> tokenizer = Tokenizer()
    >>> ids, breaks, lengths = tokenizer.add(["State-of-the-art C++, in 2019.", "in the"])
    >>> tokenizer.spellings()
    ['state-of-the-art', 'c++', 'in', '2019', 'the']
    >>> ids.tolist(), lengths.tolist()
    ([0, 1, 2, 3, 2, 4], [4, 2])
    """

    def __init__(self, words: bool = True, kanji: str = "chinese") -> None:
        """Make an empty tokeniser; without `words`, text without spaces is always cut into characters.

        A text of Chinese characters alone is of the language `kanji`.
        """
        self._words, self._kanji = words, kanji
        self._known = 0
        self._pool = np.zeros(1 << 16, dtype=np.uint32)
        self._starts = np.zeros(1 << 12, dtype=np.int64)
        self._hashes = np.zeros(1 << 12, dtype=np.uint64)
        self._slots = np.full(1 << 13, -1, dtype=np.int32)

    def __len__(self) -> int:
        return self._known

    def add(self, texts: Sequence[str], whole: bool = False) -> tuple[Int32, npt.NDArray[np.uint8], Int64]:
        """Cut some documents: term ids, breaks before them, and the number of terms of each document.

        With `whole`, everything between two spaces is one word, also in scripts without spaces.
        """
        parts: list[Any] = []
        start = 0
        while start < len(texts):
            size, stop = 0, start
            while stop < len(texts) and (size == 0 or size + len(texts[stop]) <= _CHUNK):
                size += len(texts[stop])
                stop += 1
            ready = join_characters if whole else self._ready
            parts.append(self._add([ready(fold(text)) for text in texts[start:stop]]))
            start = stop
        if not parts:
            return np.zeros(0, np.int32), np.zeros(0, np.uint8), np.zeros(0, np.int64)
        ids, breaks, lengths = (np.concatenate(column) for column in zip(*parts, strict=True))
        return ids, breaks, lengths

    def _ready(self, text: str) -> str:
        text = drop_particles(text)
        return segment_words(text, self._kanji) if self._words else text

    def _add(self, texts: list[str]) -> tuple[Any, Any, Any]:
        from hin.text.tokenize_kernel import scan

        classes, folded = _tables()
        bounds = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in texts], out=bounds[1:])
        codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
        self._reserve(len(codes))
        tokens = np.empty(len(codes), dtype=np.int32)
        breaks = np.empty(len(codes), dtype=np.uint8)
        lengths = np.zeros(len(texts), dtype=np.int64)
        given = (codes, bounds, classes, folded)
        self._known, n = scan(*given, *self._table, self._known, tokens, breaks, lengths)
        return tokens[:n].copy(), breaks[:n].copy(), lengths

    @property
    def _table(self) -> tuple[Any, ...]:
        """The hash table of the spellings, as the kernels take it."""
        return self._pool, self._starts, self._slots, self._hashes

    def _reserve(self, size: int, terms: int | None = None) -> None:
        """Reserve capacity for `size` more characters, so that the loop never has to stop."""
        from hin.text.tokenize_kernel import rehash

        self._pool = _grow(self._pool, int(self._starts[self._known]) + size + 2)
        terms = self._known + (size if terms is None else terms) + 2
        self._starts = _grow(self._starts, terms + 1)
        self._hashes = _grow(self._hashes, terms)
        if len(self._slots) < 2 * terms:
            self._slots = np.full(1 << (2 * terms).bit_length(), -1, dtype=np.int32)
            rehash(self._slots, self._hashes, self._known)

    def absorb(self, other: Vocabulary) -> Int32:
        """Add the spellings of another tokeniser, in its order; returns the number that each has here.

        >>> here, there = Tokenizer(), Tokenizer()
        >>> _ = here.add(["graph mining"]), there.add(["mining data"])
        >>> here.absorb(there.vocabulary()).tolist(), here.spellings()
        ([1, 2], ['graph', 'mining', 'data'])
        """
        from hin.text.tokenize_kernel import absorb

        self._reserve(len(other.pool), len(other))
        numbers = np.empty(len(other), dtype=np.int32)
        self._known = absorb(*self._table, self._known, other.pool, other.starts, other.hashes, numbers)
        return numbers

    def vocabulary(self) -> Vocabulary:
        """Return the spellings so far, without spare capacity."""
        starts = self._starts[: self._known + 1].copy()
        return Vocabulary(self._pool[: starts[-1]].copy(), starts, self._hashes[: self._known].copy())

    def spellings(self) -> list[str]:
        """Return every spelling met so far, by id."""
        starts = self._starts[: self._known + 1].tolist()
        text = self._pool[: starts[-1]].tobytes().decode("utf-32-le")
        return [text[a:b] for a, b in zip(starts, starts[1:], strict=False)]

    def spelling(self, number: int) -> str:
        """Return one spelling.

        >>> tokenizer = Tokenizer()
        >>> _ = tokenizer.add(["graph mining"])
        >>> tokenizer.spelling(1)
        'mining'
        """
        return self._pool[self._starts[number] : self._starts[number + 1]].tobytes().decode("utf-32-le")


def _grow(array: Any, size: int) -> Any:
    if len(array) >= size:
        return array
    bigger = np.zeros(max(size, 2 * len(array)), dtype=array.dtype)
    bigger[: len(array)] = array
    return bigger


def token_pattern() -> str:
    """Return a regular expression of the terms of a folded text, for Python and (with the flag u) JavaScript."""
    from hin.text.tokenize_kernel import DIGIT, LETTER, MARK, SINGLE

    classes, _ = _tables()

    def ranges(kind: int) -> str:
        codes = np.flatnonzero(classes == kind)
        cuts = np.flatnonzero(np.diff(codes) != 1)
        firsts, lasts = codes[np.r_[0, cuts + 1]], codes[np.r_[cuts, len(codes) - 1]]
        return "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(firsts, lasts, strict=True))

    letter, digit, single, mark = ranges(LETTER), ranges(DIGIT), ranges(SINGLE), ranges(MARK)
    word, one = f"[{letter}{digit}{mark}]", f"[{single}][{mark}]*"
    joiner = f"(?:[\\{_HYPHENS}{_APOSTROPHES}_](?={word})|(?<=[{digit}])\\.(?=[{digit}]))"
    return rf"{word}(?:(?:\+\+|#)|{word}*(?:{joiner}{word}+)*)|{one}(?:{INVISIBLE_JOINER}{one})*"


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    return re.compile(token_pattern())


def token_rules() -> dict[str, Any]:
    """Return the rules by which text without a segmenter becomes terms, for readers in other languages.

    Replace characters by `fold`, compose (NFC), delete `dropped`, find `token`, then replace by `written`; a phrase has
    nothing but `space` between its words.

    >>> rules = token_rules()
    >>> rules["fold"]["\u00df"], rules["written"]["\u2019"], " " in rules["space"]
    ('ss', "'", True)
    """
    from hin.text.tokenize_kernel import SPACE

    classes, written = _tables()
    changed = np.flatnonzero(written != np.arange(len(written)))
    letters = (chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    return {
        "fold": {letter: folded for letter in letters if (folded := letter.casefold()) != letter}
        | dict.fromkeys(_SKIPPED, ""),
        "dropped": PARTICLE,
        "token": token_pattern(),
        "written": {chr(code): chr(written[code]) for code in changed.tolist()},
        "space": "".join(map(chr, np.flatnonzero(classes == SPACE).tolist())),
    }


def reference_tokens(text: str, kanji: str = "chinese") -> list[str]:
    """Return the same terms by a regular expression: the reference implementation of the fast loop.

    >>> reference_tokens("State-of-the-art C++, in 2019: 3.5% naïve l\u2019été")
    ['state-of-the-art', 'c++', 'in', '2019', '3.5', 'naïve', "l'été"]
    """
    text = segment_words(drop_particles(fold(text)), kanji)
    tokens: list[str] = _pattern().findall(text)
    if text.isascii():
        return tokens
    table: dict[int, str] = {ord(char): "-" for char in _HYPHENS} | {ord(char): "'" for char in _APOSTROPHES}
    table[ord(INVISIBLE_JOINER)] = ""
    return [token.translate(table) for token in tokens]
