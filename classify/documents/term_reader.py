"""Text to term instances: the tokeniser's words, joined into the longest phrases that are terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from classify.documents.encoder_kernel import longest_terms
from classify.documents.sequences import Rows, Sequences
from hin.arrays.hash_table_kernel import fill_slots
from hin.arrays.types import Int32, Int64
from hin.text.languages import detect, stop_words
from hin.text.segments import check_segmentation, language_of_kanji, segmentation_of
from hin.text.tokenize import Tokenizer, fold


class TermReader:
    """Text to term instances: the tokeniser's words, joined into the longest phrases that are terms."""

    def __init__(self, terms: Sequence[str], start: int) -> None:
        self._start = start
        split = [term.split(" ") for term in terms]
        words = list(dict.fromkeys(word for parts in split for word in parts))
        cut = segmentation_of(words)
        # New documents are tokenised as those of the vocabulary were.
        self._segmented: list[str] = words if cut is not None and cut[1] else []
        self._tokenizer = Tokenizer(words=cut is None or cut[1], kanji=language_of_kanji(words))
        self._tokenizer.add(words, whole=True)
        number = {word: i for i, word in enumerate(self._tokenizer.spellings())}
        self._n_words = max(1, len(number))
        self._term_of_word = np.full(self._n_words, -1, dtype=np.int32)
        steps: dict[tuple[int, int], int] = {}
        term_of_state: dict[int, int] = {}
        parts_of: list[list[int]] = []
        for term, parts in enumerate(split):
            ids = [number.get(fold(word), -1) for word in parts]
            parts_of.append(ids if len(ids) > 1 else [])
            if min(ids) < 0:
                continue
            if len(ids) == 1:
                self._term_of_word[ids[0]] = term
                continue
            state = ids[0]
            for word in ids[1:]:
                state = steps.setdefault((state, word), self._n_words + len(steps))
            term_of_state[state] = term
        # Single words are the first states; those of phrases follow.
        self._term_of_state = np.full(self._n_words + len(steps), -1, dtype=np.int32)
        self._term_of_state[list(term_of_state)] = list(term_of_state.values())
        self._keys = np.array([state * self._n_words + word for state, word in steps], dtype=np.int64)
        self._slots = np.full(1 << max(3, (2 * len(steps)).bit_length()), -1, dtype=np.int64)
        fill_slots(self._keys, self._slots)
        inner = [[int(self._term_of_word[i]) for i in ids if i >= 0 and self._term_of_word[i] >= 0] for ids in parts_of]
        self._inner = Sequences.of(inner)

    def read(self, texts: Sequence[str]) -> Rows:
        """Return the term instances of each text, in order, as offsets and numbers."""
        if self._segmented:
            check_segmentation(self._segmented)
            self._segmented = []  # once is enough
        words, breaks, lengths = self._tokenizer.add(texts)
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        out, out_offsets = np.empty(len(words), dtype=np.int32), np.zeros(len(texts) + 1, dtype=np.int64)
        trie = (self._n_words, self._term_of_word, self._keys, self._slots, self._term_of_state)
        n = longest_terms(words, breaks, offsets, *trie, out, out_offsets)
        return out_offsets, (out[:n] + np.int32(self._start)).astype(np.int32)

    def unknown(self, texts: Sequence[str]) -> tuple[int, Counter[str]]:
        """Count the words of some texts, and those of them that are in no term.

        Stop words of the texts' language are in no term either, so they are not counted as unknown.

        >>> TermReader(["mail"], 0).unknown(["Mail, the fax", "fax of the firm"])
        (7, Counter({'fax': 2, 'firm': 1}))
        """
        words, _, _ = self._tokenizer.add(texts)
        found, counts = np.unique(words, return_counts=True)
        heard = Counter({self._tokenizer.spelling(n): c for n, c in zip(found.tolist(), counts.tolist(), strict=True)})
        silent = stop_words(detect(heard))
        known = {self._tokenizer.spelling(number) for number in found[found < self._n_words].tolist()}
        return len(words), Counter({word: n for word, n in heard.items() if word not in known and word not in silent})

    def with_words(self, offsets: Int64, terms: Int32) -> Rows:
        """Append the words of its phrases to each document's terms: a phrase is evidence of its words, too."""
        if not len(terms):
            return offsets, terms
        local = terms.astype(np.int64) - self._start
        sizes = np.diff(self._inner.offsets)[local]
        first = np.repeat(self._inner.offsets[:-1][local], sizes)
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        extra = self._inner.ids[first + within] + np.int32(self._start)
        rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        line = np.concatenate([rows, np.repeat(rows, sizes)])
        order = np.argsort(line, kind="stable")
        both = np.concatenate([terms, extra])[order]
        ends = np.concatenate([[0], np.cumsum(np.bincount(line, minlength=len(offsets) - 1))]).astype(np.int64)
        return ends, both.astype(np.int32)
