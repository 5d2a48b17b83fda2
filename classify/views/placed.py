"""Where documents and instances stand in a view, found again where they were placed before."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.features import Features
from classify.documents.stored_rows import StoredRows
from classify.views.base import Space, View
from classify.views.kept import KeptView
from classify.views.placing import place_view
from hin.engines.kept_arrays import mark_of

__all__ = ["placed"]

#: Where documents and instances stand is kept if it takes no more than so many bytes a view.
_ROOM = 128 << 20


def placed(features: Features, view: View, rng: np.random.Generator, threads: int = 1) -> Space:
    """Return where a view places documents and instances (`place_view`); of one that remembers that is kept.

    Where it would take too much room, the view keeps its vectors alone.
    """
    if not isinstance(view, KeptView) or not isinstance(features, FeatureBlocks) or not features.engine.here:
        return place_view(features, view, rng, threads)
    sizes = {"documents": features.n_documents, "instances": len(features.documents)}
    if 4 * view.width * sum(sizes.values()) > _ROOM:
        return place_view(features, view, rng, threads)
    home = view.folder / f"{view.name}-{mark_of(view.made_from(rng))}.placed"
    with suppress(OSError, ValueError):  # none, or one that is not whole: it is made again
        return _opened(home, sizes)
    space = place_view(features, view.view, rng, threads)
    with suppress(OSError):  # a folder that cannot be written is done without
        shutil.rmtree(home, ignore_errors=True)
        view.folder.mkdir(parents=True, exist_ok=True)
        made: Any = space.documents
        made.folder.parent.rename(home)
        return _opened(home, sizes)
    return space


def _opened(home: Path, sizes: dict[str, int]) -> Space:
    found: dict[str, Any] = {name: StoredRows.open(home / name, rows) for name, rows in sizes.items()}
    return Space(**found)
