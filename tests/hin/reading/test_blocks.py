"""Reading in blocks gives what one pass gives: the same folder to the byte, the same errors, the same side file."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.engines.base import open_engine
from hin.errors import HinError
from hin.loading import load_into
from hin.reading.blocks.block import Block
from hin.reading.blocks.cutting import blocks_of
from hin.reading.options import LoadOptions
from hin.stores.folder import FolderStore

SMALL = 1500


def papers(count: int = 200) -> list[dict[str, Any]]:
    chance = random.Random(1)
    words = ["graph", "data", "mining", "query", "plan", "deep", "net", "été", "東京", "x-ray"]
    return [
        {
            "id": f"p{i}",
            "text": " ".join(chance.choices(words, k=12)) + ('\nnew "line"' if i % 7 == 0 else ""),
            "author": [f"a{chance.randrange(20)}"],
            "year": 2000 + i % 9,
            "label": chance.choice(["web", "games"]),
            **({"late": "yes"} if i > 150 else {}),
        }
        for i in range(count)
    ]


def jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def packed(path: Path, rows: list[dict[str, Any]]) -> Path:
    path = path.with_suffix(".jsonl.gz")
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode(), mtime=0))
    return path


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    import csv

    path = path.with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", "text", "author", "year", "label"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows({**row, "author": row["author"][0]} for row in rows)
    return path


def parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = path.with_suffix(".parquet")
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=23)
    return path


def loaded(
    folder: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch, size: int | None, **options: Any
) -> tuple[Any, ...]:
    """What a load leaves: the stage's identity, the error, the side file."""
    monkeypatch.setattr("hin.reading.blocks.merging.BLOCK_BYTES", size or 1 << 40)
    store = FolderStore(folder / "papers.hin")
    rejected = folder / "rejected.jsonl"
    rejected.unlink(missing_ok=True)
    error = counted = None
    try:
        result = load_into(store.location, files, LoadOptions(rejected=rejected, replace=True, **options))
        counted = (result.added, result.rejected, result.duplicates, result.skipped_fields)
    except HinError as failed:
        error = (type(failed), str(failed))
    stage = store.stage("load") if store.exists() else None
    side = rejected.read_text(encoding="utf-8") if rejected.exists() else None
    return error, stage and stage.identity, side, counted


@pytest.mark.parametrize("write", [jsonl, packed, table, parquet])
@pytest.mark.parametrize("engine", ["local:1", "local:3"])
def test_blocks_give_the_same_folder(
    write: Callable[..., Path], engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "papers.jsonl", papers())
    one = loaded(tmp_path, [file], monkeypatch, None)
    assert one[0] is None
    assert len([b for b in blocks_of(0, str(file), None, SMALL, True) if isinstance(b, Block)]) > 3
    assert loaded(tmp_path, [file], monkeypatch, SMALL, engine=engine) == one


def test_several_files_of_several_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = papers()
    files = [
        jsonl(tmp_path / "a.jsonl", rows[:90]),
        jsonl(tmp_path / "tiny.jsonl", rows[90:92]),
        table(tmp_path / "b", rows[92:150]),
        packed(tmp_path / "c", rows[150:]),
    ]
    assert loaded(tmp_path, files, monkeypatch, SMALL) == loaded(tmp_path, files, monkeypatch, None)


