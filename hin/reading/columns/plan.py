"""What became of each column, as one table; as a TOML file it can be edited and given back."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from hin.errors import BadInput
from hin.graph import Graph
from hin.reading.columns.choose import ColumnChoice
from hin.reading.columns.looks import Look
from hin.reading.options import LINE_ID, LoadOptions

__all__ = ["PlannedColumn", "planned", "plan_text", "with_plan"]

_KINDS = ("id", "text", "metadata", "label", "left out")


class PlannedColumn(NamedTuple):
    """One column (or field made of a part of one): its kind, how many values it has, one of them, and why."""

    column: str
    kind: str
    values: int | None
    example: str
    why: str


def planned(graph: Graph, looks: Mapping[str, Look], decisions: Iterable[ColumnChoice]) -> list[PlannedColumn]:
    """Return what became of each column of a graph that was just loaded."""
    schema, why = graph.schema, {decision.column: decision.why for decision in decisions}
    renames = schema.get("renames", {})
    sources = {name: renames.get(name, name) for name in (*graph.fields, *graph.links)}
    texts = [renames.get(name, name) for name in graph.texts.fields]
    rows = []
    for column, look in looks.items():
        made = [name for name, source in sources.items() if source == column or source.startswith(f"{column}.")]
        example = look.members[0] if look.members else ""
        if column == schema.get("id"):
            rows.append(PlannedColumn(column, "id", len(graph), example, why.get(column, "named id")))
        elif column in texts:
            rows.append(PlannedColumn(column, "text", None, example, why.get(column, "named as a text is")))
        elif column == schema.get("label"):
            rows.append(PlannedColumn(column, "label", look.distinct, example, "only to evaluate"))
        elif made:
            for name in made:
                kind = "metadata" if sources[name] == name else f"metadata={sources[name]}"
                values = len(graph.names(name)) if name in graph.fields else look.distinct
                rows.append(PlannedColumn(name, kind, values, example, why.get(column, "its values come again")))
        else:
            reason = why.get(column, "it has no values" if not look.filled else "it holds nothing that joins documents")
            rows.append(PlannedColumn(column, "left out", look.distinct, example, reason))
    return rows


def plan_text(rows: Iterable[PlannedColumn]) -> str:
    """Return the plan as TOML: one line a column, the rest as a comment.

    >>> print(plan_text([PlannedColumn("age", "left out", 90, "41", "numbers")]), end="")
    # What each column is: id, text, metadata, label or left out. Load with --columns and this file's name.
    [columns]
    "age" = "left out"  # 90 values, such as "41": numbers
    """
    lines = [
        "# What each column is: id, text, metadata, label or left out. Load with --columns and this file's name.",
        "[columns]",
    ]
    for row in rows:
        many = "" if row.values is None else f"{row.values:,} values, "
        comment = f"{many}such as {json.dumps(row.example[:40])}: {' '.join(row.why.split())}"
        lines.append(f"{json.dumps(row.column)} = {json.dumps(row.kind)}  # {comment}")
    return "\n".join(lines) + "\n"


def with_plan(options: LoadOptions) -> LoadOptions:
    """Return options as the plan says that `columns` names, if it is the name of a TOML file."""
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
    parts: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    metadata: dict[str, str] = {}
    for name, kind in columns.items():
        if isinstance(kind, str) and kind.partition("=")[0] == "metadata":
            metadata[name] = kind.partition("=")[2] or name
        elif kind in _KINDS:
            parts[kind].append(name)
        else:
            raise BadInput(f"{given}: {name!r} is {kind!r}", hint=f"expected one of {', '.join(_KINDS)}")
    for kind in ("id", "label"):
        if len(parts[kind]) > 1:
            raise BadInput(f"{given}: two columns are the {kind}", hint="choose one")
    return replace(
        options,
        columns=None,
        id=parts["id"][0] if parts["id"] else LINE_ID,
        text={name: name for name in parts["text"]} or None,
        metadata=metadata,
        label=parts["label"][0] if parts["label"] else "",
    )
