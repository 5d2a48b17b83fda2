"""The bulk way into Neo4j: CSV files and the exact `neo4j-admin database import full` command.

The admin tool fills an empty, stopped database several times faster than Bolt. The result is the same graph as after
a load over Bolt, so every command works on it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.engines.base import open_engine, ranges
from hin.errors import BadUsage
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stores.findings import Findings
from hin.stores.graph_identity import graph_node
from hin.stores.layout import project
from hin.stores.property_graph import Nodes, Relationships, name_type

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 50_000
#: The types of columns by the kind of their arrays, where they are not whole numbers.
_KINDS = {"f": "double", "O": "string"}
#: The import's names of whole numbers, other numbers and text.
_TYPES = ("long", "double", "string")
#: A longer table of relationships is several files, written side by side.
PART_ROWS = 5_000_000
#: Candidate separators of list items: the first that occurs in no item is used.
SEPARATORS = "\x1e\x1f\x1d\x1c;|\t\ue000\ue001"
COMMAND_FILE = "import.sh"


def write_import_files(
    folder: Path,
    graph: Graph,
    *,
    findings: Findings | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> None:
    """Write the CSV files and `import.sh` into an empty folder."""
    import pyarrow as pa

    projected = project(graph, findings)
    about = graph_node(graph, findings, options or {})
    about_table = pa.table({name: pa.array([value], pa.string()) for name, value in about.items()})
    tables = [Nodes("HinGraph", about_table), *projected.nodes]
    total = sum(map(len, tables)) + sum(map(len, projected.relationships))
    separator = _separator(graph)
    files: dict[str, Callable[[Path], int]] = {}
    arguments: list[str] = []
    for number, group in enumerate(tables):
        name = f"node-{number}-{group.label}.csv"
        files[name] = partial(_write_nodes, group=group, separator=separator)
        arguments.append(f"--nodes={group.label}={name}")
    for number, edges in enumerate(projected.relationships):
        parts = []
        for part, (first, last) in enumerate(ranges(len(edges), PART_ROWS) or [(0, 0)]):
            parts.append(f"relationship-{number}-{edges.type}{f'.{part}' if part else ''}.csv")
            files[parts[-1]] = partial(_write_relationships, group=edges, first=first, last=last)
        arguments.append(f"--relationships={edges.type}={','.join(parts)}")  # the header is in the first
    done = 0
    # Threads are enough: what takes the time, the numbers of relationships, is written by compiled code.
    for rows in open_engine("local").map(lambda name: files[name](folder / name), files):
        progress("writing CSV", done := done + rows, total)
    (folder / COMMAND_FILE).write_text(_script(arguments, separator), encoding="utf-8")
    (folder / COMMAND_FILE).chmod(0o755)


def _separator(graph: Graph) -> str:
    items = {name for missing in graph.dangling.values() for name in missing.names}
    if graph.labels is not None and graph.labels.several is not None:
        items.update(graph.labels.names)
    for separator in SEPARATORS:
        if not any(separator in item for item in items):
            return separator
    raise BadUsage(
        "unresolved links and labels use every separator that lists in CSV could have", hint="use `hin copy`"
    )


def _options(separator: str) -> list[str]:
    return [
        "--id-type=integer",
        f"--array-delimiter=U+{ord(separator):04X}",
        "--multiline-fields=true",
        "--legacy-style-quoting=false",
        "--overwrite-destination=true",
        "--read-buffer-size=64m",
    ]


def _script(files: list[str], separator: str) -> str:
    lines = " \\\n  ".join(shlex.quote(argument) for argument in [*_options(separator), *files])
    return (
        "#!/bin/sh\n"
        "# Fills an empty database, much faster than over Bolt. Stop the server first (Community) or the database\n"
        "# (Enterprise: STOP DATABASE neo4j), and start it afterwards. NEO4J_ADMIN may name another neo4j-admin.\n"
        'cd "$(dirname "$0")" || exit 1\n'
        '"${NEO4J_ADMIN:-neo4j-admin}" database import full "${1:-neo4j}" \\\n  ' + lines + "\n"
    )


def _write_nodes(path: Path, group: Nodes, separator: str) -> int:
    columns = []
    for column in group.table.schema:
        if column.name == "number":
            # The number is both the key by which relationships find the node and a property.
            columns.append(f"number:ID({group.label}){{id-type: long}}")
        else:
            columns.append(f"{column.name}:{name_type(column.type, *_TYPES)}")
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(columns) + "\n")
        for batch in group.table.to_batches(ROWS):
            file.writelines(_lines(batch, separator))
    return len(group)


def _write_relationships(path: Path, group: Relationships, first: int, last: int) -> int:
    """Write some rows of a table; the first part has the header."""
    import pyarrow as pa
    from pyarrow import csv

    kinds = [f"{name}:{_KINDS.get(values.dtype.kind, 'long')}" for name, values in group.properties.items()]
    header = [f":START_ID({group.source})", f":END_ID({group.target})", *kinds]
    with path.open("wb") as file:
        if first == 0:
            file.write((",".join(header) + "\n").encode())
        for start in range(first, last, ROWS):
            part = slice(start, min(start + ROWS, last))
            columns = [group.sources[part], group.targets[part], *(v[part] for v in group.properties.values())]
            if any(
                column.dtype.kind in _KINDS for column in columns
            ):  # as Python prints them: the shortest text that gives the same number
                rows = zip(*(column.tolist() for column in columns), strict=True)
                file.writelines((",".join(_field(_absent(value), "") for value in row) + "\n").encode() for row in rows)
            else:
                table = pa.table(columns, names=[str(i) for i in range(len(columns))])
                csv.write_csv(table, file, csv.WriteOptions(include_header=False))
    return last - first


def _absent(value: Any) -> Any:
    """Return None for NaN, which stands for a number that is not there."""
    return None if value != value else value


def _lines(batch: pa.RecordBatch, separator: str) -> Iterator[str]:
    for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
        yield ",".join(_field(value, separator) for value in row) + "\n"


def _field(value: Any, separator: str) -> str:
    """Return a value as the admin tool reads it: texts in quotes, an absent one empty.

    >>> print(_field('say "a"', ";"), _field(None, ";"), _field([1, 2], ";"))
    "say ""a""\"  "1;2"
    """
    if value is None or value == []:
        return ""
    if isinstance(value, list):
        value = separator.join(map(str, value))
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    return repr(value)
