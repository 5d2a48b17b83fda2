"""The interface of a store, the registry of stores, and the function that opens one.

A store is one file (or sub-package) of this package that registers itself with the URL schemes it serves; other
packages offer theirs through the entry points `hin.stores`.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hin.errors import BadUsage
from hin.progress import Progress, silent
from hin.registry import Registry

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stages import Stage

DEFAULT_GRAPH = "graph.hin"
#: The name under which the store for plain paths is registered.
FOLDER = "folder"


class OpensStore(Protocol):
    """The signature of a registered function: makes a store from a location, without reading anything yet."""

    def __call__(self, location: str, model: str | os.PathLike[str] | None = None) -> Store:
        """Open the store at a location; `model` is the local folder for files that the location cannot store."""


#: Stores by the URL scheme they serve, and "folder" for paths.
STORES: Registry[OpensStore] = Registry("kind of store", package="hin.stores", group="hin.stores")


class Database(Protocol):
    """A server that answers Cypher itself, so that queries and motifs run in the database."""

    def read(self, query: str, **parameters: Any) -> list[Any]:
        """Return all records of a small answer."""

    def stream(self, query: str, **parameters: Any) -> Any:
        """Return records one after the other."""

    def session(self, *, write: bool = False, notes: bool = False) -> AbstractContextManager[Any]:
        """Return a session of the driver."""

    def abandon(self) -> Callable[[], None]:
        """Drop a connection whose server does not answer; return a function that closes it once it does."""


class Store(ABC):
    """The interface of every place where a graph can be stored.

    Attributes
    ----------
    location : str
        The path or URL it was opened with.
    database : Database or None
        The server behind it, if there is one that answers Cypher.
    """

    location: str
    database: Database | None = None

    @property
    @abstractmethod
    def name(self) -> str:
        """The graph's name in titles and file names, without its location."""

    @property
    @abstractmethod
    def workspace(self) -> Path:
        """The local folder for files beside the stages: checkpoints, and views that can be recomputed."""

    def scratch(self) -> AbstractContextManager[Path | None]:
        """Return a folder for columns that are too large for memory; None if the store has none of its own."""
        return nullcontext()

    @abstractmethod
    def beside(self, ending: str) -> str:
        """Return the default path of a file beside the graph, for example `.rejected.jsonl`."""

    @abstractmethod
    def exists(self) -> bool:
        """Check whether a complete graph is stored."""

    @abstractmethod
    def read_graph(self, progress: Progress = silent) -> Graph:
        """Open the graph; parts that are not used need not be read."""

    @abstractmethod
    def write_graph(self, graph: Graph, *, options: dict[str, Any], progress: Progress = silent) -> Graph:
        """Replace the graph and return it as it is stored; the results of later stages are removed."""

    @abstractmethod
    def stage(self, name: str) -> Stage | None:
        """Return a stage's result, or None; see `hin.stages`."""

    @abstractmethod
    def write_stage(self, name: str, write: Callable[[Path], None], options: dict[str, Any]) -> None:
        """Write a later stage atomically."""

    @abstractmethod
    def check(self) -> list[str]:
        """Verify the stored files; return one line for each fault."""

    @abstractmethod
    def lock(self) -> AbstractContextManager[None]:
        """Keep other writers out."""

    def shows_findings(self) -> bool:
        """Check whether the store itself holds the findings, for other programs, beside the stages' files."""
        return False

    def show_answers(self) -> None:
        """Show the answers of the log to other programs; a folder's queries read the log itself."""
        return

    def close(self) -> None:
        """Close open connections; a store without any does nothing."""
        return

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(location: str | os.PathLike[str] | None = None, model: str | os.PathLike[str] | None = None) -> Store:
    """Return the store at a location; nothing is read or made yet.

    Parameters
    ----------
    location : path or URL, optional
        Default: the environment's HIN_GRAPH, or `./graph.hin`.
    model : path, optional
        For a graph in a database, the local folder where its vectors live.

    Examples
    --------
    >>> open_store("/home/ann/papers.hin").name, open_store("/home/ann/reviews/graph.hin").name
    ('papers', 'reviews')
    >>> open_store("neo4j://10.0.0.7:7687/papers").name, open_store("bolt+s://db.example.org").name
    ('papers', 'neo4j')
    """
    store = store_at(location, model)
    if model is not None and store.workspace != Path(model):
        raise BadUsage(
            f"{store.location} stores its vectors itself, so {model} would not be used",
            hint="leave `model=` out, which is for a graph in a database",
        )
    return store


def store_at(location: str | os.PathLike[str] | None, model: str | os.PathLike[str] | None = None) -> Store:
    """Open the store at a location; a store that needs no local folder ignores `model`."""
    location = os.fspath(location or os.environ.get("HIN_GRAPH") or DEFAULT_GRAPH)
    scheme, separator, _ = location.partition("://")
    if separator and scheme in STORES.names():
        return STORES.get(scheme)(location, model=model)
    if found := re.match(r"(\w[\w+.-]+):/", location):
        raise BadUsage(
            f"{location} cannot hold a graph: the scheme {found[1]!r} is not known",
            hint="name a folder, or a Neo4j server as neo4j://host:7687/database",
        )
    return STORES.get(FOLDER)(location, model=model)
