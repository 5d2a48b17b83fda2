"""Views: spaces in which documents, motif instances and category names can be compared by cosine.

Each view gives a vector to every instance, and its weight in each document; a document is the weighted mean of its
instances. Both are centred at the documents' mean. A new view is one new file in this folder (or in another package,
through the entry points `hin.views`) with a function that makes it:

    @VIEWS.register("mine")  # default=5: its position among the default views
    def my_view(source: ViewSource) -> View: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from classify.documents.features import Features
from embed.vectors import unit_rows
from hin.arrays.linalg import product
from hin.arrays.types import Floats
from hin.errors import BadUsage
from hin.registry import Registry

if TYPE_CHECKING:
    from classify.documents.own_vectors import DocumentVectors
    from classify.knowledge.corpus_knowledge import Knowledge
    from embed import JointEmbedding
    from motifs import MotifSet


@dataclass(frozen=True, eq=False)
class Space:
    """Unit vectors of documents and instances, centred at the documents' mean."""

    documents: Floats
    instances: Floats

    def release(self) -> None:
        """Release the memory of vectors that are mapped from files."""
        rows: Any
        for rows in (self.documents, self.instances):
            if not isinstance(rows, np.ndarray):
                rows.release()


@runtime_checkable
class View(Protocol):
    """A space that gives a vector to every instance; those of documents and names follow.

    A view that depends on the documents, the embedding and the seed alone may have a `cache_key`, different from that
    of other views with its name, and the `width` of its vectors. Then its vectors are cached for the next fit.
    A view with an array `documents` places each document by its vector there instead of by its instances.
    """

    @property
    def name(self) -> str:
        """The name of the view."""

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return a vector for each instance; zeros for one that the view does not know."""

    def rows(self, features: Features) -> Any:
        """Return the weight of each instance in each document: CSR, documents x instances."""


class SpectralView:
    """A view of singular vectors of the documents; its parameters are its cache key."""

    rank: int

    @property
    def cache_key(self) -> str:
        """The view with all its parameters."""
        return repr(self)

    @property
    def width(self) -> int:
        """The largest number of dimensions."""
        return self.rank


def place(features: Features, vectors: Floats, rows: Any, threads: int = 1, given: Floats | None = None) -> Space:
    """Compute the vectors of documents and instances in a view, centred at the documents' mean.

    A document is the mean of its instances, weighted by `rows`, or its own vector in `given`. An instance that the view
    does not know is the mean of its documents.

    >>> from scipy import sparse
    >>> counts = sparse.csr_array(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32))
    >>> features = Features(counts, np.ones(2, bool), np.ones(2, dtype=np.float32))
    >>> space = place(features, np.eye(2, dtype=np.float32), features.unit)
    >>> (space.documents[0] @ space.documents[2]).round(3)
    np.float32(-1.0)
    """
    units = unit_rows(vectors)
    documents = unit_rows(product(rows, vectors, threads) if given is None else given)
    centre = documents.mean(axis=0, dtype=np.float64).astype(np.float32)
    unknown = np.flatnonzero(~units.any(axis=1))
    centred = unit_rows(units - centre)
    if len(unknown):
        part = features.unit[:, unknown].T.tocsr()
        centred[unknown] = unit_rows(product(part, unit_rows(documents - centre), threads))
    return Space(unit_rows(documents - centre), centred)


@dataclass(frozen=True, eq=False)
class ViewSource:
    """The inputs of views, besides the documents.

    Attributes
    ----------
    vectors : float32[instances, dim]
        The joint embedding.
    terms : the terms among the instances, in order.
    first_term : the index of the first of them; the others follow it.
    knowledge : a pretrained model with the names and the documents' texts, where there is one.
    encoder : a second, slower one, where there is one.
    given : the user's own vectors of the documents, where there are some.
    """

    vectors: Floats
    terms: Sequence[str] = ()
    first_term: int = 0
    knowledge: Knowledge | None = None
    encoder: Knowledge | None = None
    given: DocumentVectors | None = None

    @classmethod
    def of(cls, motif_set: MotifSet, embedding: JointEmbedding) -> ViewSource:
        """Make the source from the corpus alone, without pretrained models."""
        terms, first = terms_of(motif_set)
        return cls(np.ascontiguousarray(embedding.vectors, dtype=np.float32), terms, first)


def terms_of(motif_set: MotifSet) -> tuple[list[str], int]:
    """Return the terms among the instances, and the index of the first."""
    table = motif_set.table("term")
    if table is None:
        return [], 0
    return [row[0] for row in table.values_of(np.arange(len(table)))], motif_set.instances_of("term").start


ViewMaker = Callable[[ViewSource], View]

VIEWS: Registry[ViewMaker] = Registry("view", package="classify.views", group="hin.views")
"""The spaces in which documents and names can be compared, by name."""


def make_views(wanted: Iterable[str | View | ViewMaker], source: ViewSource) -> list[View]:
    """Make the views that are wanted: each is a name, a view object, or a function that makes one.

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
        raise BadUsage(
            "there is no view to compare documents and names in", hint=f"name some of {', '.join(VIEWS.names())}"
        )
    if len(set(names)) < len(names):
        raise BadUsage(f"two views have the same name: {', '.join(names)}", hint="name each view once")
    return made


def fitting_rank(wanted: int, shape: Sequence[int]) -> int:
    """Return the rank that is wanted, or a fifth of the matrix's smaller side, if that is less."""
    return max(1, min(wanted, min(shape) // 5))
