"""The language of a corpus: its stop words are no reasons, its stemmer finds other forms of the names."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hin
from classify import MotifClassifier, read_categories
from classify.options import ClassifyOptions
from classify.pipeline import Pipeline
from embed import EmbedOptions
from hin.graph import Graph
from hin.text.languages import detect, language_of, stemmer, stop_words
from motifs import MotifOptions


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the results of the method are shown for all of the data", "english"),
        ("die Ergebnisse der Methode sind für alle Daten gezeigt worden", "german"),
        ("les résultats de la méthode sont montrés pour toutes les données", "french"),
        ("los resultados del método se muestran para todos los datos", "spanish"),
        ("результаты метода показаны для всех данных и не только", "russian"),
        ("A113 B-77 X201 KB5021 RTX4090", None),
    ],
)
def test_a_language_is_reported_by_its_stop_words(text: str, language: str | None) -> None:
    words = text.lower().split()
    assert detect({word: words.count(word) for word in words}) == language


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    rng = np.random.default_rng(0)
    kinds = [["Banken", "Kurse", "Firmen", "Wirtschaften"], ["Theatern", "Konzerte", "Kulturen", "Bilder"]]
    small = ["der", "die", "und", "nicht", "eine", "mit", "über"]
    lines = [
        {"id": f"d{i}", "text": " ".join(rng.permutation([*rng.choice(kinds[i % 2], 5), *rng.choice(small, 8)]))}
        for i in range(200)
    ]
    file = tmp_path_factory.mktemp("german") / "documents.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    return hin.load(file, phrases=False)


def test_stop_words_are_no_evidence_and_names_are_found_by_their_stem(german: Graph) -> None:
    assert language_of(german) == "german"
    model = MotifClassifier(
        ["Wirtschaft", "Kultur"], [], knowledge=None, classifier="linear", embed=EmbedOptions(dim=8, epochs=2)
    ).fit(german)
    assert [finding.term for finding in model.findings_] == ["wirtschaften", "kulturen"]
    assert (model.labels_ == np.arange(200) % 2).mean() > 0.95
    shown = {reason["instance"] for i in range(5) for reason in model.explain(f"d{i}")["reasons"]}
    assert not shown & {f"TERM[{word}]" for word in stop_words("german")}
    assert any(instance.startswith("TERM[") for instance in shown)


def test_a_stop_word_that_a_name_has_stays(german: Graph, tmp_path: Path) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text("nicht\nKulturen: mit\n")
    options = ClassifyOptions(["term"], motifs=MotifOptions(min_count=1))
    motifs = Pipeline(german, read_categories(labels), options).motifs
    found = {word: motifs.find(f"TERM[{word}]") is not None for word in ("nicht", "mit", "und", "die")}
    assert found == {"nicht": True, "mit": True, "und": False, "die": False}


def test_stemmers_join_forms() -> None:
    for language, one, other in (("german", "kulturen", "kultur"), ("french", "musiques", "musique")):
        stem = stemmer(language)
        assert stem is not None
        assert stem(one) == stem(other)
    assert stemmer("chinese") is None


def test_english_words_that_tell_nothing_are_those_that_two_lists_share() -> None:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    found = {word for word in stop_words("english") if "'" not in word}
    assert found - ENGLISH_STOP_WORDS == {"did", "does"}
    assert found.isdisjoint({"computer", "system", "bill", "research"})
    assert len(found) > 250
