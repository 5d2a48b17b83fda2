"""The joint embedding: unit vectors of motif instances and documents, and each instance's specificity."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from embed.vectors import mean_direction
from hin.arrays.types import Floats, Int32, Int64
from hin.errors import DamagedGraph, MissingStage, UnknownName
from hin.files.checked import check_offsets, load_array, read_json, read_table
from hin.files.mapped import release_pages
from hin.node_names import NameTable

_FORMAT = 1
_HEAD = {"format": int, "patterns": [str], "specificity": str}
_ARRAYS = (
    "vectors", "documents", "contexts", "kappa_learned", "kappa_estimated", "weights", "document_counts", "starts",
)  # fmt: skip


class Neighbour(NamedTuple):
    """An instance near a query."""

    name: str
    pattern: str
    cosine: float
    kappa: float
    documents: int


@dataclass(frozen=True, eq=False)
class JointEmbedding:
    """Vectors of motif instances (terms included) and documents in one space, with kappa for every instance.

    Attributes
    ----------
    vectors : float32[instances, dim]
        Unit vectors, numbered as in the `MotifSet`.
    documents : float32[documents, dim]
        Unit vectors folded from the instances with `weights`; they lie in the space of `vectors`.
    contexts : float32[terms, dim]
        Context vectors of the terms in the term table, as trained.
    kappa_learned, kappa_estimated : float32[instances]
        Specificity from SGD and in closed form; `kappa` is the one `specificity` names.
    weights : float32[instances]
        The weight of an instance in a document.
    document_counts : int32[instances]
        Documents of each instance.
    names : NameTable
        Names of the instances; `patterns` and `starts` give the first instance of each pattern.
    """

    vectors: Floats
    documents: Floats
    contexts: Floats
    kappa_learned: Floats
    kappa_estimated: Floats
    weights: Floats
    document_counts: Int32
    names: NameTable
    patterns: tuple[str, ...]
    starts: Int64
    specificity: str = "estimated"
    report: dict[str, Any] | None = None

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return int(self.vectors.shape[1])

    @property
    def kappa(self) -> Floats:
        """The chosen specificity of each instance, at least 0."""
        return self.kappa_estimated if self.specificity == "estimated" else self.kappa_learned

    def __len__(self) -> int:
        return len(self.vectors)

    def __repr__(self) -> str:
        return (
            f"JointEmbedding({len(self.vectors):,} instances, {len(self.documents):,} documents, {self.dim} dimensions)"
        )

    @cached_property
    def centre(self) -> Floats:
        """Mean of the documents: subtract it from documents and instances before comparing them."""
        centre = mean_direction(np.asarray(self.documents))
        release_pages(self.documents)
        return centre

    def index(self, name: str) -> int:
        """Return the number of an instance; a bare word means the term. Unknown names raise with the nearest ones."""
        for spelling in (name, f"TERM[{name}]"):
            found = self.names.get(spelling)
            if found is not None:
                return found
        near = difflib.get_close_matches(name, self.names.head_for_matching(), n=3)
        hint = f"did you mean {', '.join(near)}?" if near else "see `hin motifs` for what there is"
        raise UnknownName(f"no motif instance named {name!r} in the embedding", hint=hint)

    def vector(self, name: str) -> Floats:
        """Return the unit vector of an instance."""
        return np.asarray(self.vectors[self.index(name)])

    def kappa_of(self, name: str) -> float:
        """Return the specificity of an instance."""
        return float(self.kappa[self.index(name)])

    def pattern_of(self, instance: int) -> str:
        """Return the pattern an instance belongs to."""
        return self.patterns[int(np.searchsorted(self.starts, instance, side="right")) - 1]

    def nearest(
        self,
        query: str | npt.ArrayLike,
        k: int = 10,
        pattern: str | None = None,
        min_kappa: float | None = None,
    ) -> list[Neighbour]:
        """Return the instances with the highest cosine to an instance (itself left out) or a vector, best first.

        Parameters
        ----------
        query : str or array
            An instance's name, a bare term, or a vector.
        k : int
            How many.
        pattern : str, optional
            Only instances of this pattern.
        min_kappa : float, optional
            Only instances with at least this specificity.
        """
        itself = self.index(query) if isinstance(query, str) else -1
        target = np.asarray(self.vectors[itself] if isinstance(query, str) else query, dtype=np.float32)
        length = float(np.linalg.norm(target))
        first, last = 0, len(self.vectors)
        if pattern is not None:
            first, last = self._range(pattern)
        cosines = np.asarray(self.vectors[first:last]) @ (target / (length or 1.0))
        allowed = np.ones(last - first, dtype=np.bool_)
        if min_kappa is not None:
            allowed &= np.asarray(self.kappa[first:last]) >= min_kappa
        if first <= itself < last:
            allowed[itself - first] = False
        candidates = np.flatnonzero(allowed)
        order = candidates[np.lexsort((candidates, -cosines[candidates]))][:k] + first
        return [
            Neighbour(
                self.names[i], self.pattern_of(i), float(cosines[i - first]), float(self.kappa[i]),
                int(self.document_counts[i]),
            )
            for i in order.tolist()
        ]  # fmt: skip

    def _range(self, pattern: str) -> tuple[int, int]:
        from motifs import Pattern

        wanted = Pattern(pattern).name
        if wanted not in self.patterns:
            raise UnknownName(f"no pattern {pattern!r} in the embedding", hint=f"it has {', '.join(self.patterns)}")
        at = self.patterns.index(wanted)
        return int(self.starts[at]), int(self.starts[at + 1])

    def infer(self, offsets: npt.ArrayLike, instances: npt.ArrayLike) -> Floats:
        """Compute unit vectors of documents from their instances, folded as the model's own documents were.

        Parameters
        ----------
        offsets, instances : int arrays
            The instances of document i are ``instances[offsets[i]:offsets[i + 1]]``.
        """
        from embed.specificity import fold

        starts, ids = np.asarray(offsets, np.int64), np.asarray(instances, np.int32)
        if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < len(self.vectors):
            raise UnknownName("an instance number is not in the embedding", hint="give numbers from the MotifSet")
        return fold(starts, ids, np.ascontiguousarray(self.weights), np.ascontiguousarray(self.vectors))

    def save(self, path: str | Path) -> None:
        """Write the model into a folder, without pickle; the same model gives the same bytes."""
        import pyarrow as pa

        from hin.stores.graph_files import write_arrow

        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for name in _ARRAYS:
            array = getattr(self, name)
            np.save(folder / f"{name}.npy", np.ascontiguousarray(array), allow_pickle=False)
            release_pages(array)
        write_arrow(folder / "names.arrow", pa.table({"name": self.names.arrow}))
        head = {"format": _FORMAT, "patterns": list(self.patterns), "specificity": self.specificity}
        (folder / "embedding.json").write_text(json.dumps(head, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def open(cls, path: str | Path) -> JointEmbedding:
        """Open what `save` wrote, memory-mapped; raise if the files are inconsistent."""
        folder = Path(path)
        if not (folder / "embedding.json").exists():
            raise MissingStage(f"no embedding at {folder}", hint="run `hin embed` first")
        try:
            head = read_json(folder / "embedding.json", _HEAD, _FORMAT)
            patterns = tuple(map(str, head["patterns"]))
            arrays = _read_arrays(folder, len(patterns))
            names = read_table(folder / "names.arrow", {"name": "large_string"}, rows=len(arrays["vectors"]))
            if head["specificity"] not in ("estimated", "learned"):
                raise ValueError(f"its specificity is {head['specificity']!r}")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedGraph(
                f"{folder} holds no readable embedding ({error})", hint="run `hin embed` again"
            ) from error
        table = NameTable(names.column("name").combine_chunks(), "motif instance")
        return cls(**arrays, names=table, patterns=patterns, specificity=head["specificity"])


def _read_arrays(folder: Path, patterns: int) -> dict[str, Any]:
    """Open the arrays of an embedding and check that their numbers of instances, documents and dimensions agree."""
    vectors = load_array(folder / "vectors.npy", "float32", (None, None))
    n, dim = vectors.shape
    documents = load_array(folder / "documents.npy", "float32", (None, dim))
    starts = load_array(folder / "starts.npy", "int64", (patterns + 1,))
    check_offsets(folder / "starts.npy", starts, n)
    shapes: dict[str, tuple[str, tuple[int | None, ...]]] = {
        "contexts": ("float32", (None, dim)),
        "kappa_learned": ("float32", (n,)),
        "kappa_estimated": ("float32", (n,)),
        "weights": ("float32", (n,)),
        "document_counts": ("int32", (n,)),
    }
    arrays = {name: load_array(folder / f"{name}.npy", *wanted) for name, wanted in shapes.items()}
    return {"vectors": vectors, "documents": documents, "starts": starts, **arrays}


def names_table(names: Sequence[str]) -> NameTable:
    """Return a name table of motif instances."""
    return NameTable.of(names, "motif instance")
