"""Predictions as files and tables: one record per document, in the input's order; files are written atomically."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from classify.model.decision import Decision
from hin.arrays.stored_rows import passing
from hin.arrays.types import Doubles, Reals
from hin.errors import BadUsage
from hin.files.atomic import atomic_file
from hin.visible import guard_cell

FORMATS = (".jsonl", ".csv", ".parquet")

#: Records of a row group in Parquet.
_GROUP = 65_536


def prediction_records(
    documents: Sequence[str],
    categories: Sequence[str],
    scores: Reals,
    decision: Decision | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield one record per document: ``document, category, confidence, scores``.

    The category is the one with the highest score, and the confidence that score; None where the decision abstains, or
    where all scores are equal because there was no evidence. A decision that gives several categories adds
    ``categories``, the surest first, one in a tree the ``path``.

    Examples
    --------
    >>> next(prediction_records(["d1"], ["games", "fonts"], np.array([[0.2, 0.8]])))
    {'document': 'd1', 'category': 'fonts', 'confidence': 0.8, 'scores': {'games': 0.2, 'fonts': 0.8}}
    """
    decision = decision or Decision()
    _check(scores, categories, documents, decision.abstain_below)
    for here in passing(scores):  # as Python's numbers they would take ten times the memory
        yield from _records(documents[here], categories, scores[here], decision)


def _records(
    documents: Sequence[str], categories: Sequence[str], scores: Reals, decision: Decision
) -> Iterator[dict[str, Any]]:
    names = decision.names(categories)
    # Six digits, so that the file does not depend on how a float32 prints.
    rounded = np.asarray(scores, dtype=np.float64).round(6)
    found = decision.given(rounded)
    sure, given = rounded.max(axis=1), found.of_documents()
    if decision.tree is not None and decision.sets is None:  # a parent is surer than its leaves
        sure[found.documents] = found.confidence
    for document, columns, certainty, row in zip(documents, given, sure.tolist(), rounded.tolist(), strict=True):
        record: dict[str, Any] = {
            "document": document,
            "category": names[columns[0]] if columns else None,
            "confidence": certainty,
        }
        if decision.tree is not None:
            record["path"] = decision.path(categories, columns[0]) if columns else []
        if decision.sets is not None:
            record["categories"] = [names[column] for column in columns]
        yield record | {"scores": dict(zip(categories, row, strict=True))}


def write_predictions(
    path: str | Path,
    documents: Sequence[str],
    categories: Sequence[str],
    scores: Reals,
    decision: Decision | None = None,
    formulas: bool = False,
    all_scores: bool = True,
) -> None:
    """Write predictions as .jsonl, .csv or .parquet; in CSV lists and the scores are JSON columns.

    The file appears under its name only when it is complete. With `formulas`, cells of a CSV file that a spreadsheet
    would take for a formula are left as they are. Without `all_scores` only the given categories' scores are written.
    """
    target = Path(path)
    suffix = check_format(target)
    records = prediction_records(documents, categories, scores, decision)
    nested = [*([] if decision is None else decision.lists), *(["scores"] if all_scores else [])]
    if not all_scores:
        records = ({name: value for name, value in record.items() if name != "scores"} for record in records)
    with atomic_file(target) as temporary:
        if suffix == ".jsonl":
            _write_jsonl(temporary, records)
        elif suffix == ".csv":
            _write_csv(temporary, records, nested, formulas)
        else:
            _write_parquet(temporary, categories, records, nested)


def check_format(path: Path | None) -> str:
    """Return a file's extension in lower case; raise unless predictions can be written in that format."""
    suffix = "" if path is None else path.suffix.lower()
    if path is not None and suffix not in FORMATS:
        raise BadUsage(f"unknown format of {path}", hint=f"end its name in {', '.join(FORMATS)}")
    return suffix


def _check(scores: Any, categories: Sequence[str], documents: Sequence[str], abstain_below: float | None) -> None:
    if scores.shape != (len(documents), len(categories)):
        shape = (len(documents), len(categories))
        raise BadUsage(f"scores of shape {scores.shape} for {shape[0]} documents and {shape[1]} categories")
    if abstain_below is not None and not 0 <= abstain_below <= 1:
        raise BadUsage(f"cannot abstain below {abstain_below}", hint="give a confidence between 0 and 1")


def _write_jsonl(path: Path, records: Iterator[dict[str, Any]]) -> None:
    import orjson

    with path.open("wb") as file:
        for record in records:
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def _write_csv(path: Path, records: Iterator[dict[str, Any]], nested: Sequence[str], formulas: bool) -> None:
    import csv

    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["document", "category", "confidence", *nested])
        for record in records:
            parts = [json.dumps(record[name], ensure_ascii=False) for name in nested]
            names = [record["document"], record["category"] or ""]
            writer.writerow([*(names if formulas else map(guard_cell, names)), record["confidence"], *parts])


def _write_parquet(
    path: Path, categories: Sequence[str], records: Iterator[dict[str, Any]], nested: Sequence[str]
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    scores = pa.struct([pa.field(category, pa.float64()) for category in categories])
    schema = pa.schema(
        {
            "document": pa.large_string(),
            "category": pa.string(),
            "confidence": pa.float64(),
            **{name: scores if name == "scores" else pa.list_(pa.string()) for name in nested},
        }
    )
    with parquet.ParquetWriter(path, schema) as writer:
        while rows := list(islice(records, _GROUP)):
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def prediction_table(
    given: Any,
    documents: Sequence[str],
    categories: Sequence[str],
    probabilities: Doubles,
    decision: Decision | None = None,
) -> Any:
    """Return id, category and confidence of each document; a DataFrame's index is preserved.

    A decision that gives several categories adds the list of them.

    Examples
    --------
    >>> table = prediction_table(["a text"], ["0"], ["games", "fonts"], np.array([[0.2, 0.8]]))
    >>> table.to_pylist()
    [{'document': '0', 'category': 'fonts', 'confidence': 0.8}]
    """
    import pyarrow as pa

    decision = decision or Decision()
    rows = list(prediction_records(documents, categories, probabilities, decision=decision))
    kinds = {"document": pa.string(), "category": pa.string(), "confidence": pa.float64()}
    kinds |= dict.fromkeys(decision.lists, pa.list_(pa.string()))
    arrow = pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in kinds.items()})
    package = type(given).__module__.partition(".")[0]
    if package == "polars":
        return sys.modules["polars"].from_arrow(arrow)
    if package == "pandas":
        frame = arrow.to_pandas()
        frame.index = given.index
        return frame
    return arrow
