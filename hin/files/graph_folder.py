"""The names of the files in a graph's folder, and how to recognise such a folder."""

from __future__ import annotations

import re
from pathlib import Path

from hin.stages import STAGES

MANIFEST = "manifest.json"
LOCK = ".lock"
TEMPORARY = ".tmp-"
#: The folder beside the stages for files that can be recomputed from the embedding.
VIEWS = ".views"
#: The folder beside the stages for the log of answers, which nothing removes.
ANSWERS = "answers"
_STAGE = re.compile(f"({'|'.join(STAGES)})-[0-9a-f]{{12}}")


def is_stage_folder(name: str) -> bool:
    """Check whether a name is one that a store gives to a stage's folder.

    Examples
    --------
    >>> is_stage_folder("load-0123456789ab"), is_stage_folder("load-my-thesis12")
    (True, False)
    """
    return _STAGE.fullmatch(name) is not None


def is_temporary(name: str) -> bool:
    """Check whether a name is one that a store gives to unfinished files and folders."""
    return name.startswith(TEMPORARY)


def is_graph_folder(folder: Path) -> bool:
    """Check whether a folder holds a graph, even a damaged one; false if it cannot be read."""
    try:
        if not (folder / MANIFEST).is_file():
            return False
        return any(is_stage_folder(path.name) for path in folder.iterdir())
    except OSError:
        return False


def enclosing_graph(path: Path) -> Path | None:
    """Return the graph's folder that a path lies in, or None.

    A path in a store's temporary folder does not count: the store itself is writing a stage there.

    Examples
    --------
    >>> enclosing_graph(Path("predictions.csv")) is None
    True
    """
    inside = path.name
    for folder in (path.parent.resolve() / path.name).parents:
        if is_graph_folder(folder):
            return None if is_temporary(inside) else folder
        inside = folder.name
    return None
