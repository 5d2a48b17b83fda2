"""The paper's tables: shares add up, levels are in order and without the name, accuracies are of the true labels."""

from __future__ import annotations

import numpy as np
import pytest

from classify.categories.finding import CategoryFinding
from classify.documents.sequences import Sequences
from classify.paper.selection import Selected
from classify.paper.tables import PaperSelection, generated_accuracy
from motifs import match_all
from motifs.samples import make_graph


@pytest.fixture
def found():
    """Four documents, two venues, two words; the categories are the words."""
    graph = make_graph(
        {"venue": [["KDD"], ["KDD"], ["SIGIR"], ["SIGIR"]]}, terms=[["mining"], ["mining"], ["search"], ["search"]]
    )
    motifs = match_all(graph, ["term", "venue"], min_count=1)
    at = {motifs.name(i): i for i in range(motifs.n_instances)}
    vectors = np.zeros((motifs.n_instances, 2), dtype=np.float32)
    vectors[[at["TERM[mining]"], at["VENUE[KDD]"]]] = [1, 0]
    vectors[[at["TERM[search]"], at["VENUE[SIGIR]"]]] = [0, 1]
    kappa = np.ones(motifs.n_instances)
    kappa[at["VENUE[KDD]"]], kappa[at["VENUE[SIGIR]"]] = 2.5, 0.5
    findings = [CategoryFinding(word, "term", word, 2) for word in ("mining", "search")]
    chosen = tuple(
        Selected(np.array([at[f"TERM[{word}]"], at[f"VENUE[{venue}]"]], np.int32), np.ones(2, np.float32), 2.0)
        for word, venue in (("mining", "KDD"), ("search", "SIGIR"))
    )
    return PaperSelection(motifs, vectors, kappa, findings, chosen)


def test_shares_of_patterns_are_of_the_selected_instances(found):
    rows = found.pattern_shares()
    assert rows[0] == {"category": "mining", "shares": {"term": 0.5, "venue": 0.5}}
    assert rows[-1]["category"] == "overall" and rows[-1]["shares"]["venue"] == 0.5


def test_levels_hold_the_nearest_instances_of_their_specificity_without_the_name(found):
    rows = {(row["category"], row["from"]): row for row in found.specificity_levels()}
    assert rows["mining", 2] == {
        "category": "mining", "kappa": 1.0, "from": 2, "to": 3, "selected": True, "instances": ["VENUE[KDD]"],
    }  # fmt: skip
    assert rows["search", 0]["instances"] == ["VENUE[SIGIR]"] and rows["search", 4]["to"] is None
    # Both names have their own specificity: each is an instance beside the other, not beside itself.
    assert rows["mining", 1]["instances"] == ["TERM[search]"] and not rows["mining", 1]["selected"]


def test_a_name_of_no_specificity_has_all_others_in_the_last_level(found):
    found.kappa[:] = 0
    levels = [len(row["instances"]) for row in found.specificity_levels() if row["category"] == "mining"]
    assert levels == [0, 0, 0, 0, 3]


def test_accuracy_is_the_share_of_right_pseudo_labels(found):
    rows = found.tables(np.array([0, 1, 1, 1]))["retrieved"]
    assert rows[0] == {"size": 50, "documents": 4, "accuracy": 0.75}
    # Those without a known label are not counted.
    assert found.tables(np.array([0, -1, -1, -1]))["retrieved"][0] == {"size": 50, "documents": 1, "accuracy": 1.0}
    assert found.tables(np.full(4, -1))["retrieved"][0]["accuracy"] is None


def test_generated_documents_are_judged_by_where_their_words_are_at_home():
    real = Sequences.of([[0, 1], [0], [2, 3], [3]])
    truth = np.array([0, 0, 1, -1])
    made = Sequences.of([[0, 1, 1], [2, 2], [0, 0]])
    assert generated_accuracy(made, np.array([0, 1, 1]), real, truth, 2) == pytest.approx(2 / 3)
    assert generated_accuracy(Sequences.of([]), np.array([], dtype=int), real, truth, 2) == 0.0
