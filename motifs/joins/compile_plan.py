"""Choose the join plan of a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motifs.joins.join_plan import JoinPlan
from motifs.joins.paths import PathPlan
from motifs.joins.star import StarPlan

if TYPE_CHECKING:
    from motifs.joins.sorted_edges import Columns
    from motifs.language.pattern import Pattern
    from motifs.options import MotifOptions


def compile_plan(pattern: Pattern, columns: Columns, options: MotifOptions) -> JoinPlan:
    """Choose the joins for a pattern.

    Examples
    --------
    >>> from motifs import MotifOptions, Pattern
    >>> from motifs.joins.sorted_edges import Columns
    >>> from motifs.samples import tiny_graph
    >>> plan = compile_plan(Pattern("author-author"), Columns(tiny_graph()), MotifOptions(min_count=2))
    >>> print(*plan.steps, sep="; ")
    documents of each author; join author after the author before it, keep instances in >= 2 documents
    """
    pattern.check(columns.graph)
    return StarPlan(pattern, columns, options) if pattern.is_star else PathPlan(pattern, columns, options)
