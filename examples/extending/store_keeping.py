"""A store in one file: a folder that keeps the graph that a new one replaces.

Once this module is imported, `--graph kept://papers.hin` works in every command. A store that is no folder implements
the whole of `hin.stores.base.Store`; the tests in `tests/neo4j/test_store_contract.py` show what is expected of it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stores.base import STORES
from hin.stores.folder import FolderStore

SCHEME = "kept"


@STORES.register(SCHEME)
class KeepingStore(FolderStore):
    """A folder whose earlier graphs lie beside it: papers.hin.1, papers.hin.2, and so on."""

    def __init__(self, location: str, model: str | os.PathLike[str] | None = None) -> None:
        super().__init__(location.removeprefix(f"{SCHEME}://"))
        self.location = location  # as it was named, so that messages and the next command name it too

    def beside(self, ending: str) -> str:
        """Return the path of a file that belongs to the graph."""
        return f"{self.root}{ending}"

    def write_graph(self, graph: Graph, *, options: dict[str, Any], progress: Progress = silent) -> Graph:
        """Copy the graph that is there, then replace it as a folder does."""
        if self.exists():
            shutil.copytree(self.root, self._free())
        return super().write_graph(graph, options=options, progress=progress)

    def _free(self) -> Path:
        number = 1
        while (place := Path(f"{self.root}.{number}")).exists():
            number += 1
        return place
