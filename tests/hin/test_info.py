"""`hin info` counts what is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hin
from hin.console import Console, to_json
from hin.graph import Graph
from hin.info import describe, show_info

ROWS = [
    {
        "id": "p1",
        "text": "black hole black hole",
        "author": ["Ann", "Bob"],
        "year": 2008,
        "refs": ["p2", "p9"],
        "label": "a",
    },
    {"id": "p2", "text": "a black hole", "author": ["Ann"], "year": 2009, "refs": ["p1"], "label": "b"},
    {"id": "p3", "text": "", "author": [], "refs": []},
]


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    return hin.load(path, links="cites=refs", phrases=False)


def test_counts_degrees_top_values_and_lengths(graph: Graph) -> None:
    info = describe(graph, motifs={"author-author": 1})
    assert info["documents"] == 3
    assert info["nodes"] == {"document": 3, "term": 3, "author": 2, "year": 2}
    assert info["edges"] == {"term": 5, "author": 3, "year": 2, "cites": 2}
    assert info["motifs"] == {"author-author": 1}
    assert info["text"] == {
        "fields": ["text"],
        "tokens": 7,
        "tokens_per_document": {"mean": 2.333, "median": 3.0, "min": 0, "max": 4},
        "empty": 1,
    }
    assert info["fields"]["author"] == {
        "kind": "string",
        "values": 2,
        "edges": 3,
        "documents": 2,
        "per_document": {"mean": 1.0, "median": 1.0, "min": 0, "max": 2},
        "documents_per_value": {"mean": 1.5, "median": 1.5, "min": 1, "max": 2},
        "top": [{"value": "Ann", "documents": 2}, {"value": "Bob", "documents": 1}],
    }
    assert info["fields"]["year"]["kind"] == "integer"
    assert info["links"]["cites"]["missing"] == 1
    assert info["labels"] == {"documents": 2, "counts": {"a": 1, "b": 1}}
    assert info["terms"] == {
        "phrases": 0,
        "top": [
            {"value": "black", "documents": 2},
            {"value": "hole", "documents": 2},
            {"value": "a", "documents": 1},
        ],
    }
    assert json.loads(to_json(info)) == info


def test_top_is_as_long_as_asked_for(graph: Graph) -> None:
    assert [entry["value"] for entry in describe(graph, top=1)["fields"]["author"]["top"]] == ["Ann"]
    assert describe(graph, top=0)["fields"]["author"]["top"] == []


def test_a_graph_without_metadata(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "x"}')
    info = describe(hin.load(tmp_path / "a.jsonl"))
    assert (info["fields"], info["links"], info["extra"], info["labels"]) == ({}, {}, {}, None)


def test_phrases_are_counted(tmp_path: Path) -> None:
    rows = [{"id": i, "text": f"the black hole number{i} and star{i}"} for i in range(50)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert describe(hin.load(tmp_path / "a.jsonl"))["terms"]["phrases"] >= 1


def test_what_people_see(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    show_info(describe(graph, motifs={"author-author": 1}), Console())
    shown = capsys.readouterr().out
    assert "3 documents, text from text" in shown
    assert "7 tokens, 2.3 per document (median 3, 0 to 4; 1 document without any)" in shown
    assert "Ann (2), Bob (1)" in shown
    assert "to unknown documents" in shown
    assert "author-author" in shown
    assert "2 true categories on 2 documents (evaluation only)" in shown


def test_what_machines_see(graph: Graph, capsys: pytest.CaptureFixture[str]) -> None:
    show_info(describe(graph), Console(as_json=True))
    assert json.loads(capsys.readouterr().out)["documents"] == 3


def test_names_that_cypher_spells_otherwise_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "p1", "text": "x", "part": "a", "author": "Ann", "indicates": []}')
    info = describe(hin.load(path, links="indicates"))
    assert info["cypher"]["labels"]["part"] == "Part_2"
    assert info["cypher"]["relationships"] == {
        "term": "HAS_TERM", "part": "HAS_PART", "author": "HAS_AUTHOR", "indicates": "INDICATES_2"
    }  # fmt: skip
    show_info(info, Console())
    assert "In Cypher, part is Part_2, indicates is INDICATES_2: the plain names are taken\n" in capsys.readouterr().out
