"""The paper's other tables: shares add up, levels are in order, accuracies are of the true labels."""

from __future__ import annotations

import numpy as np
import pytest

from classify.comparators.parts.selecting import Selecting
from classify.comparators.runs.tables import pattern_shares, retrieval_accuracy, specificity_levels
from classify.paper.selection import NameVector, Selected
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
    names = [NameVector((at[f"TERM[{word}]"],), vectors[at[f"TERM[{word}]"]], 1.0) for word in ("mining", "search")]
    chosen = tuple(
        Selected(np.array([at[f"TERM[{word}]"], at[f"VENUE[{venue}]"]], np.int32), np.ones(2, np.float32), 2.0)
        for word, venue in (("mining", "KDD"), ("search", "SIGIR"))
    )
    return Selecting(graph, motifs, vectors, kappa, [], names, chosen)


def test_shares_of_patterns_are_of_the_selected_instances(found):
    rows = pattern_shares(found, ["mining", "search"])
    assert rows[0] == {"category": "mining", "term": 0.5, "venue": 0.5}
    assert rows[-1]["category"] == "overall" and rows[-1]["venue"] == 0.5


def test_levels_hold_the_nearest_instances_of_their_specificity(found):
    rows = {(row["category"], row["level"]): row for row in specificity_levels(found, ["mining", "search"])}
    assert rows["mining", "2 to 3 times"]["instances"] == ["VENUE[KDD]"] and rows["mining", "2 to 3 times"]["selected"]
    assert rows["search", "0 to 1 times"]["instances"] == ["VENUE[SIGIR]"]
    assert not rows["search", "0 to 1 times"]["selected"]


def test_accuracy_is_the_share_of_right_pseudo_labels(found):
    assert retrieval_accuracy(found, np.array([0, 1, 1, 1], np.int32), 50) == {"documents": 4, "accuracy": 0.75}
    assert retrieval_accuracy(found, np.array([0, 1, 1, 1], np.int32), 1) == {"documents": 2, "accuracy": 1.0}


@pytest.mark.slow
def test_all_tables_from_the_command_line(hin, demo_folder):
    graph, labels = demo_folder
    run = hin("compare", "--graph", graph, "-c", labels, "--tables", "--seeds", 1, "--min-count", 3, "--json")
    assert run.code == 0, run.err
    told = run.json
    assert [row["size"] for row in told["retrieval"]] == [50, 100, 200, 1000]
    assert len(told["retrieved_generated"]) == 5 and told["map"]
    assert sum(told["pattern_shares"][-1][name] for name in told["pattern_shares"][-1] if name != "category") > 0.99
    assert told["retrieval"][0]["with"]["accuracy"] > 0.5
