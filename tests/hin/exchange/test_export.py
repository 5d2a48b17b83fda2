"""What is exported comes back, and other tools read it."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.building.graph_builder import BuildOptions, build_graph
from hin.errors import BadUsage, HinError, NoSpace
from hin.exchange.documents import reading_options
from hin.exchange.export import export
from hin.exchange.formats import EXPORTS
from hin.exchange.importing import import_graph, is_export
from hin.exchange.xml_text import from_xml_text, to_xml_text
from hin.files.atomic import MARK
from hin.graph import Graph
from hin.loading import _build
from hin.progress import silent
from hin.reading.documents import BatchReader
from hin.reading.extra_edges import add_edges
from hin.reading.options import LoadOptions
from hin.reading.records import Record, RecordBatch

NAMES = {"graphml": "g.graphml", "igraph": "g.graphmlz", "networkx": "g.json", "csv": "g", "parquet": "g"}

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
name = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
words = st.lists(st.sampled_from(["black", "hole", "star", "Straße", "naïve", "\r\n", "2008"]), max_size=9).map(
    " ".join
)
# Spaces around values, labels and links go when documents are read, so no graph has them.
value = name.map(str.strip).filter(bool)
values = st.lists(value, max_size=3, unique=True)


@st.composite
def graphs(draw: st.DrawFn, phrases: bool = True) -> Graph:
    """Graphs with hostile names, two text fields, links to known and unknown documents, labels for some."""
    ids = draw(st.lists(value, min_size=1, max_size=5, unique=True))
    targets = st.lists(st.sampled_from([*ids, "unknown\x00"]), max_size=3, unique=True)
    records = [
        Record(
            key,
            (draw(text), draw(words)),
            {"author\x01": draw(values), "year": [str(y) for y in draw(st.lists(st.integers(0, 3), max_size=1))]},
            draw(st.none() | value),
            {"cites": draw(targets)},
            ("-", 1),
        )
        for key in ids
    ]
    schema = {"id": "id", "kinds": {"author\x01": "string", "year": "integer"}, "renames": {}}
    options = BuildOptions(phrases=phrases)
    return build_graph([RecordBatch.of(records)], ["title", "text\t"], options, schema)


@given(graphs(), st.sampled_from(sorted(NAMES)))
def test_exports_come_back_equal(tmp_path_factory: pytest.TempPathFactory, graph: Graph, format: str) -> None:
    path = tmp_path_factory.mktemp("export") / NAMES[format]
    export(graph, format, path)
    assert is_export(path)
    back = import_graph(path)
    assert back.equals(graph)
    assert back.schema == graph.schema


@given(graphs(phrases=False))
def test_exported_documents_load_to_the_same_graph(tmp_path_factory: pytest.TempPathFactory, graph: Graph) -> None:
    path = export(graph, "jsonl", tmp_path_factory.mktemp("export") / "documents.jsonl")
    reader = BatchReader(path, reading_options(graph))
    assert _build(reader, reader, LoadOptions(phrases=False), silent).equals(graph)


def small(extra: Path | None = None) -> Graph:
    rows = [
        Record(
            "p1",
            ("Black holes", "a black hole is black"),
            {"author": ["Ann", "Bob"], "year": ["2008"]},
            "x",
            {"cites": ["p2"]},
            ("-", 1),
        ),
        Record("p2", ("", ""), {"author": ["Ann"], "year": []}, None, {"cites": ["p9"]}, ("-", 2)),
    ]
    schema = {"id": "id", "kinds": {"year": "integer", "author": "string"}}
    graph = build_graph([RecordBatch.of(rows)], ["title", "text"], BuildOptions(phrases=False), schema)
    if extra is not None:
        extra.write_text("type,source_type,source,target_type,target\nknows,author,Ann,author,Bob\n")
        graph = add_edges(graph, extra)
    return graph


@pytest.mark.parametrize("format", NAMES)
def test_edges_added_from_a_file_come_back_too(tmp_path: Path, format: str) -> None:
    graph = small(tmp_path / "extra.csv")
    export(graph, format, tmp_path / NAMES[format])
    assert import_graph(tmp_path / NAMES[format]).equals(graph)


# A database of ladybug has a random number of its own.
@pytest.mark.parametrize("format", [name for name in EXPORTS.names() if name != "ladybug"])
def test_the_same_graph_gives_the_same_bytes(tmp_path: Path, format: str) -> None:
    def everything(path: Path) -> list[bytes]:
        return (
            [p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()] if path.is_dir() else [path.read_bytes()]
        )

    first, second = (everything(export(small(), format, tmp_path / f"g{i}")) for i in range(2))
    assert first == second


def test_igraph_reads_its_export(tmp_path: Path) -> None:
    import igraph

    graph = small()
    path = export(graph, "igraph", tmp_path / "g.graphmlz")
    read, made = igraph.Graph.Read_GraphMLz(str(path)), graph.to_igraph()
    assert (read.vcount(), read.ecount(), read.is_directed()) == (made.vcount(), made.ecount(), True)
    assert (read.vs["type"], read.vs["name"]) == (made.vs["type"], made.vs["name"])
    assert (read.get_edgelist(), read.es["type"]) == (made.get_edgelist(), made.es["type"])
    assert read.vs[0]["text:title"] == "Black holes"


def test_networkx_reads_its_export_and_the_graphml(tmp_path: Path) -> None:
    import networkx

    graph = small()
    made = graph.to_networkx()
    data = json.loads(export(graph, "networkx", tmp_path / "g.json").read_text(encoding="utf-8"))
    read = networkx.node_link_graph(data, edges="edges")
    assert set(read.nodes) == set(made.nodes)
    assert set(read.edges(keys=True)) == set(made.edges(keys=True))
    assert read.edges[("document", "p1"), ("term", "black"), "term"]["count"] == 3
    (tmp_path / "again.json").write_text(json.dumps(networkx.node_link_data(read, edges="edges")))
    assert import_graph(tmp_path / "again.json").equals(graph)
    graphml = networkx.read_graphml(export(graph, "graphml", tmp_path / "g.graphml"), force_multigraph=True)
    assert graphml.number_of_nodes() == made.number_of_nodes()
    assert graphml.nodes["n0"]["name"] == "p1"


def test_exported_documents_read_well(tmp_path: Path) -> None:
    path = export(small(), "jsonl", tmp_path / "g.jsonl")
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"document": "p1", "title": "Black holes", "text": "a black hole is black", "author": ["Ann", "Bob"],
         "year": 2008, "cites": ["p2"], "label": "x"},
        {"document": "p2", "title": "", "text": "", "author": ["Ann"], "year": None, "cites": ["p9"]},
    ]  # fmt: skip


def test_documents_whose_fields_share_a_name(tmp_path: Path) -> None:
    row = Record("p1", ("T",), {"title": ["other"], "label": ["b"]}, "truth", {}, ("-", 1))
    graph = build_graph([RecordBatch.of([row])], ["title"])
    path = export(graph, "jsonl", tmp_path / "g.jsonl")
    (line,) = path.read_text().splitlines()
    assert json.loads(line) == {"document": "p1", "title_": "T", "title": "other", "label": "b", "label_": "truth"}
    (batch,) = BatchReader(path, reading_options(graph))
    assert (batch.texts, batch.metadata, batch.labels) == (
        [("T",)],
        {"title": [["other"]], "label": [["b"]]},
        ["truth"],
    )


@given(text, st.data())
def test_any_string_is_xml_text(value: str, data: st.DataObject) -> None:
    from xml.etree import ElementTree

    value += data.draw(st.sampled_from(["", "_x0000_", "_x005F_", "\x00", "]]>", "&amp;", "\r"]))
    parsed = ElementTree.fromstring(f"<a>{to_xml_text(value)}</a>".encode()).text or ""
    assert from_xml_text(parsed) == value


def test_a_folder_is_replaced_only_if_it_is_an_export(tmp_path: Path) -> None:
    target = tmp_path / "g"
    export(small(), "csv", target)
    export(small(), "parquet", target)
    assert sorted(path.name for path in target.iterdir()) == [MARK, "edges.parquet", "graph.json", "nodes.parquet"]
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.tex").write_text("x")
    with pytest.raises(BadUsage) as caught:
        export(small(), "csv", mine)
    assert (
        str(caught.value)
        == f"{mine} is there and is no export that hin wrote; name a new or an empty folder with `out=`"
    )
    with pytest.raises(BadUsage) as caught:
        export(small(), "graphml", mine)
    assert str(caught.value) == f"{mine} is a folder, graphml is written to a file; name a file with `out=`"
    with pytest.raises(BadUsage) as caught:
        export(small(), "gexf", mine)
    assert str(caught.value).startswith("there is no export format called gexf; ")
    assert str(caught.value).endswith(
        "there are: csv, graphml, igraph, jsonl, ladybug, neo4j-import, networkx, parquet, pyg"
    )


def test_nothing_is_left_of_an_export_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(graph: Graph, file: Any) -> None:
        raise OSError(28, "No space left on device")

    for format, target in (("graphml", "g.graphml"), ("csv", "g")):
        monkeypatch.setitem(EXPORTS._parts, format, replace(EXPORTS.get(format), write=fail))
        with pytest.raises(NoSpace, match="no space left"):
            export(small(), format, tmp_path / target)
    assert list(tmp_path.iterdir()) == []


HINT = "only what `hin export` wrote can be loaded as a graph; load the documents instead"
AGAIN = "export the graph again, or load its documents instead"
HEAD = '<graphml><key id="h" for="graph" attr.name="hin"/><graph>'


NO_EXPORTS = [
    ("a.graphml", "<graphml><graph><node id='1'/></graph></graphml>", f"not an export of this program; {HINT}"),
    ("a.graphml", "<graphml/>", f"not an export of this program; {HINT}"),
    ("a.graphml", f"{HEAD}<data key='h'>[1]</data></graph></graphml>", f"not an export of this program; {HINT}"),
    (
        "a.graphml",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
        "a document type declaration; remove it: exports have none",
    ),
    (
        "a.json",
        '{"directed": true',
        f"not the content of an export (unexpected end of data: line 1 column 18 (char 17)); {HINT}",
    ),
    ("a.json", '{"directed": true, "graph": {}}', f"not an export of this program; {HINT}"),
]


@pytest.mark.parametrize(("file", "content", "said"), NO_EXPORTS)
def test_what_is_no_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, content: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(content)
    assert is_export(file)
    with pytest.raises(HinError) as caught:
        import_graph(file)
    assert str(caught.value) == f"{file}: {said}"


def test_bad_xml_is_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.graphml").write_text("<graphml>\n<")
    with pytest.raises(HinError) as caught:
        import_graph("a.graphml")
    assert str(caught.value) == "a.graphml, line 2: not valid XML (unclosed token); export the graph again"


def test_exports_that_were_tampered_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    export(small(), "csv", "g")
    nodes, edges, head = (Path("g", part).read_text() for part in ("nodes.csv", "edges.csv", "graph.json"))

    def said(nodes: str = nodes, edges: str = edges, head: str = head) -> str:
        Path("g/nodes.csv").write_text(nodes, newline="")
        Path("g/edges.csv").write_text(edges, newline="")
        Path("g/graph.json").write_text(head)
        with pytest.raises(HinError) as caught:
            import_graph("g")
        return str(caught.value)

    assert said(nodes.replace("Bob", "Ann")) == f"g: two nodes of type 'author' have one name; {AGAIN}"
    assert said(edges=edges + "0,99,author,,\n") == f"g: an edge to the unknown node 99; {HINT}"
    assert said(edges=edges + "0,1,author,,\n") == (
        f"g: an edge of type 'author' joins document to document, not document to author; {HINT}"
    )
    assert said(edges=edges + "0,1,likes,,\n") == f"g: an edge of the unknown type 'likes'; {HINT}"
    assert said(edges=edges.replace("0 3 6", "0 3 9").replace("1 4 6", "1 4 9").replace(" 6", " 9")) == (
        f"g: the positions of a document's terms have gaps; {AGAIN}"
    )
    assert said(head=head.replace('"format": 1', '"format": 9')) == (
        "g: an export of format 9, this version reads up to 1; upgrade with `pip install --upgrade hin-toolkit`"
    )
    assert said(nodes=nodes + "x\n").startswith("g: not the content of an export (")


def test_files_that_are_not_there_or_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cut.graphmlz").write_bytes(gzip.compress(b"<graphml/>")[:-6])
    Path("empty").mkdir()
    said = []
    for path in ("none.graphml", "cut.graphmlz", "empty"):
        with pytest.raises(HinError) as caught:
            import_graph(path)
        said.append(str(caught.value))
    assert said[0] == "none.graphml: no such file; check the name and the folder"
    assert said[1].startswith("cut.graphmlz: the compressed data is damaged (")
    assert said[2] == f"empty: not an export of this program; {HINT}"
    assert [is_export(p) for p in ("empty", "none.json", "papers.jsonl")] == [False, False, False]


def test_many_documents_go_out_in_several_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.exchange.flat._PART", 7)
    rows = [
        Record(f"p{i}", (f"word{i % 3} other word{i}",), {"k": [str(i % 2)]}, None, {}, ("-", i)) for i in range(40)
    ]
    graph = build_graph([RecordBatch.of(rows)], ["text"])
    for format, target in NAMES.items():
        assert import_graph(export(graph, format, tmp_path / target)).equals(graph)
