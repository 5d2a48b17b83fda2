"""The join plan of a long-form pattern: from the anchor along the edges, one column of bindings per node.

Edges between two bound nodes are looked up, other edges are followed, the one with the smallest fan-out first.
A document that nothing depends on any more is projected away and what becomes equal is merged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hin.engines.base import ranges
from hin.graph import Csr
from hin.progress import Progress, silent
from motifs.joins.arrays import changes, edge_keys, expand, has_edge
from motifs.joins.join_plan import Estimate, Matched, check_memory
from motifs.language.template import Edge

if TYPE_CHECKING:
    from hin.arrays.types import Int32, Int64
    from motifs.joins.sorted_edges import Columns
    from motifs.language.pattern import Pattern
    from motifs.options import MotifOptions

#: How many rows of bindings are processed at once; more are split between two documents.
_BLOCK_ROWS = 1 << 22

_Bindings = dict[int, np.ndarray]


@dataclass(frozen=True)
class _Step:
    """Follow an edge to a new node, or look it up between two bound ones; then drop the columns no longer needed."""

    edge: Edge
    start: int
    end: int
    way: str
    check: bool
    fan_out: float
    drop: tuple[int, ...] = ()


@dataclass
class _Result:
    """Distinct (parts, anchor) rows so far, and the anchors left out."""

    rows: list[Int32] = field(default_factory=list)
    skipped: set[int] = field(default_factory=set)
    nbytes: int = 0
    progress: Progress = silent


@dataclass(frozen=True)
class PathPlan:
    """A plan that extends bindings edge by edge from the anchor."""

    pattern: Pattern
    columns: Columns
    options: MotifOptions
    _known: dict[int, Int64] = field(default_factory=dict)

    def _walk(self, edge: Edge, start: int) -> tuple[Csr, str]:
        """Return the rows by which an edge is followed from one of its ends."""
        way = "any" if not edge.directed else "out" if edge.source == start else "in"
        types = self.pattern.types
        if way == "any" and types[edge.source] != types[edge.target]:
            extra = self.columns.graph.extra[edge.type]
            way = "out" if types[start] == extra.source_type else "in"
        if start == 0 and way == "out" and types[edge.target] == edge.type:
            # an instance's documents all have this node, so a rare one cannot be part of an instance
            return self.columns.rows(edge.type, self.options.min_count), way
        return self.columns.walk(edge.type, way), way

    @cached_property
    def plan(self) -> tuple[_Step, ...]:
        """The edges in the order they are joined."""
        left, bound, steps = list(self.pattern.edges), {0}, []
        while left:
            choices: list[tuple[bool, float, tuple[int, int, str, bool], int, Edge]] = []
            for edge in left:
                key = (edge.source, edge.target, edge.type, edge.directed)
                inside = edge.source in bound and edge.target in bound
                for start in (edge.source, edge.target):
                    if start in bound:
                        choices.append((not inside, 0.0 if inside else self._fan_out(edge, start), key, start, edge))
            _, fan_out, _, start, edge = min(choices, key=lambda c: c[:4])
            end = edge.target if start == edge.source else edge.source
            check = end in bound
            left.remove(edge)
            bound.add(end)
            open_nodes = {n for e in left for n in (e.source, e.target)}
            all_bound = all(n in bound for n in range(self.pattern.n_documents))
            drop = [n for n in range(1, self.pattern.n_documents) if n in bound and n not in open_nodes and all_bound]
            steps.append(_Step(edge, start, end, self._walk(edge, start)[1], check, fan_out, tuple(drop)))
        return tuple(steps)

    def _fan_out(self, edge: Edge, start: int) -> float:
        """Return the average fan-out of an edge.

        From the anchor it is the mean over nodes, from elsewhere the mean over edges.
        """
        degrees = self._walk(edge, start)[0].degrees().astype(np.float64)
        if start == 0:
            return float(degrees.mean()) if len(degrees) else 0.0
        return float((degrees**2).sum() / max(1.0, degrees.sum()))

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the plan, as text."""
        from motifs.language.template_text import variable_names

        names = variable_names(self.pattern.types)
        texts = []
        for step in self.plan:
            arrow = {
                "out": f"-[:{step.edge.type}]->",
                "in": f"<-[:{step.edge.type}]-",
                "any": f"-[:{step.edge.type}]-",
            }
            path = f"({names[step.start]}){arrow[step.way]}({names[step.end]})"
            fan_out = "" if step.check else f", about {step.fan_out:.1f} each"
            texts.append(f"{'look up' if step.check else 'follow'} {path}{fan_out}")
        return tuple(texts)

    def estimate(self) -> Estimate:
        """Estimate the number of rows of bindings: exact for the first edge, by average fan-out after it."""
        first, *rest = self.plan
        per_document = self._walk(first.edge, 0)[0].degrees().astype(np.float64)
        for step in rest:
            if not step.check:
                per_document *= max(step.fan_out, 1e-9)
        estimate = Estimate.of(per_document, self.options, len(self.pattern.fields))
        over = np.flatnonzero(self._walk(first.edge, 0)[0].degrees() > self.options.max_per_document)
        return Estimate(estimate.candidates, estimate.largest, estimate.bytes, over)

    def run(self, progress: Progress = silent) -> Matched:
        """Match the pattern."""
        return self.combine([self.run_range((0, len(self.columns.graph)), progress)])

    def split(self, pieces: int) -> list[tuple[int, int]]:
        """Return ranges of anchor documents, all of one size."""
        total = len(self.columns.graph)
        return ranges(total, max(1, -(-total // pieces)))

    def run_range(self, anchors: tuple[int, int], progress: Progress = silent) -> tuple[Int32, set[int]]:
        """Return the distinct (parts, anchor) rows of a range of anchors, and the anchors left out."""
        result = _Result(progress=progress)
        self._follow({0: np.arange(*anchors, dtype=np.int32)}, 0, result)
        width = len(self.pattern.fields) + 1
        rows = np.concatenate(result.rows) if result.rows else np.empty((0, width), dtype=np.int32)
        return rows, result.skipped

    def combine(self, pieces: list[tuple[Int32, set[int]]]) -> Matched:
        """Return the instances in enough documents, from the rows of all ranges."""
        rows = np.concatenate([piece for piece, _ in pieces])
        skipped = sorted(anchor for _, some in pieces for anchor in some)
        rows = rows[_sorted_order(rows)]
        starts = np.append(np.flatnonzero(changes(*rows.T[:-1])), len(rows))
        counts = np.diff(starts)
        kept = counts >= self.options.min_count
        documents = np.ascontiguousarray(rows[np.repeat(kept, counts), -1])
        parts = np.ascontiguousarray(rows[starts[:-1][kept], :-1])
        return Matched(parts, Csr.from_lengths(counts[kept], documents), np.array(skipped, dtype=np.int64))

    def _follow(self, bound: _Bindings, at: int, result: _Result) -> None:
        """Run the steps from `at` on; too many rows are split between two documents and processed in turn."""
        while at < len(self.plan):
            step = self.plan[at]
            walk, _ = self._walk(step.edge, step.start)
            if step.check:
                found = has_edge(bound[step.start], bound[step.end], self._keys(at))
                bound = {n: column[found] for n, column in bound.items()}
            else:
                degrees = walk.degrees()[bound[step.start]]
                bound, degrees = self._drop_huge_anchors(bound, degrees, result)
                total = int(degrees.sum())
                if total > _BLOCK_ROWS:
                    cut = _find_split(bound[0], degrees)
                    if cut:
                        self._follow({n: column[:cut] for n, column in bound.items()}, at, result)
                        self._follow({n: column[cut:] for n, column in bound.items()}, at, result)
                        return
                origin, reached = expand(bound[step.start], walk)
                bound = {n: column[origin] for n, column in bound.items()} | {step.end: reached}
                bound = self._distinct_nodes(bound, step.end)
            gone = [n for n in step.drop if n in bound]
            if gone and at + 1 < len(self.plan):
                bound = _merged({n: column for n, column in bound.items() if n not in gone})
            at += 1
        self._collect(bound, result)

    def _keys(self, at: int) -> Int64:
        """Return the edges that a step looks up, as sorted keys."""
        if at not in self._known:
            self._known[at] = edge_keys(self._walk(self.plan[at].edge, self.plan[at].start)[0])
        return self._known[at]

    def _drop_huge_anchors(self, bound: _Bindings, degrees: Int64, result: _Result) -> tuple[_Bindings, Int64]:
        """Leave out the anchors that would exceed the limit of rows per document."""
        if not len(degrees):
            return bound, degrees
        base = int(bound[0][0])  # anchors are sorted, so only their range is counted, not all documents
        per_anchor = np.bincount(bound[0] - base, weights=degrees)
        huge = per_anchor > self.options.max_per_document
        if not huge.any():
            return bound, degrees
        result.skipped.update((np.flatnonzero(huge) + base).tolist())
        keep = ~huge[bound[0] - base]
        return {n: column[keep] for n, column in bound.items()}, degrees[keep]

    def _distinct_nodes(self, bound: _Bindings, new: int) -> _Bindings:
        """Keep the rows whose equal-typed nodes are distinct, and one of each set of symmetric assignments."""
        types, first = self.pattern.types, self.pattern.n_documents
        keep = np.ones(len(bound[new]), dtype=np.bool_)
        for other, column in bound.items():
            if other != new and types[other] == types[new]:
                keep &= column != bound[new]
        for small, large in self.pattern.smallest_first:
            if new in (first + small, first + large) and first + small in bound and first + large in bound:
                keep &= bound[first + small] < bound[first + large]
        return bound if keep.all() else {n: column[keep] for n, column in bound.items()}

    def _collect(self, bound: _Bindings, result: _Result) -> None:
        """Convert bindings to distinct (parts, anchor) rows."""
        first = self.pattern.n_documents
        columns = [bound[first + c] for c in range(len(self.pattern.fields))]
        result.rows.append(_distinct_rows(np.stack([*columns, bound[0]], axis=1)))
        result.nbytes += result.rows[-1].nbytes
        if len(bound[0]):
            last, total = int(bound[0].max()) + 1, len(self.columns.graph)
            result.progress(f"joining {self.pattern.name}", last, total)
        check_memory(self.pattern, sum(len(r) for r in result.rows), 2 * result.nbytes, self.options)


def _sorted_order(rows: Int32) -> Int64:
    return np.lexsort(tuple(rows[:, c] for c in reversed(range(rows.shape[1]))))


def _distinct_rows(rows: Int32) -> Int32:
    rows = rows[_sorted_order(rows)]
    return rows[changes(*rows.T)]


def _merged(bound: _Bindings) -> _Bindings:
    """Return each row of bindings once, anchors still in order."""
    nodes = sorted(bound)
    rows = _distinct_rows(np.stack([bound[n] for n in nodes], axis=1))
    return {n: np.ascontiguousarray(rows[:, c]) for c, n in enumerate(nodes)}


def _find_split(anchors: Int32, degrees: Int64) -> int:
    """Find the row at which to split: a change of anchor near half of the work; 0 if there is only one anchor."""
    half = int(np.searchsorted(np.cumsum(degrees), degrees.sum() / 2))
    borders = np.flatnonzero(anchors[1:] != anchors[:-1]) + 1
    return int(borders[np.abs(borders - half).argmin()]) if len(borders) else 0
