"""Instances as records, for people and for machines: chosen, sorted, and written to files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hin.errors import BadUsage
from hin.files.atomic import atomic_file, check_file
from hin.human import plural
from hin.notebook.html_parts import card, escaped, lines, table
from hin.visible import guard_cell

if TYPE_CHECKING:
    import pyarrow as pa

    from hin.arrays.types import Int64
    from motifs.motif_set import MotifSet
    from motifs.table import MotifTable

#: The columns of an instance's record.
FIGURES = ("expected", "lift", "p", "q", "error")
COLUMNS = ("pattern", "instance", "documents", *FIGURES, "parts")
#: The formats of `--out`, by the file's ending.
ENDINGS = (".parquet", ".csv", ".jsonl", ".json")
#: How many instances of a pattern a notebook shows.
SHOWN = 10


def choose(
    table: MotifTable, contains: str | None = None, document: int | None = None, max_q: float | None = None
) -> Int64:
    """Filter instances: those with a value that contains a text, of one document, and with a small q, where given.

    Examples
    --------
    >>> from motifs import match
    >>> from motifs.samples import tiny_graph
    >>> table = match(tiny_graph(), "author", min_count=2)
    >>> table.names_of(choose(table, contains="b"))
    ['AUTHOR[Bob]']
    """
    keep = np.ones(len(table), dtype=np.bool_)
    if contains is not None:
        keep &= _containing(table, contains)
    if document is not None:
        hit = np.zeros(len(table), dtype=np.bool_)
        hit[table.incidence.rows()[table.incidence.targets == document]] = True
        keep &= hit
    if max_q is not None:
        keep &= table.significance().adds(max_q)
    return np.flatnonzero(keep)


#: The orders of `ranked`.
Order = Literal["count", "name", "lift", "q"]


def ranked(table: MotifTable, chosen: Int64, sort: Order = "count", top: int = 0) -> Int64:
    """Sort instances by documents or lift (falling), name or q (rising), and return the first; `top` 0 means all.

    Examples
    --------
    >>> from motifs import match
    >>> from motifs.samples import tiny_graph
    >>> table = match(tiny_graph(), "author", min_count=2)
    >>> table.names_of(ranked(table, choose(table), top=2))
    ['AUTHOR[Ann]', 'AUTHOR[Bob]']
    """
    if sort == "count":
        keys = -table.documents[chosen].astype(np.float64)
    elif sort == "name":
        keys = np.zeros(len(chosen))
    else:
        found = table.significance()
        keys = found.q[chosen] if sort == "q" else -found.lift[chosen]
    if sort != "name" and 0 < top < len(chosen):  # names are only built for instances that can be shown
        inside = keys <= np.partition(keys, top - 1)[top - 1]
        chosen, keys = chosen[inside], keys[inside]
    names = table.names_of(chosen)
    order = sorted(range(len(chosen)), key=lambda i: (keys[i], names[i]))
    return chosen[np.array(order[: top or None], dtype=np.int64)]


def _containing(table: MotifTable, text: str) -> np.ndarray:
    """Return the mask of the instances with a value that contains a text, ignoring case."""
    import pyarrow.compute as pc

    keep = np.zeros(len(table), dtype=np.bool_)
    for c, kind in enumerate(table.fields):
        hit = pc.match_substring(table.graph.names(kind).arrow, text, ignore_case=True)
        keep |= np.asarray(hit.to_numpy(zero_copy_only=False), dtype=np.bool_)[table.parts[:, c]]
    return keep


def records(table: MotifTable, instances: Int64) -> list[dict[str, Any]]:
    """Return one record per instance, in the form of `hin motifs --json`; figures are null where not compared.

    Examples
    --------
    >>> from motifs import match
    >>> from motifs.samples import tiny_graph
    >>> table = match(tiny_graph(), "venue", min_count=2)
    >>> record, = records(table, choose(table))
    >>> record["instance"], record["documents"], record["expected"], record["parts"]
    ('VENUE[KDD]', 3, 3.0, [{'field': 'venue', 'value': 'KDD'}])
    """
    found = table.quick_significance()
    figures = [(None,) * 5] * len(instances)
    if found is not None:
        columns = (found.expected, found.lift, found.p, found.q, found.error)
        figures = list(zip(*(map(_short, column[instances]) for column in columns), strict=True))
    return [
        {
            "pattern": table.pattern.name,
            "instance": name,
            "documents": int(count),
            **dict(zip(FIGURES, row, strict=True)),
            "parts": [{"field": kind, "value": value} for kind, value in zip(table.fields, values, strict=True)],
        }
        for name, count, values, row in zip(
            table.names_of(instances), table.documents[instances], table.values_of(instances), figures, strict=True
        )
    ]


def _short(value: float) -> float:
    """Round to six digits: more would be noise."""
    return float(f"{value:.6g}")


def to_csv(rows: list[dict[str, Any]], formulas: bool = False, columns: Sequence[str] = COLUMNS) -> str:
    """Convert records to CSV, lists inside as JSON; with `formulas`, cells that look like one are not escaped.

    Examples
    --------
    >>> print(to_csv([{"pattern": "venue", "parts": [1]}]).replace("\\r", ""), end="")
    pattern,parts
    venue,[1]
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]) if rows else columns)
    writer.writeheader()
    for row in rows:
        cells = {k: json.dumps(v, ensure_ascii=False) if isinstance(v, list) else v for k, v in row.items()}
        writer.writerow(cells if formulas else {k: guard_cell(v) for k, v in cells.items()})
    return out.getvalue()


