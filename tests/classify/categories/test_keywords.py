"""Keywords of any kind: words, phrases, metadata values, and what speaks against a category."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import hin
from classify.categories.category_file import Category, as_categories, parse_categories
from classify.categories.finding import CategoryFinding, find_categories
from classify.categories.keywords import Keyword, split_keywords
from classify.documents.features import Features
from classify.options import ClassifyOptions
from classify.pipeline import Pipeline
from classify.recipe.name_vectors import find_units, name_evidence, place_names
from classify.views.base import Space
from hin.errors import BadInput, UnknownName
from hin.graph import Graph


def graph_of(tmp_path: Path, rows: list[dict[str, Any]]) -> Graph:
    (tmp_path / "d.jsonl").write_text("\n".join(json.dumps({"id": str(i), **row}) for i, row in enumerate(rows)))
    return hin.load(tmp_path / "d.jsonl", phrases=False)


@pytest.fixture
def debts(tmp_path: Path) -> Graph:
    """The name stands before `agency` wherever it occurs."""
    texts = ["a debt collection agency called", "no debt at all", "credit cards", "credit scores", "the debt remains"]
    return graph_of(tmp_path, [{"text": text, "product": f"P{i % 2}"} for i, text in enumerate(texts * 3)])


def test_a_keyword_does_not_take_the_name_away(debts: Graph) -> None:
    named = [Category("debt collection", ("debt", "collection agency")), Category("credit")]
    findings, grown = find_categories(debts, named)
    assert (findings[0].status, findings[0].documents) == ("phrase", 3)
    assert [(k.keyword, k.documents) for k in findings[0].keywords] == [("debt", 6), ("collection agency", 3)]
    assert not [note for note in findings[0].notes() if "nowhere" in note]
    assert "collection agency" not in grown.names("term").tolist()


def test_a_keyword_leaves_the_graph_as_it_is(debts: Graph) -> None:
    names = [Category("debt"), Category("credit")]
    _, before = find_categories(debts, names)
    _, after = find_categories(debts, [Category("debt", ("debt collection agency", "PRODUCT[P0]")), Category("credit")])
    assert before is debts and after is debts


def test_a_keyword_that_stands_in_texts_alone_stops_no_run(tmp_path: Path) -> None:
    texts = [
        "a striped quagga came",
        "credit cards and more credit",
        "a credit score",
        "credit is due",
        "credit limits",
    ]
    graph = graph_of(tmp_path, [{"text": text} for text in texts * 8])
    model = hin.MotifClassifier(["credit", Category("qqzzy wwxxv", ("striped quagga",))], classifier="linear")
    labels = model.fit(graph).predict(graph)
    assert set(labels[::5]) == {"qqzzy wwxxv"}
    paper = hin.MotifClassifier(["credit", Category("qqzzy wwxxv", ("striped quagga",))], preset="paper")
    with pytest.raises(UnknownName, match="none of its words is a term"):
        paper.fit(graph)


def test_help_that_was_given_is_not_asked_for_again() -> None:
    bare = CategoryFinding("games", "term", "games", 2)
    helped = CategoryFinding("games", "term", "games", 2, (Keyword("arcade", "arcade", 7),))
    assert bare.notes() == ["in only 2 documents; keywords would help"]
    assert helped.notes() == ["in only 2 documents"]
    assert "would help" in CategoryFinding("g", "term", "g", 2, (Keyword("x", None, 0),)).notes()[0]


def test_a_metadata_value_stands_for_a_category(debts: Graph) -> None:
    named = [Category("refunds", ("PRODUCT[P0]",)), Category("credit")]
    pipeline = Pipeline(debts, named, ClassifyOptions(["product"], min_count=2))
    motifs, findings = pipeline.motifs, pipeline.names.findings
    assert (findings[0].status, findings[0].keywords[0].documents) == ("keywords", 8)
    units = find_units(named, findings, [], 0, motifs.find)
    assert units[0][1].whole == motifs.find("PRODUCT[P0]")
    assert findings[0].as_dict()["keywords"][0]["instance"] == "PRODUCT[P0]"
    json.dumps(findings[0].as_dict())


def test_values_that_do_not_exist_are_reported(debts: Graph) -> None:
    findings, _ = find_categories(debts, [Category("debt", ("PRODUCT[none]",)), Category("credit")])
    assert findings[0].notes() == ["keyword 'PRODUCT[none]' occurs nowhere and is left out"]
    with pytest.raises(UnknownName, match=r"category 'debt': VENUE\[x\] is not a metadata value.*fields are product"):
        find_categories(debts, [Category("debt", ("VENUE[x]",)), Category("credit")])


def features_of(rows: list[list[float]]) -> Features:
    counts = sparse.csr_array(np.array(rows, dtype=np.float32))
    return Features(counts, np.ones(counts.shape[1], dtype=np.bool_), np.ones(counts.shape[1], dtype=np.float32))


def test_a_word_that_is_a_value_alone_is_reported_as_one(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, [{"text": f"she fell on the stairs {i}", "injury": "Concussion"} for i in range(9)])
    (finding,), _ = find_categories(graph, [Category("stairs", ("concussion", "sprain"))])
    assert finding.notes() == [
        "keyword 'concussion' occurs in no text and is left out; as a value it is INJURY[Concussion]",
        "keyword 'sprain' occurs in no text and is left out",
    ]


def test_what_speaks_against_a_category_is_taken_out_of_it() -> None:
    # jaguar is in documents on cars and on cats; the user means the car
    features = features_of([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [0, 0, 1]])
    documents = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]], dtype=np.float32)
    instances = np.array([[0.7, 0.7], [1, 0], [0, 1]], dtype=np.float32)
    space = Space(documents, instances)
    names = [Category("jaguar", (), None, ("cat",))]
    findings = [CategoryFinding("jaguar", "term", "jaguar", 4, excluded=(Keyword("cat", "cat", 3),))]
    units = find_units(names, findings, ["jaguar", "car", "cat"])
    np.testing.assert_allclose(place_names(units, space, features)[0], [1, 0], atol=1e-3)
    evidence = name_evidence(units, features)[:, 0]
    assert (evidence[:2] > 0).all() and (evidence[4:] < 0).all() and (evidence[2:4] < evidence[:2]).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [("a, -", "minus without a word"), ("-, b", "minus without a word"), ("cat, -cat", "for the category and against")],
)
def test_senseless_keywords_are_reported_with_file_and_line(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"labels.txt, line 2: .*{message}"):
        parse_categories(["pears", f"apples: {text}"], "labels.txt")


def test_commas_within_a_value_do_not_part_it() -> None:
    assert split_keywords("TAG[a, b]-YEAR[1], c d ,,", "x") == (("TAG[a, b]-YEAR[1]", "c d"), ())
    assert split_keywords("\\-ing, -TAG[x\\], y]", "x") == (("-ing",), ("TAG[x\\], y]",))


def test_exclusions_come_from_every_kind_of_input() -> None:
    expected = Category("jaguar", ("cars",), None, ("cat",))
    assert as_categories(["jaguar: cars, -cat", "x"])[0] == expected
    assert as_categories({"jaguar": ["cars", "-cat"], "x": []})[0] == expected
    with pytest.raises(BadInput, match="minus without a word"):
        as_categories({"jaguar": ["-"], "x": []})
