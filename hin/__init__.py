"""Heterogeneous information networks: documents, terms and metadata as one graph.

>>> import hin
>>> hin.Graph.__name__
'Graph'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hin.errors import HinError

if TYPE_CHECKING:
    from hin.graph import Csr, Graph
    from hin.loading import load, load_into
    from hin.stores.base import Store, open_store
    from hin.stores.opening import open

__all__ = ["Csr", "Graph", "HinError", "Store", "__version__", "load", "load_into", "open", "open_store"]

__version__ = "0.1.0"

# Names are fetched when they are first used, so that `hin --help` does not wait for numpy and Arrow.
_HOMES = {
    "Csr": "hin.graph",
    "Graph": "hin.graph",
    "Store": "hin.stores.base",
    "load": "hin.loading",
    "load_into": "hin.loading",
    "open": "hin.stores.opening",
    "open_store": "hin.stores.base",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hin' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