def check_ending(path: Path) -> None:
    """Raise if a file's ending stands for no format, before any work is done."""
    if path.suffix.lower() not in ENDINGS:
        raise BadUsage(f"unknown format of {path}", hint=f"end its name in {', '.join(ENDINGS)}")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise BadUsage(f"cannot write {path}", hint="name a file in a folder that exists")
    check_file(path)


def write_records(
    rows: list[dict[str, Any]], path: Path, formulas: bool = False, empty: pa.Table | None = None
) -> None:
    """Write records to a file, all or nothing; its ending determines the format.

    Parameters
    ----------
    empty : the columns where there are no rows; by default those of `hin motifs`.
    """
    check_ending(path)
    with atomic_file(path) as temporary:
        ending = path.suffix.lower()
        if ending == ".parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            table = pa.Table.from_pylist(rows) if rows else _no_instances() if empty is None else empty
            pq.write_table(table, temporary)
        elif ending == ".csv":
            columns = COLUMNS if empty is None else empty.column_names
            temporary.write_text(to_csv(rows, formulas, columns), encoding="utf-8", newline="")
        else:
            lines = [json.dumps(row, ensure_ascii=False) for row in rows]
            text = "".join(line + "\n" for line in lines) if ending == ".jsonl" else _json_list(lines)
            temporary.write_text(text, encoding="utf-8")


def _json_list(lines: list[str]) -> str:
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def _no_instances() -> pa.Table:
    """Return an empty table with the columns of `hin motifs`."""
    import pyarrow as pa

    part = pa.struct({"field": pa.string(), "value": pa.string()})
    columns = {
        "pattern": pa.string(),
        "instance": pa.string(),
        "documents": pa.int64(),
        **dict.fromkeys(FIGURES, pa.float64()),
        "parts": pa.list_(part),
    }
    return pa.schema(columns).empty_table()


def table_card(found: MotifTable) -> str:
    """Show a pattern's most frequent instances in a notebook, as HTML.

    Examples
    --------
    >>> from motifs import match
    >>> from motifs.samples import tiny_graph
    >>> "VENUE[KDD]" in table_card(match(tiny_graph(), "venue", min_count=2))
    True
    """
    title = f"Motif {escaped(found.pattern.name)}: {plural(len(found), 'instance')}"
    least = f"in at least {plural(found.min_count, 'document')}"
    summary = [f"{least}; {found.coverage:.0%} of {plural(len(found.graph), 'document')} have an instance"]
    if len(found.skipped):
        limit = f"more than {found.max_per_document:,} candidates"
        summary.append(f"{plural(len(found.skipped), 'document')} left out, each with {limit}")
    top = ranked(found, np.arange(len(found)), top=SHOWN)
    rows = [
        [escaped(instance), int(count)]
        for instance, count in zip(found.names_of(top), found.documents[top], strict=True)
    ]
    more = len(found) - len(rows)
    parts = [table(["instance", "documents"], rows)] if rows else []
    return card(title, lines(summary), *parts, lines([f"and {more:,} more"] if more else []))


def set_card(motifs: MotifSet) -> str:
    """Show the patterns of a motif set with their most frequent instance in a notebook, as HTML."""
    rows = []
    for found in motifs:
        top = ranked(found, np.arange(len(found)), top=1)
        first = f"{escaped(found.name(int(top[0])))} ({found.documents[top[0]]:,})" if len(top) else ""
        rows.append([escaped(found.pattern.name), len(found), f"{found.coverage:.0%}", first])
    title = f"Motifs: {plural(motifs.n_instances, 'instance')} of {plural(len(motifs), 'pattern')}"
    columns = ["pattern", "instances", "documents with one", "most frequent (documents)"]
    return card(title, table(columns, rows))
