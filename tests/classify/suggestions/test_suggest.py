"""Words that would help a category and names that mislead, on a small corpus that was made to have both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from classify import MotifClassifier
from classify.categories.category_file import Category, parse_categories
from classify.model.explain import InstanceFacts
from classify.options import ClassifyOptions
from classify.suggestions.category_lines import category_line
from classify.suggestions.checks import check_names
from classify.suggestions.grounds import Grounds
from classify.suggestions.options import SuggestOptions
from classify.suggestions.suggest import help_for
from classify.suggestions.words import ranked_words
from hin.errors import BadUsage
from hin.graph import Csr
from hin.text.languages import stop_words

NAMES = ["TERM[cars]", "TERM[wheels]", "TERM[cats]", "TERM[paws]", "TERM[1990]", "MAKER[Opel]"]


class _Documents(list):  # type: ignore[type-arg]
    """As much of a graph as suggestions need: how many documents it has, and no words to detect a language by."""

    tokens = Csr.from_lists([[]])

    def names(self, kind: str) -> np.ndarray:
        return np.zeros(0, dtype=np.object_)


def grounds(categories: list[Category], probabilities: np.ndarray | None = None) -> Grounds:
    """Six documents on cars and six on cats; each instance is in the documents of its kind, the year in all."""
    kind = np.array([0] * 6 + [1] * 6)
    counts = np.zeros((12, len(NAMES)), dtype=np.float32)
    for column, of in enumerate([0, 0, 1, 1, None, 0]):
        counts[:, column] = 1 if of is None else kind == of
    counts[3:6, 1] = 0
    vectors = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9], [0.5, 0.5], [0.8, 0]], dtype=np.float32)
    facts = InstanceFacts(
        NAMES, ["term", "maker"], np.array([0, 5, 6]), np.ones(6), vectors, np.zeros(2, np.float32),
        np.eye(2, dtype=np.float32),
    )  # fmt: skip
    found = [{"term": category.name, "near": []} for category in categories]
    given = np.eye(2)[kind] if probabilities is None else probabilities
    return Grounds(_Documents(range(12)), tuple(categories), given, sparse.csr_array(counts), facts, found, {})  # type: ignore[arg-type]


def test_the_one_word_stands_in_most_doubtful_documents_with_the_category_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("classify.suggestions.words._LIFT", 1.0)  # of twelve documents nothing is that distinctive
    sure = np.eye(2)[[0] * 6 + [1] * 6] * 0.8 + 0.1
    doubt = sure.copy()
    doubt[0] = [0.45, 0.55]  # holds wheels, cars second
    doubt[1] = [0.7, 0.3]  # no doubt: cats has less than half of it
    options = SuggestOptions(words=1, least=3)
    before, after = (help_for(grounds([Category("cars"), Category("cats")], p), options)[0] for p in (sure, doubt))
    assert before.moving is None and before.as_dict()["moving"] is None
    assert after.moving is not None and (after.moving.keyword, after.moving.doubtful) == ("wheels", 1)


def test_words_are_offered_to_the_category_whose_documents_hold_them() -> None:
    two = [Category("cars"), Category("cats")]
    cars, cats = ranked_words(grounds(two), SuggestOptions(least=3))
    assert [word.keyword for word in cats] == []  # paws and the year are in too many documents
    assert [word.keyword for word in cars] == ["wheels"]
    assert cars[0].documents == 3
    assert cars[0].share == 1.0
    assert "in 3 documents, 100% of them" in cars[0].why


def test_pieces_of_sentences_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    for word, offered in (("winter wheels", True), ("wheels that", False), ("every wheel", False), ("that", False)):
        monkeypatch.setitem(globals(), "NAMES", [NAMES[0], f"TERM[{word}]", *NAMES[2:]])
        given = grounds([Category("cars"), Category("cats")])
        given.__dict__["silent"] = stop_words("english")
        found = ranked_words(given, SuggestOptions(least=3))[0]
        assert [one.keyword for one in found] == ([word] if offered else [])


def test_what_the_line_has_already_is_not_offered_again() -> None:
    given = [Category("cars", ("wheels",)), Category("cats")]
    assert ranked_words(grounds(given), SuggestOptions(least=3))[0] == []


def test_names_that_mislead_are_reported() -> None:
    two = [Category("cars"), Category("cats")]
    assert [check.weak for check in check_names(grounds(two))] == [True, True]  # in six documents only
    wrong = np.eye(2)[[1] * 12]
    check = check_names(grounds(two, wrong))[0]
    assert "misleads: of its 6 documents none is of this category, 6 of 'cats'" in check.problems


def test_what_a_name_was_found_in_is_reported_alike_everywhere() -> None:
    made = grounds([Category("sailing ship"), Category("cats")])
    hidden = {"term": "sailing ship", "status": "term", "documents": 8, "written": 8, "near": []}
    problems = check_names(replace(made, findings=[hidden, *made.findings[1:]]))[0].problems
    assert problems == ("is in only 8 documents",)
    apart = {"term": "sailing + ship", "status": "composed", "documents": 0, "near": []}
    problems = check_names(replace(made, findings=[apart, *made.findings[1:]]))[0].problems
    assert problems == ("occurs nowhere as written",)


@pytest.mark.parametrize(
    "category",
    [
        Category("use::games", ("a b", "VENUE[a, b]"), 0.125, ("cat",)),
        Category("#x", ("-y",)),
        Category("plain"),
    ],
)
def test_a_line_that_is_written_is_read_back_the_same(category: Category) -> None:
    assert parse_categories([category_line(category), "other"])[0] == category


def test_an_unfitted_model_has_nothing_to_suggest() -> None:
    with pytest.raises(BadUsage, match="not been fitted"):
        MotifClassifier(["a", "b"]).suggest()


@pytest.mark.slow
def test_the_command_offers_words_and_writes_a_labels_file(hin: Callable, tmp_path: Path) -> None:
    from hin.demo.corpus import DemoOptions, write_demo

    files = write_demo(tmp_path, DemoOptions(documents=300))
    graph = tmp_path / "graph.hin"
    hin("load", files.documents, "--graph", graph)
    quick = ["--dim", "20", "--epochs", "2", "-p", "venue"]
    better = tmp_path / "better.txt"
    fitted = hin("suggest", "-c", files.labels, "--graph", graph, *quick, "--json", "--write", better).json
    names = [category.name for category in parse_categories(files.labels.read_text().splitlines())]
    assert [one["category"] for one in fitted] == names
    assert all(word["documents"] >= 10 for one in fitted for word in one["words"])
    assert [c.name for c in parse_categories(better.read_text().splitlines())] == names
    hin("classify", "-c", files.labels, "--graph", graph, *quick)
    stored = hin("suggest", "--graph", graph, "--json").json
    assert json.dumps(stored) == json.dumps(hin("suggest", "-c", files.labels, "--graph", graph, "--json").json)
    assert "would help" in hin("suggest", "--graph", graph).out
    few = tmp_path / "few.csv"
    asked = hin("suggest", "--documents", "3", "--out", few, "--graph", graph, "--json").json
    assert [line.split(",")[0] for line in few.read_text().splitlines()] == [
        "document",
        *(d["document"] for d in asked),
    ]


def test_the_command_gives_an_encoder_the_time_that_was_asked_for(
    hin: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ClassifyOptions] = []

    def pipeline(graph: object, categories: object, options: ClassifyOptions, **more: object) -> None:
        made.append(options)
        raise BadUsage("that is all we want to know")

    (tmp_path / "d.jsonl").write_text(
        "".join(f'{{"id": "{i}", "text": "{("cider", "orbit")[i % 2]} word{i % 3}"}}\n' for i in range(20))
    )
    (tmp_path / "labels.txt").write_text("cider\norbit\n")
    graph = ("--graph", tmp_path / "g.hin")
    assert hin("load", tmp_path / "d.jsonl", *graph).code == 0
    monkeypatch.setattr("classify.commands.suggest.Pipeline", pipeline)
    hin(
        "suggest",
        "-c",
        tmp_path / "labels.txt",
        "--knowledge-seconds",
        "7",
        "--min-count",
        "1",
        "--epochs",
        "1",
        *graph,
    )
    assert [options.knowledge.knowledge_seconds for options in made] == [7.0]
