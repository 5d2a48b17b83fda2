"""Compare patterns around one document with chance, in closed form.

One edge type is shuffled at a time, all others stay: so an instance must be more frequent than each of its parts
explains.
Shuffling assigns the edges of a type to the slots of the documents anew: m slots, k(d) of them in document d, of which
a value with n documents takes n. Let S be the number of slots (for r parts of the type: of ordered r-tuples of slots
in one document) in the documents that hold all other parts. Then the number of documents with the whole instance is

- r = 1: hypergeometric, n of m slots with S marked; exact where no document has two values of the type;
- r > 1: Poisson with mean n1 ... nr S / (m (m-1) ... (m-r+1)).

Both neglect that a value takes no two slots of one document; `Significance.error` bounds the effect: at most the
expected number of such clashes, and for Poisson Le Cam's bound as sharpened by Barbour and Hall.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from hin.arrays.types import Array, Bools, Doubles, Int32, Int64
from motifs.joins.arrays import find_rows, rows_among
from motifs.joins.compile_plan import compile_plan
from motifs.language.pattern import Pattern
from motifs.language.template import quote_name
from motifs.options import MotifOptions
from motifs.significance.result import Compared, PatternSignificance
from motifs.significance.tails import hypergeometric_any, hypergeometric_tail, poisson_tail

if TYPE_CHECKING:
    from hin.graph import Csr
    from motifs.joins.sorted_edges import Columns

#: With more distinct means of the possible instances, means that differ by less than 3 % are merged.
_MOST_MEANS = 5_000
#: With more combinations of degrees, similar degrees are merged.
_MOST_SETS = 50_000


class Shuffled:
    """The null model of a pattern around one document in which the edges of one type are shuffled.

    Parameters
    ----------
    pattern : Pattern
        One document joined to each part.
    field : str
        The type of edges that is shuffled.
    columns : Columns
    keep : bool array
        The documents that are included.
    least : int
        Instances of the other parts in fewer documents are ignored.
    """

    def __init__(self, pattern: Pattern, field: str, columns: Columns, keep: Bools, least: int) -> None:
        self.inside = [c for c, kind in enumerate(pattern.fields) if kind == field]
        self.others = [c for c, kind in enumerate(pattern.fields) if kind != field]
        self._columns, self._keep = columns, keep
        edges = rows_among(columns.graph.edges(field), keep)
        sizes, r = edges.degrees().astype(np.float64), len(self.inside)
        self.single = bool(sizes.max(initial=0) <= 1)
        self.degrees = columns.degrees(field) if keep.all() else edges.in_degrees(columns.n_nodes(field))
        self._places = sizes.sum()
        self._tuples = prod((np.maximum(sizes - i, 0) for i in range(1, r)), start=sizes)
        self._all_tuples = max(1.0, prod(self._places - i for i in range(r)))
        self._clash = (sizes * (sizes - 1)).sum() / max(1.0, self._places * (self._places - 1)) / 2
        names = [pattern.fields[c] for c in self.others]
        self._others, self.marked = self._sums(names, least)

    def _sums(self, names: Sequence[str], least: int) -> tuple[Int32, Doubles]:
        """Return the instances of the other parts, and the number of slots in the documents of each."""
        if not names:
            return np.zeros((1, 0), dtype=np.int32), np.array([self._tuples.sum()])
        if len(names) == 1:
            n = self._columns.n_nodes(names[0])
            return np.arange(n, dtype=np.int32)[:, None], self._slots_of(names[0])
        pattern = Pattern("-".join(quote_name(name) for name in names))
        found = compile_plan(pattern, self._columns, MotifOptions(min_count=least)).run()
        documents: Csr = found.incidence
        weights = self._tuples[documents.targets] * self._keep[documents.targets]
        return found.parts, _sum_by(documents.rows(), weights, len(documents))

    def _slots_of(self, field: str) -> Doubles:
        """Return, for each node of a field, the number of slots in its documents."""
        slots = self._tuples * self._keep
        if (slots == 1).all():
            return self._columns.degrees(field).astype(np.float64)
        edges = self._columns.graph.edges(field)
        # a product with the transposed matrix
        entries = (np.ones(edges.n_edges), edges.targets, edges.offsets.astype(edges.targets.dtype))
        found: Doubles = sparse.csc_array(entries, shape=(self._columns.n_nodes(field), len(edges))) @ slots
        return found

    def draws(self, parts: Int32) -> tuple[Array, ...]:
        """Compute the parameters of the instances' null distributions, besides their numbers of documents.

        These are the slots in the documents of the other parts, and the degrees of the parts whose edges are shuffled.
        """
        if not self.others:
            marked = np.broadcast_to(self.marked, len(parts))
        elif len(self.others) == 1:
            marked = self.marked[parts[:, self.others[0]]]
        else:
            row = find_rows(self._others, np.ascontiguousarray(parts[:, self.others]))
            marked = np.where(row >= 0, self.marked[row], 0.0)
        degrees = [self.degrees[parts[:, c]] for c in self.inside]
        if len(degrees) == 2:
            return marked, np.minimum(*degrees), np.maximum(*degrees)
        return marked, *np.sort(degrees, axis=0)

    def compare(self, documents: Int64, marked: Doubles, *degrees: Int64) -> Compared:
        """Compare instances with chance, given their numbers of documents and their `draws`."""
        drawn = np.ones(len(documents))
        for degree in degrees:
            drawn = drawn * degree
        p = self._tail(documents, marked, drawn)
        given = np.where(documents > 0, p / np.maximum(self._occurs(marked, drawn), 1e-300), 1.0)
        expected = marked * drawn / self._all_tuples
        clashes = sum(degree * (degree - 1) for degree in degrees) * self._clash
        largest = drawn * (self._tuples.max(initial=0) / self._all_tuples) if len(degrees) > 1 else 0.0
        error = np.minimum(1.0, clashes + np.minimum(expected, 1.0) * largest)
        return Compared(expected, p, np.minimum(given, 1.0), error)

    def _tail(self, count: npt.ArrayLike, marked: Doubles, drawn: Doubles) -> Doubles:
        if len(self.inside) == 1:
            return hypergeometric_tail(count, self._places, marked, drawn)
        return poisson_tail(count, marked * drawn / self._all_tuples)

    def _occurs(self, marked: Doubles, drawn: Doubles) -> Doubles:
        """Compute the probability that an instance is in any document."""
        if len(self.inside) == 1:
            return hypergeometric_any(self._places, marked, drawn)
        return poisson_tail(1, marked * drawn / self._all_tuples)

    def whole_pattern(self, observed: int, least: int) -> PatternSignificance:
        """Compare the number of instances in at least `least` documents with its expectation."""
        degrees, numbers = np.unique(self.degrees[self.degrees >= least], return_counts=True)
        drawn, ways = _sets(degrees.astype(np.float64), numbers.astype(np.float64), len(self.inside))
        marked, several = np.unique(self.marked[self.marked >= least], return_counts=True)
        times = several.astype(np.float64)
        if len(drawn) * len(marked) > _MOST_MEANS:  # the error is of the second order, below .1 %
            (drawn, ways), (marked, times) = _binned(drawn, ways), _binned(marked, times)
        share = self._tail(least, marked[:, None], drawn[None, :])
        weight = times[:, None] * ways[None, :]
        return PatternSignificance.of(
            observed, float((share * weight).sum()), float((share * (1 - share) * weight).sum())
        )


def _sets(degrees: Doubles, numbers: Doubles, size: int) -> tuple[Doubles, Doubles]:
    """Return the products of the degrees of all sets of distinct nodes, and the number of sets with each product."""
    if size == 1 or not len(degrees):
        return degrees, numbers
    if size == 2:  # the usual case, without a loop
        upper = np.triu_indices(len(degrees))
        products = np.outer(degrees, degrees)[upper]
        ways = np.where(np.eye(len(degrees)), np.diag(numbers * (numbers - 1) / 2), np.outer(numbers, numbers))[upper]
    else:
        step = 0.01
        while comb(len(degrees) + size - 1, size) > _MOST_SETS:
            step *= 2
            degrees, numbers = _binned(degrees, numbers, step)
        chosen = list(combinations_with_replacement(range(len(degrees)), size))
        products = np.array([degrees[list(some)].prod() for some in chosen])
        ways = np.array([prod(comb(round(numbers[c]), some.count(c)) for c in set(some)) for some in chosen], float)
    values, back = np.unique(products, return_inverse=True)
    return values, _sum_by(back, ways, len(values))


def _binned(values: Doubles, times: Doubles, step: float = 0.03) -> tuple[Doubles, Doubles]:
    """Merge values that differ by less than a share into their weighted mean; those that occur no time are left out.

    >>> [part.tolist() for part in _binned(np.array([1.0, 1.01, 50.0]), np.array([1.0, 1.0, 0.0]))]
    [[1.005], [2.0]]
    """
    values, times = values[times > 0], times[times > 0]
    bins, back = np.unique(np.round(np.log(values) / step), return_inverse=True)
    weight = _sum_by(back, times, len(bins))
    return _sum_by(back, values * times, len(bins)) / weight, weight


def _sum_by(groups: npt.NDArray[np.integer], values: Doubles, n_groups: int) -> Doubles:
    found: Doubles = np.bincount(groups, weights=values, minlength=n_groups).astype(np.float64, copy=False)
    return found
