"""Guess the mistake in a query without results on Neo4j, as for folders, from the server's statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.cypher.errors import CypherError
from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import Layout
from hin.cypher.meaning.notes import notes_on
from hin.cypher.meaning.walk import parts_of
from hin.cypher.syntax import tree
from hin.cypher.syntax.parser import parse
from hin.cypher_names import quote

if TYPE_CHECKING:
    import neo4j

#: The number of nodes of each label that are read to find its properties.
LOOKED_AT = 10_000
#: On a database with more labels than any graph of hin, there are no notes, as each label takes a query.
MOST_LABELS = 60


def probable_mistakes(text: str, rows: Sequence[Sequence[Any]], transaction: neo4j.Transaction) -> tuple[str, ...]:
    """Return one line for each probable mistake of a query that found nothing, or that lacks a colon."""
    try:
        query = parse(text)
    except (CypherError, RecursionError):
        return ()
    steps = [part for part in parts_of(query) if isinstance(part, tree.RelationshipPattern)]
    bare = any(step.types is None and step.variable for step in steps)
    if not bare and any(value not in (None, 0, "") and value != [] for row in rows for value in row):
        return ()
    return notes_on(query, _layout(query, steps, transaction))


def correction_for(text: str) -> str | None:
    """Return a replacement for a word that the server could not parse.

    >>> correction_for("MTACH (d) RETURN d")
    'did you mean MATCH?'
    """
    try:
        parse(text)
    except CypherError as error:
        return error.hint if error.hint and not error.hint.startswith("expected") else None
    except RecursionError:
        return None
    return None


def _layout(query: tree.Query, steps: Iterable[tree.RelationshipPattern], transaction: neo4j.Transaction) -> Layout:
    """Lay out the labels of a database, and those relationship types that a query names."""
    layout = Layout()
    labels = [record[0] for record in transaction.run("CALL db.labels()")]
    types = [record[0] for record in transaction.run("CALL db.relationshipTypes()")]
    if len(labels) > MOST_LABELS:
        return layout
    for label in labels:
        found = f"MATCH (n:{quote(label)}) WITH n LIMIT {LOOKED_AT} UNWIND keys(n) AS k RETURN DISTINCT k"
        keys = [record[0] for record in transaction.run(found)]
        layout.add_nodes(label, 1, {key: Column("STRING", list) for key in keys})
    named = {name for step in steps for name in _names(step.types)} | {step.variable for step in steps}
    for name in types:
        if name in named:
            for source, target in _ends(name, labels, transaction):
                layout.add_relationships(name, source, target, 1, lambda: (np.zeros(0), np.zeros(0)), {})
    return layout


def _names(types: tree.LabelExpression | None) -> Iterator[str]:
    if isinstance(types, str):
        yield types
    for part in types[1:] if isinstance(types, tuple) else ():
        yield from _names(part)


def _ends(name: str, labels: list[str], transaction: neo4j.Transaction) -> list[tuple[str, str]]:
    """Return the labels at both ends of a type, which the server knows without reading the relationships."""
    found: list[list[str]] = []
    for arrow in ("-[:{}]->()", "<-[:{}]-()"):
        counts = [f"MATCH (:{quote(label)}){arrow.format(quote(name))} RETURN count(*) AS n" for label in labels]
        answers = transaction.run(" UNION ALL ".join(counts))
        found.append([label for label, record in zip(labels, answers, strict=True) if record[0]])
    return [(source, target) for source in found[0] for target in found[1]]
