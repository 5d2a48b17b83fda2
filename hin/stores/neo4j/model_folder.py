"""Where the vectors and models of a database live by default: in the user's data folder."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlsplit

import platformdirs

from hin.stores.neo4j.connection import Address


def model_folder(address: Address) -> Path:
    """Return the folder of the user's data for the vectors and models of one database.

    >>> model_folder(Address.of("bolt://[::1]/Papers", {})).name, model_folder(Address.of("neo4j://db:7688", {})).name
    ('papers@%3A%3A1-7687', 'neo4j@db-7688')
    """
    server = urlsplit(address.url)
    # Neo4j's names of databases, like hosts, are the same in capitals; the port comes last, so no two share a name.
    database, host = (quote(name.lower(), safe="") for name in (address.database or "neo4j", server.hostname or ""))
    return platformdirs.user_data_path("hin", appauthor=False) / "neo4j" / f"{database}@{host}-{server.port or 7687}"
