"""Views: spaces in which documents, motif instances and category names can be compared by cosine.

Each view says where instances are, and how much each counts in a document; documents are the mean of their instances.
What all documents have in common is taken off both. A new view is one new file in this folder (or in another package,
through the entry points `hin.views`) with a function that makes it:

    @VIEWS.register("mine")  # default=5: also where no view is named
    def my_view(source: ViewSource) -> View: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features
from embed.vectors import unit_rows
from hin.arrays.linalg import product
from hin.errors import BadUsage
from hin.registry import Registry

if TYPE_CHECKING:
    from classify.knowledge.asked import Knowledge
    from embed import JointEmbedding
    from motifs import MotifSet

__all__ = [
    "Space",
    "SpectralView",
    "View",
    "ViewMaker",
    "ViewSource",
    "fitting_rank",
    "make_views",
    "place",
    "terms_of",
    "VIEWS",
]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Space:
    """Unit vectors of documents and instances, the documents' mean taken off."""

    documents: Floats
    instances: Floats

    def release(self) -> None:
        """Let go of vectors that lie in files, too."""
        rows: Any
        for rows in (self.documents, self.instances):
            if not isinstance(rows, np.ndarray):
                rows.release()


@runtime_checkable
class View(Protocol):
    """A way to place instances; everything else follows from it.

    A view that follows from the documents, the embedding and the seed alone may have a `cache_key`, which tells it from
    others of its name, and the `width` of its vectors: then it is placed once and found again by the next fit.
    """

    @property
    def name(self) -> str:
        """What the view is called."""

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return a vector for each instance; zeros where the view knows nothing of it."""

    def rows(self, features: Features) -> Any:
        """Return what each instance counts in each document: CSR, documents x instances."""


class SpectralView:
    """A view by singular vectors of the documents: it follows from its own numbers, and is cached under them."""

    rank: int

    @property
    def cache_key(self) -> str:
        """All its numbers."""
        return repr(self)

    @property
    def width(self) -> int:
        """The most numbers that a vector has."""
        return self.rank


def place(features: Features, vectors: Floats, rows: Any, threads: int = 1) -> Space:
    """Documents as the mean of their instances by `rows`, centred; unknown instances as the mean of their documents.

    >>> from scipy import sparse
    >>> counts = sparse.csr_array(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32))
    >>> features = Features(counts, np.ones(2, bool), np.ones(2, dtype=np.float32))
    >>> space = place(features, np.eye(2, dtype=np.float32), features.unit)
    >>> (space.documents[0] @ space.documents[2]).round(3)
    np.float32(-1.0)
    """
    units = unit_rows(vectors)
    documents = unit_rows(product(rows, vectors, threads))
    centre = documents.mean(axis=0, dtype=np.float64).astype(np.float32)
    unknown = np.flatnonzero(~units.any(axis=1))
    centred = unit_rows(units - centre)
    if len(unknown):
        part = features.unit[:, unknown].T.tocsr()
        centred[unknown] = unit_rows(product(part, unit_rows(documents - centre), threads))
    return Space(unit_rows(documents - centre), centred)


@dataclass(frozen=True, eq=False)
class ViewSource:
    """What a view may be made of, besides the documents.

    Attributes
    ----------
    vectors : float32[instances, dim]
        The joint embedding.
    terms : the terms among the instances, in order.
    first_term : the number of the first of them; they stand side by side.
    knowledge : a pretrained model with the names and the documents' texts, where there is one.
    encoder : a second, slower one, where there is one.
    """

    vectors: Floats
    terms: Sequence[str] = ()
    first_term: int = 0
    knowledge: Knowledge | None = None
    encoder: Knowledge | None = None

    @classmethod
    def of(cls, motif_set: MotifSet, embedding: JointEmbedding) -> ViewSource:
        """Return what the corpus alone gives a view."""
        return cls(np.ascontiguousarray(embedding.vectors, dtype=np.float32), *terms_of(motif_set))


def terms_of(motif_set: MotifSet) -> tuple[list[str], int]:
    """Return the terms among the instances, and the number of the first."""
    table = motif_set.table("term")
    if table is None:
        return [], 0
    return [row[0] for row in table.values_of(np.arange(len(table)))], motif_set.instances_of("term").start


ViewMaker = Callable[[ViewSource], View]

VIEWS: Registry[ViewMaker] = Registry("view", room="classify.views", group="hin.views")
"""The spaces in which documents and names can be compared, by name."""


def make_views(wanted: Iterable[str | View | ViewMaker], source: ViewSource) -> list[View]:
    """Return the views that are wanted: by name, or handed in as an object or as a function that makes one.

    >>> [view.name for view in make_views(["joint", "tf-idf"], ViewSource(np.eye(2, dtype=np.float32)))]
    ['joint', 'tf-idf']
    """
    made: list[View] = []
    for one in wanted:
        if isinstance(one, str):
            made.append(VIEWS.get(one)(source))
        else:
            made.append(one if isinstance(one, View) else one(source))
    names = [view.name for view in made]
    if not made:
        raise BadUsage("there is no view to compare documents and names in", hint=f"name some of {VIEWS.names()}")
    if len(set(names)) < len(names):
        raise BadUsage(f"two views have the same name: {', '.join(names)}", hint="name each view once")
    return made


def fitting_rank(wanted: int, shape: Sequence[int]) -> int:
    """Give small corpora fewer dimensions: a fifth of what there is."""
    return max(1, min(wanted, min(shape) // 5))