BROKEN: dict[str, Callable[[list[str]], list[str]]] = {
    "not JSON": lambda lines: [*lines[:120], "{oops\n", *lines[120:]],
    "twice in one block": lambda lines: [*lines[:60], lines[59], *lines[60:]],
    "twice, far apart": lambda lines: [*lines[:180], lines[3], *lines[180:]],
    "twice, then not JSON": lambda lines: [*lines[:150], lines[3], "[1]\n", *lines[150:]],
    "no id": lambda lines: [*lines[:170], '{"text": "x"}\n', *lines[170:]],
    "blank lines": lambda lines: [*lines[:50], "\n", "  \n", *lines[50:]],
    "another kind": lambda lines: [*lines[:190], '{"id": "q", "text": "x", "year": "MMXX", "author": {"a": 1}}\n'],
}


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("how", BROKEN)
def test_what_is_wrong_is_told_as_in_one_pass(
    how: str, on_error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = jsonl(tmp_path / "papers.jsonl", papers())
    lines = BROKEN[how](file.read_text(encoding="utf-8").splitlines(keepends=True))
    file.write_text("".join(lines), encoding="utf-8")
    one = loaded(tmp_path, [file], monkeypatch, None, on_error=on_error)
    assert loaded(tmp_path, [file], monkeypatch, SMALL, on_error=on_error) == one
    assert (one[0] is not None) == (on_error == "stop" and how not in ("blank lines", "another kind"))


def test_a_broken_row_of_a_table_is_told_as_in_one_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = table(tmp_path / "papers", papers())
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for bad in ('q1,"a"b,c,1,web\n', "q2,too,few\n", 'q3,5" disk,a,1,web\n'):
        file.write_text("".join([*lines[:150], bad, *lines[150:]]), encoding="utf-8")
        for on_error in ("stop", "skip"):
            one = loaded(tmp_path, [file], monkeypatch, None, on_error=on_error)
            assert loaded(tmp_path, [file], monkeypatch, SMALL, on_error=on_error) == one


@pytest.mark.parametrize("drop", [False, True])
def test_texts_that_come_again(drop: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = papers()
    for row, other in ((20, 19), (150, 19), (151, 150), (199, 4)):
        rows[row]["text"] = rows[other]["text"]
    file = jsonl(tmp_path / "papers.jsonl", rows)
    one = loaded(tmp_path, [file], monkeypatch, None, drop_duplicates=drop)
    assert one[3][2] == 4
    assert loaded(tmp_path, [file], monkeypatch, SMALL, drop_duplicates=drop) == one


def test_appending_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = papers()
    first, more = jsonl(tmp_path / "a.jsonl", rows[:80]), jsonl(tmp_path / "b.jsonl", [*rows[80:], rows[5]])
    found = []
    for size in (1 << 40, SMALL):
        monkeypatch.setattr("hin.reading.blocks.merging.BLOCK_BYTES", size)
        place = tmp_path / f"{size}.hin"
        load_into(place, first)
        result = load_into(place, more, LoadOptions(append=True, on_error="skip", rejected=tmp_path / f"{size}.txt"))
        stage = FolderStore(place).stage("load")
        assert stage is not None
        found.append((stage.identity, result.rejected, (tmp_path / f"{size}.txt").read_text()))
    assert found[0] == found[1]
    assert found[0][1] == 1


@given(
    cells=st.lists(st.lists(st.text('ab,"\n\r; é', max_size=6), min_size=2, max_size=2), min_size=1, max_size=30),
    size=st.integers(1, 60),
)
def test_blocks_of_a_table_are_whole_rows(tmp_path_factory: pytest.TempPathFactory, cells: Any, size: int) -> None:
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["id", "text"], *cells])
    path = tmp_path_factory.mktemp("tables") / "a.csv"
    path.write_bytes(text.getvalue().encode())
    blocks = [b for b in blocks_of(0, str(path), None, size, True) if isinstance(b, Block) and b.kind == "text"]
    if blocks:
        read = [row for b in blocks for row in csv.reader(io.StringIO((b.data or b"").decode(), newline=""))]
        assert read == list(csv.reader(io.StringIO(text.getvalue(), newline="")))


def test_the_engine_is_closed_only_by_who_opened_it(tmp_path: Path) -> None:
    class Watched(type(open_engine("local:1"))):  # type: ignore[misc]
        closed = False

        def close(self) -> None:
            self.closed = True

    engine = Watched("local:2")
    load_into(tmp_path / "papers.hin", jsonl(tmp_path / "a.jsonl", papers(3)), LoadOptions(engine=engine))
    assert not engine.closed
