"""Documents whose category the user knows: how they are read, the messages about faults, what they teach."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from classify.categories.known import Known
from classify.categories.known_labels import known_from_labels, read_known
from classify.recipe.naive_bayes import naive_bayes_em
from classify.recipe.options import BayesOptions
from hin.errors import BadInput, BadUsage, HinError, UnknownName
from motifs.samples import tiny_graph

CLASSES = ["data mining", "web"]


def read(tmp_path: Path, text: str, name: str = "few.csv") -> Known | None:
    (tmp_path / name).write_text(text)
    return read_known(tmp_path / name, tiny_graph(), CLASSES)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("few.csv", "document,category\ndoc3,web\ndoc0,data mining\ndoc1,\n"),
        ("few.csv", '\ufefftitle,Label,ID\n"two\nlines",web,doc3\n,data mining,doc0\n'),
        ("few.tsv", "document\tcategory\ndoc3\tweb\n\ndoc0\tdata mining\n"),
        (
            "few.jsonl",
            '{"id": "doc3", "label": "web"}\n{"document": "doc0", "category": "data mining"}\n{"id": "doc1"}\n',
        ),
    ],
)
def test_every_kind_of_file_gives_the_same(tmp_path: Path, name: str, text: str) -> None:
    known = read(tmp_path, text, name)
    assert known is not None
    assert (known.rows.tolist(), known.labels.tolist()) == ([0, 3], [0, 1])


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("document,category\nnone,web\n", UnknownName, "few.csv, line 2: there is no document 'none'"),
        ("document,category\ndoc1,web\ndoc2,cats\n", UnknownName, "few.csv, line 3: 'cats' is not a category"),
        ("document,category\ndoc1,web\ndoc1,data mining\n", BadInput, "line 3: .*'web' in line 2.*one category"),
        ("name,topic\ndoc1,web\n", BadInput, "line 1: no columns document and category"),
        ("category,document\nweb\n", BadInput, "line 2: too few columns"),
    ],
)
def test_faults_are_reported_with_file_and_line(tmp_path: Path, text: str, error: type[HinError], message: str) -> None:
    with pytest.raises(error, match=message):
        read(tmp_path, text)


def test_other_faults_are_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="line 1: several categories"):
        read(tmp_path, '{"id": "doc1", "label": ["web", "data mining"]}', "few.jsonl")
    with pytest.raises(BadInput, match="cannot read"):
        read_known(tmp_path / "nowhere.csv", tiny_graph(), CLASSES)
    assert read(tmp_path, "document,category\ndoc1,\n") is None
    with pytest.raises(BadUsage, match="2 labels for 5 documents"):
        known_from_labels(["web", None], CLASSES, 5)
    with pytest.raises(UnknownName, match="'cats' of document 1 is not a category"):
        known_from_labels([None, "cats"], CLASSES, 2)
    assert known_from_labels([None, "", float("nan")], CLASSES, 3) is None  # type: ignore[list-item]


def test_known_documents_are_held_and_teach_the_others() -> None:
    weights = sparse.csr_array(np.array([[2, 0], [2, 0], [0, 2], [0, 2]], dtype=np.float32))
    nothing = np.zeros((4, 2))
    known = Known(np.array([0, 2]), np.array([1, 0]))
    logs = naive_bayes_em(weights, nothing, BayesOptions(smoothing=1.0, known_weight=10.0), known=known)
    assert logs.argmax(axis=1).tolist() == [1, 1, 0, 0]
    np.testing.assert_allclose(np.exp(logs[0]), [0, 1], atol=1e-12)
    wrong = np.array([[9.0, 0], [9, 0], [0, 9], [0, 9]])  # whatever the names say
    assert naive_bayes_em(weights, wrong, known=known).argmax(axis=1)[[0, 2]].tolist() == [1, 0]


def test_a_doubtful_answer_does_not_outweigh_the_names() -> None:
    weights = sparse.csr_array(np.repeat(np.array([[2, 0], [0, 2]], dtype=np.float32), 3, axis=0))
    start = np.repeat([[0.2, 0.0], [0.0, 0.2]], 3, axis=0)

    def believed(weight: float) -> float:
        known = Known(np.array([0]), np.array([1]), weight=np.array([weight]))
        logs = naive_bayes_em(weights, start, BayesOptions(smoothing=1.0, known_weight=10.0), known=known)
        return float(np.exp(logs[1, 0]))

    assert believed(1.0) < 0.5 < believed(0.2)
