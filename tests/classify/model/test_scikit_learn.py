"""scikit-learn's habits: its own checks, pipelines, searches, and every kind of document that people hand over."""

from __future__ import annotations

import pickle
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks

import hin
from classify import MotifClassifier
from embed import EmbedOptions
from hin.errors import BadInput, BadUsage, UnknownName

sklearn_version = tuple(map(int, sklearn.__version__.split(".")[:2]))

QUICK: dict[str, Any] = {
    "classifier": "linear",
    "knowledge": None,
    "embed": EmbedOptions(dim=16, epochs=4),
    "n_jobs": 1,
}
WORDS = ("orchard cider tree juice fruit core", "launch orbit moon engine fuel crew")
NAMES = ["rockets", "apples"]


def planted(n: int = 120) -> tuple[list[str], list[str]]:
    rng = np.random.default_rng(0)
    truth = ["apples" if i % 2 else "rockets" for i in range(n)]
    texts = [". ".join([*rng.choice(WORDS[i % 2 == 0].split(), 4), truth[i]]) for i in range(n)]
    return texts, truth


TEXTS, TRUTH = planted()


@pytest.fixture(scope="module")
def model() -> MotifClassifier:
    return MotifClassifier(NAMES, **QUICK).fit(TEXTS)


# --- every kind of document ---


def tables() -> dict[str, Any]:
    rows = [{"key_id": f"t{i}", "story": f"{text}. and some more words to read", "place": f"p{i % 3}"} for i, text in
            enumerate(TEXTS)]  # fmt: skip
    frame = pd.DataFrame(rows)
    return {"dicts": rows, "pandas": frame, "polars": pl.DataFrame(rows), "arrow": pa.Table.from_pylist(rows)}


@pytest.mark.parametrize("kind", ["dicts", "pandas", "polars", "arrow"])
def test_a_table_of_any_kind_fits_and_predicts_as_its_graph_does(kind: str) -> None:
    table = tables()[kind]
    fitted = MotifClassifier(NAMES, **QUICK).fit(table)
    graph = hin.load(tables()["dicts"])
    same = MotifClassifier(NAMES, **QUICK).fit(graph)
    assert fitted.graph_.fields == ("place",) and fitted.score(table, TRUTH) == 1.0
    assert fitted.probabilities_.tobytes() == same.probabilities_.tobytes()
    assert fitted.decision_function(table).tobytes() == same.scores_.tobytes()


def test_texts_may_come_in_a_list_an_array_or_a_column(model: MotifClassifier) -> None:
    expected = model.predict(TEXTS[:4]).tolist()
    assert expected == TRUTH[:4] and isinstance(model.predict(TEXTS[:4]), np.ndarray)
    array = np.array(TEXTS[:4])
    for given in (array, array[:, None], array.astype(object), pd.Series(TEXTS[:4], index=list("dcba")),
                  pl.Series(TEXTS[:4]), pa.array(TEXTS[:4]), tuple(TEXTS[:4]), iter(TEXTS[:4])):  # fmt: skip
        assert model.predict(given).tolist() == expected, type(given)
    assert model.predict([]).tolist() == []


def test_a_file_is_read_as_the_documents_of_the_fit_were(tmp_path: Path) -> None:
    rows = [{"who": f"ann; bob{i % 2}", "note": f"<p>{text}</p>", "label": TRUTH[i]} for i, text in enumerate(TEXTS)]
    pd.DataFrame(rows).to_csv(tmp_path / "notes.csv", index=False)
    graph = hin.load(tmp_path / "notes.csv", text="note", metadata="person=who", separator=";")
    fitted = MotifClassifier(NAMES, **QUICK).fit(graph)
    assert fitted.graph_.names("person").tolist() == ["ann", "bob0", "bob1"]
    assert fitted.decision_function(tmp_path / "notes.csv").tobytes() == fitted.scores_.tobytes()
    assert fitted.decision_function(pd.DataFrame(rows)).tobytes() == fitted.scores_.tobytes()
    assert MotifClassifier(NAMES, **QUICK).fit(str(tmp_path / "notes.csv")).score(rows, TRUTH) == 1.0


