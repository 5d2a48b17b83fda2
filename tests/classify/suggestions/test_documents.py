"""Documents worth labelling: unsure, typical of many, different from one another; a CSV that `--known` reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from classify.categories.category_file import Category
from classify.categories.known_labels import read_known
from classify.commands.arguments import SuggestCommand
from classify.commands.suggest import run_suggest
from classify.model.explain import InstanceFacts
from classify.suggestions.documents import DocumentOptions, as_csv, documents_to_label
from classify.suggestions.grounds import Grounds
from hin.console import Console
from hin.errors import BadUsage
from motifs.samples import tiny_graph


def grounds(known: dict[str, str] | None = None, sure: float = 0.6) -> Grounds:
    """Five documents: the first three alike, the fourth by itself, the fifth sure of its category."""
    counts = np.array([[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    names, starts = ["TERM[a]", "TERM[b]", "TERM[c]"], np.array([0, 3])
    facts = InstanceFacts(
        names, ["term"], starts, np.ones(3), np.eye(3, dtype=np.float32), np.zeros(3, np.float32),
        np.eye(2, 3, dtype=np.float32),
    )  # fmt: skip
    probabilities = np.array([[sure, 1 - sure]] * 4 + [[0.999, 0.001]])
    return Grounds(
        tiny_graph(), (Category("web"), Category("data mining")), probabilities, sparse.csr_array(counts), facts,
        [{"term": "web"}, {"term": "data mining"}], known or {},
    )  # fmt: skip


def test_the_typical_come_first_and_no_two_are_alike() -> None:
    first, second = documents_to_label(grounds(), 2)
    assert first.document in {"doc0", "doc1", "doc2"}
    assert first.like == 3
    assert second.document == "doc3"
    assert (first.guess, first.runner_up) == ("web", "data mining")


def test_known_documents_and_their_likes_are_not_asked_for() -> None:
    [chosen] = documents_to_label(grounds({"doc1": "web"}), 1)
    assert chosen.document == "doc3"
    assert "doc1" not in {one.document for one in documents_to_label(grounds({"doc1": "web"}), 9)}


def test_no_more_are_offered_than_there_are_and_the_same_each_time() -> None:
    offered = documents_to_label(grounds(), 9)
    assert len(offered) == 5
    assert offered == documents_to_label(grounds(), 9)
    assert len(documents_to_label(grounds(), 9, DocumentOptions(sample=2))) == 2


def test_a_document_with_nothing_to_go_on_is_not_offered() -> None:
    assert {one.document for one in documents_to_label(grounds(sure=0.5), 9)} == {"doc4"}


def test_the_table_is_read_once_it_is_filled_in(tmp_path: Path) -> None:
    text = as_csv(documents_to_label(grounds(), 2))
    (tmp_path / "few.csv").write_text(text)
    assert read_known(tmp_path / "few.csv", tiny_graph(), ["web", "data mining"]) is None
    (tmp_path / "few.csv").write_text(text.replace(",,web", ",data mining,web", 1))
    known = read_known(tmp_path / "few.csv", tiny_graph(), ["web", "data mining"])
    assert known is not None
    assert known.labels.tolist() == [1]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"documents": 3, "write": Path("x.txt")}, "exclude one another"),
        ({"out": Path("x.csv")}, "--out goes with --documents"),
    ],
)
def test_what_does_not_go_together_is_reported_before_the_work(more: dict[str, object], message: str) -> None:
    with pytest.raises(BadUsage, match=message):
        run_suggest(SuggestCommand(**more), Console(quiet=True))  # type: ignore[arg-type]
