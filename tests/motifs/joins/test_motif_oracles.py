"""Joins, brute force over networkx and igraph's VF2 agree on random graphs and random templates."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hin.graph import Graph
from motifs import MotifOptions, Pattern, match
from tests.motifs import oracles
from tests.motifs.strategies import Drawn, graphs, short_templates, templates


@given(graphs(), templates(), st.integers(1, 3))
def test_joins_brute_force_and_vf2_agree_on_long_forms(graph: Graph, drawn: Drawn, min_count: int) -> None:
    pattern = Pattern(drawn.text)
    brute = oracles.brute_force(graph, pattern)
    by_vf2, _ = oracles.vf2(graph, pattern)
    table = match(graph, pattern, min_count=min_count)
    assert by_vf2 == brute
    assert oracles.from_table(table) == oracles.at_least(brute, min_count)
    assert len(table) == len(oracles.at_least(brute, min_count)), "no instance twice"


@given(graphs(), short_templates(), st.integers(1, 3))
def test_joins_are_vf2_divided_by_the_automorphisms_on_short_forms(graph: Graph, text: str, min_count: int) -> None:
    pattern = Pattern(text)
    by_vf2, embeddings = oracles.vf2(graph, pattern)
    table = match(graph, pattern, min_count=min_count)
    everything = match(graph, pattern, min_count=1)
    assert oracles.from_table(table) == oracles.at_least(by_vf2, min_count)
    assert int(everything.documents.sum()) * len(pattern.automorphisms) == embeddings


@given(graphs(), templates(max_documents=2), st.integers(1, 2), st.integers(1, 2))
def test_rows_are_sorted_and_documents_are_sorted_and_distinct(
    graph: Graph, drawn: Drawn, min_count: int, threads: int
) -> None:
    table = match(graph, drawn.text, options=MotifOptions(min_count=min_count, threads=threads))
    rows = [tuple(row) for row in table.parts.tolist()]
    assert rows == sorted(set(rows))
    for i in range(len(table)):
        documents = table.incidence.row(i).tolist()
        assert documents == sorted(set(documents))
        assert len(documents) == table.documents[i] >= min_count