def test_a_document_with_nothing_known_gets_no_word_put_in_its_mouth(model: MotifClassifier) -> None:
    assert model.predict(["quux quuux", "cider"]).tolist() == ["", "apples"]
    assert model.predict_table(["quux quuux", "cider"]).column("category").to_pylist() == [None, "apples"]
    assert model.predict_table(["cider"], abstain_below=1.0).column("category").to_pylist() == [None]


def test_a_table_of_predictions_is_of_the_kind_that_was_given(model: MotifClassifier) -> None:
    frame = pd.DataFrame({"text": TEXTS[:3]}, index=["x", "y", "z"])
    reported = model.predict_table(frame)
    assert isinstance(reported, pd.DataFrame) and reported.index.equals(frame.index)
    assert list(reported.columns) == ["document", "category", "confidence"] and reported.document.tolist() == [
        "x",
        "y",
        "z",
    ]
    assert reported.category.tolist() == TRUTH[:3] and (reported.confidence > 0.5).all()
    assert model.predict_table(pd.Series(TEXTS[:2], index=["a", "b"])).document.tolist() == ["a", "b"]
    assert isinstance(model.predict_table(pl.DataFrame({"id": ["p"], "text": TEXTS[:1]})), pl.DataFrame)
    assert model.predict_table([{"_id": "q", "text": "cider"}]).to_pylist()[0]["document"] == "q"
    assert model.predict_table(model.graph_).column("document").to_pylist() == model.graph_.documents.tolist()
    assert model.predict_table([]).num_rows == 0


