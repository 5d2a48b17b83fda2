"""`hin info` and `hin export` on the command line; exports come back as equal graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import hin as package


def test_info_has_the_promised_shape(hin: Callable, papers: Path) -> None:
    hin("load", papers, "--links", "cites")
    info = hin("info", "--json").json
    assert info["documents"] == 3
    assert info["nodes"] == {"document": 3, "term": 14, "author": 3, "venue": 2, "year": 2}
    assert info["edges"] == {"term": 17, "author": 5, "venue": 3, "year": 3, "cites": 1}
    assert info["motifs"] == {}
    shown = hin("info", "--top", "1")
    assert "VLDB (2)" in shown.out
    assert "KDD" not in shown.out


def test_info_checks_the_files(hin: Callable, papers: Path) -> None:
    hin("load", papers)
    assert hin("info", "--check").err == "graph.hin is undamaged.\n"
    damaged = next(Path("graph.hin").glob("load-*/terms.arrow"))
    damaged.write_bytes(b"x")
    done = hin("info", "--check")
    assert done.code == 1
    assert "terms.arrow is not what was written; load the documents again with --replace" in done.err


@pytest.mark.parametrize("format", ["graphml", "igraph", "networkx", "csv", "parquet"])
def test_an_export_loads_as_an_equal_graph(hin: Callable, papers: Path, format: str) -> None:
    hin("load", papers, "--links", "cites")
    written = hin("export", "--format", format, "--json").json["file"]
    done = hin("load", written, "--graph", "again.hin")
    assert done.code == 0, done.err
    assert package.open("again.hin").equals(package.open("graph.hin"))
    assert hin("load", written, "--graph", "again.hin", "--append").code == 2
    assert hin("load", written, papers, "--graph", "other.hin").code == 2


def test_exported_documents_load_again(hin: Callable, papers: Path) -> None:
    hin("load", papers, "--links", "cites")
    assert hin("export", "--format", "jsonl", "-o", "out.jsonl").out == "out.jsonl\n"
    hin("load", "out.jsonl", "--links", "cites", "--graph", "again.hin")
    assert package.open("again.hin").equals(package.open("graph.hin"))
