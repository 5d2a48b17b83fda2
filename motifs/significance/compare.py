"""Find the instances of a pattern that are more frequent than chance."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Bools, Doubles, Int32, Int64
from motifs.joins.arrays import find_rows
from motifs.joins.compile_plan import compile_plan
from motifs.joins.star import StarPlan
from motifs.options import MotifOptions
from motifs.significance.distinct import distinct_counts, distinct_rows
from motifs.significance.rarer import rarer_instances
from motifs.significance.result import Compared, PatternSignificance, Significance, benjamini_hochberg
from motifs.significance.shuffles import Shuffles
from motifs.significance.stars import Shuffled

if TYPE_CHECKING:
    from motifs.joins.sorted_edges import Columns
    from motifs.table import MotifTable


def compare_with_chance(table: MotifTable, columns: Columns) -> Significance:
    """Compare the instances of a table with chance.

    Examples
    --------
    >>> from motifs import match
    >>> from motifs.joins.sorted_edges import Columns
    >>> from motifs.samples import tiny_graph
    >>> table = match(tiny_graph(), "author-author", min_count=3)
    >>> found = compare_with_chance(table, Columns(tiny_graph()))
    >>> found.documents.tolist(), found.expected.round(2).tolist(), found.method
    ([3], [1.2], 'Poisson')
    """
    pattern = table.pattern
    if not pattern.is_star:
        return _by_shuffles(table, columns)
    if len(pattern.fields) > 1:
        return _in_closed_form(table, columns)
    degrees = columns.degrees(pattern.fields[0])
    counted, ones = degrees[table.parts[:, 0]], np.ones(len(table))  # the null model preserves the degrees
    whole = PatternSignificance(len(table), float(len(table)), 0.0, 1.0)
    return Significance(counted, counted.astype(np.float64), ones, ones, 0 * ones, "degrees", whole)


def _in_closed_form(table: MotifTable, columns: Columns) -> Significance:
    pattern, least = table.pattern, min(2, table.min_count)
    plan = StarPlan(pattern, columns, MotifOptions(least, table.max_per_document))
    keep = np.ones(len(columns.graph), dtype=np.bool_)
    keep[plan.estimate().skipped] = False
    documents = _counted(table, keep)
    rare, few = rarer_instances(plan, keep, table.min_count)
    tested = documents >= table.min_count
    # an instance in one document carries no information but that it occurs: q needs only how many of them there are
    pairs = StarPlan(pattern, columns, MotifOptions(1)).per_document[keep].sum()
    several = int(tested.sum()) + len(rare)
    total = several + (round(pairs) - int(documents[tested].sum() + few.sum()) if least > 1 else 0)
    models = [Shuffled(pattern, field, columns, keep, least) for field in dict.fromkeys(pattern.fields)]
    # p depends on a few numbers only, which most instances share
    own = [documents, *(column for model in models for column in model.draws(table.parts))]
    first, back = distinct_rows(*own)
    others, times = distinct_counts(few, *(column for model in models for column in model.draws(rare)))
    rows = iter([np.concatenate([one[first], other]) for one, other in zip(own, others, strict=True)])
    counts = next(rows)
    compared = [model.compare(counts, *islice(rows, 1 + len(model.inside))) for model in models]
    found = _strictest(compared)
    q = benjamini_hochberg(found.given, total, np.concatenate([np.bincount(back, tested, len(first)), times]))
    method = "hypergeometric" if all(len(model.inside) == 1 for model in models) else "Poisson"
    whole = max((m.whole_pattern(len(table), table.min_count) for m in models), key=lambda w: w.expected)
    return Significance(documents, found.expected[back], found.p[back], q[back], found.error[back], method, whole)


def _counted(table: MotifTable, keep: Bools) -> Int64:
    """Count the documents of each instance that are included."""
    if keep.all():
        return table.incidence.degrees()
    return np.bincount(table.incidence.rows(), keep[table.incidence.targets], len(table)).astype(np.int64)


def _by_shuffles(table: MotifTable, columns: Columns) -> Significance:
    pattern, options = table.pattern, MotifOptions(table.min_count, table.max_per_document)
    family = compile_plan(pattern, columns, replace(options, min_count=1)).run()
    documents = family.incidence.degrees()
    types = dict.fromkeys(edge.type for edge in pattern.edges)
    models = [Shuffles(pattern, kind, columns, options, seed) for seed, kind in enumerate(types)]
    compared, wholes = zip(*(model.compare(family.parts, documents) for model in models), strict=True)
    found = _strictest(list(compared))
    q = benjamini_hochberg(found.given, len(documents))
    rows = _rows_of(family.parts, documents, table)

    def chosen(values: Doubles, other: float) -> Doubles:
        return np.where(rows >= 0, values[rows], other) if len(values) else np.full(len(rows), other)

    figures = (chosen(found.expected, 0.0), chosen(found.p, 1.0), chosen(q, 1.0), chosen(found.error, 0.0))
    counted = chosen(documents.astype(np.float64), 0).astype(np.int64)
    return Significance(counted, *figures, "shuffles", max(wholes, key=lambda w: w.expected))


def _rows_of(family: Int32, documents: Int64, table: MotifTable) -> Int64:
    """Return the position of the table's instances among all; -1 for one whose documents are left out there."""
    rows = np.flatnonzero(documents >= table.min_count)
    if len(rows) == len(table) and np.array_equal(family[rows], table.parts):  # both are sorted
        return rows
    return find_rows(family, table.parts)


def _strictest(found: list[Compared]) -> Compared:
    """For each instance, take the null model that explains it best."""
    best = np.argmax([c.p for c in found], axis=0)
    expected, p, error = (np.choose(best, [getattr(c, name) for c in found]) for name in ("expected", "p", "error"))
    return Compared(expected, p, np.max([c.given for c in found], axis=0), error)
