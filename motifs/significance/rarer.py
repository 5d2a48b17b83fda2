"""Count the instances that are in too few documents for a table: q has to take them in too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Bools, Int32, Int64
from motifs.joins.arrays import count_pairs, joined_rows, pairs_within, rows_among

if TYPE_CHECKING:
    from hin.graph import Csr
    from motifs.joins.star import StarPlan

#: With more candidates, pairs are matched in chunks, as longer instances are.
_MOST_PAIRS = 1 << 22


def rarer_instances(plan: StarPlan, keep: Bools, below: int) -> tuple[Int32, Int64]:
    """Return the instances of a plan in fewer than `below` documents, and their numbers of documents.

    Examples
    --------
    >>> from motifs import MotifOptions, Pattern
    >>> from motifs.joins.sorted_edges import Columns
    >>> from motifs.joins.star import StarPlan
    >>> from motifs.samples import tiny_graph
    >>> plan = StarPlan(Pattern("venue-year"), Columns(tiny_graph()), MotifOptions(min_count=2))
    >>> [array.tolist() for array in rarer_instances(plan, np.ones(5, dtype=np.bool_), 3)]
    [[[0, 0]], [2]]
    """
    fields, least = plan.pattern.fields, plan.options.min_count
    if below <= least:
        return np.empty((0, len(fields)), dtype=np.int32), np.empty(0, dtype=np.int64)
    if len(fields) == 2 and plan.estimate().candidates <= _MOST_PAIRS:
        parts, counts = _pairs(plan, keep)
    else:
        found = plan.run()
        parts, counts = list(found.parts.T), found.incidence.degrees()
    rarer = np.flatnonzero(counts < below)
    return np.array([column[rarer] for column in parts]).T, counts[rarer]


def _pairs(plan: StarPlan, keep: Bools) -> tuple[list[Int32], Int64]:
    """Count the documents of each pair of nodes, without listing them."""
    (first, second), columns, least = plan.pattern.fields, plan.columns, plan.options.min_count
    rows, others = rows_among(columns.rows(first, least), keep), columns.rows(second, least)
    if first == second:
        one, two, _ = pairs_within(rows)
    else:
        one, two = _across(rows, others)
    one, two, counts = count_pairs(one, two, columns.n_nodes(second), least)
    return [one, two], counts


def _across(rows: Csr, others: Csr) -> tuple[Int32, Int32]:
    """Return every pair of a node of a row and a node of the same row of the others."""
    if 4 * others.n_edges < rows.n_edges:
        two, one, _ = joined_rows(others.targets, others.rows(), rows)
        return one, two
    if (values := others.degrees()).max(initial=0) > 1:
        one, two, _ = joined_rows(rows.targets, rows.rows(), others)
        return one, two
    held = np.full(len(rows), -1, dtype=np.int32)  # a single-valued field: one value a row
    held[values > 0] = others.targets
    two = np.repeat(held, rows.degrees())
    if (there := two >= 0).all():
        return rows.targets, two
    return np.compress(there, rows.targets), np.compress(there, two)
