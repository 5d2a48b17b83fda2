"""The labels a user knows: from a file (`--known few.csv`) or a sequence (`fit(graph, y)`), checked."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.known import Known
from hin.errors import BadInput, BadUsage, UnknownName
from hin.human import plural

if TYPE_CHECKING:
    from hin.graph import Graph

__all__ = ["known_from_labels", "read_known"]

_DOCUMENT = ("document", "id")
_CATEGORY = ("category", "label")


def known_from_labels(
    labels: Sequence[Any], classes: Sequence[str], n_documents: int, several: bool = False
) -> Known | None:
    """Take labels in the order of the documents; None and "" are unknown.

    A list holds the categories of one document, where it may have `several`.

    >>> known = known_from_labels(["b", None, "", "a"], ["a", "b"], 4)
    >>> known.rows.tolist(), known.labels.tolist()
    ([0, 3], [1, 0])
    """
    given = list(labels)
    if len(given) != n_documents:
        raise BadUsage(
            f"{plural(len(given), 'label')} for {plural(n_documents, 'document')}",
            hint="give one a document, None where it is not known",
        )
    number = {name: i for i, name in enumerate(classes)}
    rows, codes = [], []
    for row, item in enumerate(given):
        listed = isinstance(item, list | tuple | set | frozenset)
        if listed and not several:
            raise BadUsage(f"document {row} has several labels", hint="give one, or MotifClassifier(several=True)")
        for label in sorted(set(item)) if listed else [item]:
            if label is None or label == "" or label != label:  # NaN, as pandas has it for what is missing
                continue
            if label not in number:
                raise UnknownName(
                    f"the label {label!r} of document {row} is no category", hint=f"there are {', '.join(classes)}"
                )
            rows.append(row)
            codes.append(number[str(label)])
    return Known(np.array(rows, dtype=np.int64), np.array(codes, dtype=np.int64)) if rows else None


def read_known(path: str | Path, graph: Graph, classes: Sequence[str], several: bool = False) -> Known | None:
    """Read documents with their categories from a CSV, TSV or JSONL file with `document` and `category`.

    Lines without a category are passed over, so that a file may be filled in bit by bit. Where a document may have
    `several` categories it has a line for each, or a list in JSONL.

    Raises
    ------
    BadInput, UnknownName
        With file and line: a document that is not there, a label that is no category, two labels of one document.
    """
    number = {name: i for i, name in enumerate(classes)}
    labels: dict[int, dict[int, int]] = {}
    for line, document, category in _lines(Path(path), several):
        if not category:
            continue
        where = f"{path}, line {line}"
        row = graph.documents.get(document)
        if row is None:
            raise UnknownName(f"{where}: there is no document {document!r}", hint="give ids as `hin load` read them")
        if category not in number:
            raise UnknownName(f"{where}: {category!r} is no category", hint=f"there are {', '.join(classes)}")
        before = labels.setdefault(row, {})
        before.setdefault(number[category], line)
        if len(before) > 1 and not several:
            code, earlier = next(iter(before.items()))
            raise BadInput(
                f"{where}: document {document!r} has the category {classes[code]!r} in line {earlier}",
                hint="give each document one category, or add --several",
            )
    pairs = [(row, code) for row in sorted(labels) for code in labels[row]]
    return Known(*np.array(pairs, dtype=np.int64).T.copy()) if pairs else None


def _lines(path: Path, several: bool = False) -> Iterator[tuple[int, str, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start})", hint="save it as UTF-8") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"cannot read {path}: {reason}", hint="give a CSV file with document and category") from error
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        yield from _json_lines(path, text, several)
        return
    # Records may span lines, so the reader says where it is.
    reader = csv.reader(text.splitlines(keepends=True), delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
    columns: tuple[int, int] | None = None
    for record in reader:
        if not any(cell.strip() for cell in record):
            continue
        if columns is None:
            columns = _columns(path, [cell.strip().lower() for cell in record])
            continue
        if len(record) <= max(columns):
            raise BadInput(f"{path}, line {reader.line_num}: too few columns", hint="give document and category")
        yield reader.line_num, record[columns[0]].strip(), record[columns[1]].strip()


def _columns(path: Path, names: list[str]) -> tuple[int, int]:
    found = [next((names.index(name) for name in kind if name in names), None) for kind in (_DOCUMENT, _CATEGORY)]
    if found[0] is None or found[1] is None:
        raise BadInput(
            f"{path}, line 1: no columns document and category in {', '.join(names)}",
            hint="begin the file with a line `document,category`",
        )
    return found[0], found[1]


def _json_lines(path: Path, text: str, several: bool) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{path}, line {number}: {error}", hint="give one JSON object a line") from error
        kinds = (_DOCUMENT, _CATEGORY)
        found = [
            next((record[name] for name in kind if isinstance(record, dict) and name in record), None) for kind in kinds
        ]
        if found[0] is None:
            raise BadInput(f"{path}, line {number}: no document", hint='write {"document": ..., "category": ...}')
        listed = isinstance(found[1], list)
        if listed and not several:
            raise BadInput(
                f"{path}, line {number}: several categories", hint="give each document one category, or add --several"
            )
        categories: list[Any] = found[1] if listed else [found[1]]  # type: ignore[assignment]
        for category in categories:
            yield number, str(found[0]), "" if category is None else str(category)
