"""`hin.open`: a graph that was saved."""

from __future__ import annotations

import os

from hin.graph import Graph
from hin.reading.columns.stored_remarks import attach_remarks
from hin.stages import FIRST
from hin.stores.base import open_store


def open(location: str | os.PathLike[str] | None = None) -> Graph:
    """Open the graph at a location: a folder, memory-mapped, or a Neo4j database.

    Examples
    --------
    >>> import hin
    >>> hin.open("nowhere.hin")
    Traceback (most recent call last):
    ...
    hin.errors.GraphNotFound: no graph at nowhere.hin; make one with `hin load FILE --graph PATH`, or name another
    """
    store = open_store(location)
    graph, loaded = store.read_graph(), store.stage(FIRST)
    return graph if loaded is None else attach_remarks(graph, loaded.options)
