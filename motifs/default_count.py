"""Choose in how many documents an instance must be when the user does not say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motifs.options import MotifOptions

if TYPE_CHECKING:
    from hin.graph import Graph

#: A corpus of fewer words than this is small: hardly any word of it is in five documents (docs/experiments/recipe.md).
SMALL_CORPUS = 30_000
#: The least number of documents of an instance in a small corpus; the paper's elsewhere.
_IN_SMALL = 2


def default_min_count(graph: Graph) -> int:
    """Return the least number of documents of an instance: fewer where the texts have few words in all.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> default_min_count(tiny_graph())
    2
    """
    return _IN_SMALL if len(graph.tokens.targets) < SMALL_CORPUS else MotifOptions.min_count
