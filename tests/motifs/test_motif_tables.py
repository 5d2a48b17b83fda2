"""Tables and sets of tables: counts, names, saving."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.errors import BadUsage, DamagedGraph, NewerFormat
from hin.graph import Graph
from motifs import BadInstanceName, BadPattern, MotifOptions, MotifSet, match, match_all
from motifs.samples import make_graph, tiny_graph
from tests.motifs.strategies import graphs

PATTERNS = ["term", "author", "author-author", "venue-author", "(d)-[:cites]->(e:document)-[:author]->(a)"]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_counts_are_documents_not_occurrences() -> None:
    graph = make_graph({"venue": [["KDD"], ["KDD"]]}, terms=[["data", "data", "data"], ["data", "web"]])
    table = match(graph, "term", min_count=1)
    assert dict(zip(table.names(), table.documents.tolist(), strict=True)) == {"TERM[data]": 2, "TERM[web]": 1}


def test_a_document_reached_over_several_ways_counts_once() -> None:
    graph = make_graph({"venue": [[], ["KDD"], ["KDD"]]}, links={"cites": [[1, 2], [], []]})
    table = match(graph, "(d)-[:cites]->(e:document)-[:venue]->(v)", min_count=1)
    assert (table.names(), table.documents.tolist()) == (["VENUE[KDD]"], [1])


def test_equal_typed_nodes_are_distinct() -> None:
    graph = make_graph({"author": [["Ann"], ["Ann", "Bob"]]}, links={"cites": [[0, 1], []]})
    assert match(graph, "author-author", min_count=1).names() == ["AUTHOR[Ann]-AUTHOR[Bob]"]
    shared = "(d)-[:cites]->(e:document), (d)-[:author]->(a)<-[:author]-(e)"
    assert match(graph, shared, min_count=1).incidence.row(0).tolist() == [0], "a document does not cite itself here"


def test_order_of_equal_typed_parts_means_something_where_they_play_different_roles() -> None:
    graph = make_graph({"author": [["Ann"], ["Bob"]]}, links={"cites": [[1], []]})
    table = match(graph, "(d)-[:author]->(a), (d)-[:cites]->(e:document)-[:author]->(b:author)", min_count=1)
    names = table.names()
    assert len(names) == 1
    parts = names[0].split("-")
    assert table.find(names[0]) == 0
    assert table.find("-".join(reversed(parts))) is None


@given(graphs(), st.permutations(PATTERNS), st.integers(1, 2))
@pytest.mark.slow
def test_patterns_in_another_order_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, graph: Graph, order: list[str], min_count: int
) -> None:
    one, two = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    match_all(graph, PATTERNS, min_count=min_count).save(one)
    match_all(graph, ["author-venue", *order], options=MotifOptions(min_count=min_count, threads=1)).save(two)
    assert _bytes(one) == _bytes(two)


@given(graphs(), st.integers(1, 3))
def test_a_set_is_what_was_saved_and_both_incidences_agree(
    tmp_path_factory: pytest.TempPathFactory, graph: Graph, min_count: int
) -> None:
    folder = tmp_path_factory.mktemp("set")
    made = match_all(graph, PATTERNS, min_count=min_count)
    made.save(folder)
    opened = MotifSet.open(folder, graph)
    assert opened.names() == made.names()
    assert opened.patterns == made.patterns
    assert np.array_equal(opened.documents, made.documents)
    assert opened.incidence.equals(made.incidence)
    pairs = {(i, d) for i in range(made.n_instances) for d in made.incidence.row(i).tolist()}
    assert {(i, d) for d in range(len(graph)) for i in made.by_document().row(d).tolist()} == pairs
    for i in range(made.n_instances):
        pattern = made.pattern_of(i)
        assert made.find(made.name(i), pattern) == i
        if pattern.is_star:
            assert made.find(made.name(i)) == i


def test_a_long_form_with_the_name_of_a_short_one_is_found_by_its_pattern() -> None:
    graph = tiny_graph()
    long_form = "(d)-[:cites]->(e:document)-[:venue]->(v)"
    motifs = match_all(graph, ["venue", long_form], min_count=2)
    assert motifs.names() == ["VENUE[KDD]", "VENUE[KDD]"]
    number = motifs.find("VENUE[KDD]")
    assert number is not None
    assert motifs.pattern_of(number).name == "venue"
    number = motifs.find("VENUE[KDD]", long_form)
    assert number is not None
    assert not motifs.pattern_of(number).is_star
    assert motifs.find("VENUE[nowhere]") is None
    assert motifs.find("AUTHOR[Ann]") is None


def test_tables_answer_by_name() -> None:
    motifs = match_all(tiny_graph(), ["venue", "author-author"], min_count=2)
    table = motifs.table("author-author")
    assert table is not None
    assert table["AUTHOR[Bob]-AUTHOR[Ann]"] == 3
    assert motifs.table("year") is None
    assert (len(motifs), [t.pattern.name for t in motifs]) == (2, ["venue", "author-author"])
    assert repr(motifs) == "MotifSet(venue: 1, author-author: 1)"
    assert repr(table) == "MotifTable('author-author', 1 instances)"
    assert table.coverage == 0.6
    with pytest.raises(BadInstanceName, match="no instance"):
        table["AUTHOR[Ann]-AUTHOR[Cy]"]
    with pytest.raises(IndexError):
        motifs.name(99)


def test_names_do_not_depend_on_the_order_of_the_documents() -> None:
    one = make_graph({"author": [["Bob", "Ann"], ["Ann"]]})
    two = make_graph({"author": [["Ann"], ["Ann", "Bob"]]})
    assert match(one, "author-author", min_count=1).names() == match(two, "author-author", min_count=1).names()


def test_an_empty_graph_and_a_pattern_without_instances() -> None:
    empty = make_graph({"author": []})
    for pattern in (
        "author",
        "author-author",
        "term",
        "(d)-[:author]->(a), (d)-[:author]->(b:author), (d)--(c:author)",
    ):
        assert len(match(empty, pattern)) == 0
    assert match(empty, "author").coverage == 0.0
    assert MotifSet((), empty).by_document().n_edges == 0
    assert match_all(empty, []).documents.tolist() == []


def test_an_empty_table_is_saved_and_opened(tmp_path: Path) -> None:
    graph = tiny_graph()
    match_all(graph, ["venue"], min_count=5).save(tmp_path)
    assert len(MotifSet.open(tmp_path, graph).tables[0]) == 0


def test_findings_have_a_row_for_each_instance() -> None:
    motifs = match_all(tiny_graph(), ["venue", "venue-year"], min_count=2)
    rows = motifs.findings().motifs.to_pylist()
    assert [row["name"] for row in rows] == motifs.names()
    assert rows[1]["part_types"] == ["venue", "year"]
    assert rows[1]["part_nodes"] == motifs.tables[1].parts[0].tolist()
    assert MotifSet((), tiny_graph()).findings().motifs.num_rows == 0


def test_damage_is_reported(tmp_path: Path) -> None:
    graph = tiny_graph()
    with pytest.raises(DamagedGraph, match="no readable motifs"):
        MotifSet.open(tmp_path / "nowhere", graph)
    match_all(graph, ["venue"], min_count=2).save(tmp_path)
    with pytest.raises(DamagedGraph, match="another graph"):
        MotifSet.open(tmp_path, make_graph({"venue": [["KDD"]]}))
    head = json.loads((tmp_path / "motifs.json").read_text())
    (tmp_path / "motifs.json").write_text(json.dumps({**head, "format": 99}))
    with pytest.raises(NewerFormat, match="format 99"):
        MotifSet.open(tmp_path, graph)
    (tmp_path / "motifs.json").write_text(json.dumps(head))
    np.save(tmp_path / "000-documents.npy", np.zeros(1, dtype=np.int32))
    with pytest.raises(DamagedGraph, match="000-(documents|offsets).npy is damaged"):
        MotifSet.open(tmp_path, graph)


def test_a_bad_pattern_among_good_ones_is_reported_before_any_work() -> None:
    seen: list[str] = []
    with pytest.raises(BadPattern, match="no field 'place'"):
        match_all(tiny_graph(), ["venue", "place"], progress=lambda label, done, total, note="": seen.append(label))
    assert not seen


@pytest.mark.parametrize("options", [{"min_count": 0}, {"max_per_document": 0}, {"max_memory": 0}, {"threads": 0}])
def test_options_are_checked(options: dict[str, int]) -> None:
    with pytest.raises(BadUsage, match=next(iter(options))):
        MotifOptions(**options)  # type: ignore[arg-type]


_SCRIPT = """
import sys
from motifs import discover, match_all, MotifOptions
from motifs.samples import tiny_graph
patterns = ["(d)-[:cites]-(e:document)-[:author]->(a)", "venue-year", "term", "author-author", "year"]
match_all(tiny_graph(), patterns, min_count=1).save(sys.argv[1])
print(discover(tiny_graph(), options=MotifOptions(min_count=1)))
"""


@pytest.mark.slow
def test_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    printed = []
    for seed in ("1", "2"):
        command = [sys.executable, "-c", _SCRIPT, str(tmp_path / seed)]
        done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        printed.append(done.stdout)
    assert printed[0] == printed[1]
    assert _bytes(tmp_path / "1") == _bytes(tmp_path / "2")
