"""Any number of workers gives the same folder to the byte, the same errors, the same side file."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hin.engines.base import open_engine
from hin.errors import DuplicateDocument, HinError
from hin.loading import load_into
from hin.reading.documents import BatchReader
from hin.reading.options import LoadOptions
from hin.stores.folder import FolderStore

#: Records in a batch, so that a small file has several.
SMALL = 40


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


def loaded(folder: Path, files: list[Path], engine: Any, **options: Any) -> tuple[Any, ...]:
    """What a load leaves: the stage's identity, the error, the side file."""
    store = FolderStore(folder / "papers.hin")
    rejected = folder / "rejected.jsonl"
    rejected.unlink(missing_ok=True)
    error = counted = None
    try:
        result = load_into(
            store.location, files, LoadOptions(rejected=rejected, replace=True, engine=engine, **options)
        )
        counted = (result.added, result.rejected, result.duplicates, result.columns)
    except HinError as failed:
        error = (type(failed), str(failed))
    stage = store.stage("load") if store.exists() else None
    side = rejected.read_text(encoding="utf-8") if rejected.exists() else None
    return error, stage and stage.identity, side, counted


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hin.reading.documents.BATCH_SIZE", SMALL)


@pytest.mark.parametrize("write", [jsonl, packed, table, parquet])
def test_workers_give_the_same_folder(write: Callable[..., Path], tmp_path: Path) -> None:
    file = write(tmp_path / "papers.jsonl", papers())
    assert len(list(BatchReader(file))) > 3
    one = loaded(tmp_path, [file], "local:1")
    assert one[0] is None
    assert loaded(tmp_path, [file], "local:3") == one


def test_several_files_of_several_kinds(tmp_path: Path) -> None:
    rows = papers()
    files = [
        jsonl(tmp_path / "a.jsonl", rows[:90]),
        jsonl(tmp_path / "tiny.jsonl", rows[90:92]),
        table(tmp_path / "b", rows[92:150]),
        packed(tmp_path / "c", rows[150:]),
    ]
    assert loaded(tmp_path, files, "local:3") == loaded(tmp_path, files, "local:1")


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
def test_what_is_wrong_is_the_same_with_workers(how: str, on_error: str, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "papers.jsonl", papers())
    lines = BROKEN[how](file.read_text(encoding="utf-8").splitlines(keepends=True))
    file.write_text("".join(lines), encoding="utf-8")
    one = loaded(tmp_path, [file], "local:1", on_error=on_error)
    assert loaded(tmp_path, [file], "local:3", on_error=on_error) == one
    assert (one[0] is not None) == (on_error == "stop" and how not in ("blank lines", "another kind"))


def test_an_id_is_known_from_another_file(tmp_path: Path) -> None:
    rows = papers(5)
    files = [jsonl(tmp_path / "a.jsonl", rows), jsonl(tmp_path / "b.jsonl", [{**rows[3], "id": "q"}, rows[3]])]
    with pytest.raises(DuplicateDocument, match=r"b.jsonl, line 2.*the id 'p3' was used before, in .*a.jsonl, line 4"):
        list(BatchReader(files))


@pytest.mark.parametrize("drop", [False, True])
def test_texts_that_come_again(drop: bool, tmp_path: Path) -> None:
    rows = papers()
    for row, other in ((20, 19), (150, 19), (151, 150), (199, 4)):
        rows[row]["text"] = rows[other]["text"]
    file = jsonl(tmp_path / "papers.jsonl", rows)
    one = loaded(tmp_path, [file], "local:1", drop_duplicates=drop)
    assert one[3][2] == 4
    assert one[3][0] == (196 if drop else 200)
    assert loaded(tmp_path, [file], "local:3", drop_duplicates=drop) == one


@pytest.mark.parametrize("update", [False, True])
def test_appending_with_workers(update: bool, tmp_path: Path) -> None:
    rows = papers()
    first, more = jsonl(tmp_path / "a.jsonl", rows[:80]), jsonl(tmp_path / "b.jsonl", [*rows[80:], rows[5]])
    found = []
    for engine in ("local:1", "local:3"):
        place, side = tmp_path / f"{engine}.hin", tmp_path / f"{engine}.txt"
        load_into(place, first)
        options = LoadOptions(append=True, update=update, on_error="skip", rejected=side, engine=engine)
        result = load_into(place, more, options)
        stage = FolderStore(place).stage("load")
        assert stage is not None
        found.append((stage.identity, result.rejected, result.updated))
    assert found[0] == found[1]
    assert found[0][1:] == ((0, 1) if update else (1, 0))


def test_the_engine_is_closed_only_by_who_opened_it(tmp_path: Path) -> None:
    class Watched(type(open_engine("local:1"))):  # type: ignore[misc]
        closed = False

        def close(self) -> None:
            self.closed = True

    engine = Watched("local:2")
    load_into(tmp_path / "papers.hin", jsonl(tmp_path / "a.jsonl", papers(3)), LoadOptions(engine=engine))
    assert not engine.closed
