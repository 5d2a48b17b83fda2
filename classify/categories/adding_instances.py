"""Removal of uninformative instances: combinations with a value of nearly every document, and stop words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Bools
from hin.files.mapped import map_large, release_pages
from hin.graph import Csr

if TYPE_CHECKING:
    from motifs import MotifSet, MotifTable

#: A value in more than this share of the documents is uninformative.
_NEARLY_ALL = 0.8


def drop_common_parts(motif_set: MotifSet, share: float = _NEARLY_ALL) -> MotifSet:
    """Drop the combinations that include a value of nearly every document.

    `COUNTRY[USA]-KEYWORD[slasher]`, where nine films of ten are from there, would count the keyword twice as evidence
    and be shown as a second reason. Single values stay.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> motifs = match_all(tiny_graph(), ["venue", "venue-year"], min_count=1)
    >>> motifs.n_instances > drop_common_parts(motifs, 0.5).n_instances
    True
    """
    from motifs import MotifSet

    tables = tuple(_informative(table, share) if len(table.fields) > 1 else table for table in motif_set.tables)
    if all(new is old for new, old in zip(tables, motif_set.tables, strict=True)):
        return motif_set
    return MotifSet(tables, motif_set.graph)


def drop_stop_words(motif_set: MotifSet, keep: Collection[str] = ()) -> MotifSet:
    """Drop the terms that are stop words of the corpus's language.

    They are no evidence, only noise in explanations, and would take a third of the training time.

    Parameters
    ----------
    keep : words that stay, because a name or a keyword has them.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> motifs = match_all(tiny_graph(), ["term"], min_count=1)
    >>> drop_stop_words(motifs) is motifs  # nothing but subjects there: no language can be recognised
    True
    """
    from hin.text.languages import language_of, stop_words
    from motifs import MotifSet

    silent = stop_words(language_of(motif_set.graph)) - frozenset(keep)
    names = motif_set.graph.names("term")
    numbers = [number for number in (names.get(word) for word in sorted(silent)) if number is not None]
    if not numbers:
        return motif_set
    tables = []
    for table in motif_set.tables:
        columns = [column for column, kind in enumerate(table.fields) if kind == "term"]
        dropped = np.asarray(np.isin(table.parts[:, columns], numbers).any(axis=1))
        tables.append(_drop_rows(table, dropped) if dropped.any() else table)
    return MotifSet(tuple(tables), motif_set.graph)


def _informative(table: MotifTable, share: float) -> MotifTable:
    graph = table.graph
    common = np.zeros(len(table), dtype=np.bool_)
    for column, kind in enumerate(table.fields):
        if kind not in graph.adjacency:  # a node of another document, or of extra edges
            continue
        held = graph.edges(kind).in_degrees(len(graph.names(kind)))
        common |= held[table.parts[:, column]] > share * len(graph)
    return _drop_rows(table, common) if common.any() else table


def _drop_rows(table: MotifTable, dropped: Bools) -> MotifTable:
    kept = np.flatnonzero(~dropped)
    degrees = table.incidence.degrees()
    targets = map_large(table.incidence.targets[np.repeat(~dropped, degrees)])
    release_pages(table.incidence.targets, targets)
    return replace(table, parts=table.parts[kept], incidence=Csr.from_lengths(degrees[kept], targets), compared=None)
