"""Store the decisions and notes of a load with the graph, so that they can be read when it is opened later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from hin.graph import Graph
from hin.reading.columns.choose import ColumnChoice

_PARTS = tuple(part.name for part in fields(ColumnChoice))


def stored_remarks(
    decisions: Iterable[ColumnChoice], notes: Sequence[str], before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Convert decisions and notes to the form in which the stage `load` stores them in its options.

    Parameters
    ----------
    before : the stored remarks of the load that is appended to; its decisions stay, its notes are replaced.
    """
    earlier = _decisions((before or {}).get("columns"))
    known = {decision.column for decision in earlier}
    every_decision = [*earlier, *(decision for decision in decisions if decision.column not in known)]
    return {"columns": [asdict(decision) for decision in every_decision], "notes": list(notes)}


def attach_remarks(graph: Graph, loaded: Mapping[str, Any]) -> Graph:
    """Attach the stored decisions and notes of a load to its graph.

    Malformed ones are left out: remarks that cannot be read must not keep a graph from being opened.

    Examples
    --------
    >>> import hin
    >>> remarks = stored_remarks([ColumnChoice("city", "left out", "it is empty", "`metadata='city,*'`")], ["a note"])
    >>> graph = attach_remarks(hin.load([{"id": "p1", "text": "On graphs"}]), remarks)
    >>> graph.columns[0].use, graph.notes
    ('left out', ('a note',))
    """
    notes = loaded.get("notes")
    graph.columns = _decisions(loaded.get("columns"))
    graph.notes = tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else ()
    return graph


def _decisions(rows: Any) -> tuple[ColumnChoice, ...]:
    shaped = (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
    made: Iterable[dict[str, Any]] = ({part: row.get(part) for part in _PARTS} for row in shaped)
    return tuple(ColumnChoice(**row) for row in made if all(isinstance(value, str) for value in row.values()))
