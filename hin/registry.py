"""Named parts that can be added by other packages: learners, views, comparators, file formats, stores, engines.

A part registers itself in the module that defines it; when a name is first needed, the registry imports every module
of its package, and the parts that other packages offer through entry points.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, Generic, TypeVar

from hin.errors import BadUsage

T = TypeVar("T")
Part = TypeVar("Part")


class Registry(Generic[T]):
    """Parts of one kind, by name.

    Parameters
    ----------
    kind : what one part is called in messages.
    package : the package whose modules register parts when they are imported.
    group : the entry points through which other packages offer parts; each names a module or a part in it. Loading
        it must register the part.

    Examples
    --------
    >>> shapes = Registry("shape", package="hin.demo", group="hin.shapes")
    >>> @shapes.register("square")
    ... class Square: ...
    >>> shapes.names(), shapes.get("square") is Square
    (['square'], True)
    >>> shapes.get("sqare")
    Traceback (most recent call last):
    hin.errors.BadUsage: there is no shape called sqare
    """

    def __init__(self, kind: str, package: str, group: str) -> None:
        self.kind = kind
        self.package = package
        self.group = group
        self._parts: dict[str, T] = {}
        self._defaults: dict[str, int] = {}
        self._filled = False

    def register(self, name: str, default: int | None = None) -> Callable[[Part], Part]:
        """Register the decorated object under a name; a name stands for one part.

        `default` is its position among the parts that are used if none is named; None if it is not among them.
        """

        def keep(part: Part) -> Part:
            held: Any = self._parts.get(name)
            # A module that is imported again defines the same part once more.
            if held is not None and getattr(held, "__qualname__", held) != getattr(part, "__qualname__", part):
                raise BadUsage(f"two parts want to be the {self.kind} {name}", hint="give one of them another name")
            self._parts[name] = part  # type: ignore[assignment]
            if default is not None:
                self._defaults[name] = default
            return part

        return keep

    def forget(self, name: str) -> None:
        """Remove a part; for tests and notebooks that try one."""
        self._parts.pop(name, None)
        self._defaults.pop(name, None)

    def names(self) -> list[str]:
        """Return every name, in alphabetical order."""
        self._fill()
        return sorted(self._parts)

    def defaults(self) -> list[str]:
        """Return the names that are used if none is given, in their own order."""
        self._fill()
        return sorted(self._defaults, key=lambda name: self._defaults[name])

    def get(self, name: str) -> T:
        """Return the part of a name; raise with the nearest names if there is none."""
        self._fill()
        if not isinstance(name, str) or name not in self._parts:  # a damaged manifest may hold anything
            near = difflib.get_close_matches(str(name), self._parts, n=1)
            guess = f"did you mean {near[0]}? " if near else ""
            raise BadUsage(
                f"there is no {self.kind} called {name}", hint=f"{guess}there are: {', '.join(self.names())}"
            )
        return self._parts[name]

    def _fill(self) -> None:
        if self._filled:
            return
        self._filled = True  # before the imports: a module may look up names while it is imported
        for module in sorted(module.name for module in iter_modules(import_module(self.package).__path__)):
            if not module.endswith("_kernel"):  # compiled loops: no parts, and slow to import
                import_module(f"{self.package}.{module}")
        for point in sorted(entry_points(group=self.group), key=lambda point: point.name):
            try:
                point.load()
            except Exception as error:
                self._filled = False
                package = point.dist.name if point.dist else point.value
                raise BadUsage(
                    f"the {self.kind} {point.name} of the package {package} cannot be loaded: {error}",
                    hint=f"mend or uninstall {package}",
                ) from error
