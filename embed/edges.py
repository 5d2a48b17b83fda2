"""The edges that training samples from: document-instance edges and the token order of context windows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hin.graph import Csr

__all__ = ["Edges"]


@dataclass(frozen=True)
class Edges:
    """Document-instance edges and token sequences as arrays; context pairs are never written down.

    Attributes
    ----------
    instance_offsets, instances : int64[documents + 1], int32[n]
        Instances of each document.
    token_offsets, tokens : int64[documents + 1], int32[n]
        Terms of each document in text order, as positions in the term table.
    n_instances : int
        Instances of all patterns.
    term_offset, n_terms : int
        Where the term table starts among the instances, and its length.
    """

    instance_offsets: NDArray[np.int64]
    instances: NDArray[np.int32]
    token_offsets: NDArray[np.int64]
    tokens: NDArray[np.int32]
    n_instances: int
    term_offset: int
    n_terms: int

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.instance_offsets) - 1

    @property
    def n_rows(self) -> int:
        """Rows of the parameter table: instances, then term contexts, then documents."""
        return self.n_instances + self.n_terms + self.n_documents

    def token_counts(self) -> NDArray[np.int64]:
        """Return occurrences of each term."""
        return Csr(self.token_offsets, self.tokens).in_degrees(self.n_terms)

    def instance_degrees(self) -> NDArray[np.int64]:
        """Return documents of each instance."""
        return Csr(self.instance_offsets, self.instances).in_degrees(self.n_instances)

    def document_degrees(self) -> NDArray[np.int64]:
        """Return instances of each document."""
        return np.diff(self.instance_offsets)