def test_an_index_that_repeats_is_no_id(model: MotifClassifier) -> None:
    frame = pd.DataFrame({"text": TEXTS}, index=[i % 7 for i in range(len(TEXTS))])
    assert MotifClassifier(NAMES, **QUICK).fit(frame).score(frame, TRUTH) == 1.0
    assert model.predict_table(frame).document.tolist()[:2] == ["0", "1"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([1, 2], "a text or a mapping, not int"),
        (np.zeros((3, 2)), "an array with 2 columns"),
        ([{"text": "a"}, "b"], "a document is a mapping, not str"),
        ([{"words": "cider"}], "no document has a field that the model was fitted on .text.; there is words"),
    ],
)
def test_what_is_no_document_is_reported(model: MotifClassifier, given: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        model.predict(given)


def test_what_cannot_be_read_at_all_is_reported(model: MotifClassifier) -> None:
    with pytest.raises(BadUsage, match="cannot read documents from int; give texts, a DataFrame"):
        model.predict(7)
    with pytest.raises(BadUsage, match="cannot load documents from int"):
        model.fit(7)


# --- searches and pipelines ---


def test_names_alone_can_be_scored_in_searches() -> None:
    blind = MotifClassifier(NAMES, ignore_y=True, **QUICK)
    assert not blind.fit(TEXTS, TRUTH[::-1]).known_, "y would have taught the opposite"
    assert blind.score(TEXTS, TRUTH) == 1.0
    search = GridSearchCV(blind, {"min_count": [2, 5]}, cv=2).fit(TEXTS, TRUTH)
    assert search.best_score_ == 1.0 and search.predict(TEXTS[:2]).tolist() == TRUTH[:2]
    shares = cross_val_predict(blind, TEXTS, TRUTH, cv=2, method="predict_proba")
    assert (shares.argmax(axis=1) == [NAMES.index(label) for label in TRUTH]).all(), "columns as in classes_"


def test_labels_that_are_given_teach() -> None:
    opposite = ["apples" if label == "rockets" else "rockets" for label in TRUTH]
    taught = MotifClassifier(NAMES, **QUICK)
    assert cross_val_score(taught, TEXTS, opposite, cv=2).mean() > 0.5
    with pytest.raises(UnknownName, match="the label .* of document 0 is not a category"):
        taught.fit(TEXTS, list(range(len(TEXTS))))


def test_in_a_pipeline_and_cloned(model: MotifClassifier) -> None:
    lower = FunctionTransformer(lambda texts: [text.lower() for text in texts])
    chain = make_pipeline(lower, clone(model)).fit([text.upper() for text in TEXTS])
    assert chain.score(TEXTS, TRUTH) == 1.0
    assert cross_val_predict(clone(model), pd.DataFrame({"text": TEXTS}), cv=2).tolist() == TRUTH
    with pytest.raises(NotFittedError, match="has not been fitted"):
        clone(model).predict(TEXTS)


def test_a_pickled_model_labels_alike(model: MotifClassifier) -> None:
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_function(TEXTS).tobytes() == model.scores_.tobytes()


# --- scikit-learn's own checks ---

NUMBERS = "documents are texts or records, never rows of numbers"
COLUMNS = "documents have words, not a fixed number of columns"
LABELS = "the classes are the categories' names; y is optional, and None is a document whose label is not known"
#: The checks that cannot apply, and why.
CANNOT = {
    "check_n_features_in": COLUMNS,
    "check_n_features_in_after_fitting": COLUMNS,
    "check_complex_data": NUMBERS,
    "check_estimators_nan_inf": NUMBERS,
    "check_estimators_empty_data_messages": NUMBERS,
    "check_estimator_sparse_tag": NUMBERS,
    "check_estimator_sparse_array": NUMBERS,
    "check_estimator_sparse_matrix": NUMBERS,
    "check_fit1d": NUMBERS,
    "check_fit2d_predict1d": NUMBERS,
    "check_array_api_input": NUMBERS,
    "check_classifiers_classes": LABELS,
    "check_classifiers_train": LABELS,
    "check_classifiers_regression_target": LABELS,
    "check_supervised_y_no_nan": LABELS,
    "check_supervised_y_2d": LABELS,
}


class Spelled(MotifClassifier):
    """Reads numbers as words, so that checks that come with rows of numbers can be run on texts."""

    def __init__(self, random_state: int = 0) -> None:
        super().__init__(["low", "high"], min_count=1, ignore_y=True, random_state=random_state, **QUICK)

    def fit(self, X: Any, y: Any = None) -> Spelled:
        super().fit(_spelled(X), y)
        return self

    def _score(self, documents: Any, vectors: Any = None) -> Any:
        self._check_fitted()
        return super()._score(_spelled(documents), vectors)

    def predict(self, documents: Any) -> Any:
        return (super().predict(documents) == "high").astype(int)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.one_d_array = True, False
        tags.no_validation = False  # so that no check is left out unasked
        return tags


def _spelled(rows: Any) -> list[str]:
    def words(row: Any) -> list[str]:
        return ["low", "high", *(f"f{i}{'low' if v < 0 else 'high'}" for i, v in enumerate(row)),
                "high" if row[0] > 0 else "low"]  # fmt: skip

    return [". ".join(words(row)) for row in np.asarray(rows)]


def name_of(check: Any) -> str:
    named: str = (check.func if isinstance(check, partial) else check).__name__
    return named + (str(check.keywords) if isinstance(check, partial) else "")


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    CHECKS = list(estimator_checks._yield_all_checks(Spelled(), legacy=True))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "check", [check for check in CHECKS if name_of(check).partition("{")[0] not in CANNOT], ids=name_of
)
def test_scikit_learns_checks_pass(check: Any) -> None:
    check("Spelled", Spelled())


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_itself_finds_no_fault() -> None:
    estimator_checks.check_estimator(MotifClassifier(NAMES))
    for name in ("parameters_default_constructible", "mixin_order", "get_params_invariance", "set_params",
                 "valid_tag_types", "no_attributes_set_in_init", "estimator_repr"):  # fmt: skip
        getattr(estimator_checks, f"check_{name}")("MotifClassifier", MotifClassifier())


@pytest.mark.skipif(sklearn_version < (1, 9), reason="earlier versions have fewer checks to leave out")
def test_every_check_that_is_left_out_exists() -> None:
    there = {name_of(check).partition("{")[0] for check in CHECKS}
    assert set(CANNOT) <= there and len(there) > 2 * len(CANNOT)
