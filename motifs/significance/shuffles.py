"""Compare any other pattern with chance: shuffle the edges of one type, preserving degrees, and match it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Doubles, Int32, Int64
from hin.graph import Csr, ExtraEdges, Graph
from motifs.joins.arrays import find_rows
from motifs.joins.compile_plan import compile_plan
from motifs.joins.sorted_edges import Columns
from motifs.significance.result import Compared, PatternSignificance
from motifs.significance.tails import dispersed_tail

if TYPE_CHECKING:
    from motifs.language.pattern import Pattern
    from motifs.options import MotifOptions

#: The least and the most shuffles of each edge type.
_FEWEST, _MOST = 100, 500
#: Shuffling ends when the standard error of the expected number of instances is below this share of it.
_PRECISE = 0.01
#: Proposed swaps for each edge, before the first shuffled graph and between two.
_MIXED, _BETWEEN = 20, 5


@dataclass(frozen=True)
class Shuffles:
    """The null model of any pattern in which the edges of one type are shuffled, by simulation.

    The mean and the variance of an instance's documents over the shuffles give p, by a negative binomial; the observed
    graph counts as one of them.
    """

    pattern: Pattern
    edge_type: str
    columns: Columns
    options: MotifOptions
    seed: int = 0

    def compare(self, parts: Int32, documents: Int64) -> tuple[Compared, PatternSignificance]:
        """Compare all instances of the pattern, and their number, with chance."""
        once, least = replace(self.options, min_count=1), self.options.min_count
        totals = _Totals(documents)
        for graph in shuffled_graphs(self.columns.graph, self.edge_type, np.random.default_rng(self.seed)):
            found = compile_plan(self.pattern, Columns(graph), once).run()
            totals.add(parts, found.parts, found.incidence.degrees(), least)
            if totals.precise():
                break
        mean, variance = totals.moments()
        p = dispersed_tail(documents, mean, variance)
        given = np.minimum(1.0, p / np.maximum(dispersed_tail(1, mean, variance), 1e-300))
        error = np.sqrt(np.maximum(p * (1 - p), 1 / totals.graphs) / totals.graphs)
        numbers, observed = np.array(totals.instances), int((documents >= least).sum())
        spread = max(float(numbers.var(ddof=1)), float(numbers.mean()) / len(numbers), 1e-9)
        whole = PatternSignificance.of(observed, float(numbers.mean()), spread)
        return Compared(mean, p, given, error), whole


class _Totals:
    """Sums over shuffled graphs, for each observed instance; the observed graph is the first of them."""

    def __init__(self, documents: Int64) -> None:
        self.sums, self.squares = documents.astype(np.float64), documents.astype(np.float64) ** 2
        self.graphs = 0
        self.instances: list[int] = []

    def add(self, parts: Int32, found: Int32, documents: Int64, least: int) -> None:
        rows = find_rows(found, parts)
        counts = np.where(rows >= 0, documents[rows] if len(documents) else 0, 0).astype(np.float64)
        self.sums += counts
        self.squares += counts**2
        self.graphs += 1
        self.instances.append(int((documents >= least).sum()))

    def moments(self) -> tuple[Doubles, Doubles]:
        n = self.graphs + 1
        mean = self.sums / n
        return mean, np.maximum(self.squares / n - mean**2, 0) * n / max(1, n - 1)

    def precise(self) -> bool:
        """Whether the expected number of instances is precise enough."""
        if self.graphs < _FEWEST:
            return False
        numbers = np.array(self.instances)
        return bool(numbers.std(ddof=1) / np.sqrt(len(numbers)) <= _PRECISE * max(numbers.mean(), 1.0))


def shuffled_graphs(graph: Graph, kind: str, rng: np.random.Generator, most: int = _MOST) -> Iterator[Graph]:
    """Yield copies of the graph with the edges of one type shuffled and the degrees of both sides preserved.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> graph = next(shuffled_graphs(tiny_graph(), "author", np.random.default_rng(0)))
    >>> graph.edges("author").degrees().tolist(), graph.edges("author").in_degrees(4).tolist()
    ([2, 3, 2, 1, 2], [3, 3, 3, 1])
    """
    from motifs.significance.swaps_kernel import swap_edges  # with numba, which not every command needs

    extra = graph.extra.get(kind)
    edges = graph.edges(kind) if extra is None else _rows_of(graph, extra)
    rows, targets = edges.rows(), np.array(edges.targets)
    loops = kind not in graph.links and (extra is None or extra.source_type != extra.target_type)
    for number in range(most):
        steps = (_BETWEEN if number else _MIXED) * len(targets)
        if len(targets):
            swap_edges(edges.offsets, rows, targets, rng.integers(0, len(targets), (steps, 2)), loops)
        shuffled = Csr.from_pairs(rows, targets, len(edges))
        if extra is None:
            yield replace(graph, adjacency={**graph.adjacency, kind: shuffled})
        else:
            made = replace(extra, sources=shuffled.rows().astype(np.int32), targets=shuffled.targets, counts=None)
            yield replace(graph, extra={**graph.extra, kind: made})


def _rows_of(graph: Graph, extra: ExtraEdges) -> Csr:
    return Csr.from_pairs(extra.sources, extra.targets, len(graph.names(extra.source_type)))
