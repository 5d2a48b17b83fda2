"""Steps of a pipeline: each declares its inputs, is computed on demand, and has a cache key that follows from them.

A key is a hash of the step's name, of the keys of what it reads, and of the options it declares. So a step is computed
again exactly where something that it reads has changed, and a key is known without computing the step.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from hin.arrays.one_thread import one_blas_thread

if TYPE_CHECKING:
    from pathlib import Path

    from classify.workspace import Workspace

T = TypeVar("T")


class Step(Generic[T]):
    """A method whose result is cached under its key.

    Attributes
    ----------
    reads : the inputs and steps that its body may ask for.
    options : the options that its body may look at, such as `embed` or `recipe.views`.
    content : a function of pipeline and result that returns the part of it that later keys depend on; by default,
        later keys depend on all inputs of the step.
    """

    def __init__(
        self, make: Callable[[Any], T], reads: tuple[str, ...], options: tuple[str, ...], content: Any
    ) -> None:
        self.make, self.reads, self.options, self.content = make, reads, options, content
        self.name, self.__doc__ = make.__name__, make.__doc__

    @overload
    def __get__(self, steps: None, owner: type) -> Self: ...
    @overload
    def __get__(self, steps: Steps, owner: type) -> T: ...
    def __get__(self, steps: Steps | None, owner: type) -> Self | T:
        return self if steps is None else steps.result(self)


def step(
    reads: str = "", options: str = "", content: Callable[[Any, Any], object] | None = None
) -> Callable[[Callable[[Any], T]], Step[T]]:
    """Make a method a step; `reads` and `options` are names separated by spaces."""
    return lambda make: Step(make, tuple(reads.split()), tuple(options.split()), content)


class Input:
    """An input of a pipeline; a step that reads it must declare it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, steps: Steps | None, owner: type) -> Any:
        if steps is None:
            return self
        steps.check_read(self.name)
        return steps.given[self.name]


class Steps:
    """Computes steps on demand, each once; a subclass has `Input`s and `step`s.

    Parameters
    ----------
    workspace : caches results by their keys.
    given : the inputs by name.
    options : the object in which the steps' options are looked up.
    unused : steps that these options leave out: they are in no key, and asking for them from a step is an error.
    """

    def __init__(self, workspace: Workspace, given: dict[str, Any], options: Any, unused: frozenset[str]) -> None:
        self.workspace, self.given, self.options, self.unused = workspace, given, options, unused
        #: The step whose body is running.
        self.making: Step[Any] | None = None
        self._keys: dict[str, str] = {}
        self._results: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.workspace.close()

    def result(self, asked: Step[T]) -> T:
        """Return a step's result, cached or computed now."""
        self.check_read(asked.name)
        if asked.name not in self._results:
            before, self.making = self.making, None
            try:
                key = self._declared(asked)
                self._results[asked.name] = self.workspace.remember(asked.name, key, lambda: self._make(asked))
            finally:
                self.making = before
        return self._results[asked.name]  # type: ignore[no-any-return]

    def _make(self, asked: Step[T]) -> T:
        self.making = asked
        try:
            with one_blas_thread():  # else the last digits would depend on the number of cores
                return asked.make(self)
        finally:
            self.making = None

    def scratch(self) -> Path:
        """Return an empty folder for files of the running step; they are removed with its result."""
        assert self.making is not None
        return self.workspace.place(self.making.name, self._declared(self.making))

    def check_read(self, name: str) -> None:
        """Raise if the running step asks for something that it did not declare."""
        if self.making is not None and (name not in self.making.reads or name in self.unused):
            raise RuntimeError(f"the step {self.making.name} reads {name} without declaring it")

    def key(self, name: str) -> str:
        """Return the key of an input or of a step, for the keys of later steps."""
        if name not in self._keys:
            found = getattr(type(self), name)
            if isinstance(found, Input):
                made = self.workspace.identity(self.given[name])
            elif found.content is None:
                made = self._declared(found)
            else:
                before, self.making = self.making, None
                try:
                    made = self._hash(name, found.content(self, self.result(found)))
                finally:
                    self.making = before
            self._keys[name] = made
        return self._keys[name]

    def declared(self, name: str) -> str:
        """Return the key under which a step's result is cached."""
        return self._declared(getattr(type(self), name))

    def _declared(self, asked: Step[Any]) -> str:
        inputs = [self.key(name) for name in asked.reads if name not in self.unused]
        return self._hash(asked.name, inputs, [_option(self.options, name) for name in asked.options])

    def _hash(self, *parts: object) -> str:
        text = json.dumps(parts, sort_keys=True, default=self._plain)
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()

    def _plain(self, value: Any) -> Any:
        """Return an object's part of a key: its field values where it is compared by value, else its identity."""
        if is_dataclass(value) and not isinstance(value, type) and value.__dataclass_params__.eq:  # type: ignore[attr-defined]
            return [type(value).__qualname__, {entry.name: getattr(value, entry.name) for entry in fields(value)}]
        return self.workspace.identity(value)


def _option(options: Any, name: str) -> Any:
    for part in name.split("."):
        options = getattr(options, part)
    return options
