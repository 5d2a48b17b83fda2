"""Metadata fields switched on or off in the workbench, as the patterns that `hin classify --pattern` takes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from classify.fields.judging import Judgement
from classify.knowledge.options import CACHE
from motifs.default_patterns import default_patterns
from motifs.language.pattern import Pattern

if TYPE_CHECKING:
    from classify.options import ClassifyOptions
    from hin.graph import Graph
    from hin.stores.base import Store


def judged_fields(store: Store, used: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the worth of each field as the last run estimated it; None if no run has.

    Parameters
    ----------
    used : `StoredClassification.used` of the last run. It has no worth if the user named the patterns; then an earlier
        run's is read from the cache.
    """
    if "fields" in used:
        return list(used["fields"])
    with suppress(OSError, ValueError, KeyError, TypeError):
        file = store.workspace / CACHE / "fields.json"
        return Judgement.of_record(json.loads(file.read_text(encoding="utf-8"))["value"]).as_records()
    return None


def used_fields(options: ClassifyOptions, graph: Graph, worth: Sequence[Mapping[str, Any]] | None) -> set[str]:
    """Return the fields that a run with these options uses.

    Parameters
    ----------
    worth : the worth of each field in the last run (`Judgement.as_records`); None if it was not estimated.
    """
    if options.patterns:
        return {field for text in options.patterns for field in Pattern(text).fields} & set(graph.fields)
    if worth is None:
        return set(graph.fields)
    return {one["field"] for one in worth if one["used"]}


def switched_options(
    options: ClassifyOptions, graph: Graph, fields: Mapping[str, bool], worth: Sequence[Mapping[str, Any]] | None
) -> ClassifyOptions:
    """Return the options after fields were switched: without the patterns of those off, with the patterns of those on.

    >>> from classify.options import ClassifyOptions
    >>> from motifs.samples import tiny_graph
    >>> made = ClassifyOptions(patterns=["venue", "venue-year"])
    >>> switched_options(made, tiny_graph(), {"year": False}, None).patterns
    ['venue']
    >>> switched_options(made, tiny_graph(), {"year": False, "venue": False}, None).patterns
    ['term']
    """
    before = used_fields(options, graph, worth)
    after = {field for field in graph.fields if fields.get(field, field in before)}
    if after == before:
        return options
    # The user's own patterns stay where they can. The defaults are added only for fields that were off before: the user
    # may have left out the other pairs on purpose.
    least = options.for_graph(graph).motifs.min_count
    kept = [text for text in options.patterns if set(Pattern(text).fields) - {"term"} <= after]
    if not options.patterns:
        kept = default_patterns(graph, least, lambda one, other: {one, other} <= after & before)
    new = default_patterns(graph, least, lambda one, other: {one, other} <= after and not {one, other} <= before)
    return replace(options, patterns=[*kept, *new] or ["term"])
