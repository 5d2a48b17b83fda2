"""`Features` computed block by block from a folder, without holding all documents in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from classify.documents.features import Features, Totals, multiplied
from classify.documents.stored_documents import StoredDocuments
from hin.arrays.row_blocks import RowBlocks
from hin.arrays.stored_rows import BLOCK
from hin.arrays.types import Array, Bools, Floats, Int64
from hin.engines.base import Engine
from hin.engines.local import LocalEngine


@dataclass(frozen=True, eq=False)
class _Source:
    """The inputs from which a worker computes the features of a block.

    Attributes
    ----------
    stored : the encoded documents.
    more : counts of instances that pass through other documents, or None.
    """

    stored: StoredDocuments
    single: Bools
    trust: Floats
    more: Any = None
    documents: Int64 | None = None
    damping: Floats | None = None

    def part(self, number: int) -> Features:
        counts = self.stored.counts(number)
        if self.more is not None:
            counts = (counts + self.more[number * BLOCK : (number + 1) * BLOCK]).tocsr()
            counts.sort_indices()
        totals = None if self.documents is None else Totals(self.documents, self.stored.n_documents)
        return Features(counts, self.single, self.trust, totals, self.damping)


class FeatureBlocks(Features):
    """`Features` of documents in a folder.

    `counts`, `weights`, `unit` and `trusted` are `RowBlocks`: they have a shape, return some rows as a matrix, and
    apply a function to every block.

    Parameters
    ----------
    stored : the encoded documents.
    single, trust : of the instances, as in `Features`.
    more : CSR counts of instances that pass through other documents, or None.
    engine : where passes run.
    scratch : a folder that the engine's workers can access, for intermediate files.
    """

    engine: Engine
    scratch: Path

    def __init__(
        self,
        stored: StoredDocuments,
        single: Bools,
        trust: Floats,
        more: Any,
        engine: Engine,
        scratch: Path,
    ) -> None:
        shape = (stored.n_documents, stored.n_instances)
        source = _Source(stored, single, trust, more if more is not None and more.nnz else None)
        first = RowBlocks(partial(_part, engine.share(source)), shape, engine)
        [documents] = first.total(_count, [((stored.n_instances,), "int64")])
        source = replace(source, documents=documents)
        self._hold(source, engine.share(source), engine, scratch)

    def _hold(self, source: _Source, shared: Callable[[], _Source], engine: Engine, scratch: Path) -> None:
        stored = source.stored
        rows = RowBlocks(partial(_kind, shared, "counts"), (stored.n_documents, stored.n_instances), engine)
        assert source.documents is not None
        super().__init__(
            rows, source.single, source.trust, Totals(source.documents, stored.n_documents), source.damping
        )
        self.engine, self.scratch, self._source, self._looked_up = engine, scratch, shared, {}

    def damped(self, factors: Floats) -> FeatureBlocks:
        """Return the features with the weight and the trust of each instance times its factor."""
        source = self._source()
        source = replace(source, trust=source.trust * factors, damping=multiplied(source.damping, factors))
        made = FeatureBlocks.__new__(FeatureBlocks)
        made._hold(source, self.engine.share(source), self.engine, self.scratch)
        return made

    def __reduce__(self) -> Any:
        """Pickle only what a worker needs to read the blocks; its passes run on the worker's own threads."""
        return _restore_blocks, (self._source, self.scratch)

    _source: Callable[[], _Source]
    _looked_up: dict[int, tuple[Int64, Floats]]

    @cached_property
    def parts(self) -> RowBlocks:
        """The blocks as `Features`."""
        return replace(self.counts, read=partial(_part, self._source))  # type: ignore[no-any-return]

    def _rows(self, kind: str) -> RowBlocks:
        return replace(self.counts, read=partial(_kind, self._source, kind))  # type: ignore[no-any-return]

    @property
    def weights(self) -> RowBlocks:
        """(1 + ln tf) · idf."""
        return self._rows("weights")

    @property
    def unit(self) -> RowBlocks:
        """The weights with rows of length 1."""
        return self._rows("unit")

    @property
    def trusted(self) -> RowBlocks:
        """(1 + ln tf) · trust."""
        return self._rows("trusted")

    def look_up(self, instances: Iterable[int]) -> None:
        """Look up the documents of some instances in one pass, for `holders` and `mentions`."""
        wanted = np.array(sorted(set(instances) - set(self._looked_up)), dtype=np.int64)
        if not len(wanted):
            return
        found = list(self.unit.each(_columns, wanted))
        for k, instance in enumerate(wanted.tolist()):
            rows = np.concatenate([part[k][0] for part in found])
            self._looked_up[instance] = (rows, np.concatenate([part[k][1] for part in found]))

    def mentions(self, instance: int) -> tuple[Int64, Floats]:
        """Return the documents that hold an instance, sorted, and its weights in their unit rows."""
        self.look_up([instance])
        return self._looked_up[instance]


def _restore_blocks(shared: Callable[[], _Source], scratch: Path) -> FeatureBlocks:
    made = FeatureBlocks.__new__(FeatureBlocks)
    made._hold(shared(), shared, LocalEngine("local:1"), scratch)
    return made


def _part(source: Callable[[], _Source], number: int) -> Features:
    return source().part(number)


def _kind(source: Callable[[], _Source], kind: str, number: int) -> Any:
    return getattr(source().part(number), kind)


def _count(part: Features, number: int, sums: list[Array]) -> None:
    sums[0] += np.bincount(part.counts.indices, minlength=part.counts.shape[1])


def _columns(unit: Any, number: int, wanted: Int64) -> list[tuple[Int64, Floats]]:
    columns = unit[:, wanted].tocsc()
    columns.sort_indices()
    cuts = columns.indptr
    return [
        (columns.indices[a:b].astype(np.int64) + number * BLOCK, columns.data[a:b])
        for a, b in zip(cuts, cuts[1:], strict=False)
    ]
