"""The body of `hin motifs`: runs the command and prints its results."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hin.engines.base import Engine, closing_engine
from hin.errors import BadUsage, GraphBusy, NoSpace, StoreError
from hin.human import count, plural, size
from hin.stores.base import Store, open_store
from motifs.arguments import MotifsCommand
from motifs.as_edges import check_edge_name, with_edges
from motifs.discovery.search import discover
from motifs.errors import TooManyInstances
from motifs.in_database import match_in_database
from motifs.joins.compile_plan import compile_plan
from motifs.joins.join_plan import JoinPlan
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.matching import match
from motifs.motif_set import MotifSet
from motifs.motif_stage import motifs_of, stored_motifs, write_motifs
from motifs.on_engine import match_on_engine
from motifs.options import MotifOptions
from motifs.output import check_ending, choose, ranked, records, to_csv, write_records

if TYPE_CHECKING:
    from hin.console import Console
    from hin.graph import Graph
    from hin.progress import Progress
    from motifs.discovery.verdict import PatternWorth
    from motifs.table import MotifTable

_SHOWN = 20
#: How many patterns the closing line of --discover names, so that it stays one line.
_OFFERED = 3


def run_motifs(command: MotifsCommand, console: Console) -> None:
    """Match patterns and show their instances, or discover which patterns are worth using."""
    if command.discover and command.patterns:
        raise BadUsage("--discover and --pattern exclude one another", hint="choose one")
    if command.csv and console.as_json:
        raise BadUsage("--csv and --json exclude one another", hint="choose one")
    if command.out:
        check_ending(command.out)
    wanted = [Pattern(text) for text in command.patterns]
    if command.as_edges is not None and len(wanted) != 1:
        raise BadUsage("--as-edges needs one --pattern", hint="name the pattern whose ends are to be joined")
    store = open_store(command.graph, command.model)
    with console.progress() as progress:
        graph = store.read_graph(progress)
        if command.as_edges is not None:
            check_edge_name(graph, wanted[0], command.as_edges)
        if command.discover:
            found = _apply_field_verdicts(_discover(command, graph, progress), store)
        else:
            document = None if command.document is None else graph.documents.index(command.document)
            with closing_engine(command.engine) as engine:
                motifs = _match(store, graph, wanted, command, engine, console, progress)
    if command.discover:
        _show_discovered(command, found, console)
        return
    for table in motifs:
        _report_skipped(table, console)
    if command.as_edges is not None:
        _write_edges(store, graph, motifs.tables[0], command.as_edges, console)
        return
    _show(command, motifs, document, console)
    console.next("`hin classify --categories labels.txt`, or `hin motifs --discover`")


def _write_edges(store: Store, graph: Graph, table: MotifTable, name: str, console: Console) -> None:
    """Add the instances as edges to the stored graph."""
    load = store.stage("load")
    with console.progress() as progress:
        added = with_edges(graph, table, name)
        store.write_graph(added, options=dict(load.options) if load is not None else {}, progress=progress)
    ends, found = " to ".join(table.fields), plural(len(table), "edge")
    least = plural(table.min_count, "document")
    console.note(
        f"{found} of type {name} added, {ends}, each in at least {least}; occurrences is the number of documents."
    )
    console.next("`hin info`, or a pattern with it: `hin motifs --help`")


def _match(
    store: Store,
    graph: Graph,
    wanted: list[Pattern],
    options: MotifOptions,
    engine: Engine,
    console: Console,
    progress: Progress,
) -> MotifSet:
    """Return the tables of the wanted patterns, from the store if they are there, else matched and stored."""
    if not wanted:
        stored = stored_motifs(store, graph)
        if stored is None:
            raise BadUsage("no pattern was named, and none was matched before", hint="use --pattern or --discover")
        return stored
    database, columns = store.database, Columns(graph)
    load = None if database is not None else store.stage("load")

    def one(pattern: Pattern) -> MotifTable:
        if database is not None:
            return match_in_database(database, graph, pattern, options, console, progress)
        if load is not None and not engine.here:
            return match_on_engine(engine, load.path, graph, pattern, options, progress)
        _show_plan(compile_plan(pattern, columns, options), pattern, console)
        return match(graph, pattern, options=options, columns=columns, progress=progress)

    def compared(pattern: Pattern) -> MotifTable:
        table = one(pattern)
        progress(f"comparing {pattern.name} with chance", 0, None)
        _compare(table, columns, console)
        return table

    def keep(store: Store, motifs: MotifSet) -> None:
        try:
            write_motifs(store, motifs, shown=True)
        except (GraphBusy, NoSpace, StoreError) as error:  # results are shown even if they cannot be stored
            console.note(f"The instances were not saved: {error}")

    return motifs_of(store, graph, wanted, options, progress, compared, keep)


def _compare(table: MotifTable, columns: Columns, console: Console) -> None:
    """Compare a table with chance; if that needs too much memory, say so and show the counts alone."""
    try:
        table.significance(columns)
    except TooManyInstances as error:
        console.note(f"{table.pattern.name} is not compared with chance: {error}")


def _show_plan(plan: JoinPlan, pattern: Pattern, console: Console) -> None:
    """Print the plan and its size estimate with --verbose."""
    if console.verbose:
        expected = plan.estimate()
        console.detail(f"{pattern.name}: {'; '.join(plan.steps)}")
        console.detail(f"  at most {count(expected.candidates)} candidates, {size(expected.bytes)}")


def _report_skipped(table: MotifTable, console: Console) -> None:
    if len(table.skipped):
        some = ", ".join(table.graph.documents.take(table.skipped[:3]))
        more = ", ..." if len(table.skipped) > 3 else ""
        console.note(
            f"{table.pattern.name}: {plural(len(table.skipped), 'document')} left out ({some}{more}), each with more "
            f"than {table.max_per_document:,} candidates; --max-per-document sets the limit."
        )


def _show(command: MotifsCommand, motifs: MotifSet, document: int | None, console: Console) -> None:
    everything = command.out is not None or document is not None
    top = command.top if command.top is not None else 0 if everything else _SHOWN
    rows: list[dict[str, Any]] = []
    shown: list[tuple[MotifTable, list[dict[str, Any]], int]] = []
    for table in motifs:
        chosen = choose(table, command.contains, document, command.max_q)
        part = records(table, ranked(table, chosen, command.sort, top))
        shown.append((table, part, len(chosen)))
        rows += part
    if not _write_rows(command, rows, "instance", console):
        for number, (table, part, total) in enumerate(shown):
            cut = f", {len(part):,} shown (--top 0 for all)" if len(part) < total else ""
            filtered = f"{total:,} of " if total < len(table) else ""
            found = f"{filtered}{plural(len(table), 'instance')} in at least {plural(table.min_count, 'document')}{cut}"
            console.line(("\n" if number else "") + f"{table.pattern.name}: {found}")
            console.line(f"{table.coverage:.1%} of the documents have an instance")
            compared = _show_chance(table, console)
            if part:
                names = ["documents", *(["expected", "lift", "p", "q"] if compared else []), "instance"]
                console.table([[_cell(row[name]) for name in names] for row in part], names)


def _write_rows(command: MotifsCommand, rows: list[dict[str, Any]], noun: str, console: Console) -> bool:
    """Write the rows to the file, or as JSON or CSV; return False where a table for people is wanted instead."""
    if command.out:
        write_records(rows, command.out, command.csv_formulas)
        console.note(f"{plural(len(rows), noun)} written to {command.out}.")
    elif console.as_json:
        console.json(rows)
    elif command.csv:
        console.data(to_csv(rows, command.csv_formulas).rstrip("\r\n"))
    else:
        return False
    return True


def _cell(value: Any) -> Any:
    """Format a number with its significant digits."""
    if not isinstance(value, float):
        return value
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2g}"


def _show_chance(table: MotifTable, console: Console) -> bool:
    """Print how the pattern compares with chance, and how certain that is; return whether anything was printed."""
    found = table.quick_significance()
    if found is None or found.method == "degrees":
        return False
    whole = found.pattern
    ratio = f", the graph has {_cell(whole.observed / whole.expected)} times that" if whole.expected > 0 else ""
    console.line(f"chance would give {_cell(whole.expected)}{ratio} (z {_cell(whole.z)}, p {_cell(whole.p)})")
    bound = found.error.max(initial=0)
    sure = f"; p is off by at most {bound:.1g}" if found.method != "shuffles" and bound else ""
    how = f"q <= 0.05, {found.method}{sure}"
    console.line(f"{int(found.adds().sum()):,} of {len(found):,} exceed what chance and their parts explain ({how})")
    return True


def _discover(command: MotifsCommand, graph: Graph, progress: Progress) -> list[PatternWorth]:
    if not graph.fields:
        raise BadUsage("the graph has no metadata to combine", hint="load it with --metadata FIELDS")
    return discover(graph, command.max_size, options=command, progress=progress)


def _apply_field_verdicts(found: list[PatternWorth], store: Store) -> list[PatternWorth]:
    """Replace the verdict on fields that the last `hin classify`, which knows the categories, did not use."""
    stage = store.stage("classify")
    fields = [] if stage is None else (stage.options.get("used") or {}).get("fields") or []
    aside = {one["field"]: one["why"] for one in fields if not one["used"]}
    in_pairs = {(one["field"],): one["why"] for one in fields if one["used"] and one.get("in_pairs")}

    def judged(worth: PatternWorth) -> PatternWorth:
        why = [f"{name} was set aside by `hin classify`: {aside[name]}" for name in worth.fields if name in aside]
        if worth.fields in in_pairs and Pattern(worth.pattern).is_star:
            why.append(f"`hin classify` uses it {in_pairs[worth.fields]}")
        return replace(worth, use="no", why=why[0]) if why else worth

    return sorted(map(judged, found), key=lambda worth: worth.use == "no")


def _show_discovered(command: MotifsCommand, found: list[PatternWorth], console: Console) -> None:
    if not found:
        console.note(f"No pattern of the graph's fields has an instance in {plural(command.min_count, 'document')}.")
    rows = [worth.as_dict() for worth in found][: command.top or None]
    if not _write_rows(command, rows, "pattern", console) and rows:
        columns = ["pattern", "instances", "coverage", "gain", "use", "why"]
        console.table([[row[name] for name in columns] for row in rows], columns, wrapped=("pattern", "why"))
    useful = [worth.pattern for worth in found if worth.use == "yes"]
    if useful:
        chosen = " ".join(f"--pattern {shlex.quote(pattern)}" for pattern in useful[:_OFFERED])
        console.next(f"`hin classify --categories labels.txt {chosen}`")
