"""The rows of a user's files or table, each with the document of the graph that it became."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hin.arrays.types import Int64
from hin.errors import HinError
from hin.exchange.documents import document_rows
from hin.files.checked import file_hash
from hin.reading.documents import BatchReader
from hin.reading.formats import Row
from hin.reading.inputs.files import display_name
from hin.reading.inputs.source import TextTable
from hin.reading.memory_tables import TableReader
from hin.reading.options import LoadOptions
from hin.reading.problems import Problem

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stores.base import Store

__all__ = [
    "file_hash",
    "files_of_graph",
    "SourceRow",
    "SourceRows",
    "rows_of_documents",
    "rows_of_files",
    "rows_of_graph",
    "rows_of_table",
]


class SourceRow(NamedTuple):
    """One row: its place, its values and bytes as read, and its document's index, -1 where it became none."""

    line: int
    values: dict[str, Any]
    raw: bytes
    document: int


@dataclass
class SourceRows:
    """The rows of a table in their order, its columns in theirs.

    Attributes
    ----------
    file : the one file that they come from; None where there are several, or the file is gone.
    unread : the number of rows that could not be read; they are left out.
    table : the dialect of the one file, where it is a text table.
    """

    rows: list[SourceRow]
    file: str | None = None
    unread: int = 0
    table: TextTable | None = None
    columns: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.columns = list(dict.fromkeys(name for row in self.rows for name in row.values))


class _Rows(BatchReader):
    """Reads documents as usual, and records each row as it was read."""

    passed: list[tuple[str, Row]]

    def _file_rows(self, file: str) -> Iterator[Row]:
        for row in super()._file_rows(file):
            self.passed.append((display_name(file), row))
            yield row


def rows_of_files(files: Sequence[str], options: LoadOptions, graph: Graph) -> SourceRows:
    """Read files once more, as they were read into the graph."""
    reader = _Rows(files, options)
    reader.passed = []
    found: list[SourceRow] = []
    unread = 0

    def take(documents: Mapping[tuple[str, int], str]) -> None:
        nonlocal unread
        for file, (line, values, raw) in reader.passed:
            if isinstance(values, Problem):
                unread += 1
                continue
            values = {} if values is None else values
            name = documents.get((file, line))
            number = None if name is None else graph.documents.get(name)
            found.append(SourceRow(line, values, raw, -1 if number is None else number))
        reader.passed.clear()

    for batch in reader:
        take(dict(zip(batch.where, batch.ids, strict=True)))
    take({})
    if len(reader.files) > 1:
        return SourceRows(found, None, unread)
    return SourceRows(found, reader.files[0], unread, reader.table)


def rows_of_table(table: Any, options: LoadOptions, graph: Graph) -> Int64:
    """Return the document index of each row of a table in memory, -1 where it became none."""
    numbers = np.full(len(table), -1, dtype=np.int64)
    for batch in TableReader(table, options):
        for name, (_, row) in zip(batch.ids, batch.where, strict=True):
            number = graph.documents.get(name)
            numbers[row] = -1 if number is None else number
    return numbers


def files_of_graph(store: Store) -> list[str]:
    """Return the files that a graph was loaded from, where all are still there and unchanged; else none.

    They are looked for in the current folder and in the graph's.
    """
    stage = store.stage("load")
    inputs = [] if stage is None else stage.options.get("inputs") or []
    folders = [Path(), *([] if store.database is not None else [Path(store.location).absolute().parent])]
    files = [_found(entry, folders) for entry in inputs]
    return [] if None in files else [file for file in files if file]


def rows_of_graph(store: Store, graph: Graph) -> SourceRows | None:
    """Return the rows of the files that a graph was loaded from, where they are there and unchanged; else None."""
    stage, files = store.stage("load"), files_of_graph(store)
    if stage is None or not files:
        return None
    try:
        options = LoadOptions(**stage.options["read"], on_error="skip")
        rows = rows_of_files(files, options, graph)
    except (HinError, KeyError, TypeError):  # documents updated since then have two records
        return None
    met = [row.document for row in rows.rows if row.document >= 0]
    return rows if len(met) == len(set(met)) == len(graph) else None


def rows_of_documents(graph: Graph) -> SourceRows:
    """Return the documents as the graph holds them: id, texts, metadata, label."""
    rows = [SourceRow(number + 1, row, b"", number) for number, row in enumerate(document_rows(graph))]
    return SourceRows(rows)


def _found(entry: Mapping[str, Any], folders: Sequence[Path]) -> str | None:
    """Return the path of the file with this name, size and hash; None if it is in none of the folders."""
    for folder in folders:
        path = folder / str(entry["file"])
        if path.is_file() and path.stat().st_size == entry["bytes"] and file_hash(path) == entry["sha256"]:
            return os.fspath(path)
    return None
