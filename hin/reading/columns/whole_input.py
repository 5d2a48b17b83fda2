"""Checks that need the whole input: columns with a single value, and columns whose values hardly repeat."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from hin.errors import argument
from hin.graph import Graph
from hin.human import shortened
from hin.reading.columns.choose import ColumnChoice
from hin.reading.columns.kinds import find_separator
from hin.reading.columns.same_values import find_repeated_fields
from hin.reading.columns.spellings import find_respellings
from hin.reading.columns.titles import NAMES_DIFFER, UNIQUE_FROM
from hin.reading.dates import PARTS
from hin.reading.fields import FieldSpec

#: A column with fewer values than this is not judged.
CONSTANT_FROM = 10
#: From this share on, documents without text are counted in a note.
MANY_EMPTY = 0.05
#: From this share of distinct values on, a column joins no documents. Numbers and dates repeat by chance, names do not.
NUMBERS_DIFFER = 0.5
_NUMBER = re.compile(r"[-+]?[\d.,:/\sT-]*\d[\d.,:/\s%Z-]*", re.ASCII)


def drop_useless_fields(graph: Graph, guessed: Collection[str]) -> tuple[Graph, list[ColumnChoice]]:
    """Drop the fields that the user did not name and that neither join nor distinguish documents.

    Examples
    --------
    >>> from hin.building.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> rows = range(30)
    >>> batch = RecordBatch(
    ...     [str(i) for i in rows], [("x",) for i in rows],
    ...     {"url": [[f"u{i}"] for i in rows], "status": [["ok"] for i in rows], "year": [[str(i % 3)] for i in rows]},
    ...     [None for i in rows], {}, [("-", i) for i in rows],
    ... )
    >>> graph, decisions = drop_useless_fields(build_graph([batch], ["text"]), ["url", "status", "year"])
    >>> graph.fields, [(decision.column, decision.why) for decision in decisions]
    (('year',), [('url', '30 of its 30 values differ'), ('status', 'it is the same in every document')])
    """
    renames = graph.schema.get("renames", {})
    decisions = []
    dropped, sources = [], []
    same = find_repeated_fields(graph, guessed)
    for name in graph.fields:
        why = (_why_useless(graph, name) if name in guessed else None) or same.get(name)
        if why is not None:
            source = renames.get(name, name)
            change = argument("metadata", f"{FieldSpec(name, source)},*")
            mark = find_separator(graph.names(name).tolist())
            if mark is not None:
                change = f"{argument('separator', mark)} if each is several values, or {change}"
            derived = source.rpartition(".")[2] in PARTS  # a part of a date is better known by its own name
            decisions.append(ColumnChoice(name if derived else source, "left out", why, change))
            dropped.append(name)
            sources.append(source)
    if not dropped:
        return graph, []
    schema = dict(graph.schema)
    schema["kinds"] = {name: kind for name, kind in schema.get("kinds", {}).items() if name not in dropped}
    schema["renames"] = {name: source for name, source in renames.items() if name not in dropped}
    schema["left_out"] = sorted({*schema.get("left_out", ()), *sources})
    reduced = replace(
        graph,
        fields=tuple(name for name in graph.fields if name not in dropped),
        nodes={name: table for name, table in graph.nodes.items() if name not in dropped},
        adjacency={name: edges for name, edges in graph.adjacency.items() if name not in dropped},
        schema=schema,
    )
    return reduced, decisions


def _why_useless(graph: Graph, name: str) -> str | None:
    edges, distinct = graph.edges(name), len(graph.names(name))
    if not edges.n_edges or edges.degrees().max() > 1:
        return None
    if distinct == 1 and edges.n_edges == len(graph) >= CONSTANT_FROM:
        return "it is the same in every document"
    if edges.n_edges < UNIQUE_FROM or distinct < NUMBERS_DIFFER * edges.n_edges:
        return None
    numbers = all(_NUMBER.fullmatch(value) for value in graph.names(name)[:200])
    if distinct < (NUMBERS_DIFFER if numbers else NAMES_DIFFER) * edges.n_edges:
        return None
    return f"{distinct:,} of its {edges.n_edges:,} values differ"


def spelling_notes(graph: Graph) -> list[str]:
    """Return a line for each field that still has one value in several spellings."""
    notes = []
    for name in graph.fields:
        count, pair = find_respellings(graph.names(name).tolist())
        if pair is not None:
            differ = f"{count:,} values of {name} differ" if count > 1 else f"one value of {name} differs"
            notes.append(
                f"{differ} from another only in case, accents or spaces, such as {pair[0]!r} and {pair[1]!r}: "
                "each is a node of its own. If they are one thing, make them one in the file."
            )
    return notes


def empty_text_notes(graph: Graph) -> list[str]:
    """Return a line that counts the documents without text, where they are many.

    Examples
    --------
    >>> import hin
    >>> rows = [{"id": "p1", "text": "Mining graphs", "venue": "KDD"}, {"id": "p2", "text": "", "venue": "KDD"}]
    >>> empty_text_notes(hin.load(rows))
    ['1 of 2 documents have no text in text: only their metadata can label them']
    """
    import pyarrow.compute as pc

    columns = [pc.fill_null(pc.binary_length(column), 0).to_numpy() for column in graph.texts.table.columns]
    empty = int((sum(columns) == 0).sum()) if columns else 0
    if empty < max(1, MANY_EMPTY * len(graph)):
        return []
    return [
        f"{empty:,} of {len(graph):,} documents have no text in {', '.join(graph.texts.fields)}: "
        "only their metadata can label them"
    ]


def joined_notes(graph: Graph, guessed: Collection[str]) -> list[str]:
    """Return a line for each field whose values look like several in one, with the option that splits them.

    Examples
    --------
    >>> from hin.building.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> tags = ["sky, night", "night, stars", "stars, sky", "sky, moon", "moon, night"] * 4
    >>> batch = RecordBatch(
    ...     [str(i) for i in range(20)], [("x",) for i in range(20)], {"tags": [[tag] for tag in tags]},
    ...     [None for i in range(20)], {}, [("-", i) for i in range(20)],
    ... )
    >>> print(*joined_notes(build_graph([batch], ["text"]), ["tags"]))
    5 of 5 values of tags hold a ',', such as 'sky, night': if each is several values, add `separator=','`
    """
    notes = []
    for name in graph.fields:
        values = graph.names(name).tolist() if name in guessed else []
        mark = find_separator(values)
        if mark is not None:
            several = [value for value in values if mark in value]
            example = shortened(several[0], 60)
            notes.append(
                f"{len(several):,} of {len(values):,} values of {name} hold a {mark!r}, such as {example!r}: "
                f"if each is several values, add {argument('separator', mark)}"
            )
    return notes
