"""A document may have several true categories: they come in as lists and stay so in every store and export."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import hin
from hin.building.graph_builder import batches_of, build_graph
from hin.exchange.export import export
from hin.exchange.formats import EXPORTS
from hin.graph import Graph, Labels
from hin.stores.graph_identity import fingerprint
from hin.stores.layout import project

ROWS = [
    {"id": "a", "text": "Two friends rob a bank", "label": ["Crime", "Drama"]},
    {"id": "b", "text": "A dog comes home", "label": "Family"},
    {"id": "c", "text": "Nobody knows"},
    {"id": "d", "text": "A heist", "label": ["Crime", "Crime"]},
]
GIVEN = [("Crime", "Drama"), "Family", None, "Crime"]


@pytest.fixture
def films(tmp_path: Path) -> Graph:
    path = tmp_path / "films.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    return hin.load(path, phrases=False)


def given(graph: Graph) -> list[str | tuple[str, ...] | None]:
    assert graph.labels is not None
    return graph.labels.of_documents(0, len(graph))


def test_the_first_label_stands_where_one_is_wanted_and_all_are_kept(films: Graph) -> None:
    assert films.labels is not None and films.labels.several is not None
    assert films.labels.names == ("Crime", "Drama", "Family")
    assert films.labels.codes.tolist() == [0, 2, -1, 0]
    assert films.labels.several.degrees().tolist() == [2, 1, 0, 1]
    assert given(films) == GIVEN


def test_single_labels_are_stored_as_they_were(tmp_path: Path) -> None:
    assert Labels.of(["b", None, "a"]).several is None
    (tmp_path / "one.jsonl").write_text('{"id": 1, "text": "x", "label": ["a"]}')
    graph = hin.load(tmp_path / "one.jsonl", graph=tmp_path / "g.hin")
    assert graph.labels is not None and graph.labels.several is None
    assert not list((tmp_path / "g.hin").glob("*/labels.offsets.npy"))


def test_a_folder_and_the_records_give_them_back(films: Graph, tmp_path: Path) -> None:
    hin.open_store(tmp_path / "g.hin").write_graph(films, options={})
    assert given(hin.open(tmp_path / "g.hin")) == GIVEN
    assert given(build_graph(batches_of(films), ["text"])) == GIVEN


@pytest.mark.parametrize("format", [name for name in EXPORTS.names() if name not in ("ladybug", "neo4j-import", "pyg")])
def test_every_export_gives_them_back(films: Graph, tmp_path: Path, format: str) -> None:
    out = export(films, format, tmp_path / f"out{EXPORTS.get(format).ending}")
    assert given(hin.load(out, phrases=False)) == GIVEN


def test_more_documents_can_be_appended(films: Graph, tmp_path: Path) -> None:
    hin.load(tmp_path / "films.jsonl", graph=tmp_path / "g.hin")
    (tmp_path / "more.csv").write_text("id,text,label\ne,A train is robbed,Western|Crime\n")
    more = hin.load(tmp_path / "more.csv", separator="|", graph=tmp_path / "g.hin", append=True)
    assert given(more) == [*GIVEN, ("Western", "Crime")]


def test_cypher_sees_them_as_a_list(films: Graph, tmp_path: Path) -> None:
    documents = project(films).nodes[0].table
    assert documents.column("label").to_pylist() == ["Crime", "Family", None, "Crime"]
    assert documents.column("labels").to_pylist() == [["Crime", "Drama"], ["Family"], None, ["Crime"]]
    folder = hin.export(films, "neo4j-import", out=tmp_path / "bulk")
    assert re.search('"Crime.Drama"', next(folder.glob("node-*-Document.csv")).read_text())


def test_the_identity_distinguishes_other_labels(films: Graph) -> None:
    before = fingerprint(films)
    assert films.labels is not None
    films.labels = Labels(films.labels.names, films.labels.codes)
    assert fingerprint(films) != before
    assert np.array_equal(films.labels.codes, [0, 2, -1, 0])
