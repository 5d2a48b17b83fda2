"""Loading: create, replace, append, update; links, labels and extra edges."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hin
from hin.building.graph_builder import batches_of, build_graph
from hin.errors import BadInput, BadUsage, DuplicateDocument, GraphExists, UnknownName
from hin.exchange.export import export
from hin.reading.extra_edges import add_edges
from hin.reading.options import LoadOptions
from hin.reading.records import Record, RecordBatch
from tests.conftest import PAPERS


def write(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_graph_of_three_papers(papers: Path) -> None:
    graph = hin.load(papers, links="cites")
    assert graph.documents.tolist() == ["p1", "p2", "p3"]
    assert graph.fields == ("author", "venue", "year")
    assert graph.names("author").tolist() == ["Ann", "Bob", "Cleo"]
    assert graph.edges("author").row(2).tolist() == [2, 0], "the order of the authors is kept"
    assert graph.edges("cites").row(0).tolist() == [1]
    assert graph.dangling["cites"].names == ("p9",)
    assert graph.labels.names == ("data mining", "database")
    terms = graph.names("term")
    first = [terms[i] for i in graph.tokens.row(0)]
    assert first == ["mining", "graphs", "data", "mining", "of", "large", "graphs"]
    edges = graph.edges("term")
    counted = {terms[t]: int(n) for t, n in zip(edges.row(0), edges.counts[: edges.offsets[1]], strict=True)}
    assert counted == {"mining": 2, "graphs": 2, "data": 1, "of": 1, "large": 1}
    assert graph.document_frequency[terms.index("graphs")] == 2, "documents are counted, not occurrences"
    assert graph.texts[1] == ("Fast queries", "Database queries over graphs.")
    assert graph.texts.title(1) == "Fast queries"


def test_terms_in_few_documents_can_be_left_out(papers: Path) -> None:
    graph = hin.load(papers, min_count=2)
    assert set(graph.names("term")) == {"graphs", "queries", "database"}
    assert [graph.names("term")[i] for i in graph.tokens.row(0)] == ["graphs", "graphs"]


def test_a_graph_in_the_way(papers: Path) -> None:
    hin.load(papers, graph="g.hin")
    with pytest.raises(GraphExists, match="there is a graph at g.hin; use --replace or --append"):
        hin.load(papers, graph="g.hin")
    hin.load(papers, graph="g.hin", replace=True)


def test_appending_gives_what_loading_all_at_once_gives(tmp_path: Path) -> None:
    first, rest = write(tmp_path / "a.jsonl", PAPERS[:1]), write(tmp_path / "b.jsonl", PAPERS[1:])
    hin.load(first, links="cites", graph="g.hin")
    hin.load(rest, graph="g.hin", append=True)
    assert hin.open("g.hin").equals(hin.load([first, rest], links="cites"))
    assert hin.open("g.hin").edges("cites").row(0).tolist() == [1], "a link finds its document when that arrives"


def test_a_known_id_is_an_error_unless_updated(papers: Path, tmp_path: Path, hin: Callable) -> None:
    assert hin("load", papers).code == 0
    changed = write(tmp_path / "new.jsonl", [{**PAPERS[1], "title": "Slow queries"}, {**PAPERS[0], "id": "p4"}])
    failed = hin("load", changed, "--append")
    assert failed.code == 1
    assert "the id 'p2' is in the graph already; replace that document with --update" in failed.err
    done = hin("load", changed, "--append", "--update", "--json")
    assert (done.json["documents"], done.json["added"], done.json["updated"]) == (4, 1, 1)
    import hin as package

    graph = package.open("graph.hin")
    assert graph.documents.tolist() == ["p1", "p2", "p3", "p4"]
    assert graph.texts.title(1) == "Slow queries"


def test_appending_other_text_fields_is_refused(papers: Path) -> None:
    hin.load(papers, graph="g.hin")
    with pytest.raises(BadUsage, match="the graph's text is made of title, abstract"):
        hin.load(papers, text="title", graph="g.hin", append=True)


def test_update_needs_append(papers: Path, hin: Callable) -> None:
    failed = hin("load", papers, "--update")
    assert (failed.code, failed.err) == (
        2, "hin: --update replaces documents of an existing graph; use it with --append\n",
    )  # fmt: skip


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
RECORDS = st.lists(
    st.builds(
        Record, NAMES, st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=20)),
        st.fixed_dictionaries({"who": st.lists(NAMES, max_size=3, unique=True), "where": st.lists(NAMES, max_size=1)}),
        st.none() | NAMES, st.fixed_dictionaries({"cites": st.lists(NAMES, max_size=3, unique=True)}),
        st.just(("-", 1)),
    ), min_size=1, max_size=8, unique_by=lambda record: record.id,
)  # fmt: skip


@given(RECORDS)
def test_what_goes_in_comes_out(records: list[Record]) -> None:
    graph = build_graph([RecordBatch.of(records)], ["text"])
    known = {record.id for record in records}
    again = [record for batch in batches_of(graph, size=3) for record in batch.records()]
    for before, after in zip(records, again, strict=True):
        links = before.links["cites"]
        ordered = [t for t in links if t in known] + [t for t in links if t not in known]
        assert after[:5] == (before.id, before.texts, before.metadata, before.label, {"cites": ordered})
    assert build_graph(batches_of(graph, size=2), ["text"]).equals(graph)


def test_duplicate_ids_are_refused_by_the_builder() -> None:
    record = Record("p1", ("x",), {}, None, {}, ("a.jsonl", 3))
    with pytest.raises(DuplicateDocument, match="a.jsonl, line 3: a second document with the id 'p1'"):
        build_graph([RecordBatch.of([record, record])], ["text"])


def test_nothing_to_build_from() -> None:
    with pytest.raises(BadInput, match="no documents in the input"):
        build_graph([], ["text"])


EDGE = {"type": "advises", "source_type": "author", "source": "Ann", "target_type": "author", "target": "Bob"}


def test_extra_edges(papers: Path, tmp_path: Path, hin: Callable) -> None:
    edges = write(tmp_path / "edges.jsonl", [EDGE, EDGE])
    assert hin("load", papers, "--edges", edges).code == 0
    import hin as package

    graph = package.open("graph.hin")
    advises = graph.extra["advises"]
    assert (advises.source_type, advises.sources.tolist(), advises.targets.tolist()) == ("author", [0], [1])
    assert hin("load", write(tmp_path / "more.jsonl", [{**PAPERS[0], "id": "p4"}]), "--append").code == 0
    assert package.open("graph.hin").extra["advises"].equals(advises)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": "Zoe"}, "line 1, source: no author named 'Zoe'; load it first, or mend the name"),
        ({"target_type": "editor"}, "line 1, target_type: no node type 'editor'; the graph has document, term,"),
        ({"type": "Author"}, "line 1, type: 'Author' cannot name extra edges"),
    ],
)
def test_bad_extra_edges(papers: Path, tmp_path: Path, change: dict[str, str], message: str) -> None:
    edges = write(tmp_path / "edges.jsonl", [{**EDGE, **change}])
    with pytest.raises(BadInput) as caught:
        add_edges(hin.load(papers), edges)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("row", "texts", "fields"),
    [
        ({"id": 1, "subject": "Help", "body": "Please", "agent": "Ann"}, ("subject", "body"), ("agent",)),
        ({"id": 1, "title": "On graphs", "subject": "Mathematics"}, ("title",), ("subject",)),
        ({"ID": 1, "Title": "On graphs", "Abstract": "x", "Year": 2008}, ("Title", "Abstract"), ("Year",)),
        ({"Id": 1, "id": 2, "text": "x", "Text": "y", "Label": "a"}, ("text",), ("Id", "Text")),
    ],
)
def test_where_text_and_id_are_looked_for(row: dict[str, Any], texts: Any, fields: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(row))
    if "Id" in row:  # two fields that differ in case only are refused as metadata, so one is named
        graph = hin.load(path, metadata=[])
        assert graph.documents[0] == "2"
        assert graph.labels is not None
    else:
        graph = hin.load(path)
        assert graph.fields == fields
    assert graph.texts.fields == texts


def test_a_pattern_finds_exports_too(papers: Path, tmp_path: Path) -> None:
    graph = hin.load(papers)
    export(graph, "graphml", tmp_path / "papers.graphml")
    assert hin.load(str(tmp_path / "*.graphml")).equals(graph)
    with pytest.raises(BadInput, match="no file matches"):
        hin.load(str(tmp_path / "no*.graphml"))
    export(graph, "graphml", tmp_path / "more.graphml")
    with pytest.raises(BadUsage, match="is a whole graph; load it alone"):
        hin.load(str(tmp_path / "*.graphml"))


def test_a_text_is_missed_but_no_id(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("Job No.;What happened?\n1;x\n", encoding="utf-8-sig")
    with pytest.raises(BadInput, match="'What happened\\?'; name the fields with the text with --text$"):
        hin.load(path)


def test_an_unknown_document_is_answered_with_some_that_there_are(papers: Path) -> None:
    with pytest.raises(UnknownName, match="no document named '4'; there are 'p1', 'p2', 'p3'$"):
        hin.load(papers).documents.index("4")


def test_load_takes_every_option_of_the_command(papers: Path, tmp_path: Path) -> None:
    taken = inspect.signature(hin.load).parameters
    assert [entry.name for entry in fields(LoadOptions) if entry.name not in taken] == []
    described = (inspect.getdoc(hin.load) or "").splitlines()
    assert all(any(line.startswith(f"{entry.name} : ") for line in described) for entry in fields(LoadOptions))
    edges = write(tmp_path / "edges.jsonl", [EDGE])
    with papers.open("a") as file:
        file.write("no JSON\n")
    graph = hin.load(papers, edges=[str(edges)], on_error="skip", rejected=tmp_path / "bad.jsonl")
    assert (len(graph), list(graph.extra)) == (len(PAPERS), ["advises"])
    assert "no JSON" in (tmp_path / "bad.jsonl").read_text()


def test_options_of_load_that_are_none(papers: Path) -> None:
    with pytest.raises(BadUsage, match=r"^load\(\) has no option 'metdata'; did you mean 'metadata'\?$"):
        hin.load(papers, metdata="venue")  # type: ignore[call-arg]
    with pytest.raises(BadUsage, match="append= and replace= change a graph that is saved; say which one with graph="):
        hin.load(papers, append=True)


def test_the_old_name_of_append_warns(papers: Path, tmp_path: Path) -> None:
    rest = write(tmp_path / "rest.jsonl", [{**PAPERS[0], "id": "p9"}])
    hin.load(papers, graph="g.hin")
    with pytest.warns(FutureWarning, match="append=True") as warned:
        assert len(hin.load(rest, graph="g.hin", mode="append")) == len(PAPERS) + 1
    assert warned[0].filename == __file__
