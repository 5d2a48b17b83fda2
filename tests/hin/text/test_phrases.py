"""Collocations become one term; accidents and punctuation do not."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.text.phrases import PhraseOptions, TokenStream, mine_phrases
from hin.text.tokenize import Tokenizer


def stream_of(texts: list[str]) -> TokenStream:
    tokenizer = Tokenizer()
    ids, breaks, lengths = tokenizer.add(texts)
    return TokenStream(np.r_[0, np.cumsum(lengths)].astype(np.int64), ids, breaks, tokenizer.spellings())


def spelled(stream: TokenStream) -> list[list[str]]:
    rows = zip(stream.offsets, stream.offsets[1:], strict=False)
    return [[stream.spellings[i] for i in stream.tokens[a:b]] for a, b in rows]


NOISE = [f"a{i % 11} b{i % 7} c{i % 13}" for i in range(60)]


def test_a_collocation_is_joined_and_grows() -> None:
    texts = [f"natural language processing x{i % 9}" for i in range(20)] + NOISE
    assert spelled(mine_phrases(stream_of(texts)))[0][0] == "natural language processing"


def test_punctuation_keeps_words_apart() -> None:
    texts = [f"data, mining x{i % 9}" for i in range(20)] + NOISE
    assert spelled(mine_phrases(stream_of(texts)))[0][:2] == ["data", "mining"]


def test_a_rare_pair_stays_two_words() -> None:
    texts = ["quaint zebra"] * 4 + NOISE
    assert spelled(mine_phrases(stream_of(texts)))[0] == ["quaint", "zebra"]


def test_no_phrase_is_longer_than_allowed() -> None:
    texts = [f"one two three four x{i % 9}" for i in range(30)] + NOISE
    for longest in (2, 4):
        joined = mine_phrases(stream_of(texts), PhraseOptions(max_words=longest))
        assert max(len(term.split()) for row in spelled(joined) for term in row) == longest


def test_the_two_ways_to_build_a_phrase_give_one_term() -> None:
    texts = [f"alpha beta gamma x{i % 9}" for i in range(30)]
    texts += [f"alpha beta y{i % 9}" for i in range(30)] + [f"beta gamma z{i % 9}" for i in range(30)]
    joined = mine_phrases(stream_of(texts))
    names = [joined.spellings[i] for i in np.unique(joined.tokens)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("texts", [[], [""], ["one"], ["a b"] * 50])
def test_degenerate_corpora(texts: list[str]) -> None:
    stream = stream_of(texts)
    assert spelled(mine_phrases(stream)) is not None


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join), max_size=30))
def test_one_pass_joins_exactly_the_pairs_the_formula_accepts(texts: list[str]) -> None:
    options = PhraseOptions(min_count=2, threshold=0.1, passes=1)
    rows = spelled(stream_of(texts))
    words = Counter(word for row in rows for word in row)
    pairs = Counter(pair for row in rows for pair in zip(row, row[1:], strict=False))
    total = sum(words.values())
    accepted = set()
    for (a, b), n in pairs.items():
        if n < 2 or n == total or min(words[a], words[b]) < 2:
            continue
        npmi = log(n * total / (words[a] * words[b])) / -log(n / total)
        if npmi * n / (n + 2) >= 0.1:
            accepted.add(f"{a} {b}")
    joined = spelled(mine_phrases(stream_of(texts), options))
    assert [" ".join(row) for row in joined] == [" ".join(row) for row in rows]
    found = {term for row in joined for term in row if " " in term}
    assert found <= accepted
    for row, whole in zip(joined, rows, strict=True):
        # Every accepted pair that is left apart lost a word to a neighbour.
        for a, b in zip(row, row[1:], strict=False):
            if " " not in a and " " not in b and f"{a} {b}" in accepted:
                assert any(" " in term for term in row), whole


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "c", "d."]), max_size=12).map(" ".join), min_size=1, max_size=8),
    st.integers(1, 7),
)
def test_tokens_are_looked_at_in_pieces_of_any_size(texts: list[str], together: int) -> None:
    options = PhraseOptions(min_count=1, threshold=0.0)
    whole = spelled(mine_phrases(stream_of(texts), options))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hin.text.phrases._RELEASE_AFTER", together)
        assert spelled(mine_phrases(stream_of(texts), options)) == whole
