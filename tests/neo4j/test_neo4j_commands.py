"""The whole way on Neo4j gives what it gives on a folder: labels, reasons, report, rows of queries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hin.demo.corpus import DemoOptions, write_demo
from hin.stores.folder import FolderStore
from hin.stores.querying import QueryOptions, query
from tests.neo4j.comparing import same_rows

pytestmark = pytest.mark.neo4j

PATTERNS = ["-p", "venue-year", "-p", "author-author"]
QUICK = ["--dim", "20", "--epochs", "3"]
COOKBOOK = re.findall(
    r"^```cypher\n(.*?)^```", (Path(__file__).parents[2] / "docs/cookbook.md").read_text(), re.MULTILINE | re.DOTALL
)


def test_from_documents_to_queries(neo4j_server: Any, hin: Callable, tmp_path: Path) -> None:
    files = write_demo(tmp_path, DemoOptions(documents=300))
    places = {"folder": "demo.hin", "database": neo4j_server.url}

    def both(*arguments: object) -> list[Any]:
        runs = [hin(*arguments, "--graph", place) for place in places.values()]
        assert [run.code for run in runs] == [0, 0], [run.err for run in runs]
        return runs

    both("load", files.documents, "--links", "cites", "-q")
    for name, place in places.items():
        done = hin(
            "classify", "-c", files.labels, *PATTERNS, *QUICK, "--graph", place, "--out", f"{name}.jsonl",
            "--save-model", f"{name}.model",
        )  # fmt: skip
        assert done.code == 0, done.err
        assert "Next: `hin explain" in done.err
    assert Path("folder.jsonl").read_bytes() == Path("database.jsonl").read_bytes()
    own, labelled = (
        Path(name).read_text(encoding="utf-8").splitlines() for name in (files.documents, "database.jsonl")
    )
    assert [line.partition(',"category":')[0] + "}" for line in labelled] == own  # the rows of the file, to the byte

    first = json.loads(files.documents.read_text(encoding="utf-8").splitlines()[0])["document"]
    for command in (
        ["info", "--json"],
        ["select", "-c", files.labels, *PATTERNS, *QUICK, "--json"],
        ["evaluate", "--json"],
        ["explain", first, "--json"],
        ["predict", files.documents, "--json"],
    ):
        here, there = (done.json for done in both(*command))
        for run in (*here["classifications"], *there["classifications"]) if command[0] == "info" else ():
            assert run.pop("at")  # the time it was made
        assert here == there, command

    assert len(COOKBOOK) >= 12
    for text in COOKBOOK:
        here, there = (query(place, text, QueryOptions(limit=0)) for place in places.values())
        assert here.columns == there.columns
        assert same_rows(here, there, ordered=True), text

    for name, place in places.items():
        assert hin("report", "--out", f"{name}.html", "--title", "Demo", "--graph", place).code == 0
    assert Path("folder.html").read_bytes() == Path("database.html").read_bytes()

    assert hin("copy", places["database"], "back.hin").code == 0
    stages = [{n: FolderStore(p).stage(n) for n in ("load", "embed", "classify")} for p in ("demo.hin", "back.hin")]
    for name in stages[0]:
        mine, copied = stages[0][name], stages[1][name]
        assert mine is not None
        assert copied is not None
        assert mine.files == copied.files, f"{name} came back with other bytes"


TAKEN = ["part", "indicates", "has_term", "classified_as", "HAS MOTIF", "position", "count", "contains", "documents"]


def test_fields_named_like_what_hin_writes_itself(neo4j_server: Any, hin: Callable, tmp_path: Path) -> None:
    rows = [
        {"id": f"p{i}", "text": "query index join", "label": "x", "document": f"p{i - 1}", "links": [f"p{i - 1}"]}
        | {name: [f"{name} {i % 2}", "both"] for name in TAKEN}
        for i in range(6)
    ]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    places = ["taken.hin", neo4j_server.url]
    load = ["load", "rows.jsonl", "--id", "id", "-q", "--metadata", "source=document,*", "--links", "PART=links"]
    refused = hin(*load[:-2], "--links", "part_of=links,part=links", "--graph", "no.hin")
    assert refused.code == 1
    assert "rename it with --links" in refused.err
    load[-1] = "cites=links"
    for place in places:
        done = hin(*load, "--graph", place)
        assert done.code == 0, done.err
        patterns = [f for name in TAKEN for f in ("-p", f"`{name}`-source")]
        assert hin("motifs", *patterns, "--min-count", 1, "--graph", place, "-q").code == 0
    info = [hin("info", "--json", "--graph", place).json for place in places]
    assert info[0] == info[1]
    cypher = info[0]["cypher"]
    assert len({name.lower() for kind in cypher.values() for name in kind.values()}) == sum(map(len, cypher.values()))
    asked = ["MATCH (m:Motif)-[r:PART]->(x) RETURN m.pattern AS p, m.name AS m, x.name AS x ORDER BY p, m, x"]
    for name in TAKEN:
        label, kind = cypher["labels"][name], cypher["relationships"][name]
        asked.append(f"MATCH (d:Document)-[:{kind}]->(x:{label}) RETURN d.id AS d, x.name AS x ORDER BY d, x")
        asked.append(f"MATCH (m:Motif)-[:PART]->(x:{label}) RETURN x.name AS x, count(*) AS n ORDER BY x")
    for text in asked:
        here, there = (query(place, text, QueryOptions(limit=0)) for place in places)
        assert here.rows == there.rows
        assert here.rows, text
        assert not there.notes
    assert hin("copy", neo4j_server.url, "back.hin", "-q").code == 0
    assert FolderStore("back.hin").read_graph().equals(FolderStore("taken.hin").read_graph())


def test_vectors_go_to_the_users_data_and_the_first_run_says_where(
    neo4j_server: Any, hin: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HIN_MODEL")
    files = write_demo(tmp_path, DemoOptions(documents=100))
    assert hin("load", files.documents, "--graph", neo4j_server.url, "-q").code == 0
    before = set(tmp_path.iterdir())
    first, second = (hin("motifs", "-p", name, "--graph", neo4j_server.url) for name in ("venue-year", "venue"))
    assert (first.code, second.code) == (0, 0), first.err + second.err
    port = neo4j_server.url.rpartition(":")[2]
    folder = tmp_path / "user-data" / "hin" / "neo4j" / f"neo4j@127.0.0.1-{port}"
    reported = f"vectors of {neo4j_server.url} go to {folder} (--model names another folder)\n"
    assert reported in first.err
    assert "vectors of" not in second.err
    assert (folder / "manifest.json").exists()
    assert set(tmp_path.iterdir()) - before == {tmp_path / "user-data"}
