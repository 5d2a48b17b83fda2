"""Rank patterns by use: all combinations of metadata fields, measured without labels (proposed in section 6).

An instance is specific when its documents are about the same topic, that is when their term profiles are more similar
than those of as many random documents. The mean cosine over pairs of different documents has the same expectation for
any number of documents: 0 for a random set, and the part's own value for a random subset of a part's documents. So

- specificity of a pattern: the mean over its (instance, document) pairs;
- gain: specificity minus that of the most specific part of the instance (for one field: minus 0), the parts' values
  shrunk towards their mean according to their noise, else the luckiest part would win;
- worth: coverage x gain, the contribution of the pattern to the average document.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.errors import BadUsage
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent
from motifs.document_profiles import make_profiles
from motifs.errors import TooManyInstances
from motifs.joins.arrays import find_rows
from motifs.joins.compile_plan import compile_plan
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import MAX_NODES, Pattern
from motifs.language.template import quote_name
from motifs.matching import match
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hin.graph import Graph, Int32
    from motifs.document_profiles import Profiles
    from motifs.table import MotifTable

__all__ = ["PatternWorth", "discover"]

#: A pattern with more candidates is not tried: discovery has to stay cheap.
_MOST_CANDIDATES = 500_000_000
#: Below this share of the spread of single pairs, a mean over many pairs is negligible even if significant.
_CHANCE = 0.1
#: Below this share of the best worth, a gain is small even if real.
_SMALL = 0.01

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PatternWorth:
    """The estimated contribution of one pattern.

    Attributes
    ----------
    pattern : str
    instances : int
        In at least the minimum count of documents.
    coverage : float
        Share of documents with an instance.
    specificity : float
        Mean cosine of the documents of an instance: 0 as for random ones, 1 if all are the same.
    gain : float
        How much of it the most specific part does not have already.
    worth : float
        Coverage times gain; the order of the table.
    use : str
        yes, maybe or no.
    why : str
        The reason in words.
    """

    pattern: str
    instances: int
    coverage: float
    specificity: float
    gain: float
    worth: float
    use: str
    why: str

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the pattern combines."""
        return tuple(Pattern(self.pattern).fields)

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary, for JSON and tables."""
        return asdict(self)


@dataclass(frozen=True)
class _Measured:
    """A pattern's measurements before they are compared with the others'."""

    pattern: Pattern
    instances: int
    coverage: float
    specificity: float
    gain: float
    error: float
    noise: float
    parts: Int32
    expected: _Floats
    failure: str | None = None


@shows_progress
def discover(
    graph: Graph,
    max_size: int = 3,
    *,
    fields: Sequence[str] | None = None,
    options: MotifOptions | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[PatternWorth]:
    """Measure every combination of metadata fields up to a size; the most useful come first.

    Parameters
    ----------
    graph : Graph
    max_size : int
        Parts of the largest patterns.
    fields : sequence of str, optional
        The fields to combine; default all metadata fields. `term` may be among them.
    options : MotifOptions, optional
    seed : int
        Seed of the sample from which the profiles are made.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> found = discover(tiny_graph(), max_size=2, options=MotifOptions(min_count=2))
    >>> sorted(worth.pattern for worth in found)[:3]
    ['author', 'author-author', 'author-venue']
    """
    if not 1 <= max_size < MAX_NODES:
        raise BadUsage(f"max size is {max_size}", hint=f"give a number from 1 to {MAX_NODES - 1}")
    chosen = options or MotifOptions()
    names = sorted(graph.fields if fields is None else dict.fromkeys(fields))
    sizes = range(1, max_size + 1)
    total = sum(1 for size in sizes for _ in combinations_with_replacement(names, size))
    progress = progress or silent
    progress("profiles", 0, None)
    profiles, columns = make_profiles(graph, seed), Columns(graph)
    measured: list[_Measured] = []
    before: dict[tuple[str, ...], _Measured] = {}
    done = 0
    for size in sizes:
        level: dict[tuple[str, ...], _Measured] = {}
        for combination in combinations_with_replacement(names, size):
            progress("discovering", done, total, "-".join(combination))
            done += 1
            smaller = [before.get(_without(combination, c)) for c in range(size)] if size > 1 else []
            if any(part is None or part.instances == 0 for part in smaller):
                continue  # an instance's parts are instances too
            found = _measure(graph, combination, [p for p in smaller if p], profiles, columns, chosen)
            level[combination] = found
            measured.append(found)
        before = level
    progress("discovering", total, total)
    best = max((m.coverage * m.gain for m in measured), default=0.0)
    ranked = [_judge(m, profiles.spread, best) for m in measured if m.instances or m.failure]
    order = {"yes": 0, "maybe": 1, "no": 2}
    return sorted(ranked, key=lambda w: (order[w.use], -w.worth, w.pattern))


def _without(combination: tuple[str, ...], position: int) -> tuple[str, ...]:
    return combination[:position] + combination[position + 1 :]


def _measure(
    graph: Graph,
    combination: tuple[str, ...],
    smaller: list[_Measured],
    profiles: Profiles,
    columns: Columns,
    options: MotifOptions,
) -> _Measured:
    pattern = Pattern("-".join(quote_name(name) for name in combination))
    candidates = compile_plan(pattern, columns, options).estimate().candidates
    if candidates > _MOST_CANDIDATES:
        return _failed(pattern, f"not tried: {candidates:.1g} candidates")
    try:
        table = match(graph, pattern, options=options, columns=columns)
    except TooManyInstances:
        return _failed(pattern, "not tried: too many instances for the memory")
    values, expected = profiles.specificity(table.incidence)
    weights = table.documents / max(1, table.documents.sum())
    gains = values - _best_part(table, smaller)
    gain = float((gains * weights).sum())
    error = float(np.sqrt(((gains - gain) ** 2 * weights**2).sum()))
    mean = float((values * weights).sum())
    noise = float(np.sqrt(((values - mean) ** 2 * weights**2).sum()))
    return _Measured(pattern, len(table), table.coverage, mean, gain, error, noise, table.parts, expected)


def _failed(pattern: Pattern, failure: str) -> _Measured:
    empty = np.empty((0, len(pattern.fields)), dtype=np.int32)
    return _Measured(pattern, 0, 0.0, 0.0, 0.0, 0.0, 0.0, empty, np.empty(0), failure)


def _best_part(table: MotifTable, smaller: list[_Measured]) -> _Floats:
    """Return the specificity of each instance's most specific part, 0 if it has none."""
    best = np.full(len(table), -np.inf)
    for position, part in enumerate(smaller):
        rows = find_rows(part.parts, np.ascontiguousarray(np.delete(table.parts, position, axis=1)))
        values = np.where(rows >= 0, part.expected[rows], -np.inf)
        best = np.maximum(best, values)
    return np.where(np.isfinite(best), best, 0.0)


def _judge(found: _Measured, spread: float, best: float) -> PatternWorth:
    """Decide whether to use a pattern, and give the reason."""
    worth = found.coverage * max(found.gain, 0.0)
    single = len(found.pattern.fields) == 1
    if found.failure:
        use, why = "no", found.failure
    elif found.specificity <= max(2 * found.noise, _CHANCE * spread):
        use, why = "no", "no better than chance"
    elif not single and found.gain <= 2 * found.error:
        use, why = "no", "as good as its parts"
    elif worth < _SMALL * best:
        use, why = "maybe", "specific, but adds little"
    elif single:
        use, why = "yes", "its documents are alike"
    else:
        use, why = "yes", "better than its parts"
    coverage, specificity, gain = round(found.coverage, 4), round(found.specificity, 4), round(found.gain, 4)
    return PatternWorth(found.pattern.name, found.instances, coverage, specificity, gain, round(worth, 5), use, why)
