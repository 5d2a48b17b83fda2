"""`hin classify FILE`: load the file into a graph of its own, unless there is one of the same file."""

from __future__ import annotations

import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from classify.commands.arguments import ClassifyCommand
from hin.commands.load import as_sentence, show_columns
from hin.console import Console
from hin.errors import GraphExists, in_options
from hin.files.checked import file_hash
from hin.human import plural
from hin.loading import LoadResult, load_into
from hin.reading.inputs.files import STDIN, expand_pattern
from hin.reading.inputs.places import InputPath, is_url
from hin.stores.base import Store, open_store
from hin.text.options import BuildOptions


@contextmanager
def with_own_graph(command: ClassifyCommand, console: Console) -> Iterator[ClassifyCommand]:
    """Load the command's file and yield the command for its graph; the standard input is written to a file first."""
    named = command.file
    if named is None:
        yield command
        return
    # Here `--min-count` is about motif instances, not terms.
    command = replace(command, reading=replace(command.reading, min_count=BuildOptions.min_count))
    if named != "-":
        place = command.graph or f"{_place_of(InputPath(named).file)}.hin"
        console.graph = place
        yield _load(replace(command, graph=place), console, own=command.graph is None, shown_as=named)
        return
    with tempfile.TemporaryDirectory(prefix="hin-") as folder:
        copy = Path(folder) / "input"
        with copy.open("wb") as written:
            shutil.copyfileobj(sys.stdin.buffer, written)
        place = command.graph or os.fspath(Path(folder) / "graph.hin")
        yield _load(replace(command, graph=place, file=os.fspath(copy)), console, command.graph is None, STDIN)


def _place_of(file: str) -> str:
    """Return the path after which a file's graph is called: of several files that match a pattern, their folder.

    >>> _place_of("a/reviews.csv"), _place_of("a/b/2024-*.csv"), _place_of("https://example.org/a.csv")
    ('a/reviews.csv', 'a/b', 'a.csv')
    """
    if is_url(file):
        return Path(file).name
    if os.path.exists(file) or not glob.has_magic(file):
        return file
    folder = Path(*takewhile(lambda part: not glob.has_magic(part), Path(file).parts))
    return str(folder) if folder.name else Path.cwd().name


def _load(command: ClassifyCommand, console: Console, own: bool, shown_as: str) -> ClassifyCommand:
    assert command.file is not None
    store = open_store(command.graph, command.model)
    reading = command.reading
    if store.exists():
        if _same_file(store, command):
            console.note(f"{store.location} has the documents of {command.file} already")
            return command
        if own and _is_made_from(store, command.file):
            reading = replace(reading, replace=True)
        elif not reading.replace:
            what = f"there is a graph of other documents at {store.location}"
            raise GraphExists(what, hint="use --replace, or name another place with --graph")
    with console.progress() as progress:
        result = load_into(store.location, command.file, reading, progress=progress)
    _report_load(result, shown_as, store, console)
    return command


def _same_file(store: Store, command: ClassifyCommand) -> bool:
    """Check whether a graph was made from exactly these bytes of a file, with the same options."""
    stage, files = store.stage("load"), expand_pattern(command.file or "")
    inputs = [] if stage is None else stage.options.get("inputs") or []
    if stage is None or command.reading.edges is not None or not all(map(os.path.isfile, files)):
        return False
    build = BuildOptions(phrases=command.reading.phrases, min_count=command.reading.min_count).as_dict()
    asked = {"read": command.reading.reading_settings(), "build": build}
    if any(stage.options.get(name) != value for name, value in asked.items()):
        return False
    now = [(os.path.getsize(file), file_hash(file)) for file in files]
    return bool(inputs) and now == [(entry["bytes"], entry["sha256"]) for entry in inputs]


def _is_made_from(store: Store, file: str) -> bool:
    """Check whether a graph was made from a file of this name, so that it may be replaced."""
    stage = store.stage("load")
    inputs = [] if stage is None else stage.options.get("inputs") or []
    names = {Path(name).name for name in expand_pattern(InputPath(file).file)}
    return bool(inputs) and all(Path(entry["file"].split("::")[0]).name in names for entry in inputs)


def _report_load(result: LoadResult, file: str, store: Store, console: Console) -> None:
    console.note(f"{file}: {plural(len(result.graph), 'document')}")
    show_columns(result.columns, console, as_message=True)
    for note in result.notes:
        console.note(in_options(as_sentence(note)))
    if result.rejected:
        console.note(f"{plural(result.rejected, 'bad record')} skipped, see {result.side_file}.")
    console.detail(f"the graph is in {store.location}")
