"""The use of each column as one table, which can be written as TOML, edited, and loaded again."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from hin.errors import BadInput, in_options
from hin.graph import Graph
from hin.human import shortened
from hin.reading.columns.choose import ColumnChoice
from hin.reading.columns.samples import ColumnSample
from hin.reading.options import LINE_ID, LoadOptions

KINDS = ("id", "text", "metadata", "label", "link", "left out")
#: Lengths to which an example and a column's name are shortened in a table.
_SHOWN, _NAME = 20, 40


class PlannedColumn(NamedTuple):
    """One column (or a field derived from one): its use, its number of values, an example, the reason, the option.

    >>> PlannedColumn("sent_year", "metadata=sent.dmy.year", 2, "2024", "a part of sent").cells()
    ('sent_year', 'metadata', 2, '2024', 'a part of sent')
    """

    column: str
    kind: str
    values: int | None
    example: str
    why: str
    change: str = ""

    def cells(self) -> tuple[str, str, int | None, str, str]:
        """Return the row as a table shows it, under `HEADINGS`."""
        column, example = shortened(self.column, _NAME), shortened(" ".join(self.example.split()), _SHOWN)
        return column, self.kind.partition("=")[0], self.values, example, in_options(self.why)


HEADINGS = PlannedColumn._fields[:-1]


def list_columns(
    graph: Graph,
    whole: Graph,
    samples: Mapping[str, ColumnSample],
    decisions: Iterable[ColumnChoice],
    skipped: Mapping[str, str],
    options: LoadOptions,
) -> list[PlannedColumn]:
    """List the use of each column of a graph that was just loaded.

    Parameters
    ----------
    whole : the graph before fields were left out.
    skipped : columns whose values cannot be metadata, with the kind of those values.
    """
    schema = graph.schema
    why: dict[str, str] = {}
    change: dict[str, str] = {}
    left_out = {decision.column for decision in decisions if decision.use == "left out"}
    for decision in decisions:
        earlier = None if decision.use == "left out" else why.get(decision.column)  # then no other reason counts
        why[decision.column] = "; ".join(filter(None, (earlier, decision.why)))
        change[decision.column] = decision.change
    renames = whole.schema.get("renames", {})
    sources = {name: renames.get(name, name) for name in (*whole.fields, *graph.links)}
    texts = [renames.get(name, name) for name in graph.texts.fields]
    named = {spec.name for spec in options.named_metadata}
    rows = []

    def add(column: str, kind: str, values: int | None, example: str, default: str) -> None:
        rows.append(PlannedColumn(column, kind, values, example, why.get(column, default), change.get(column, "")))

    if schema.get("id") == LINE_ID:
        add(LINE_ID, "id", len(graph), str(graph.documents[0]), "records are named by file and line")

    def is_of(source: str | None, column: str) -> bool:
        """Check whether a field comes from a column or a part of it: the longest name that it begins with."""
        names = (name for name in samples if source is not None and f"{source}.".startswith(f"{name}."))
        return column == max(names, key=len, default=None)

    for column, sample in samples.items():
        example = sample.members[0] if sample.members else ""
        distinct = None if sample.rows < len(graph) else sample.distinct  # a count of the first records only
        before = len(rows)
        for source in filter(lambda source: is_of(source, column), [schema.get("id"), *texts, schema.get("label")]):
            if source == schema.get("id"):
                default = "`id=` names it" if options.id else "an id by its name"
                first = str(graph.documents[0])  # of an earlier load, or made from an object
                first = first if first == example or graph.documents.get(example) is None else example
                add(source, "id", len(graph), first, default)
            elif source in texts:
                add(source, "text", None, example, "`text=` names it" if options.text_fields else "a text by its name")
            else:
                labels = None if graph.labels is None else len(graph.labels.names)
                add(source, "label", labels, example, "only to evaluate")
        for name in (name for name, source in sources.items() if is_of(source, column)):
            if name in graph.links:
                add(name, "link", distinct, example, "ids of other documents")
                continue
            kind = "metadata" if sources[name] == name else f"metadata={sources[name]}"
            values = (graph if name in graph.fields else whole).names(name)
            first = str(values[0]) if len(values) else ""
            if name in graph.fields:
                default = "`metadata=` names it" if name in named else _repeats(graph, name)
                if column not in left_out:  # it may be left out, and a part of it taken
                    default = why.get(column, default)
                add(name, kind, len(values), first, default)
            else:
                add(name if name in why else sources[name], "left out", len(values), first, "")
        if len(rows) == before:
            reason = f"it holds {skipped[column]}" if column in skipped else "it holds nothing that joins documents"
            reason = reason if options.takes_all else "`metadata=` names others"
            reason = "`ignore=` names it" if column in options.ignored else reason
            add(column, "left out", distinct, example, reason if sample.filled else "it has no values")
    return rows


def _repeats(graph: Graph, name: str) -> str:
    """Return the default reason why a field is metadata."""
    return "its values repeat" if len(graph.names(name)) < graph.edges(name).n_edges else "it holds names or codes"


def plan_text(rows: Iterable[PlannedColumn]) -> str:
    """Write the plan as TOML: one line per column, with the details in a comment.

    >>> print(plan_text([PlannedColumn("age", "left out", 90, "41", "numbers")]), end="")
    # What each column is: id, text, metadata, label, link or left out. Load with --columns and this file's name.
    [columns]
    "age" = "left out"  # 90 values, such as "41": numbers
    """
    lines = [
        "# What each column is: id, text, metadata, label, link or left out. Load with --columns and this file's name.",
        "[columns]",
    ]
    for row in rows:
        many = "" if row.values is None else f"{row.values:,} values, "
        comment = f"{many}such as {json.dumps(row.example[:40])}: {' '.join(row.why.split())}"
        lines.append(f"{json.dumps(row.column)} = {json.dumps(row.kind)}  # {comment}")
    return "\n".join(lines) + "\n"


def apply_plan(options: LoadOptions) -> LoadOptions:
    """Return the options with the plan of the TOML file that `columns` names applied, if it names one."""
    given = options.columns
    if not isinstance(given, (str, Path)) or not str(given).endswith(".toml"):
        return options
    try:
        columns: Any = tomllib.loads(Path(given).read_text(encoding="utf-8")).get("columns")
    except FileNotFoundError:
        raise BadInput(f"{given}: no such file", hint="write it with --dry-run and the same --columns") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{given}: not a readable plan ({error})", hint="write it anew with --dry-run") from None
    if not isinstance(columns, dict) or not columns:
        raise BadInput(f"{given}: no [columns]", hint="write it anew with --dry-run")
    parts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    metadata: dict[str, str] = {}
    for name, kind in columns.items():
        if isinstance(kind, str) and kind.partition("=")[0] == "metadata":
            metadata[name] = kind.partition("=")[2] or name
        elif kind in KINDS:
            parts[kind].append(name)
        else:
            raise BadInput(f"{given}: {name!r} is {kind!r}", hint=f"expected one of {', '.join(KINDS)}")
    for kind in ("id", "label"):
        if len(parts[kind]) > 1:
            raise BadInput(f"{given}: two columns are the {kind}", hint="choose one")
    return replace(
        options,
        columns=None,
        id=parts["id"][0] if parts["id"] else LINE_ID,
        text={name: name for name in parts["text"]} or None,
        metadata=metadata,
        links={name: name for name in parts["link"]} or None,
        label=parts["label"][0] if parts["label"] else "",
    )
