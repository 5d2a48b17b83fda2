"""Cutting texts word by word gives the very tokens that cutting them whole does."""

from __future__ import annotations

import pytest

from classify.knowledge.static import built_in_model
from classify.knowledge.word_pieces import _counts, _cut, token_counts

TEXTS = [
    "A method for graphs, and a method for words.",
    "",
    " ",
    "   ",
    " begins with a space",
    "ends with one ",
    "  has   several \n in\t a row   ",
    "marks </s> of <s>its own<unk> kind",
    "looks\u2581like \u2581a space\u2581 ",
    "Zürich ﬁne 中文 字 \U0001f600  e\u0301",
]


def test_words_alone_give_the_tokens_of_the_text() -> None:
    model = built_in_model()
    whole = _counts(_cut(TEXTS, model.tokenizer), len(model.vectors))
    found = token_counts(TEXTS, model.tokenizer, len(model.vectors))
    assert (found != whole).nnz == 0 and found.has_sorted_indices
    assert found.sum(axis=1).tolist()[1] == 0 < found.sum(axis=1).min(where=[n != 1 for n in range(10)], initial=99)


def test_a_word_is_cut_once_however_often_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    model, cut = built_in_model(), []

    def seen(texts, tokenizer):  # type: ignore[no-untyped-def]
        cut.extend(texts)
        return _cut(texts, tokenizer)

    monkeypatch.setattr("classify.knowledge.word_pieces._cut", seen)
    token_counts(["graphs of words", "words of graphs"], model.tokenizer, len(model.vectors))
    assert cut == ["graphs", "of", "words"]


def test_the_same_terms_are_cut_once_for_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    model, terms = built_in_model(), [f"term{number}" for number in range(5000)]
    first = model.encode(terms)
    monkeypatch.setattr("classify.knowledge.word_pieces._cut", lambda *_: pytest.fail("cut again"))
    assert (model.encode(terms) == first).all()


def test_a_tokeniser_that_joins_across_words_gets_whole_texts() -> None:
    from tokenizers import Tokenizer, models, normalizers

    vocabulary = {"\u2581": 0, "a": 1, "b": 2, "a\u2581": 3, "a\u2581b": 4}
    merges = [("a", "\u2581"), ("a\u2581", "b")]
    across = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    across.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    assert token_counts(["a b"], across, 5).toarray().tolist() == [[1, 0, 0, 0, 1]]
