"""Views that remember: where a view places documents and instances does not depend on names, keywords or labels.

So it is worth keeping for the next fit of the same documents: other keywords, known labels or shares change what is
learned from a view, never the view. What is kept is found by a fingerprint of everything that shapes it.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.features import Features
from classify.views.base import View
from classify.views.co_occurrence import CooccurrenceView
from classify.views.joint import JointView
from classify.views.tf_idf import TfidfView
from hin.engines.kept_arrays import kept_array

__all__ = ["KeptView", "keeping", "views_folder"]

Floats = npt.NDArray[np.float32]

#: The folder beside the stages of a graph.
FOLDER = ".views"
#: Views that follow from the documents, the embedding and their own numbers alone.
_WORTH_KEEPING = (TfidfView, CooccurrenceView, JointView)


@dataclass(frozen=True, eq=False)
class KeptView:
    """A view whose instances are read from a file where they were placed before; else they are placed, and kept.

    Attributes
    ----------
    view : the view itself; of the joint embedding, which is a file already, only where things stand is kept.
    folder : where its files are; it goes with the documents and the instances, so that another corpus has another.
    """

    view: TfidfView | CooccurrenceView | JointView
    folder: Path

    @property
    def name(self) -> str:
        """The view's name."""
        return self.view.name

    def rows(self, features: Features) -> Any:
        """Return what the view says."""
        return self.view.rows(features)

    def instances(self, features: Features, rng: np.random.Generator, threads: int = 1) -> Floats:
        """Return the view's vectors, from the file if they were made in the same way."""
        if not self.keeps_vectors:
            return self.view.instances(features, rng, threads)
        shape = (len(features.documents), None)
        make = partial(self.view.instances, features, rng, threads)
        return kept_array(self.folder, self.name, self.made_from(rng), shape, make)

    @property
    def keeps_vectors(self) -> bool:
        """Whether its vectors are worth a file: those of the joint embedding have one."""
        return not isinstance(self.view, JointView)

    @property
    def width(self) -> int:
        """The most numbers that a vector has."""
        return self.view.vectors.shape[1] if isinstance(self.view, JointView) else self.view.rank

    def made_from(self, rng: np.random.Generator) -> object:
        """Return what shapes the view and is not told by the folder; the generator must be at its start.

        What it will draw is as much a part of the view as its numbers.
        """
        return "joint" if isinstance(self.view, JointView) else (self.view, rng.bit_generator.state["state"])


def keeping(views: Sequence[View], folder: Path | None) -> list[View]:
    """Return the views, those that are worth it with a memory in a folder.

    >>> views = keeping([TfidfView(), JointView(np.eye(2, dtype=np.float32))], Path("somewhere"))
    >>> [type(view).__name__ for view in views]
    ['KeptView', 'KeptView']
    """
    if folder is None:
        return list(views)
    return [KeptView(view, folder) if isinstance(view, _WORTH_KEEPING) else view for view in views]


def views_folder(workspace: Path, made_from: str) -> Path:
    """Return the folder for what is kept of one embedding's documents and instances; those of others are removed."""
    folder = workspace / FOLDER / made_from
    for other in (workspace / FOLDER).glob("*"):
        if other != folder and not other.is_symlink():
            shutil.rmtree(other, ignore_errors=True)
    return folder
