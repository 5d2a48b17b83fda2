"""A graph in Neo4j: the connection, every statement, reading, writing, bulk import."""

from __future__ import annotations

import os

from hin.stores.base import STORES, Store

__all__ = ["open_neo4j"]


def open_neo4j(location: str, model: str | os.PathLike[str] | None = None) -> Store:
    """Return the store of a Bolt URL; the server is not contacted yet."""
    # Not at the top: opening a folder does not need the driver.
    from hin.stores.neo4j.store import Neo4jStore

    return Neo4jStore(location, model=model)


for _scheme in ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"):
    STORES.register(_scheme)(open_neo4j)
