"""The user's own vectors: a view beside the others, in Python and on the command line; bad ones are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hin as package
from classify import MotifClassifier
from classify.documents.own_vectors import given_vectors, vectors_of
from embed import EmbedOptions
from hin.errors import HinError

NAMES = ["cider", "orbit"]
IDS = [f"d{i}" for i in range(160)]
TRUTH = np.arange(160) % 2


def corpus() -> tuple[list[dict[str, str]], np.ndarray]:
    """Texts of which one in eight names its category, and vectors that separate all of them."""
    rng = np.random.default_rng(3)
    words = [[f"w{n}" for n in rng.integers(0, 30, 8)] for _ in IDS]
    rows = [
        {"id": name, "text": " ".join([*own, *([NAMES[i % 2]] if i % 8 < 2 else [])])}
        for i, (name, own) in enumerate(zip(IDS, words, strict=True))
    ]
    return rows, (rng.normal(size=(2, 12))[TRUTH] + 0.3 * rng.normal(size=(160, 12))).astype(np.float32)


def fitted(vectors: Any = None) -> MotifClassifier:
    options = {"classifier": "linear", "knowledge": None, "embed": EmbedOptions(dim=8, epochs=2), "n_jobs": 1}
    graph = package.load(corpus()[0])
    return MotifClassifier(NAMES, **options).fit(graph, vectors=vectors)


def accuracy(labels: Any) -> float:
    return float((np.asarray(labels) == np.array(NAMES)[TRUTH]).mean())


@pytest.fixture(scope="module")
def model() -> MotifClassifier:
    return fitted(corpus()[1])


def test_vectors_are_a_view_that_counts(model: MotifClassifier) -> None:
    rows, vectors = corpus()
    assert accuracy(fitted().predict(rows)) < 0.7
    assert model.used_["views"]["vectors"] > 0.2
    assert accuracy(np.array(NAMES)[model.labels_]) > 0.85
    assert accuracy(model.predict(rows, vectors)) > 0.85
    assert np.array_equal(model.predict_proba(rows, vectors), model.probabilities_)


def test_a_saved_model_takes_vectors_too(model: MotifClassifier, tmp_path: Path) -> None:
    rows, vectors = corpus()
    model.save(tmp_path / "model")
    again = MotifClassifier.load(tmp_path / "model")
    assert np.array_equal(again.predict_proba(rows, vectors), model.probabilities_)
    one = again.predict_proba(rows[5:6], vectors[5:6])
    assert np.array_equal(one[0], model.probabilities_[5])  # the same bits in a batch of any size
    without = again.predict_proba(rows)
    zeros = np.zeros_like(vectors)
    assert np.array_equal(again.predict_proba(rows, zeros), without)  # no vector: words and metadata alone
    assert not np.array_equal(without, model.probabilities_)


def test_reasons_with_the_vector_add_up(model: MotifClassifier) -> None:
    reported = model.explain("d7")
    [own] = [reason for reason in reported["reasons"] if reason["pattern"] == "vectors"]
    assert own["weight"] > 0 and reported["score"] == pytest.approx(reported["winner"]["score"], abs=1e-5)


def test_every_way_in_gives_the_same(tmp_path: Path) -> None:
    _, vectors = corpus()
    order = np.random.default_rng(0).permutation(len(IDS))
    shuffled, ids = vectors[order], [IDS[i] for i in order]
    np.save(tmp_path / "v.npy", vectors)
    lists = pa.table({"id": ids, "vector": shuffled.tolist()})
    pq.write_table(lists, tmp_path / "lists.parquet")
    wide = {"document": ids, **{f"x{k}": shuffled[:, k] for k in range(12)}}
    pq.write_table(pa.table(wide), tmp_path / "wide.parquet")
    given = [
        vectors,
        vectors.tolist(),
        dict(zip(ids, shuffled, strict=True)),
        lists,
        pd.DataFrame(wide),
        pd.DataFrame(shuffled, index=ids),
        pl.DataFrame(wide),
        *(tmp_path / name for name in ("v.npy", "lists.parquet", "wide.parquet")),
    ]
    found = [vectors_of(one, IDS) for one in given]
    assert {one.identity for one in found} == {found[0].identity}
    assert np.array_equal(found[0].rows, vectors)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.ones((3, 2)), "3 vectors for 2 documents"),
        (np.array([[1.0, 2.0], [np.nan, 1.0]]), "row 2 has a value that is not a number"),
        ({"a": [1.0], "b": [np.inf]}, "document 'b' has a value that is not a number"),
        ({"a": [1.0], "c": [2.0]}, "no vector for 1 document, such as 'b'"),
        ({"a": [1.0, 2.0], "b": [2.0]}, "vectors of different lengths (1, 2)"),
        (pa.table({"id": ["a", "b", "a"], "v": [[1.0], [2.0], [3.0]]}), "two vectors for document 'a'"),
        (pa.table({"name": ["a", "b"], "v": [[1.0], [2.0]]}), "no id column"),
        (pa.table({"id": ["a", "b"], "v": ["x", "y"]}), "no column of vectors"),
        (np.array(["x", "y"]), "an array of <U1 with shape (2,)"),
        ("v.csv", "v.csv: vectors are .npy or .parquet"),
        ("missing.npy", "there is no file missing.npy"),
        (pa.table({"id": ["a", "b"], "v": [[1.0, 2.0], [None, 3.0]]}), "document 'b' has a value that is not a number"),
        (pa.table({"id": ["a", "b"], "v": [{"x": 1.0}, {"x": 2.0}]}), "no column of vectors"),
        ("bad.npy", "bad.npy: no readable vectors (not an array of numbers)"),
        ("bad.parquet", "bad.parquet: no readable vectors"),
    ],
)
def test_bad_vectors_are_refused_in_a_line(given: Any, said: str, tmp_path: Path) -> None:
    for name in ("bad.npy", "bad.parquet"):
        (tmp_path / name).write_bytes(b"nonsense")
    with pytest.raises(HinError) as caught:
        vectors_of(given, ["a", "b"])
    assert said in str(caught.value) and "\n" not in str(caught.value) and caught.value.hint


def test_vectors_of_another_encoder_are_refused(model: MotifClassifier) -> None:
    rows, vectors = corpus()
    with pytest.raises(HinError, match="vectors have 5 numbers, those of the model 12"):
        model.predict(rows, vectors[:, :5])
    with pytest.raises(HinError, match="159 vectors for 160 documents"):
        model.predict(rows, vectors[:-1])
    with pytest.raises(HinError, match="161 vectors for 160 documents"):
        model.predict(rows, given_vectors(np.vstack([vectors, vectors[:1]])))
    with pytest.raises(HinError, match="fitted without vectors"):
        fitted().predict(rows, vectors)
    with pytest.raises(HinError, match="the preset paper"):
        MotifClassifier(NAMES, preset="paper").fit(package.load(rows), vectors=vectors)


@pytest.mark.slow
def test_on_the_command_line(hin: Callable, tmp_path: Path) -> None:
    rows, vectors = corpus()
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    np.save(tmp_path / "v.npy", vectors)
    quick = ["--classifier", "linear", "--knowledge", "none", "--dim", "8", "--epochs", "2"]
    asked = ["classify", file, "-c", ", ".join(NAMES), *quick, "--plain", "--scores"]
    done = hin(*asked, "--vectors", "v.npy", "--out", "own.jsonl")
    assert done.code == 0, done.err
    labels = [json.loads(line)["category"] for line in Path("own.jsonl").read_text().splitlines()]
    assert accuracy(labels) > 0.85
    assert "nothing was trained again" in hin(*asked, "--vectors", "v.npy", "--verbose").err
    graph = f"{file}.hin"
    reported = hin("explain", "d7", "--graph", graph, "--json").json
    assert "vectors" in {reason["pattern"] for reason in reported["reasons"]}
    assert hin("report", "--graph", graph, "--out", "report.html").code == 0
    done = hin("predict", file, "--graph", graph, "--vectors", "v.npy", "--out", "new.jsonl")
    assert done.code == 0 and Path("new.jsonl").read_text() == Path("own.jsonl").read_text()
    assert "without --vectors" in hin("predict", file, "--graph", graph).err
    np.save(tmp_path / "short.npy", vectors[:-1])
    for command in (asked, ["predict", file, "--graph", graph]):
        done = hin(*command, "--vectors", "short.npy")
        assert done.code == 1 and "159 vectors for 160 documents" in done.err and "Traceback" not in done.err
    np.save(tmp_path / "other.npy", np.ascontiguousarray(vectors[:, ::-1]) + 1)
    assert "nothing was trained again" not in hin(*asked, "--vectors", "other.npy", "--verbose").err
