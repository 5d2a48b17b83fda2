"""Phrase mining: frequent collocations become one term, by a score of the corpus alone.

Two adjacent terms a b with nothing but space between them are joined when

    npmi(a, b) · n / (n + min_count) ≥ threshold,   npmi = ln(p(ab) / (p(a) p(b))) / −ln p(ab)

where n is how often the pair occurs (at least `min_count` times). Normalised pointwise mutual information (Bouma
2009) is 1 for terms that only occur together and 0 for independent ones; the factor keeps rare accidents out. The
pass is repeated over the joined text, so that phrases grow to `max_words` words. Nothing depends on the order of the
documents or on a language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Int32, Int64
from hin.engines.local import LocalEngine
from hin.files.mapped import release_pages
from hin.text.options import PhraseOptions

__all__ = ["PhraseOptions", "TokenStream", "even_ranges", "mine_phrases"]

#: Pairs that are counted, and tokens that are joined, at a time: bounds memory, and is enough work for every thread.
_PAIRS = 1 << 22
_TOKENS = 1 << 21
#: Number of tokens after which the pages of a mapped file are released.
_RELEASE_AFTER = 1 << 23


@dataclass
class TokenStream:
    """Documents as term ids in text order, with the terms' spellings."""

    offsets: Int64
    tokens: Int32
    breaks: npt.NDArray[np.uint8]
    spellings: list[str]

    def pieces(self, overlap: int = 1) -> Iterator[slice]:
        """Yield consecutive slices of tokens, each with the token before it, and release the pages of mapped files."""
        for first in range(0, len(self.tokens), _RELEASE_AFTER):
            yield slice(max(0, first - overlap), first + _RELEASE_AFTER)
            self.release_pages()

    def release_pages(self) -> None:
        """Release the pages of tokens in mapped files."""
        release_pages(self.tokens, self.breaks)


def mine_phrases(stream: TokenStream, options: PhraseOptions | None = None) -> TokenStream:
    """Join collocations into single terms whose spelling has spaces; the stream's arrays are overwritten.

    Pairs are counted range by range of their first term and joined block by block of documents, on all threads: the
    result does not depend on either, and no table is as large as the text.

    Examples
    --------
    >>> from hin.text.tokenize import Tokenizer
    >>> tokenizer = Tokenizer()
    >>> texts = [f"data mining of w{i} and x{i % 7}" for i in range(40)]
    >>> ids, breaks, lengths = tokenizer.add(texts)
    >>> stream = TokenStream(np.r_[0, np.cumsum(lengths)], ids, breaks, tokenizer.spellings())
    >>> joined = mine_phrases(stream, PhraseOptions(passes=1))
    >>> [joined.spellings[i] for i in joined.tokens[:4]]
    ['data mining', 'of', 'w0', 'and']
    """
    options, engine = options or PhraseOptions(), LocalEngine()
    words = np.ones(len(stream.spellings), dtype=np.int64)
    phrases: dict[str, int] = {}
    for _ in range(options.passes):
        found = _collocations(stream, words, options, engine)
        if found is None:
            break
        stream, words = _join_pairs(stream, words, *found, phrases, engine)
    return stream


