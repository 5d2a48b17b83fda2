"""A graph as input of the embedding systems: documents, terms and metadata values as nodes of one numbering."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from classify.comparators.parts.system import Outcome, Task
from hin.arrays.types import Reals


class NumberedNodes(NamedTuple):
    """Documents are nodes 0 to n, then come the values of each kind.

    Attributes
    ----------
    kinds : int8[nodes], 0 for documents; `names` says what the others are (`term`, then the fields).
    edges : CSR, nodes x nodes, both directions.
    seeds : for each category the nodes of its name and keywords.
    """

    documents: int
    kinds: npt.NDArray[np.int8]
    names: tuple[str, ...]
    edges: Any
    seeds: list[tuple[int, ...]]

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.kinds)

    def neighbours(self, kind: int) -> Any:
        """Return the edges that lead to nodes of one kind."""
        from scipy import sparse

        keep = self.kinds[self.edges.indices] == kind
        before = np.concatenate([[0], np.cumsum(keep)])
        shape = self.edges.shape
        return sparse.csr_array((np.ones(int(keep.sum()), np.float32), self.edges.indices[keep],
                                 before[self.edges.indptr]), shape=shape)  # fmt: skip


def nodes_of(task: Task) -> NumberedNodes:
    """Return the nodes: documents, and terms and metadata values in at least `min_count` of them.

    Examples
    --------
    >>> from classify.categories.category_file import Category
    >>> from classify.comparators import Task
    >>> from motifs.samples import tiny_graph
    >>> nodes = nodes_of(Task(tiny_graph(), (Category("web"),), patterns=("venue",), min_count=1))
    >>> nodes.names, nodes.documents == len(tiny_graph()), nodes.neighbours(0).nnz == nodes.edges.nnz // 2
    (('document', 'term', 'venue'), True, True)
    """
    from scipy import sparse

    from classify.comparators.parts.reading import seeds_of

    pipeline = task.pipeline(task.field_names)
    motif_set, findings = pipeline.motifs, pipeline.names.findings
    n, m = len(task.graph), motif_set.n_instances
    one = motif_set.by_document().to_scipy(m)
    edges = sparse.block_array([[None, one], [one.T, None]], format="csr")
    names = ("document", *dict.fromkeys(table.fields[0] for table in motif_set.tables))
    kinds = [np.zeros(n, np.int8)]
    kinds += [np.full(len(table), names.index(table.fields[0]), np.int8) for table in motif_set.tables]
    seeds = [tuple(n + i for i in instances) for instances in seeds_of(findings, motif_set)]
    return NumberedNodes(n, np.concatenate(kinds), names, edges, seeds)


def nearest_names(nodes: NumberedNodes, vectors: Reals, notes: tuple[str, ...] = ()) -> Outcome:
    """Return each document's cosines with the category names (the mean of a name's nodes)."""
    from embed.vectors import unit_rows

    unit = unit_rows(np.asarray(vectors, dtype=np.float32)).astype(np.float64)
    targets = np.stack([unit[list(seeds)].mean(axis=0) for seeds in nodes.seeds])
    targets /= np.maximum(np.linalg.norm(targets, axis=1, keepdims=True), 1e-12)
    return Outcome(np.einsum("dk,ck->dc", unit[: nodes.documents], targets), notes=notes)
