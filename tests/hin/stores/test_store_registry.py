"""A store is one file that registers itself; commands ask the interface, never which store it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.errors import BadUsage
from hin.stores.base import STORES, open_store
from hin.stores.folder import FolderStore


def test_the_built_in_stores_are_found_by_scheme() -> None:
    assert {"folder", "neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"} <= set(STORES.names())
    assert isinstance(open_store("papers.hin"), FolderStore)
    assert open_store("bolt://localhost:7687/papers").name == "papers"
    with pytest.raises(BadUsage, match="'s3' is not known"):
        open_store("s3://bucket/papers")


def test_a_store_of_another_package_is_a_scheme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole store in a few lines: everything a command asks is in the interface."""

    def below(location: str, model: Any = None) -> FolderStore:
        return FolderStore(tmp_path / location.removeprefix("below://"))

    monkeypatch.setitem(STORES._parts, "below", below)
    (tmp_path / "papers.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}\n{"id": "p2"}\n')
    monkeypatch.chdir(tmp_path)
    from hin.commands.arguments import InfoCommand, LoadCommand
    from hin.commands.info import run_info
    from hin.commands.load import run_load
    from hin.console import Console
    from hin.reading.options import LoadOptions

    options = LoadOptions(on_error="skip")
    run_load(LoadCommand(["papers.jsonl"], options, graph="below://a.hin"), Console(quiet=True))
    run_info(InfoCommand(check=True, graph="below://a.hin"), Console(quiet=True))
    assert (tmp_path / "a.hin.rejected.jsonl").exists()
    assert hin.query("below://a.hin", "MATCH (v:Venue) RETURN v.name AS name").records() == [{"name": "KDD"}]
    assert hin.export("below://a.hin", "csv").name == "a-csv"
    assert hin.copy("below://a.hin", "b.hin").graph.equals(hin.open("below://a.hin"))


def test_no_command_asks_which_store_it_is() -> None:
    """Outside of the stores themselves, nobody looks at the kind."""
    root = Path(__file__).parents[3]
    asking = []
    for package in ("hin", "motifs", "embed", "classify"):
        for path in (root / package).rglob("*.py"):
            if "stores" in path.parts:
                continue
            text = path.read_text(encoding="utf-8")
            if any(word in text for word in ("is_bolt", "isinstance(store", "hasattr(store", "getattr(store")):
                asking.append(path.relative_to(root).as_posix())
    assert asking == []


def test_opening_a_folder_does_not_import_the_driver() -> None:
    code = "import sys, hin\nhin.open_store('x.hin')\nprint([m for m in sys.modules if m.split('.')[0] == 'neo4j'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_public_names_are_functions() -> None:
    code = "import hin.exchange.export, hin.stores.querying\nprint(*map(callable, (hin.export, hin.query, hin.copy)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True True True"
