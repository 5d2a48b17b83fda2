"""Every type in the signature of something public can be imported from `hin`."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import hin
from hin.lazy_names import homes_of

PACKAGES = ("hin", "motifs", "embed", "classify")


def homes_in(module: ModuleType) -> dict[str, tuple[str, str]]:
    """Where the names of a module come from; imports for type checkers count too."""
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom):
            found |= {name.asname or name.name: (str(node.module), name.name) for name in node.names}
        elif isinstance(node, ast.ClassDef):
            found.setdefault(node.name, (module.__name__, node.name))
    return found


def functions_of(public: Any) -> Iterator[Any]:
    """A function, or the constructor, methods, properties and steps of a class, inherited ones included."""
    if not inspect.isclass(public):
        yield inspect.unwrap(public)
        return
    ours = [kind for kind in public.__mro__ if kind.__module__.partition(".")[0] in PACKAGES]
    for name, value in (member for kind in ours for member in vars(kind).items()):
        if name == "__init__" or not name.startswith("_"):
            made = getattr(value, "fget", None) or getattr(value, "__func__", None) or getattr(value, "make", value)
            if inspect.isfunction(inspect.unwrap(made)):
                yield inspect.unwrap(made)


def annotations_of(public: Any) -> Iterator[tuple[ModuleType, str]]:
    for function in functions_of(public):
        for annotation in function.__annotations__.values():
            yield sys.modules[function.__module__], str(annotation)
    if inspect.isclass(public):
        for name, annotation in vars(public).get("__annotations__", {}).items():
            if not name.startswith("_"):
                yield sys.modules[public.__module__], str(annotation)


def types_of(public: Any) -> Iterator[tuple[str, str]]:
    for module, annotation in annotations_of(public):
        homes = homes_in(module)
        for node in ast.walk(ast.parse(annotation, mode="eval")):
            home, name = homes.get(getattr(node, "id", ""), ("", ""))
            if home.partition(".")[0] in PACKAGES and inspect.isclass(getattr(import_module(home), name)):
                yield home, name


@pytest.mark.parametrize("public", [name for name in hin.__all__ if callable(getattr(hin, name))])
def test_the_types_of_a_signature_can_be_imported_from_hin(public: str) -> None:
    for home, name in types_of(getattr(hin, public)):
        assert getattr(hin, name, None) is getattr(import_module(home), name), f"{home}.{name}"


def test_types_are_found_where_they_stand() -> None:
    assert {name for _, name in types_of(hin.query)} >= {"Graph", "QueryOptions", "QueryResult"}
    assert {name for _, name in types_of(hin.Pipeline)} >= {"Known", "SoftLabels", "Grounds"}


def test_no_type_is_listed_that_no_signature_has() -> None:
    public = [getattr(hin, name) for name in hin.__all__ if callable(getattr(hin, name))]
    needed = {name for one in public for _, name in types_of(one)}
    assert set(homes_of("hin")) - set(hin.__all__) <= needed
