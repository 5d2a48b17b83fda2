"""Import the public names of packages on first use, from the folder that `hin` itself is in.

So `hin --help` and the option dataclasses need neither numpy nor Arrow, and a user's `classify.py` that comes first on
`sys.path` (a notebook's folder, `python -m hin`, a Spark worker) is not taken for ours.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib import import_module
from os import path
from typing import TYPE_CHECKING, Any

from hin.errors import NameTaken

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

#: The packages installed beside `hin`, from left to right: each uses the ones before it.
_BESIDE = (
    "motifs",
    "embed",
    "classify",
    "cli",
)
#: Old names, which work for one version with a warning.
_RENAMED = {"Lesson": "TrainingData"}
_FOLDER = path.dirname(path.dirname(path.realpath(__file__)))
#: The packages that were checked.
_own: dict[str, ModuleType] = {}


@cache
def homes_of(package: str) -> dict[str, str]:
    """Return the module of each name that a package imports for type checkers alone, so that they are listed once.

    >>> homes_of("hin")["Graph"]
    'hin.graph'
    """
    loader: Any = sys.modules[package].__loader__
    block = next(node for node in ast.parse(loader.get_source(package)).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(node.module) for node in imports for name in node.names}


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's `__getattr__` and `__dir__` for the names that it imports for type checkers alone.

    >>> get, names = lazy_names("hin")
    >>> get("Graph").__name__, "load" in names()
    ('Graph', True)
    """
    if package in _BESIDE[1:]:  # its modules import from the packages on its left
        own_module(_BESIDE[_BESIDE.index(package) - 1])

    def get(name: str) -> Any:
        homes = {} if name.startswith("__") else homes_of(package)
        if _RENAMED.get(name) in homes:
            warnings.warn(f"{package}.{name} is now {package}.{_RENAMED[name]}", FutureWarning, stacklevel=2)
            name = _RENAMED[name]
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        root = homes[name].partition(".")[0]
        if root in _BESIDE:
            own_module(root)
        return getattr(import_module(homes[name]), name)

    return get, lambda: sorted(sys.modules[package].__all__)


def own_module(name: str) -> ModuleType:
    """Import `motifs`, `embed`, `classify` or `cli` as installed with `hin`, and the packages on its left.

    Raises
    ------
    NameTaken
        Another module of that name was imported before, or has been installed over ours.

    >>> own_module("embed").__name__, "motifs" in sys.modules
    ('embed', True)
    """
    for left in _BESIDE[: _BESIDE.index(name)]:
        _import_beside(left)
    return _import_beside(name)


def _import_beside(name: str) -> ModuleType:
    if name in _own and sys.modules.get(name) is _own[name]:
        return _own[name]
    finder = _Beside(name)
    sys.meta_path.insert(0, finder)
    try:
        module = import_module(name)  # not reloaded if it was imported before: then it may be another package's
    except Exception as error:
        if owner := _other_owner(name, _FOLDER):
            raise _taken(name, _FOLDER, owner) from error
        raise
    finally:
        sys.meta_path.remove(finder)
    place = path.realpath(getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), ""))
    folder = path.dirname(place if place.endswith(f"{name}.py") else path.dirname(place))
    # A module that was installed over ours lies in our folder, but imports nothing from hin.
    ours = any(str(getattr(value, "__module__", "")).startswith("hin.") for value in vars(module).values())
    if folder != _FOLDER or not ours:
        raise _taken(name, place, _other_owner(name, folder))
    _own[name] = module
    return module


class _Beside:
    """An import finder for one module: the one of that name in the folder `hin` is in."""

    def __init__(self, name: str) -> None:
        from importlib.machinery import PathFinder

        # Resolved in advance: an import inside the finder would call it again.
        self.spec: ModuleSpec | None = PathFinder.find_spec(name, [_FOLDER])
        self.name = name

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return self.spec if name == self.name else None


def _other_owner(name: str, folder: str) -> str | None:
    """Return the name and version of the other installed package that owns the module in that folder."""
    from importlib.metadata import distributions

    for found in distributions(path=[folder]):
        files = {str(file) for file in found.files or ()}
        if not files.isdisjoint({f"{name}.py", f"{name}/__init__.py"}) and "hin/__init__.py" not in files:
            return f"{found.name} {found.version}"
    return None


def _taken(name: str, place: str, owner: str | None) -> NameTaken:
    whose = f"the package {owner}, in {place}" if owner else place
    remedy = f"install hin-toolkit where {owner} is not" if owner else "rename it, or use it in a process without hin"
    return NameTaken(f"hin needs its own `{name}`, and that name is taken by {whose}", hint=remedy)