def _collocations(
    stream: TokenStream, words: Any, options: PhraseOptions, engine: LocalEngine
) -> tuple[Any, Any] | None:
    """Return the pairs to join, as sorted keys first·n + second, with their scores."""
    from hin.text.phrases_kernel import adjacent_keys, mentions, pairs_by_first

    n_terms, total = len(stream.spellings), len(stream.tokens)
    if total < 2:
        return None
    frequency, ahead = np.zeros(n_terms, dtype=np.int64), np.zeros(n_terms, dtype=np.int64)
    for here in stream.pieces(overlap=0):
        mentions(stream.tokens[here], frequency)
    eligible = (frequency >= options.min_count) & (words < options.max_words)
    for here in stream.pieces():
        pairs_by_first(stream.tokens[here], stream.breaks[here], eligible, ahead)

    def count_pairs(terms: tuple[int, int]) -> tuple[Any, Any]:
        low, high = terms
        keys = np.empty(int(ahead[low:high].sum()), dtype=np.int64)
        n = 0
        for here in stream.pieces():
            n += adjacent_keys(stream.tokens[here], stream.breaks[here], eligible, n_terms, low, high, keys[n:])
        keys.sort()
        starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.zeros(0, np.int64)
        counts = np.diff(np.r_[starts, len(keys)])
        often = counts >= options.min_count
        return keys[starts[often]], counts[often]

    found = list(engine.map(count_pairs, even_ranges(ahead, _PAIRS)))
    pairs, counts = (np.concatenate(column) for column in zip(*found, strict=True))
    first, second = pairs // n_terms, pairs % n_terms
    joint = counts / total
    with np.errstate(divide="ignore", invalid="ignore"):
        npmi = np.log(joint * total * total / (frequency[first] * frequency[second])) / -np.log(joint)
    # A corpus of one repeated pair has p(ab) = 1 and no npmi; joining it would gain nothing.
    # Nine digits: the last ones of a logarithm depend on the kind of processor, and must not decide.
    npmi = np.nan_to_num(npmi, nan=0.0, posinf=0.0, neginf=0.0).round(9)
    scores = npmi * counts / (counts + options.min_count)
    keep = (scores >= options.threshold) & (words[first] + words[second] <= options.max_words)
    return (pairs[keep], scores[keep]) if keep.any() else None


def even_ranges(sizes: Int64, limit: int) -> list[tuple[int, int]]:
    """Cut rows into runs of about `limit` in all; a row larger than that is a run of its own.

    >>> even_ranges(np.array([2, 2, 9, 1]), 4)
    [(0, 2), (2, 3), (3, 4)]
    """
    ends = np.cumsum(sizes)
    cuts = np.searchsorted(ends, np.arange(limit, int(ends[-1]), limit) if len(ends) else [], side="left") + 1
    return list(pairwise(np.unique(np.r_[0, cuts, len(sizes)]).tolist()))


def _join_pairs(
    stream: TokenStream, words: Any, keys: Any, scores: Any, phrases: dict[str, int], engine: LocalEngine
) -> tuple[TokenStream, Any]:
    from hin.arrays.hash_table_kernel import fill_slots
    from hin.text.phrases_kernel import join

    n_terms, n_documents = len(stream.spellings), len(stream.offsets) - 1
    slots = np.full(1 << max(2, (2 * len(keys)).bit_length()), -1, dtype=np.int64)
    fill_slots(keys, slots)
    first, second = keys // n_terms, keys % n_terms
    made = [
        f"{stream.spellings[a]} {stream.spellings[b]}" for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    # "a b" + "c" and "a" + "b c" are one phrase: the first id of a spelling stands for all. A word has no space, so
    # only phrases can be spelled alike.
    same = np.arange(n_terms + len(made), dtype=np.int32)
    for i, spelling in enumerate(made, n_terms):
        same[i] = phrases.setdefault(spelling, i)
    stream.spellings += made

    def work(documents: tuple[int, int]) -> tuple[Any, Any, Any]:
        offsets = stream.offsets[documents[0] : documents[1] + 1]
        size = offsets[-1] - offsets[0]
        tokens, breaks = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.uint8)
        ends = np.empty_like(offsets)
        n = join(stream.tokens, stream.breaks, offsets, keys, scores, slots, n_terms, tokens, breaks, ends)
        return same[tokens[:n]], breaks[:n], np.diff(ends)

    lengths = np.empty(n_documents, dtype=np.int64)
    n = 0
    blocks = even_ranges(np.diff(stream.offsets), _TOKENS) if n_documents else []
    for (low, high), (tokens, breaks, sizes) in zip(blocks, engine.map(work, blocks), strict=True):
        # In place: a text gets shorter, so this never reaches what the blocks to come still read.
        stream.tokens[n : n + len(tokens)] = tokens
        stream.breaks[n : n + len(tokens)] = breaks
        lengths[low:high] = sizes
        n += len(tokens)
        stream.release_pages()
    offsets = np.r_[0, np.cumsum(lengths)].astype(np.int64)
    words = np.r_[words, words[first] + words[second]]
    return TokenStream(offsets, stream.tokens[:n], stream.breaks[:n], stream.spellings), words
