"""Phrase mining: frequent collocations become one term, by a score of the corpus alone.

Two adjacent terms a b with nothing but space between them are joined when

    npmi(a, b) · n / (n + min_count) ≥ threshold,   npmi = ln(p(ab) / (p(a) p(b))) / −ln p(ab)

where n is how often the pair occurs (at least `min_count` times). Normalised pointwise mutual information (Bouma
2009) is 1 for terms that only occur together and 0 for independent ones; the factor keeps rare accidents out. The
pass is repeated over the joined text, so that phrases grow to `max_words` words. Nothing depends on the order of the
documents or on a language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hin.options import PhraseOptions

__all__ = ["PhraseOptions", "TokenStream", "mine_phrases"]


@dataclass
class TokenStream:
    """Documents as term ids in text order, with the terms' spellings."""

    offsets: npt.NDArray[np.int64]
    tokens: npt.NDArray[np.int32]
    breaks: npt.NDArray[np.uint8]
    spellings: list[str]


def mine_phrases(stream: TokenStream, options: PhraseOptions | None = None) -> TokenStream:
    """Join collocations into single terms whose spelling has spaces.

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
    options = options or PhraseOptions()
    words = np.ones(len(stream.spellings), dtype=np.int64)
    for _ in range(options.passes):
        found = _collocations(stream, words, options)
        if found is None:
            break
        stream, words = _joined(stream, words, *found)
    return stream


def _collocations(stream: TokenStream, words: Any, options: PhraseOptions) -> tuple[Any, Any] | None:
    """The pairs to join, as sorted keys first·n + second, with their scores."""
    from hin.text.phrases_kernel import adjacent_keys

    n_terms, total = len(stream.spellings), len(stream.tokens)
    if total < 2:
        return None
    frequency = np.bincount(stream.tokens, minlength=n_terms)
    eligible = (frequency >= options.min_count) & (words < options.max_words)
    keys = np.empty(total, dtype=np.int64)
    keys = keys[: adjacent_keys(stream.tokens, stream.breaks, eligible, n_terms, keys)]
    keys.sort()
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.zeros(0, np.int64)
    counts = np.diff(np.r_[starts, len(keys)])
    often = counts >= options.min_count
    pairs, counts = keys[starts[often]], counts[often]
    first, second = pairs // n_terms, pairs % n_terms
    joint = counts / total
    with np.errstate(divide="ignore", invalid="ignore"):
        npmi = np.log(joint * total * total / (frequency[first] * frequency[second])) / -np.log(joint)
    # A corpus that says nothing but one pair has p(ab) = 1 and no npmi; joining it would tell nothing.
    scores = np.nan_to_num(npmi, nan=0.0, posinf=0.0, neginf=0.0) * counts / (counts + options.min_count)
    keep = (scores >= options.threshold) & (words[first] + words[second] <= options.max_words)
    return (pairs[keep], scores[keep]) if keep.any() else None


def _joined(stream: TokenStream, words: Any, keys: Any, scores: Any) -> tuple[TokenStream, Any]:
    from hin.text.phrases_kernel import join, slots_of

    n_terms = len(stream.spellings)
    slots = np.full(1 << max(2, (2 * len(keys)).bit_length()), -1, dtype=np.int64)
    slots_of(keys, slots)
    tokens, breaks = np.empty_like(stream.tokens), np.empty_like(stream.breaks)
    offsets = np.empty_like(stream.offsets)
    n = join(
        stream.tokens, stream.breaks, stream.offsets, keys, scores, slots, n_terms, tokens, breaks, offsets
    )  # fmt: skip
    first, second = keys // n_terms, keys % n_terms
    spellings = stream.spellings + [
        f"{stream.spellings[a]} {stream.spellings[b]}" for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    words = np.r_[words, words[first] + words[second]]
    # "a b" + "c" and "a" + "b c" are one phrase: the first id of a spelling stands for all.
    position: dict[str, int] = {}
    same = np.fromiter(
        (position.setdefault(s, i) for i, s in enumerate(spellings)), dtype=np.int32, count=len(spellings)
    )
    return TokenStream(offsets, same[tokens[:n]], breaks[:n].copy(), spellings), words
