"""The body of `hin query`: what it does and what it says."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace
from typing import Any

from hin.commands.arguments import QueryCommand
from hin.console import Console
from hin.cypher.query import QueryResult, query
from hin.errors import BadUsage
from hin.human import plural

__all__ = ["parse_parameters", "run_query"]


def parse_parameters(given: list[str]) -> dict[str, Any]:
    """`name=value` pairs; a value that is JSON is read as JSON, anything else is a string.

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
        except ValueError:
            parameters[name] = value
    return parameters


def run_query(command: QueryCommand, console: Console) -> None:
    """Query, then show the rows."""
    text = sys.stdin.read() if command.text == "-" else command.text
    options = replace(command.options, parameters=parse_parameters(command.parameters))
    with console.progress() as progress:
        result = query(command.graph, text, options, progress=progress)
    _show(result, "json" if console.as_json else command.format, console)
    for note in result.notes:
        console.note(note)
    if result.cut:
        console.note(f"showing the first {plural(len(result.rows), 'row')}; --limit 0 shows all")


def _show(result: QueryResult, shape: str, console: Console) -> None:
    if shape == "json":
        console.json(result.records())
    elif shape == "csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(result.columns)
        writer.writerows([_cell(value) for value in row] for row in result.rows)
        console.line(text.getvalue().rstrip("\n"))
    elif result.columns:
        console.table([[_cell(value) for value in row] for row in result.rows], list(result.columns))


def _cell(value: Any) -> Any:
    """Lists and properties as JSON, in one cell."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value
