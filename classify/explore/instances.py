"""Motif instances for the workbench: patterns with their worth, instances with documents and what they indicate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classify.explore.neighbourhood import picture_node
from classify.fields.worth import explained, sure_labels
from hin.arrays.types import Array, Doubles, Int64
from hin.cypher_names import CypherNames
from hin.errors import BadUsage, UnknownName
from motifs.default_patterns import default_patterns
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.matching import match

if TYPE_CHECKING:
    from classify.explore.session import Session
    from motifs.table import MotifTable

#: The worth of a pattern is estimated on this many documents.
_SAMPLE = 5_000
#: The most documents in the picture of an instance.
_DRAWN = 12


def pattern_records(session: Session) -> list[dict[str, Any]]:
    """Return the patterns of the last run, the most informative first; before the first run, those it would use.

    `worth` is the share of the labels' entropy that a pattern's instances explain on left-out documents.
    """
    if session.snapshot is None:
        found = default_patterns(session.graph, session.options.for_graph(session.graph).motifs.min_count)
        return [{"pattern": name, "instances": None, "worth": None, "coverage": None} for name in [*found, "term"]]
    identity = session.snapshot.identity
    return session.remember(f"patterns {identity}", lambda: _judged_patterns(session))


def _judged_patterns(session: Session) -> list[dict[str, Any]]:
    grounds = session.grounds()
    rows = np.random.default_rng(0).permutation(len(session.graph))[:_SAMPLE]
    labels, counts = sure_labels(np.asarray(grounds.probabilities[np.sort(rows)])), grounds.counts[np.sort(rows)]
    found, starts = [], grounds.facts.starts
    for first, last, pattern in zip(starts, starts[1:], grounds.facts.patterns, strict=False):
        held = counts[:, int(first) : int(last)]
        found.append(
            {
                "pattern": pattern,
                "instances": int(last - first),
                "worth": round(explained(held, labels), 4),
                "coverage": round(float((np.diff(held.indptr) > 0).mean()), 4),
            }
        )
    return sorted(found, key=lambda one: (-float(one["worth"]), one["pattern"]))


def table_of(session: Session, text: str) -> MotifTable:
    """Match a pattern, in the short or the long form; the last one is cached."""
    session.check_graph()
    pattern = Pattern(text)
    pattern.check(session.graph)

    def make() -> MotifTable:
        columns = session.remember("columns", lambda: Columns(session.graph))
        return match(session.graph, pattern, options=session.options.for_graph(session.graph).motifs, columns=columns)

    return session.remember(f"table {pattern.name}", make)


def instance_records(session: Session, text: str, search: str, sort: str, part: slice, chance: bool) -> dict[str, Any]:
    """Return instances of a pattern with documents, kappa, and the category of most of their documents.

    Parameters
    ----------
    sort : by documents, name, share (of the category it indicates), or lift.
    chance : compare with chance, too: expected documents, lift and false discovery rate.
    """
    table = table_of(session, text)
    names = table.names()
    share = _shares(session, table)
    compared = table.significance() if chance else None
    keys: dict[str, Array] = {
        "documents": -table.documents,
        "name": np.zeros(len(table)),
        "share": np.zeros(len(table)) if share is None else -share.max(axis=1),
        "lift": np.zeros(len(table)) if compared is None else -compared.lift,
    }
    if sort not in keys:
        raise BadUsage(f"cannot sort by {sort!r}", hint=f"use {', '.join(keys)}")
    order = np.lexsort((np.arange(len(table)), -table.documents if sort != "name" else keys["name"], keys[sort]))
    folded = search.casefold()
    rows = [int(i) for i in order if folded in names[i].casefold()] if folded else order.tolist()
    grounds = None if session.snapshot is None else session.grounds()
    records = []
    for i in rows[part]:
        record: dict[str, Any] = {"instance": names[i], "documents": int(table.documents[i])}
        if grounds is not None and share is not None:
            at, best = grounds.number.get(names[i]), int(share[i].argmax())
            record |= {
                "kappa": None if at is None else round(float(grounds.facts.kappa[at]), 2),
                "category": grounds.classes[best],
                "share": round(float(share[i, best]), 4),
            }
        if compared is not None:
            record |= {
                key: round(float(getattr(compared, key)[i]), 4) for key in ("expected", "lift", "q")
            }  # fmt: skip
        records.append(record)
    whole = {"pattern": table.pattern.name, "coverage": round(table.coverage, 4), "skipped": len(table.skipped)}
    return {**whole, "total": len(rows), "instances": records}


def _shares(session: Session, table: MotifTable) -> Doubles | None:
    """Return each category's share of each instance's documents, by the probabilities of the last run."""
    if session.snapshot is None:
        return None
    held = table.incidence.to_scipy(len(session.graph)).astype(np.float32)
    inside = held @ np.asarray(session.snapshot.stored.probabilities, dtype=np.float32)
    return np.asarray(inside / np.maximum(table.documents, 1)[:, None], dtype=np.float64)


def instance_rows(session: Session, text: str, instance: str) -> Int64:
    """Return the documents of an instance."""
    table = table_of(session, text)
    at = table.find(instance)
    if at is None:
        raise UnknownName(f"no instance {instance!r} of {table.pattern.name}", hint="choose one of the list")
    return np.asarray(table.incidence.row(at), dtype=np.int64)


def picture_of(session: Session, text: str, instance: str) -> dict[str, Any]:
    """Return an instance with some of its documents as nodes from 0 to 1 and relationships."""
    table, rows = table_of(session, text), instance_rows(session, text, instance)
    at = table.find(instance)
    assert at is not None
    (values,) = table.values_of([at])
    shown, names = rows[:_DRAWN].tolist(), CypherNames.of_graph(session.graph)
    nodes = [
        {**picture_node(session, names.labels[field], value), "x": (i + 1) / (len(values) + 1), "y": 0.5}
        for i, (field, value) in enumerate(zip(table.fields, values, strict=True))
    ]
    for i, row in enumerate(shown):
        above = i % 2 == 0
        nodes.append(
            {
                **picture_node(session, "Document", "", session.graph.documents[row]),
                "x": (i // 2 + 0.5) / max(1, -(-len(shown) // 2)),
                "y": 0.03 + 0.14 * (i // 2 % 2) if above else 0.97 - 0.14 * (i // 2 % 2),
            }
        )
    kinds = [names.relationships[field] for field in table.fields]
    edges = [[len(values) + i, k, kind] for i in range(len(shown)) for k, kind in enumerate(kinds)]
    return {"nodes": nodes, "relationships": edges, "documents": len(rows)}
