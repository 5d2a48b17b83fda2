"""The result of training: unit vectors, then the specificity of each instance and the folded documents."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from embed.edges import Edges
from embed.sgd.trainer import Parameters
from embed.specificity import estimate_specificity
from embed.vectors import unit_rows
from hin.arrays.types import Floats
from hin.files.mapped import release_pages


class Learned(NamedTuple):
    """Copies of the trained parameters: instances and documents at unit length, contexts as trained, learned kappas."""

    vectors: Floats
    documents: Floats
    contexts: Floats
    kappa: Floats

    @classmethod
    def of(cls, parameters: Parameters, edges: Edges, dim: int) -> Learned:
        """Copy the rows to store out of a table, which can be released afterwards."""
        n, terms, table = edges.n_instances, edges.n_terms, parameters.table
        instances, documents = (
            unit_rows(part[:, :dim], rounded=True, mapped=True) for part in (table[:n], table[n + terms :])
        )
        return cls(instances, documents, np.ascontiguousarray(table[n : n + terms, :dim]), parameters.kappa)

    def with_specificity(self, edges: Edges, threads: int | None = None) -> Trained:
        """Estimate the specificity of each instance, and fold the documents with it."""
        release_pages(edges.instances, edges.tokens)
        found = estimate_specificity(edges, self.vectors, self.documents, threads)
        return Trained(self.vectors, found.documents, self.contexts, self.kappa, found.kappa, found.weights)


class Trained(NamedTuple):
    """The arrays of a `JointEmbedding` that follow from the edges alone, by the same names."""

    vectors: Floats
    documents: Floats
    contexts: Floats
    kappa_learned: Floats
    kappa_estimated: Floats
    weights: Floats

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder."""
        for name, array in self._asdict().items():
            np.save(folder / f"{name}.npy", array, allow_pickle=False)
            release_pages(array)

    @classmethod
    def open(cls, folder: Path) -> Trained:
        """Open the arrays that `save` wrote, memory-mapped."""
        return cls(*(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in cls._fields))
