"""The edges that training samples from: document-instance edges and the token order of context windows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hin.arrays.types import Int32, Int64
from hin.files.mapped import release_pages
from hin.graph import Csr

_ARRAYS = ("instance_offsets", "instances", "token_offsets", "tokens")


@dataclass(frozen=True)
class Edges:
    """Document-instance edges and token sequences as arrays; context pairs are never materialised.

    Attributes
    ----------
    instance_offsets, instances : int64[documents + 1], int32[n]
        Instances of each document.
    token_offsets, tokens : int64[documents + 1], int32[n]
        Terms of each document in text order, as positions in the term table.
    n_instances : int
        Instances of all patterns.
    term_offset, n_terms : int
        The position of the term table among the instances, and its length.
    """

    instance_offsets: Int64
    instances: Int32
    token_offsets: Int64
    tokens: Int32
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

    def token_counts(self) -> Int64:
        """Count the occurrences of each term."""
        return Csr(self.token_offsets, self.tokens).in_degrees(self.n_terms)

    def instance_degrees(self) -> Int64:
        """Count the documents of each instance."""
        return Csr(self.instance_offsets, self.instances).in_degrees(self.n_instances)

    def document_degrees(self) -> Int64:
        """Count the instances of each document."""
        return np.diff(self.instance_offsets)

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder shared with other processes."""
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
        release_pages(self.instances, self.tokens)
        sizes = np.array([self.n_instances, self.term_offset, self.n_terms], np.int64)
        np.save(folder / "sizes.npy", sizes, allow_pickle=False)

    @classmethod
    def open(cls, folder: Path) -> Edges:
        """Open the arrays that `save` wrote, memory-mapped."""
        # Private mappings: numba compiles a second version of a loop for read-only arrays.
        names = {name: folder / f"{name}.npy" for name in _ARRAYS}
        arrays = {name: np.asarray(np.load(path, mmap_mode="c", allow_pickle=False)) for name, path in names.items()}
        n_instances, term_offset, n_terms = np.load(folder / "sizes.npy", allow_pickle=False).tolist()
        return cls(**arrays, n_instances=n_instances, term_offset=term_offset, n_terms=n_terms)
