"""Text without spaces: words where a segmenter is installed, and the same words for names, texts and new documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import hin
from classify import Category, MotifClassifier
from classify.categories.finding import find_categories
from classify.documents.term_reader import TermReader
from embed import EmbedOptions
from hin.commands.arguments import LoadCommand
from hin.commands.load import run_load
from hin.console import Console
from hin.errors import BadUsage
from hin.text import segments
from hin.text.languages import detect, stop_words
from hin.text.tokenize import Tokenizer, reference_tokens

WORDS = ["机器", "学习", "市场", "经济", "หนังสือ", "ดี"]


def pairs(run: str, words: Sequence[str] = WORDS) -> list[str]:
    """A segmenter that knows a few words; all else is cut into characters."""
    found, at = [], 0
    while at < len(run):
        word = next((word for word in words if run.startswith(word, at)), run[at])
        found.append(word)
        at += len(word)
    return found


@pytest.fixture
def segmenter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "_segmenter", lambda script: pairs)


@pytest.mark.usefixtures("segmenter")
def test_words_are_terms_with_their_marks_and_no_break_between_them() -> None:
    tokenizer = Tokenizer()
    _, breaks, _ = tokenizer.add(["研究机器学习，经济。 หนังสือดี"])
    assert tokenizer.spellings() == ["研", "究", "机器", "学习", "经济", "หนังสือ", "ดี"]
    assert breaks.tolist() == [1, 0, 0, 0, 1, 1, 0]
    assert reference_tokens("机器学习 and หนังสือดี") == ["机器", "学习", "and", "หนังสือ", "ดี"]


def test_a_word_that_is_cut_otherwise_alone_is_still_found_in_new_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "_segmenter", lambda script: list)
    reader = TermReader(["机器", "机器 学习"], 0)
    monkeypatch.setattr(segments, "_segmenter", lambda script: pairs)
    assert reader.read(["机器学习", "机器"])[1].tolist() == [1, 0]


def test_without_a_segmenter_characters_are_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "_segmenter", lambda script: None)
    assert reference_tokens("机器学习") == ["机", "器", "学", "习"]


@pytest.mark.usefixtures("segmenter")
def test_names_are_cut_as_the_texts_are(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    kinds = [["机器", "学习", "模", "型"], ["市场", "经济", "银", "行"]]
    lines = [{"id": f"d{i}", "text": "".join(rng.choice(kinds[i % 2], 12))} for i in range(200)]
    file = tmp_path / "documents.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    graph = hin.load(file)
    model = MotifClassifier(["机器学习", "经济"], [], classifier="linear", embed=EmbedOptions(dim=8, epochs=2))
    assert (model.fit(graph).labels_ == np.arange(200) % 2).mean() > 0.95
    assert [finding.documents > 0 for finding in model.findings_] == [True, True]


def test_a_japanese_name_without_kana_is_cut_as_japanese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"japanese": ["経済", "音楽", "です"], "chinese": ["市场"]}

    def cutter(script: str) -> segments.Cutter:
        return lambda run: pairs(run, known[script])

    monkeypatch.setattr(segments, "_segmenter", cutter)
    file = tmp_path / "documents.jsonl"
    texts = ["経済の本です", "音楽の日です", "経済も良い", "市も音楽です"]
    file.write_text("\n".join(json.dumps({"id": str(i), "text": texts[i % 4]}) for i in range(40)))
    findings, graph = find_categories(hin.load(file), [Category("経済"), Category("音楽")])
    assert [finding.documents for finding in findings] == [20, 20]
    reader = TermReader(graph.names("term").tolist(), 0)
    assert len(reader.read(["経済"])[1]) == 1  # a new document without kana, too
    chinese = tmp_path / "chinese.jsonl"
    chinese.write_text("\n".join(json.dumps({"id": str(i), "text": "市场 的 书"}) for i in range(9)))
    findings, _ = find_categories(hin.load(chinese), [Category("市场")])
    assert findings[0].documents == 9


def test_thai_has_the_stop_words_of_its_segmenter() -> None:
    pytest.importorskip("pythainlp")
    assert detect({"กับ": 5, "ใน": 4, "อาหาร": 3}) == "thai"
    assert "กับ" in stop_words("thai")
    assert "อาหาร" not in stop_words("thai")


def test_names_of_a_graph_that_was_cut_otherwise_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "documents.jsonl"
    file.write_text("\n".join(json.dumps({"id": str(i), "text": "机器学习 经济"}) for i in range(9)))
    monkeypatch.setattr(segments, "_segmenter", lambda script: None)
    characters = hin.load(file)
    monkeypatch.setattr(segments, "_segmenter", lambda script: pairs)
    words = hin.load(file)
    with pytest.raises(BadUsage, match="cut into characters.*load the documents again"):
        find_categories(characters, [Category("经济")])
    assert find_categories(words, [Category("经济")])[0][0].documents == 9
    reader = TermReader(characters.names("term").tolist(), 0)
    assert len(reader.read(["机器学习"])[1]) > 0
    monkeypatch.setattr(segments, "_segmenter", lambda script: None)
    with pytest.raises(BadUsage, match="chinese text was cut into words by an older version; load"):
        find_categories(words, [Category("经济")])
    assert find_categories(words, [Category("web")])[0][0].status == "missing"
    with pytest.raises(BadUsage, match="chinese text was cut into words by an older version"):
        TermReader(words.names("term").tolist(), 0).read(["机器学习"])


def test_chinese_with_a_japanese_text_and_middle_dots_stays_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with `hin-toolkit[cjk]`, which cuts Japanese: one headline of it made names of all others be refused."""
    cut: list[str] = []

    def janome(run: str) -> list[str]:
        cut.append(run)
        return [run]

    monkeypatch.setattr(segments, "_segmenter", lambda script: janome if script == "japanese" else None)
    rng = np.random.default_rng(0)
    texts = ["".join(rng.choice(list("机器学习市场经济银行模型"), 6)) + "·经济 约翰・史密斯" for _ in range(60)]
    texts[7] = "経済の本です"
    file = tmp_path / "documents.jsonl"
    file.write_text("\n".join(json.dumps({"id": str(i), "text": text}) for i, text in enumerate(texts)))
    graph = hin.load(file)
    assert cut == [texts[7]]
    assert find_categories(graph, [Category("经济")])[0][0].documents == 59
    assert graph.names("term").take(TermReader(graph.names("term").tolist(), 0).read(["经济"])[1]) == ["经 济"]


