"""The body of `hin diff`: what changed between two classifications, and why."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from classify.answers.differences import Difference, MovedDocument, diff
from classify.commands.arguments import DiffCommand
from hin.human import plural
from hin.stores.base import open_store
from motifs.output import check_ending, write_records

if TYPE_CHECKING:
    from hin.console import Console


def run_diff(command: DiffCommand, console: Console) -> None:
    """Compare two classifications; show where documents moved, and some of them with their reasons."""
    if command.out is not None:
        check_ending(command.out)
    before, after = -2 if command.before is None else command.before, -1 if command.after is None else command.after
    found = diff(open_store(command.graph, command.model), before, after)
    if command.out is not None:
        write_records(list(found.records()), command.out, command.csv_formulas, _no_documents())
    if console.as_json:
        console.json(found.as_dict(command.examples, command.reasons))
        return
    _show(found, command, console)


def _show(found: Difference, command: DiffCommand, console: Console) -> None:
    old, new = found.before, found.after
    share = len(found.rows) / max(1, found.documents)
    console.line(f"{len(found.rows):,} of {plural(found.documents, 'document')} moved ({share:.1%})")
    console.line(f"from classification {old.number} ({_time(old.at)}) to {new.number} ({_time(new.at)})")
    if extra := new.documents - found.documents:
        console.line(f"{plural(extra, 'document')} only in {new.number}")
    for name, was, now in found.changed:
        console.line(f"  {name}: {_value(was)} → {_value(now)}")
    if (right := found.right) is not None:
        source = "the true labels" if right.source == "labels" else "the answers for measuring"
        console.line(
            f"right by {source}: {right.before:,} of {right.documents:,} before, {right.after:,} after "
            f"({right.mended:,} corrected, {right.spoiled:,} made wrong)"
        )
    if not found.rows:
        return
    console.line()
    flows = found.flows[: command.top or None]
    console.table([[flow.before or "none", flow.after or "none", flow.documents] for flow in flows], _FLOW)
    if rest := found.flows[len(flows) :]:
        console.line(f"and {plural(sum(flow.documents for flow in rest), 'document')} in {plural(len(rest), 'flow')}")
    for one in found.examples(command.examples, command.reasons):
        _show_example(one, console)
    if command.examples and command.reasons and not found.has_reasons:
        console.note("No reasons: the graph keeps the models of its last three classifications only.")
    console.next(
        f"`hin explain {shlex.quote(found.graph.documents[found.rows[0]])}`, or --out moved.csv for all of them"
    )


_FLOW = ["from", "to", "documents"]


def _show_example(one: MovedDocument, console: Console) -> None:
    was, now = (f" ({sure:.2f})" if sure is not None else "" for sure in (one.confidence_before, one.confidence_after))
    truth = "" if one.truth is None else f"; true: {', '.join(one.truth) or 'none'}"
    console.line(f"\n{one.document}: {one.before or 'none'}{was} → {one.after or 'none'}{now}{truth}")
    if one.title:
        console.line(f"  {one.title}")
    if one.reasons:
        rows = [[reason.instance, reason.before, reason.after, reason.change] for reason in one.reasons]
        console.table(rows, [f"for {one.after or 'none'}", "before", "after", "change"])


def _time(at: str) -> str:
    return at[:16].replace("T", " ")


def _value(value: Any) -> str:
    return "none" if value in (None, "", []) else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _no_documents() -> Any:
    """Return an empty table with the columns of `--out`."""
    import pyarrow as pa

    text, sure = pa.string(), pa.float64()
    return pa.schema(
        {"document": text, "before": text, "after": text, "confidence_before": sure, "confidence_after": sure}
    ).empty_table()
