"""The paper's Table 2 and Table 5 for the graph at hand, as lines of a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from classify.comparators.parts.system import SYSTEMS
from classify.comparators.runs.stored_runs import settings_of
from classify.comparators.runs.summary import REFERENCES
from hin.human import plural

if TYPE_CHECKING:
    from hin.console import Console


def show_summary(rows: Sequence[dict[str, Any]], head: dict[str, Any], console: Console) -> None:
    """Print both tables and the remarks."""
    used, total = head["documents"], head["documents_of_graph"]
    of = "" if used == total else f", a sample of {total:,}"
    console.table(
        [_scores(row) for row in rows],
        ["system", "micro-F1", "macro-F1", *REFERENCES, "tested"],
        title=f"{plural(used, 'document')}{of}, {plural(len(head['seeds']), 'seed')}",
    )
    console.line("*, **: significantly worse than that system (micro, macro), t-test, p < .05, p < .01")
    console.line()
    console.table(
        [_cost(row) for row in rows],
        ["system", "seconds", "processor", "MB", "MAG-CS", "Amazon"],
        title="Time and memory of one run; beside it the paper's hours on its own data",
    )
    for row in rows:
        if remark := _remark(row):
            console.line(f"{row['system']}: {remark}")
        for note in row["notes"]:
            console.note(f"{row['system']}: {note}")
        if row["message"]:
            console.note(f"{row['system']}: {row['message']}")


def _scores(row: dict[str, Any]) -> list[Any]:
    marks = (_marks(row, name) for name in REFERENCES)
    return [row["system"], score(row["micro_f1"]) or row["status"], score(row["macro_f1"]), *marks, row["documents"]]


def _remark(row: dict[str, Any]) -> str:
    """Return remarks on a system: failures, and what it read besides the graph."""
    remark = row["status"]
    if row["status"] == "done":
        remark = "learns from true labels" if row["supervision"] == "labels" else ""
    models = ", ".join(f"{role} {place}" for role, place in sorted(row["models"].items()))
    return ", ".join(filter(None, [remark, models]))


def score(measure: dict[str, Any] | None) -> str:
    """Return a mean with its spread.

    >>> score({"mean": 0.5714, "spread": 0.0042}), score({"mean": 0.5, "spread": None}), score(None)
    ('.571 ±.004', '.500', '')
    """
    if measure is None:
        return ""
    return decimal(measure["mean"]) + ("" if measure["spread"] is None else f" ±{decimal(measure['spread'])}")


def decimal(value: float | None) -> str:
    """Return a share with three digits, nothing where it is not known.

    >>> decimal(0.25), decimal(1.0), decimal(None)
    ('.250', '1.000', '')
    """
    return "" if value is None else f"{value:.3f}".removeprefix("0")


def _marks(row: dict[str, Any], name: str) -> str:
    if row["system"] == name or row["micro_f1"] is None:
        return ""
    marks = [(row[measure].get(name) or {}).get("marks") for measure in ("micro_f1", "macro_f1")]
    return "" if marks == [None, None] else " ".join(mark or "-" for mark in marks)


def _cost(row: dict[str, Any]) -> list[Any]:
    hours = row["paper_hours"] or {}
    return [
        row["system"], f"{row['seconds']:.1f}", f"{row['processor']:.1f}", round(row["megabytes"]),
        hours.get("MAG-CS"), hours.get("Amazon"),
    ]  # fmt: skip


def show_systems(console: Console) -> None:
    """Print the description of each system: what follows its authors, what differs, and its settings."""
    if console.as_json:
        console.json([{"system": name, **_describe(name)} for name in SYSTEMS.names()])
        return
    for name in SYSTEMS.names():
        facts = _describe(name)
        console.line(f"{name}: {facts['title']}")
        facts["settings"] = ", ".join(f"{key} {value}" for key, value in facts["settings"].items())
        for label in ("paper", "follows", "differs", "settings"):
            if facts[label]:
                text = f"{label}: {facts[label]}"
                console.line(textwrap.fill(text, 100, initial_indent="  ", subsequent_indent="    "))


def _describe(name: str) -> dict[str, Any]:
    return {**vars(SYSTEMS.get(name).about), "settings": settings_of(name)}
