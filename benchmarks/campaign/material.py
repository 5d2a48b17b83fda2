"""What is attacked: a small corpus, in every format that is read, and a graph with all its stages."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import sqlite3
import zipfile
from pathlib import Path
from typing import IO, Any

__all__ = ["input_files", "make_graph", "records"]

_WORDS = {"games": "chess board player move king pawn", "fonts": "letter serif glyph print type ink"}


def records(count: int = 12, seed: int = 0) -> list[dict[str, Any]]:
    """Return documents of two categories."""
    rng = random.Random(seed)
    made = []
    for i in range(count):
        label = ("games", "fonts")[i % 2]
        words = [rng.choice(_WORDS[label].split()) for _ in range(8)]
        row = {"id": f"d{i}", "title": f"{label} {' '.join(words[:2])}", "text": " ".join(words), "label": label}
        made.append({**row, "venue": f"{label} {i % 3}", "author": [f"a{i % 4}", f"b{i % 5}"], "year": 2000 + i % 3})
    return made


def input_files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of the corpus in every format, by file name."""
    import duckdb
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    rows = records()
    flat = [{**row, "author": ";".join(row["author"])} for row in rows]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    head = ",".join(flat[0])
    table = (head + "\n" + "".join(",".join(f'"{cell}"' for cell in row.values()) + "\n" for row in flat)).encode()
    made = {
        "a.jsonl": lines,
        "a.json": json.dumps(rows).encode(),
        "a.csv": table,
        "a.tsv": table.replace(b'","', b"\t").replace(b'"', b"").replace(b",", b"\t"),
        "a.txt": "".join(row["text"] + "\n" for row in rows).encode(),
        "a.jsonl.gz": gzip.compress(lines, mtime=0),
        "a.csv.xz": lzma.compress(table),
        "a.jsonl.bz2": bz2.compress(lines),
        "a.jsonl.zst": pa.compress(lines, "zstd", asbytes=True),
    }
    arrow, memory = pa.Table.from_pylist(rows), io.BytesIO()
    pa.parquet.write_table(arrow, memory)
    made["a.parquet"] = memory.getvalue()
    made["a.parquet.gz"] = gzip.compress(memory.getvalue(), mtime=0)
    memory = io.BytesIO()
    pa.feather.write_feather(arrow, memory, compression="uncompressed")
    made["a.feather"] = memory.getvalue()
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", lines)
        archive.writestr("b.csv", table.replace(b'"d', b'"e'))
    made["a.zip"] = memory.getvalue()
    with sqlite3.connect(folder / "a.sqlite") as base:
        base.execute(f"create table papers ({', '.join(flat[0])})")
        marks = ", ".join("?" for _ in flat[0])
        base.executemany(f"insert into papers values ({marks})", [tuple(row.values()) for row in flat])
    base.close()
    made["a.sqlite"] = (folder / "a.sqlite").read_bytes()
    with duckdb.connect(str(folder / "a.duckdb")) as other:
        other.register("given", arrow)
        other.execute("create table papers as select * from given")
    made["a.duckdb"] = (folder / "a.duckdb").read_bytes()
    return {**made, **_exports(folder, lines)}


def _exports(folder: Path, lines: bytes) -> dict[str, bytes]:
    """Return the graph as `hin export` writes it, to be read back."""
    import hin

    (folder / "x.jsonl").write_bytes(lines)
    graph = hin.load(folder / "x.jsonl", graph=str(folder / "x.hin"))
    made = {}
    for name, kind in (("a.graphml", "graphml"), ("b.graphmlz", "igraph"), ("b.json", "networkx")):
        made[name] = hin.export(graph, kind, folder / name).read_bytes()
    for kind in ("csv", "parquet"):
        for path in sorted(hin.export(graph, kind, folder / f"tables-{kind}").iterdir()):
            made[f"tables-{kind}/{path.name}"] = path.read_bytes()
    return made


def make_graph(folder: Path) -> Path:
    """Make a graph with every stage, a saved model, a checkpoint and a file of new documents; returns the graph."""
    from benchmarks.campaign.attempts import call, child

    if (folder / "model").is_dir():  # made by a run before
        return folder / "g.hin"
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in records(40)))
    new = [{**row, "id": "n" + row["id"]} for row in records(6, 1)]
    (folder / "new.jsonl").write_text("".join(json.dumps(row) + "\n" for row in new))
    (folder / "labels.txt").write_text("games\nfonts\n")
    small = ("--graph", "g.hin", "--dim", "8", "--epochs", "1")
    steps = (
        ("load", "a.jsonl", "--graph", "g.hin", "--min-count", "1"),
        ("classify", "--categories", "labels.txt", "--save-model", "model", *small, "--min-count", "1"),
    )

    def work(pipe: IO[str]) -> None:  # in a child: what trains starts threads, and they do not survive a fork
        for step in steps:
            code, _, err = call(folder, *step)
            pipe.write(err if code else "")

    with child(work) as (_, lines):
        if reported := lines.read():
            raise SystemExit(f"the campaign's own graph cannot be made: {reported}")
    return folder / "g.hin"
