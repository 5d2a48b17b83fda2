"""The terms that stand for a name which occurs nowhere."""

from __future__ import annotations

import hin
from classify.categories.finding import CategoryFinding
from classify.categories.meaning import find_by_meaning
from classify.knowledge.static import built_in_model


def test_a_stop_word_stands_for_no_name() -> None:
    """It is not an instance of the term pattern, so that a name with no other stand-in stopped the run."""
    lines = ["who was that in the house with the cat", "the cat and the dog who were in a garden of the house"]
    graph = hin.load([{"id": str(i), "text": lines[i % 2]} for i in range(40)], phrases=False)
    assert graph.names("term").get("who") is not None
    (found,) = find_by_meaning([CategoryFinding("politician", "missing", None, 0)], graph, built_in_model())
    assert {"who", "was", "that", "were", "with"}.isdisjoint(found.words)
