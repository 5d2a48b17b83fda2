"""Measure what a pattern adds to its parts: in the words of its documents, and in how often its values meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Doubles, Int32
from motifs.errors import TooManyInstances
from motifs.joins.arrays import find_rows
from motifs.joins.compile_plan import compile_plan
from motifs.matching import match

if TYPE_CHECKING:
    from hin.graph import Graph
    from motifs.discovery.candidates import Candidate
    from motifs.discovery.profiles import Profiles
    from motifs.joins.sorted_edges import Columns
    from motifs.language.pattern import Pattern
    from motifs.options import MotifOptions
    from motifs.significance.result import Significance
    from motifs.table import MotifTable

#: A pattern with more candidates is not tried, or not compared with chance: discovery has to stay cheap.
_MOST_CANDIDATES, _MOST_COMPARED = 500_000_000, 50_000_000
#: The same for patterns that are compared by hundreds of shuffles.
_MOST_SHUFFLED = 200_000


@dataclass(frozen=True)
class Measured:
    """The measurements of a pattern.

    Attributes
    ----------
    specificity, gain : the mean over its (instance, document) pairs.
    specificity_p, gain_p : the probability of at least this value by chance.
    more, excess : the number of instances that are more frequent than chance, and the share of the pairs that chance
        does not explain.
    q : the smallest q; None where the pattern was not compared with chance.
    parts, expected : the instances, and the specificity of each, shrunk.
    """

    pattern: Pattern
    failure: str | None = None
    instances: int = 0
    coverage: float = 0.0
    specificity: float = 0.0
    gain: float = 0.0
    specificity_p: float = 1.0
    gain_p: float = 1.0
    more: int = 0
    excess: float = 0.0
    q: float | None = None
    parts: Int32 | None = None
    expected: Doubles | None = None


def measure(
    graph: Graph,
    candidate: Candidate,
    smaller: Sequence[Measured],
    profiles: Profiles,
    columns: Columns,
    options: MotifOptions,
) -> Measured:
    """Match a pattern and measure it, given the measurements of its parts."""
    pattern = candidate.pattern
    tried = compile_plan(pattern, columns, options).estimate().candidates
    if tried > _MOST_CANDIDATES:
        return Measured(pattern, f"not tried: {tried:.1g} candidates")
    try:
        table = match(graph, pattern, options=options, columns=columns)
    except TooManyInstances:
        return Measured(pattern, "not tried: too many instances for the memory")
    values, expected = profiles.specificity(table.incidence)
    counts = table.documents.astype(np.float64)
    weights = counts / max(1.0, counts.sum())
    gains = values - _best_part(table, candidate, smaller)
    mean, gain = float((values * weights).sum()), float((gains * weights).sum())
    spread = float(np.sqrt(((gains - gain) ** 2 * weights**2).sum())) if smaller else 0.0
    found = Measured(
        pattern,
        instances=len(table),
        coverage=table.coverage,
        specificity=mean,
        gain=gain,
        specificity_p=profiles.probability(mean, counts, weights),
        gain_p=profiles.probability(gain, counts, weights, spread),
        parts=table.parts,
        expected=expected,
    )
    return _against_chance(found, table, columns, options)


def _best_part(table: MotifTable, candidate: Candidate, smaller: Sequence[Measured]) -> Doubles:
    """Return the specificity of each instance's most specific part, 0 if it has none."""
    best = np.full(len(table), -np.inf)
    for (_, columns), part in zip(candidate.parts, smaller, strict=True):
        if part.parts is not None and part.expected is not None and len(part.parts):
            rows = find_rows(part.parts, np.ascontiguousarray(table.parts[:, list(columns)]))
            best = np.maximum(best, np.where(rows >= 0, part.expected[rows], -np.inf))
    return np.where(np.isfinite(best), best, 0.0)


def _against_chance(found: Measured, table: MotifTable, columns: Columns, options: MotifOptions) -> Measured:
    """Add how the instances compare with chance, unless the pattern is one field or too large for that."""
    chance = _significance(table, columns, options)
    if chance is None or not len(chance):
        return found
    more = chance.adds()
    beyond = float((chance.documents - chance.expected)[more].sum() / max(1, chance.documents.sum()))
    return replace(found, more=int(more.sum()), excess=beyond, q=float(chance.q.min()))


def _significance(table: MotifTable, columns: Columns, options: MotifOptions) -> Significance | None:
    pattern, least = table.pattern, 2 if table.pattern.is_star else 1
    tried = compile_plan(pattern, columns, replace(options, min_count=least)).estimate().candidates
    most = _MOST_COMPARED if pattern.is_star else _MOST_SHUFFLED
    if tried > most or (pattern.is_star and len(pattern.fields) == 1):
        return None
    try:
        return table.significance(columns)
    except TooManyInstances:
        return None
