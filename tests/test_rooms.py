"""The house as it is drawn: imports in one direction, no cycles, rooms and functions of a size one can read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import grimp
import networkx as nx
import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent
PACKAGES = ("hin", "motifs", "embed", "classify")
MODULES = [*(path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))), ROOT / "cli.py"]
ROOMS = sorted({path.parent for path in MODULES} - {ROOT})

#: Modules in a folder, `__init__` and `__main__` aside.
MOST_MODULES = 16
MOST_LINES = 60

#: Rooms that are still too full; nothing may be added.
FULL: set[str] = set()


def test_imports_go_in_one_direction() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    edges = [(name, other) for name in graph.modules for other in graph.find_modules_directly_imported_by(name)]
    assert len(edges) > 500, "imports inside functions count too"
    circles = {frozenset(c) for c in nx.strongly_connected_components(nx.DiGraph(edges)) if len(c) > 1}
    assert circles == set()


def test_what_the_benchmarks_import_is_there() -> None:
    """They are run by hand only, so a name that moved would be missed."""
    missing = []
    for path in sorted((ROOT / "benchmarks").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in (*PACKAGES, "benchmarks"):
                missing += [(path.name, node.module, one.name) for one in node.names if not _is_there(node, one.name)]
    assert missing == []


def _is_there(given: ast.ImportFrom, name: str) -> bool:
    try:
        exec(f"from {given.module} import {name}", {})
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_room_can_be_overlooked(room: Path) -> None:
    modules = [path for path in room.glob("*.py") if not path.name.startswith("__")]
    if str(room.relative_to(ROOT)) not in FULL:
        assert len(modules) <= MOST_MODULES


def _lengths(path: Path) -> Iterator[tuple[str, int]]:
    """The functions of a module with the lines of their bodies, docstrings aside."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            if body:
                yield node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_functions_fit_on_a_page() -> None:
    kernels = [path for path in MODULES if path.name.endswith("_kernel.py")]
    long = {
        f"{path.relative_to(ROOT)}:{name}"
        for path in MODULES
        if path not in kernels
        for name, lines in _lengths(path)
        if lines > MOST_LINES
    }
    assert kernels
    assert long == set()


def test_the_command_line_is_thin() -> None:
    text = (ROOT / "cli.py").read_text(encoding="utf-8")
    assert "fmt: skip" not in text
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            assert len(arguments.args) + len(arguments.kwonlyargs) <= 2, node.name


def test_cores_are_counted_in_one_place() -> None:
    """`os.cpu_count` does not know that a container has 2 of 64 cores; `core_count` does."""
    asking = [path for path in MODULES if "cpu_count" in path.read_text(encoding="utf-8")]
    assert asking == [ROOT / "hin" / "engines" / "local.py"]


def test_a_public_class_has_a_name_of_its_own() -> None:
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
