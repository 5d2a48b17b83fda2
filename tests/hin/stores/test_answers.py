"""The log of answers: durable, append-only, safe against kills, and bound to documents by id and text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import hin
from hin.errors import BadUsage, DamagedGraph, UnknownName
from hin.graph import Graph
from hin.stores.answers import Answer, AnswerLog
from hin.stores.base import Store, open_store

ROWS = [{"id": f"p{i}", "text": f"Mining graphs {i}", "venue": "KDD"} for i in range(4)]
LABELLED = "MATCH (d:Document)-[a:LABELLED_AS]->(c:Category) RETURN d.id AS d, c.name AS c, a.source AS s ORDER BY d, s"


def load(folder: Path, rows: list[dict[str, str]] | None = None) -> tuple[Store, Graph]:
    file = folder / "papers.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows or ROWS))
    graph = hin.load(file, graph=folder / "papers.hin", replace=True)
    return open_store(folder / "papers.hin"), graph


def test_the_newest_answer_of_a_source_counts_and_undo_brings_the_older_one_back(tmp_path: Path) -> None:
    store, graph = load(tmp_path)
    log = AnswerLog(store)
    log.append([Answer("p0", ("web",)), Answer("p0", ("mining",), "minilm", 0.7)], graph)
    (second,) = log.append([Answer("p0", ("mining",))], graph)
    assert [(a.categories, a.source) for a in log.current(graph)] == [(("mining",), "minilm"), (("mining",), "person")]
    log.undo(second.number)
    assert {a.source: a.categories for a in log.current(graph)} == {"person": ("web",), "minilm": ("mining",)}
    with pytest.raises(UnknownName, match="no answer 2"):
        log.undo(second.number)


def test_several_are_taken_back_at_once(tmp_path: Path) -> None:
    store, graph = load(tmp_path)
    log = AnswerLog(store)
    made = log.append([Answer(row["id"], ("web",)) for row in ROWS], graph)
    log.undo(*(answer.number for answer in made[1:]))
    assert [answer.document for answer in log.current(graph)] == ["p0"]


def test_answers_stay_with_their_text(tmp_path: Path) -> None:
    store, graph = load(tmp_path)
    AnswerLog(store).append([Answer("p0", ("web",)), Answer("p1", (), verdict="none")], graph)
    store, graph = load(tmp_path, [{**ROWS[0], "text": "Something else"}, ROWS[1]])
    assert [answer.document for answer in AnswerLog(store).current(graph)] == ["p1"]


def test_bad_answers_write_nothing(tmp_path: Path) -> None:
    store, graph = load(tmp_path)
    log = AnswerLog(store)
    with pytest.raises(UnknownName, match="p9"):
        log.append([Answer("p0", ("web",)), Answer("p9", ("web",))], graph)
    with pytest.raises(BadUsage, match="'none' with 1"):
        Answer("p0", ("web",), verdict="none")
    with pytest.raises(BadUsage, match="confidence"):
        Answer("p0", ("web",), confidence=1.5)
    assert not log.path.exists()


def test_a_line_that_a_kill_left_unfinished_goes_with_the_next_entry(tmp_path: Path) -> None:
    store, graph = load(tmp_path)
    log = AnswerLog(store)
    log.append([Answer("p0", ("web",))], graph)
    with log.path.open("ab") as file:
        file.write(b'{"document": "p1", "cat')
    assert len(log.entries()) == 1
    (made,) = log.append([Answer("p2", ("web",))], graph)
    assert made.number == 1
    assert [answer.document for answer in log.entries()] == ["p0", "p2"]


def test_a_damaged_line_is_reported_with_its_number(tmp_path: Path) -> None:
    store, graph = load(tmp_path)
    log = AnswerLog(store)
    log.append([Answer("p0", ("web",))], graph)
    with log.path.open("a") as file:
        file.write('{"document": 3}\n')
    with pytest.raises(DamagedGraph, match="line 2"):
        log.entries()
    with pytest.raises(DamagedGraph, match="line 2"):
        hin.query(store.location, LABELLED)


def test_every_acknowledged_answer_survives_a_kill(tmp_path: Path) -> None:
    store, _ = load(tmp_path)
    writes = (
        "import os, sys, hin\nfrom hin.stores.answers import Answer, AnswerLog\n"
        "store = hin.open_store(sys.argv[1]); graph = store.read_graph(); log = AnswerLog(store)\n"
        "while True:\n    print(log.append([Answer('p1', ('web',))], graph)[0].number, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", writes, store.location], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 20:
                process.kill()
                break
        acknowledged = [int(line), *map(int, process.stdout.read().split())][-1]
    assert len(AnswerLog(store).entries()) > acknowledged


def test_cypher_shows_answers_at_once_and_a_copy_has_them(tmp_path: Path) -> None:
    store, graph = load(tmp_path)
    assert hin.query(store.location, LABELLED).rows == []
    log = AnswerLog(store)
    log.append([Answer("p0", ("web",)), Answer("p1", ("mining", "web"), "minilm", 0.25)], graph)
    log.append([Answer("p2", (), verdict="cannot tell")], graph)
    expected = [("p0", "web", "person"), ("p1", "mining", "minilm"), ("p1", "web", "minilm")]
    assert sorted(hin.query(store.location, LABELLED).rows) == expected
    sure = "MATCH ()-[a:LABELLED_AS]->() WHERE a.confidence IS NULL OR a.confidence < 0.5 RETURN a.confidence AS x"
    assert sorted(hin.query(store.location, sure).rows, key=str) == [(0.25,), (0.25,), (None,)]
    hin.copy(store.location, tmp_path / "copy.hin")
    assert sorted(hin.query(tmp_path / "copy.hin", LABELLED).rows) == expected