def test_loading_says_that_a_segmenter_would_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "documents.jsonl"
    file.write_text("\n".join(json.dumps({"id": str(i), "text": "หนังสือดี"}) for i in range(9)))
    for cutter, reported in ((None, True), (pairs, False)):
        monkeypatch.setattr(segments, "_segmenter", lambda script, cutter=cutter: cutter)
        run_load(LoadCommand([str(file)], graph=str(tmp_path / f"{reported}.hin")), Console())
        assert ("cut into characters; with `pip install 'hin-toolkit[cjk]'`" in capsys.readouterr().err) == reported


@pytest.mark.parametrize(("length", "reported"), [(1, False), (12, True)])
def test_no_segmenter_is_recommended_for_headlines(
    length: int, reported: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "documents.jsonl"
    lines = [json.dumps({"id": str(i), "text": "日本の料理は美味しい" * length}) for i in range(9)]
    file.write_text("\n".join(lines))
    monkeypatch.setattr(segments, "_segmenter", lambda script: None)
    run_load(LoadCommand([str(file)], graph=str(tmp_path / "g.hin")), Console())
    assert ("hin-toolkit[cjk]" in capsys.readouterr().err) == reported


def test_chinese_stays_characters_whatever_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of jieba made the labels of headlines worse (docs/experiments/text.md)."""
    monkeypatch.setattr(segments, "find_spec", lambda name: name)
    segments.installed.cache_clear()
    try:
        assert segments._segmenter.__wrapped__("chinese") is None
        assert "jieba" not in segments.installed()
    finally:
        segments.installed.cache_clear()
