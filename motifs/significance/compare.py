"""Find the instances of a pattern that are more frequent than chance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from motifs.joins.arrays import find_rows
from motifs.joins.compile_plan import compile_plan
from motifs.joins.star import StarPlan
from motifs.significance.result import Compared, PatternSignificance, Significance, benjamini_hochberg
from motifs.significance.shuffles import Shuffles
from motifs.significance.stars import Shuffled

if TYPE_CHECKING:
    from hin.graph import Int32, Int64
    from motifs.joins.sorted_edges import Columns
    from motifs.language.pattern import Pattern
    from motifs.options import MotifOptions

__all__ = ["compare_with_chance"]


def compare_with_chance(pattern: Pattern, parts: Int32, columns: Columns, options: MotifOptions) -> Significance:
    """Compare the instances of a pattern, as matched with some options, with chance.

    Examples
    --------
    >>> from motifs import MotifOptions, Pattern, match
    >>> from motifs.joins.sorted_edges import Columns
    >>> from motifs.samples import tiny_graph
    >>> table = match(tiny_graph(), "author-author", min_count=3)
    >>> found = compare_with_chance(table.pattern, table.parts, Columns(tiny_graph()), MotifOptions(min_count=3))
    >>> found.documents.tolist(), found.expected.round(2).tolist(), found.method
    ([3], [1.2], 'Poisson')
    """
    if not pattern.is_star:
        return _by_shuffles(pattern, parts, columns, options)
    if len(pattern.fields) > 1:
        return _in_closed_form(pattern, parts, columns, options)
    degrees = columns.graph.edges(pattern.fields[0]).in_degrees(columns.n_nodes(pattern.fields[0]))
    counted, ones = degrees[parts[:, 0]], np.ones(len(parts))  # the null model preserves the degrees
    whole = PatternSignificance(len(parts), float(len(parts)), 0.0, 1.0)
    return Significance(counted, counted.astype(np.float64), ones, ones, 0 * ones, "degrees", whole)


def _in_closed_form(pattern: Pattern, parts: Int32, columns: Columns, options: MotifOptions) -> Significance:
    least = min(2, options.min_count)
    family = StarPlan(pattern, columns, replace(options, min_count=least)).run()
    documents = family.incidence.degrees()
    keep = np.ones(len(columns.graph), dtype=np.bool_)
    keep[family.skipped] = False
    # an instance in one document carries no information but that it occurs: q needs only how many of them there are
    pairs = StarPlan(pattern, columns, replace(options, min_count=1)).per_document[keep].sum()
    total = len(documents) + (round(pairs) - int(documents.sum()) if least > 1 else 0)
    models = [Shuffled(pattern, field, columns, keep, least) for field in dict.fromkeys(pattern.fields)]
    found = _strictest([model.compare(family.parts, documents) for model in models])
    whole = max((m.whole_pattern(len(parts), options.min_count) for m in models), key=lambda w: w.expected)
    method = "hypergeometric" if all(len(model.inside) == 1 for model in models) else "Poisson"
    return _chosen(found, documents, _rows_of(family.parts, documents, parts, options), total, (method, whole))


def _by_shuffles(pattern: Pattern, parts: Int32, columns: Columns, options: MotifOptions) -> Significance:
    family = compile_plan(pattern, columns, replace(options, min_count=1)).run()
    documents = family.incidence.degrees()
    types = dict.fromkeys(edge.type for edge in pattern.edges)
    models = [Shuffles(pattern, kind, columns, options, seed) for seed, kind in enumerate(types)]
    compared, wholes = zip(*(model.compare(family.parts, documents) for model in models), strict=True)
    whole = max(wholes, key=lambda w: w.expected)
    rows = _rows_of(family.parts, documents, parts, options)
    return _chosen(_strictest(list(compared)), documents, rows, len(documents), ("shuffles", whole))


def _rows_of(family: Int32, documents: Int64, parts: Int32, options: MotifOptions) -> Int64:
    """Return the position of the instances among all; -1 for one whose documents are left out there."""
    rows = np.flatnonzero(documents >= options.min_count)
    if len(rows) == len(parts) and np.array_equal(family[rows], parts):  # both are sorted
        return rows
    return find_rows(family, parts)


def _strictest(found: list[Compared]) -> Compared:
    """For each instance, take the null model that explains it best."""
    best = np.argmax([c.p for c in found], axis=0)
    expected, p, error = (np.choose(best, [getattr(c, name) for c in found]) for name in ("expected", "p", "error"))
    return Compared(expected, p, np.max([c.given for c in found], axis=0), error)


def _chosen(
    found: Compared, documents: Int64, rows: Int64, total: int, rest: tuple[str, PatternSignificance]
) -> Significance:
    """Select the instances of a table by their rows; one that is not among them counts as chance."""

    def chosen(values: npt.NDArray[np.float64], other: float) -> npt.NDArray[np.float64]:
        return np.where(rows >= 0, values[rows], other) if len(values) else np.full(len(rows), other)

    counted = chosen(documents.astype(np.float64), 0).astype(np.int64)
    q = benjamini_hochberg(found.given, total)
    figures = (chosen(found.expected, 0.0), chosen(found.p, 1.0), chosen(q, 1.0), chosen(found.error, 0.0))
    return Significance(counted, *figures, *rest)
