"""Packages whose public names are imported when they are first used.

`hin --help` and the option dataclasses then need neither numpy nor Arrow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's `__getattr__` and `__dir__`, given the module in which each public name lives.

    >>> get, names = lazy_names("hin", {"Graph": "hin.graph"})
    >>> get("Graph").__name__, "load" in names()
    ('Graph', True)
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return get, lambda: sorted(sys.modules[package].__all__)
