"""The body of `hin query`: runs the command and prints its results."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hin.commands.arguments import QueryCommand
from hin.console import Console
from hin.cypher.show import format_value
from hin.errors import BadUsage
from hin.files.atomic import atomic_file
from hin.human import plural
from hin.stores.querying import QueryResult, query
from hin.visible import as_is, guard_cell


def parse_parameters(given: list[str]) -> dict[str, Any]:
    """Parse `name=value` pairs; a value that is JSON is parsed as JSON, anything else is a string.

    Examples
    --------
    >>> parse_parameters(["n=3", "venue=KDD", 'year="2008"', "ids=[1, 2]"])
    {'n': 3, 'venue': 'KDD', 'year': '2008', 'ids': [1, 2]}
    """
    parameters: dict[str, Any] = {}
    for pair in given:
        name, separator, value = pair.partition("=")
        if not separator or not name:
            raise BadUsage(f"the parameter {pair!r} has no value", hint="write --param name=value")
        try:
            parameters[name] = json.loads(value)
        except (ValueError, RecursionError):
            parameters[name] = value
    return parameters


def run_query(command: QueryCommand, console: Console) -> None:
    """Run a query, then show its rows."""
    text = sys.stdin.read() if command.text == "-" else command.text
    options = replace(command.options, parameters=parse_parameters(command.parameters))
    with console.progress() as progress:
        result = query(command.graph, text, options, progress=progress)
    shape = command.format if command.format != "table" or not console.as_json else "json"
    if command.out is None and shape not in ("arrow", "parquet"):
        _show(result, shape, text, command.csv_formulas, console)
    else:
        _write(result, shape, text, command)
    for note in result.notes:
        console.note(note)
    if result.cut:
        console.note(f"showing the first {plural(len(result.rows), 'row')}; --limit 0 shows all")


def _show(result: QueryResult, shape: str, query: str, formulas: bool, console: Console) -> None:
    if shape == "json":
        console.json(result.records())
    elif shape != "table":
        console.data("".join(_text(result, shape, query, formulas)).rstrip("\n"))
    elif result.columns:
        rows = [[format_value(value) for value in row] for row in result.values or result.rows]
        console.table(rows, list(result.columns), exact=True)


def _text(result: QueryResult, shape: str, query: str, formulas: bool) -> Iterator[str]:
    """Yield rows as CSV or JSON, or their nodes and relationships as a node-link graph or a page with a picture."""
    if shape == "graph":
        import networkx

        yield json.dumps(networkx.node_link_data(result.networkx(), edges="links"), ensure_ascii=False) + "\n"
        return
    if shape == "html":
        from hin.cypher.picture import picture

        yield picture(result, query)
        return
    if shape == "json":  # piece by piece: the pieces of all rows would take more memory than the rows
        yield from json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(result.records())
        yield "\n"
        return
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keep = as_is if formulas else guard_cell
    writer.writerow(map(keep, result.columns))
    writer.writerows([keep(_cell(value)) for value in row] for row in result.rows)
    yield text.getvalue()


def _write(result: QueryResult, shape: str, query: str, command: QueryCommand) -> None:
    """Write a file atomically; Arrow and Parquet may also go to a pipe."""
    if shape in ("arrow", "parquet"):
        made = iter([_bytes(result, shape)])
    else:
        text = _text(result, "csv" if shape == "table" else shape, query, command.csv_formulas)
        made = (part.encode() for part in text)
    if command.out is not None:
        with atomic_file(command.out) as place, place.open("wb") as file:
            file.writelines(made)
    elif sys.stdout.isatty():
        raise BadUsage(f"{shape} is not for a terminal", hint="name a file with --out FILE, or pipe it on")
    else:
        sys.stdout.buffer.writelines(made)


def _bytes(result: QueryResult, shape: str) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink, table = pa.BufferOutputStream(), result.arrow()
    if shape == "parquet":
        pq.write_table(table, sink)
    else:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    return bytes(sink.getvalue())


def _cell(value: Any) -> Any:
    """Format lists, properties and truth as JSON, in one cell."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict, bool)) else value
