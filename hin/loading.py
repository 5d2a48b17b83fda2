"""`load`: read files of documents into a graph, in memory or into a store."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast

from hin.building.appending import appended, inherit_options, merged_schema, renumber_extra_edges
from hin.building.graph_builder import BuildOptions, GraphBuilder
from hin.building.parts import parts_with_terms
from hin.engines.base import closing_engine
from hin.engines.through_files import through_files
from hin.errors import BadUsage, GraphExists
from hin.graph import Graph
from hin.human import plural
from hin.notebook.watching import shows_progress
from hin.option_fields import option, takes_options
from hin.progress import Progress, silent
from hin.reading.columns.choose import ColumnChoice
from hin.reading.columns.plan import PlannedColumn, apply_plan, list_columns
from hin.reading.columns.same_values import merge_spellings
from hin.reading.columns.stored_remarks import attach_remarks, stored_remarks
from hin.reading.columns.whole_input import drop_useless_fields, empty_text_notes, joined_notes, spelling_notes
from hin.reading.documents import BatchReader
from hin.reading.inputs.files import Paths, expand_pattern
from hin.reading.inputs.places import InputPath
from hin.reading.memory_tables import is_table, reader_of
from hin.reading.options import LoadOptions
from hin.reading.records import RecordBatch
from hin.stores.base import Store, open_store

Mode = Literal["create", "replace", "append"]


@dataclass
class LoadResult:
    """The graph, and the counts and remarks of the load."""

    graph: Graph
    added: int
    updated: int = 0
    rejected: int = 0
    side_file: Path | None = None
    #: The use of columns that the user did not name, the reason, and the option that changes it.
    decisions: list[ColumnChoice] = field(default_factory=list)
    #: How many documents repeat the text of another; left out with `drop_duplicates`.
    duplicates: int = 0
    notes: list[str] = field(default_factory=list)
    #: The use of each column, named by the user or not.
    columns: list[PlannedColumn] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class LoadArguments(LoadOptions):
    """The arguments of `load` beside the documents: every option of `hin load`, and those for Python only."""

    graph: str | os.PathLike[str] | None = option(None, "A folder or a Bolt URL where the graph is saved too.")
    progress: Progress | None = option(
        None, "Called with how far it is; by default a notebook and a prompt show it, a script does not."
    )
    mode: Mode | None = option(None, "The old name of append= and replace=; it goes with the next version.")


@shows_progress
@takes_options(LoadArguments)
def load(paths: Paths | Any, options: LoadArguments) -> Graph:
    """Load documents with their metadata into a heterogeneous graph.

    Parameters
    ----------
    paths : path or several, or a table
        Files of any format that `format` names, plain or compressed; patterns; `data.db::table`; URLs; `-` for the
        standard input. Or one graph that `hin export` wrote. Or a DataFrame (pandas, polars), an Arrow table, a list
        of dicts.

    Returns
    -------
    Graph
        Its `columns` list the use of the columns that you did not name, with the reason and the option that changes it;
        its `notes` are further remarks. A notebook shows both.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "papers.jsonl"
    >>> _ = path.write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> load(path)
    Graph(1 document, 2 term, 1 venue)
    >>> graph = load([{"id": "p1", "text": "Mining graphs", "venue": "KDD", "topic": "graphs"}])
    >>> graph
    Graph(1 document, 2 term, 1 venue)
    >>> print(*graph.columns)
    topic: left out, maybe the labels: `label='topic'` evaluates by it [`metadata='topic,*'` uses it]
    """
    if options.mode is not None:
        warnings.warn("use append=True or replace=True for mode=", FutureWarning, stacklevel=4)
        options = replace(options, mode=None, append=options.mode == "append", replace=options.mode == "replace")
    progress, options = options.progress or silent, cast(LoadArguments, apply_plan(options))
    if options.graph is not None:
        return load_into(options.graph, paths, options, progress=progress).graph
    if options.append or options.replace:
        raise BadUsage("append= and replace= change a graph that is saved", hint="say which one with graph=")
    if exports := _exports(paths):
        from hin.exchange.importing import import_graph

        return import_graph(exports[0], options.limits)
    reader = reader_of(paths, options, options.rejected, progress=progress)
    made, decisions = _finish(_build(reader, reader, options, progress), reader, options, fresh=True)
    return attach_remarks(made, stored_remarks(decisions, _notes(made, reader)))


@shows_progress
def load_into(
    location: str | os.PathLike[str],
    paths: Paths | Any,
    options: LoadOptions | None = None,
    *,
    progress: Progress | None = None,
) -> LoadResult:
    """Load documents into a store: all of them, or nothing.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "papers.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> load_into(folder / "papers.hin", folder / "papers.jsonl", LoadOptions(phrases=False)).added
    1
    """
    options, progress = apply_plan(options or LoadOptions()), progress or silent
    store = open_store(location)
    if not (options.append or options.replace) and store.exists():
        raise GraphExists(f"there is a graph at {store.location}", hint="use --replace or --append, or name another")
    exports = _exports(paths)
    if exports:
        return _import_export(store, exports, options, progress)
    with store.lock(), store.scratch() as scratch:
        return _load_locked(store, paths, options, progress, scratch)


def plan_columns(
    paths: Paths | Any, options: LoadOptions, progress: Progress = silent
) -> tuple[list[PlannedColumn], list[str]]:
    """Plan the use of each column: load everything, and write nothing. Also return the notes of such a load.

    >>> rows, notes = plan_columns([{"id": "p1", "text": "Mining graphs", "venue": "KDD"}], LoadOptions())
    >>> [row.kind for row in rows], notes
    (['id', 'text', 'metadata'], [])
    """
    if exports := _exports(paths):
        raise BadUsage(f"{exports[0]} is a whole graph", hint="load it without --dry-run; it has no columns to choose")
    reader = reader_of(paths, options, progress=progress)
    whole = _build(reader, reader, options, progress)
    graph, decisions = _finish(whole, reader, options, fresh=True)
    rows = list_columns(graph, whole, reader.maker.samples, decisions, reader.skipped_fields, options)
    return rows, _notes(graph, reader)


def _load_locked(
    store: Store, paths: Paths, options: LoadOptions, progress: Progress, scratch: Path | None
) -> LoadResult:
    old = store.read_graph() if options.append and store.exists() else None
    reading, before, earlier_remarks = options, [], stored_remarks([], [])
    if old is not None:
        previous = _options_of(store)
        reading = inherit_options(old, options, previous.get("read", {}))
        before, earlier_remarks = list(previous.get("inputs", [])), previous
    side_file = _side_file(store, options)
    known = frozenset() if old is None or options.update else frozenset(old.documents)
    fields = () if old is None else old.fields
    reader = reader_of(paths, reading, side_file, known, progress, options, fields)
    updated: set[str] = set()
    batches = reader if old is None else appended(old, reader, updated if options.update else None)
    whole = _build(batches, reader, options, progress, old, scratch)
    graph, decisions = _finish(whole, reader, options, fresh=old is None)
    notes = _notes(graph, reader)
    written = {
        "read": reading.reading_settings(),
        "build": _building(options).as_dict(),
        "inputs": before + _named(reader.inputs),
        **stored_remarks(decisions, notes, earlier_remarks),
    }
    stored = store.write_graph(graph, options=written, progress=progress)
    return LoadResult(
        graph=attach_remarks(stored, written),
        added=reader.documents - len(updated),
        updated=len(updated),
        rejected=reader.rejected,
        side_file=side_file if reader.rejected else None,
        decisions=decisions,
        columns=list_columns(graph, whole, reader.maker.samples, decisions, reader.skipped_fields, options),
        duplicates=reader.duplicates,
        notes=notes,
    )


def _finish(graph: Graph, reader: BatchReader, options: LoadOptions, fresh: bool) -> tuple[Graph, list[ColumnChoice]]:
    """Leave useless fields out of a fresh graph and add the edges from files; also return all decisions on columns."""
    decisions = list(reader.maker.choice.decisions)
    if not reader.options.keep_case:
        graph, merged = merge_spellings(graph)
        reader.notes += merged
    if fresh:
        graph, more = drop_useless_fields(graph, reader.maker.single)
        decisions += more
    if options.edges is not None:
        from hin.reading.extra_edges import add_edges

        graph = add_edges(graph, options.edges)
    return graph, decisions


def _notes(graph: Graph, reader: BatchReader) -> list[str]:
    """Collect remarks on the documents, whatever the use of their columns."""
    joined = [] if reader.options.separator is not None else joined_notes(graph, reader.maker.single)
    some = ", ".join(reader.left_out[:3]) + (", ..." if len(reader.left_out) > 3 else "")
    beside = [f"{plural(len(reader.left_out), 'file')} beside the data left out: {some}"] if some else []
    return [*reader.notes, *beside, *empty_text_notes(graph), *spelling_notes(graph), *joined]


def _building(options: LoadOptions) -> BuildOptions:
    return BuildOptions(phrases=options.phrases, min_count=options.min_count)


def _side_file(store: Store, options: LoadOptions) -> Path | None:
    """Return the path for bad records: beside the graph, unless the user names one."""
    if options.rejected is not None:
        return Path(options.rejected)
    if options.on_error == "stop":
        return None
    return Path(store.beside(".rejected.jsonl"))


def _exports(paths: Paths | Any) -> list[str]:
    """Return the paths if they are exports of graphs rather than documents, else none."""
    from hin.exchange.importing import is_export

    if is_table(paths):
        return []
    if not isinstance(paths, (str, os.PathLike, Iterable)):
        hint = "give the name of a file, a DataFrame, an Arrow table or a list of dicts"
        raise BadUsage(f"cannot load documents from {type(paths).__name__}", hint=hint)
    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    given = [found for path in named for found in expand_pattern(os.fspath(path))]
    exports = [path for path in given if is_export(path)]
    if exports and len(given) > 1:
        raise BadUsage(f"{exports[0]} is a whole graph", hint="load it alone")
    return exports


def _import_export(store: Store, exports: list[str], options: LoadOptions, progress: Progress) -> LoadResult:
    from hin.exchange.importing import import_graph

    if options.append:
        raise BadUsage(f"{exports[0]} is a whole graph", hint="load it without --append, or append documents")
    progress("reading", 0, None)
    graph = import_graph(exports[0], options.limits)
    store.write_graph(graph, options={"export": os.path.basename(exports[0])}, progress=progress)
    return LoadResult(graph=graph, added=len(graph))


def _build(
    batches: Iterable[RecordBatch],
    reader: BatchReader,
    options: LoadOptions,
    progress: Progress,
    old: Graph | None = None,
    scratch: Path | None = None,
) -> Graph:
    """Build a graph from the reader's batches: reading happens here, tokenising on the engine's workers."""
    builder = GraphBuilder(_building(options), scratch, lambda: list(reader.schema()["text"]))
    with closing_engine(options.engine) as engine:
        if scratch is not None and not engine.here:
            engine.check([scratch])
            engine = through_files(engine, scratch)
        for part, terms in parts_with_terms(engine, batches):
            builder.merge(part, terms)
    schema = reader.schema()
    if old is not None:
        schema = merged_schema(dict(old.schema), schema)
    links = [spec.name for spec in reader.options.link_fields]
    graph = builder.finish(schema["text"], schema, links=links, progress=progress)
    return graph if old is None else replace(graph, extra=renumber_extra_edges(old, graph))


def _options_of(store: Store) -> dict[str, Any]:
    stage = store.stage("load")
    return dict(stage.options) if stage is not None else {}


def _named(inputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the inputs by their own names: the folder of a file is not a property of the graph."""
    places = [InputPath(entry["file"]) for entry in inputs]
    names = [os.path.basename(place.file) + place.path.removeprefix(place.file) for place in places]
    return [{**entry, "file": name} for entry, name in zip(inputs, names, strict=True)]
