"""A graph as a notebook shows it: what is in it, and what became of the columns of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hin.human import plural
from hin.notebook.html_parts import card, details, escaped, lines, table

if TYPE_CHECKING:
    from hin.graph import Graph

#: The number of values, fields and columns that are shown, the most frequent first.
VALUES = 3
FIELDS = 30
COLUMNS = 50


def graph_card(graph: Graph) -> str:
    """Return a graph as HTML; of one in a database only what is known without fetching it.

    Examples
    --------
    >>> import hin
    >>> "Graph: 1 document<" in graph_card(hin.load([{"id": "p1", "text": "On graphs"}]))
    True
    """
    texts = ", ".join(escaped(field) for field in graph.texts.fields) or "nothing"
    title = f"Graph: {plural(len(graph), 'document')}"
    parts = [lines([f"text from {texts}"]), _types(graph)]
    if graph.whole and graph.labels is not None:
        labels = plural(len(graph.labels.names), "true category", "true categories")
        parts.append(lines([f"{labels}, only to evaluate"]))
    if graph.columns:
        parts.append(details(f"What became of {plural(len(graph.columns), 'column')}", _columns(graph)))
    if graph.notes:
        parts.append(details(plural(len(graph.notes), "note"), lines(escaped(note, 400) for note in graph.notes)))
    return card(title, *parts)


def _types(graph: Graph) -> str:
    fields = ("term", *graph.fields)[:FIELDS]
    rows: list[list[Any]]
    if graph.whole:
        rows = [
            [escaped(field), graph.size(field), graph.edges(field).n_edges, _frequent(graph, field)] for field in fields
        ]
        rows += [[escaped(link), None, graph.edges(link).n_edges, "links between documents"] for link in graph.links]
        shown = table(["node type", "nodes", "edges", "most frequent (documents)"], rows)
    else:
        shown = table(["node type", "nodes"], [[escaped(field), graph.size(field)] for field in fields])
    more = len(graph.fields) + 1 - len(fields)
    return shown + (lines([f"and {plural(more, 'more field')}"]) if more else "")


def _frequent(graph: Graph, field: str) -> str:
    from hin.info import most_frequent

    found = most_frequent(graph.edges(field), graph.names(field), VALUES)
    return ", ".join(f"{escaped(entry['value'], 40)} ({entry['documents']:,})" for entry in found)


def _columns(graph: Graph) -> str:
    rows = [
        [
            escaped(one.column),
            escaped(one.use),
            escaped(one.why.replace("`", ""), 200),
            escaped(one.change.replace("`", ""), 200),
        ]
        for one in graph.columns[:COLUMNS]
    ]
    more = len(graph.columns) - len(rows)
    shown = table(["column", "became", "because", "to change it"], rows)
    return shown + (lines([f"and {more:,} more in `graph.columns`"]) if more else "")
