"""Heterogeneous information networks: documents, terms and metadata as one graph.

>>> import hin
>>> hin.Graph.__name__
'Graph'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hin.errors import HinError
from hin.lazy_names import lazy_names

if TYPE_CHECKING:
    from hin.cypher.query import query
    from hin.exchange.export import export
    from hin.graph import Csr, Graph
    from hin.loading import load, load_into
    from hin.stores.base import Store, open_store
    from hin.stores.copying import copy
    from hin.stores.opening import open

__all__ = [
    "Csr",
    "Graph",
    "HinError",
    "Store",
    "__version__",
    "copy",
    "export",
    "load",
    "load_into",
    "open",
    "open_store",
    "query",
]

__version__ = "0.1.0"

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Csr": "hin.graph",
        "Graph": "hin.graph",
        "Store": "hin.stores.base",
        "copy": "hin.stores.copying",
        "export": "hin.exchange.export",
        "load": "hin.loading",
        "load_into": "hin.loading",
        "open": "hin.stores.opening",
        "open_store": "hin.stores.base",
        "query": "hin.cypher.query",
    },
)
