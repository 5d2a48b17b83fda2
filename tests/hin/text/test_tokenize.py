"""The fast tokeniser says what the plain regular expression says."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hin.text import segments
from hin.text.tokenize import Tokenizer, fold, reference_tokens

AWKWARD = st.text(
    st.sampled_from(list("aB1é-_'’.+#, \n\u00ad\u0301数かßİ\u2011\u0e01\u0e31\u2060😀❤\ufe0f국가는에서")), max_size=30
)


@pytest.fixture(autouse=True, scope="module")
def no_segmenter() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "_segmenter", lambda script: None)
        yield


def tokens_of(*texts: str) -> list[list[str]]:
    tokenizer = Tokenizer()
    ids, breaks, lengths = tokenizer.add(list(texts))
    assert len(ids) == len(breaks) == lengths.sum()
    spellings = tokenizer.spellings()
    ends = np.cumsum(lengths).tolist()
    return [[spellings[i] for i in ids[end - n : end]] for end, n in zip(ends, lengths.tolist(), strict=True)]


@given(st.lists(st.one_of(AWKWARD, st.text(st.characters(exclude_categories=["Cs"]))), max_size=5))
@example(["a-", "-a", "a--b", "1.2.", "c++x", "c+", "c#", "ab#", "a_b_", "a\u00ad-b", "…c++"])
def test_it_cuts_as_the_reference_does(texts: list[str]) -> None:
    assert tokens_of(*texts) == [reference_tokens(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("State-of-the-art", ["state-of-the-art"]),
        ("naïve Größe E\u0301COLE", ["naïve", "grösse", "école"]),
        ("in 2019, 3.14 or 1,000", ["in", "2019", "3.14", "or", "1", "000"]),
        ("C++ and C# beat c+", ["c++", "and", "c#", "beat", "c"]),
        ("don’t can't", ["don't", "can't"]),
        ("数据 mining", ["数", "据", "mining"]),
        ("co\u2010operate so\u00adft", ["co-operate", "soft"]),
        ("👍🏽 great❤️, 👩\u200d💻", ["👍", "great", "❤", "👩", "💻"]),
        ("กินข้าว", ["กิ", "น", "ข้", "า", "ว"]),
        ("아파트에서는 주민들의 제도를, 국가로", ["아파트", "주민", "제도", "국가"]),
        (
            "국가 이는 mining에서 \u1112\u1161\u11a8\u1100\u116d\u1105\u1173\u11af",
            ["국가", "이는", "mining에서", "학교"],
        ),
        ("...", []),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert tokens_of(text) == [expected]


def test_ids_go_on_over_many_batches_and_table_growth() -> None:
    tokenizer = Tokenizer()
    words = [f"w{i}" for i in range(30_000)]
    first, _, _ = tokenizer.add([" ".join(words)])
    again, _, _ = tokenizer.add(words[::-1])
    assert first.tolist() == list(range(30_000))
    assert again.tolist() == list(range(30_000))[::-1]
    assert tokenizer.spellings() == words
    assert len(tokenizer) == 30_000


def test_breaks_tell_punctuation_from_space() -> None:
    _, breaks, _ = Tokenizer().add(["data mining, graphs\nqueries"])
    assert breaks.tolist() == [1, 0, 1, 0]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)
