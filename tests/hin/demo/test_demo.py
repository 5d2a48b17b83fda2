"""The demo corpus is what its model says it is."""

from __future__ import annotations

import itertools
import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hin.demo.corpus import WORDS, DemoOptions, demo_records, write_demo
from hin.errors import BadUsage


@pytest.fixture(scope="module")
def corpus() -> list[dict[str, Any]]:
    return list(demo_records())


def information(values: list[Hashable], labels: list[str]) -> float:
    """The mutual information of value and label in bits, less that with shuffled labels."""

    def bits(codes: np.ndarray[Any, Any], classes: np.ndarray[Any, Any]) -> float:
        table = np.zeros((codes.max() + 1, classes.max() + 1))
        np.add.at(table, (codes, classes), 1)
        joint = table / table.sum()
        apart = joint.sum(1, keepdims=True) * joint.sum(0, keepdims=True)
        here = joint > 0
        return float((joint[here] * np.log2(joint[here] / apart[here])).sum())

    number: dict[Hashable, int] = {}
    codes = np.array([number.setdefault(value, len(number)) for value in values])
    names = sorted(set(labels))
    classes = np.array([names.index(label) for label in labels])
    shuffled = np.random.default_rng(0).permutation(classes)
    return bits(codes, classes) - bits(codes, shuffled)


def test_venue_and_year_predict_together_what_neither_predicts_alone(corpus: list[dict[str, Any]]) -> None:
    labels = [row["label"] for row in corpus]
    venue = information([row["venue"] for row in corpus], labels)
    year = information([row["year"] for row in corpus], labels)
    both = information([(row["venue"], row["year"]) for row in corpus], labels)
    assert venue < 0.1
    assert year < 0.1
    assert both > 1.2  # of log2(6) = 2.58 bits


def test_two_authors_tell_what_one_does_not(corpus: list[dict[str, Any]]) -> None:
    singles = [(name, row["label"]) for row in corpus for name in row["author"]]
    pairs = [(pair, row["label"]) for row in corpus for pair in itertools.combinations(sorted(row["author"]), 2)]
    one = information(*map(list, zip(*singles, strict=True)))  # type: ignore[arg-type]
    two = information(*map(list, zip(*pairs, strict=True)))  # type: ignore[arg-type]
    assert one < 0.9
    assert two > 1.5 * one
    assert two > 1.3


def test_motifs_occur_often_enough_to_be_counted(corpus: list[dict[str, Any]]) -> None:
    pairs: dict[Any, int] = {}
    for row in corpus:
        for pair in itertools.combinations(sorted(row["author"]), 2):
            pairs[pair] = pairs.get(pair, 0) + 1
    assert np.mean([count >= 5 for count in pairs.values()]) > 0.9
    cells = {(row["venue"], row["year"]) for row in corpus}
    assert len(corpus) / len(cells) >= 10


def test_category_names_occur_in_texts_mostly_of_their_own(corpus: list[dict[str, Any]]) -> None:
    for name in WORDS["topics"]:
        named = [row["label"] for row in corpus if name in row["abstract"]]
        assert len(named) > 50
        assert named.count(name) / len(named) > 0.8


def test_words_give_away_the_category_they_are_of(corpus: list[dict[str, Any]]) -> None:
    lists = {name: [word for topic in topics for word in topic] for name, topics in WORDS["topics"].items()}
    right = 0
    for row in corpus:
        text = f"{row['title']} {row['abstract']}".lower()
        counts = {name: sum(text.count(word) for word in words) for name, words in lists.items()}
        right += max(counts, key=counts.__getitem__) == row["label"]
    assert 0.8 < right / len(corpus) < 1


def test_same_seed_same_bytes_other_seed_other_ones(tmp_path: Path) -> None:
    few = [
        write_demo(tmp_path / str(i), DemoOptions(documents=30, seed=i // 2)).documents.read_bytes() for i in range(3)
    ]
    assert few[0] == few[1]
    assert few[0] != few[2]


def test_files_load_as_they_are(tmp_path: Path) -> None:
    import hin

    files = write_demo(tmp_path, DemoOptions(documents=200))
    graph = hin.load(files.documents, links="cites")
    assert (graph.fields, graph.links, len(graph)) == (("author", "venue", "year"), ("cites",), 200)
    assert graph.texts.fields == ("title", "abstract")
    assert not graph.dangling
    assert files.labels.read_text(encoding="utf-8").splitlines() == list(WORDS["topics"])
    assert graph.labels is not None
    assert set(graph.labels.names) <= set(WORDS["topics"])
    ids = [json.loads(line)["document"] for line in files.documents.read_text(encoding="utf-8").splitlines()]
    assert graph.documents.tolist() == ids


def test_neither_venues_nor_sentences_give_a_category_away() -> None:
    words = {
        word for topics in WORDS["topics"].values() for topic in topics for phrase in topic for word in phrase.split()
    }
    for text in (*WORDS["venues"], *WORDS["common"], *WORDS["openings"], *WORDS["sentences"]):
        assert not words & set(text.lower().split()), text


def test_a_demo_of_nothing_is_refused() -> None:
    with pytest.raises(BadUsage, match="a demo needs at least one document; use --documents 3000"):
        next(demo_records(DemoOptions(documents=0)))
