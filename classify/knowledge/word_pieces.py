"""Tokenisation word by word, so that a word of a thousand documents is tokenised once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tokenizers import Tokenizer

#: SentencePiece's character for a space.
_SPACE = "\u2581"
#: A text that shows whether the normaliser changes anything but spaces.
_PROBE = "Ab  \u00c9\ufb01 \uff21.\n\t\u4e2d e\u0301"
#: Spaces and the word behind them; those at the very end go with the last word.
_WORD = re.compile(" +[^ ]+(?: +$)?")
#: Texts passed to the tokeniser at a time.
_BLOCK = 4096


def token_counts(texts: Sequence[str], tokenizer: Tokenizer, n_tokens: int) -> Any:
    """Count each token in each text: float32 CSR, sorted."""
    if not _cuts_words_alone(tokenizer):
        return _counts(_cut(texts, tokenizer), n_tokens)
    numbers: dict[str, int] = {}
    # Special tokens such as </s> are matched before words are, and `_SPACE` is a space to the tokeniser.
    odd = re.compile("|".join(re.escape(t.content) for t in tokenizer.get_added_tokens_decoder().values()) or _SPACE)
    parts = ([text] if _SPACE in text or odd.search(text) else _words(text) for text in texts)
    held = [[numbers.setdefault(part, len(numbers)) for part in found] for found in parts]
    counts = _counts(held, len(numbers)) @ _counts(_cut(list(numbers), tokenizer), n_tokens)
    counts.sort_indices()
    return counts


@lru_cache(maxsize=4)
def _cuts_words_alone(tokenizer: Tokenizer) -> bool:
    """Whether the words of a text, tokenised one by one, give the tokens of the text.

    They do with byte-pair encoding if the normaliser only replaces spaces, and no token has a space after another
    letter: then nothing is ever merged across the beginning of a word.
    """
    if type(tokenizer.model).__name__ != "BPE" or tokenizer.pre_tokenizer is not None or tokenizer.normalizer is None:
        return False
    if tokenizer.normalizer.normalize_str(_PROBE) != _SPACE + _PROBE.replace(" ", _SPACE):
        return False
    return not re.search(f"[^\0{_SPACE}]{_SPACE}", "\0".join(tokenizer.get_vocab()))


def _words(text: str) -> list[str]:
    """Split a text into words, without one of the spaces before each, as the tokeniser adds one.

    >>> _words("on  graphs "), _words("on graphs"), _words(" "), _words("")
    (['on', ' graphs '], ['on', 'graphs'], [' '], [])
    """
    if not text.strip(" "):
        return [text] if text else []
    if "  " in text or text[0] == " " or text[-1] == " ":
        return [word[1:] for word in _WORD.findall(" " + text)]
    return text.split(" ")


def _cut(texts: Sequence[str], tokenizer: Tokenizer) -> list[list[int]]:
    found: list[list[int]] = []
    for start in range(0, len(texts), _BLOCK):
        some = tokenizer.encode_batch_fast(list(texts[start : start + _BLOCK]), add_special_tokens=False)
        found.extend(encoding.ids for encoding in some)
    return found


def _counts(numbers: Sequence[Sequence[int]], width: int) -> Any:
    """Count each number in each row.

    >>> _counts([[2, 0, 2], []], 3).toarray().tolist()
    [[1.0, 0.0, 2.0], [0.0, 0.0, 0.0]]
    """
    from scipy import sparse

    ends = np.cumsum([0, *map(len, numbers)])
    flat = np.fromiter(chain.from_iterable(numbers), dtype=np.int32, count=ends[-1])
    ones = np.ones(len(flat), dtype=np.float32)
    counts = sparse.csr_array((ones, flat, ends), shape=(len(numbers), width))
    counts.sum_duplicates()
    return counts
