"""Choose the motif patterns that are used when the user names none."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from motifs.options import MotifOptions

if TYPE_CHECKING:
    from hin.graph import Graph

#: Pairs of fields with more candidates per document on average are left out: they cost more than they contribute.
#: `--pattern` adds them.
MOST_PAIRS = 100.0


def default_patterns(
    graph: Graph,
    min_count: int = MotifOptions.min_count,
    takes: Callable[[str, str], bool] | None = None,
) -> list[str]:
    """Return every metadata field, and every pair of fields that is not too frequent.

    Parameters
    ----------
    takes : a predicate of two fields: whether their pair is used, or the field if both are the same; default: all are.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> default_patterns(tiny_graph(), 1)[:4]
    ['author', 'venue', 'year', 'author-author']
    """
    from motifs import Pattern, estimate
    from motifs.joins.sorted_edges import Columns
    from motifs.language.template import quote_name

    takes = takes or (lambda one, other: True)
    options = MotifOptions(min_count=min_count)
    columns, chosen = Columns(graph), []
    for pair in combinations_with_replacement(graph.fields, 2):
        if not takes(*pair):
            continue
        name = Pattern("-".join(map(quote_name, pair))).name
        candidates = estimate(graph, name, options, columns).candidates
        if 0 < candidates <= MOST_PAIRS * max(1, len(graph)):
            chosen.append(name)
    return [*(quote_name(name) for name in graph.fields if takes(name, name)), *chosen]
