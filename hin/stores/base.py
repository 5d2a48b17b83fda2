"""Where a graph lives: one small interface, a folder or a Neo4j database behind it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hin.errors import BadUsage
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stores.stages import Stage

__all__ = ["DEFAULT_GRAPH", "Store", "is_bolt", "name_of", "open_store"]

DEFAULT_GRAPH = "graph.hin"
_BOLT_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


class Store(Protocol):
    """What every place a graph can live in must do."""

    location: str

    def exists(self) -> bool:
        """Whether a whole graph is there."""

    def read_graph(self, progress: Progress = silent) -> Graph:
        """Open the graph; what is not touched need not be read."""

    def write_graph(self, graph: Graph, *, options: dict[str, Any], progress: Progress = silent) -> None:
        """Replace the graph; the results of later stages go with the old one."""

    def stage(self, name: str) -> Stage | None:
        """What a later stage (motifs, embed, classify) left, or None."""

    def write_stage(self, name: str, write: Callable[[Path], None], options: dict[str, Any]) -> None:
        """Write a later stage, all or nothing."""

    def check(self) -> list[str]:
        """Verify what is stored; one line for each fault."""

    def lock(self) -> AbstractContextManager[None]:
        """Keep other writers out."""


def is_bolt(location: str | os.PathLike[str]) -> bool:
    """Whether a location names a database rather than a folder.

    >>> is_bolt("neo4j://localhost:7687"), is_bolt("papers.hin")
    (True, False)
    """
    scheme, separator, _ = os.fspath(location).partition("://")
    return bool(separator) and scheme in _BOLT_SCHEMES


def name_of(location: str | os.PathLike[str]) -> str:
    """What to call the graph at a location in titles and file names, without telling where it lies.

    >>> name_of("/home/ann/papers.hin"), name_of("/home/ann/reviews/graph.hin")
    ('papers', 'reviews')
    >>> name_of("neo4j://10.0.0.7:7687/papers"), name_of("bolt+s://db.example.org")
    ('papers', 'neo4j')
    """
    if is_bolt(location):
        from hin.stores.neo4j.connection import Address

        return Address.of(os.fspath(location)).database or "neo4j"
    path = Path(location).absolute()
    # The default name says nothing; the folder it lies in does.
    return (path.parent.name if path.name == DEFAULT_GRAPH else path.name.removesuffix(".hin")) or "graph"


def open_store(location: str | os.PathLike[str] | None = None, model: str | os.PathLike[str] | None = None) -> Store:
    """The store at a location; nothing is read or made yet.

    Parameters
    ----------
    location : path or Bolt URL, optional
        Default: the environment's HIN_GRAPH, or `./graph.hin`.
    model : path, optional
        For a Neo4j graph, the local folder where its vectors live.

    Examples
    --------
    >>> open_store("papers.hin").location
    'papers.hin'
    """
    location = os.fspath(location or os.environ.get("HIN_GRAPH") or DEFAULT_GRAPH)
    if is_bolt(location):
        from hin.stores.neo4j.store import Neo4jStore

        return Neo4jStore(location, model=model)
    if found := re.match(r"(\w[\w+.-]+):/", location):
        raise BadUsage(
            f"{location} is no place for a graph: {found[1]}: is not known",
            hint="name a folder, or a Neo4j server as neo4j://host:7687/database",
        )
    from hin.stores.folder import FolderStore

    return FolderStore(location)
