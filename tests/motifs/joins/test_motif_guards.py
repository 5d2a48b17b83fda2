"""A huge document does not explode: the plan knows before, leaves it out, and says so."""

from __future__ import annotations

import numpy as np
import pytest

from motifs import MotifOptions, TooManyInstances, estimate, match
from motifs.joins.arrays import grouped
from motifs.joins.compile_plan import compile_plan
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.samples import make_graph

CROWD = [f"member {i}" for i in range(3_000)]
CITING = "(d)-[:cites]->(e:document)-[:author]->(a), (d)-[:cites]->(f:document)-[:author]->(b:author)"


def test_three_thousand_authors_are_left_out_and_reported() -> None:
    graph = make_graph({"author": [CROWD, CROWD, ["Ann", "Bob"], ["Ann", "Bob", "member 7"]]})
    expected = estimate(graph, "author-author", MotifOptions(min_count=2))
    assert expected.skipped.tolist() == [0, 1]
    assert expected.largest == 3_000 * 2_999 / 2
    assert expected.candidates == 1 + 3
    table = match(graph, "author-author", min_count=2)
    assert table.skipped.tolist() == [0, 1]
    assert table.names() == ["AUTHOR[Ann]-AUTHOR[Bob]"]


def test_authors_that_are_too_rare_to_make_an_instance_do_not_count_against_a_document() -> None:
    graph = make_graph({"author": [[*CROWD, "Ann", "Bob"], ["Ann", "Bob"]]})
    table = match(graph, "author-author", min_count=2)
    assert len(table.skipped) == 0
    assert table.names() == ["AUTHOR[Ann]-AUTHOR[Bob]"]


def test_a_higher_limit_counts_them() -> None:
    graph = make_graph({"author": [CROWD[:200], CROWD[:200]]})
    assert len(match(graph, "author-author", min_count=2, max_per_document=100)) == 0
    assert len(match(graph, "author-author", min_count=2, max_per_document=100_000)) == 200 * 199 // 2


def test_the_limit_holds_for_single_fields_too() -> None:
    graph = make_graph({"author": [CROWD[:50], ["member 1"], ["member 1"]]})
    table = match(graph, "author", min_count=1, max_per_document=10)
    assert table.skipped.tolist() == [0]
    assert table.incidence.row(0).tolist() == [1, 2]


def test_the_limit_holds_for_long_forms() -> None:
    graph = make_graph(
        {"author": [[], CROWD[:300], CROWD[:300], ["Ann"], ["Bob"]]}, links={"cites": [[1, 2], [], [], [4], [3]]}
    )
    table = match(graph, CITING, min_count=1, max_per_document=1_000)
    assert table.skipped.tolist() == [0]
    whole = match(graph, CITING, min_count=1)
    assert len(whole.skipped) == 0
    assert len(whole) == 300 * 299 // 2


def test_memory_is_refused_before_it_is_taken() -> None:
    graph = make_graph({"author": [CROWD[:500]] * 2})
    options = MotifOptions(min_count=1, max_memory=100_000)
    with pytest.raises(TooManyInstances, match="author-author has over 249,500 instances") as caught:
        match(graph, "author-author", options=options)
    assert caught.value.hint == "raise the minimum count or lower the maximum per document"
    with pytest.raises(TooManyInstances):
        match(graph, "author-author", options=MotifOptions(min_count=2, max_memory=100_000))
    linked = make_graph({"author": [[], CROWD[:300], CROWD[:300]]}, links={"cites": [[1, 2], [], []]})
    with pytest.raises(TooManyInstances):
        match(linked, CITING, options=options)


def test_results_do_not_depend_on_chunks_or_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    authors = [[f"a{j}" for j in rng.choice(40, size=rng.integers(1, 8), replace=False)] for _ in range(300)]
    cites = [[int(j) for j in rng.choice(300, size=3, replace=False)] for _ in range(300)]
    years = [[str(rng.integers(2000, 2004))] for _ in range(300)]
    graph = make_graph({"author": authors, "year": years}, links={"cites": cites})
    patterns = ["author-author", "author-author-year", "year-author-author-author", CITING]
    before = [match(graph, p, min_count=3, options=MotifOptions(threads=1)) for p in patterns]
    monkeypatch.setattr("motifs.joins.star._CHUNK_VISITS", 64)
    monkeypatch.setattr("motifs.joins.paths._BLOCK_ROWS", 500)
    for threads in (1, 2, 3):
        for pattern, whole in zip(patterns, before, strict=True):
            table = match(graph, pattern, min_count=3, options=MotifOptions(threads=threads))
            assert len(table) > 0
            assert np.array_equal(table.parts, whole.parts)
            assert table.incidence.equals(whole.incidence)


def test_numbers_that_do_not_fit_into_one_are_sorted_all_the_same() -> None:
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 5, 200).astype(np.int32) for _ in range(3)]
    triples = np.unique(np.stack(columns), axis=1).astype(np.int32)
    fits, does_not = (grouped(*triples, limits, 2) for limits in ((5, 5, 5), (2**31 - 1,) * 3))
    for one, other in zip(fits, does_not, strict=True):
        assert np.array_equal(one, other)


def test_a_plan_says_what_it_will_do() -> None:
    graph = make_graph({"author": [["Ann"]], "venue": [["KDD"]]}, links={"cites": [[]]})
    plan = compile_plan(
        Pattern("(d)-[:cites]->(e:document), (e)-[:cites]->(d), (d)-[:author]->(a)<-[:author]-(e)"),
        Columns(graph),
        MotifOptions(),
    )
    assert [step.split()[0] for step in plan.steps].count("look") == 2
    assert plan.estimate().candidates == 0
    assert compile_plan(Pattern("venue-author"), Columns(graph), MotifOptions()).steps == (
        "documents of each author",
        "join venue, keep instances in >= 5 documents",
    )
