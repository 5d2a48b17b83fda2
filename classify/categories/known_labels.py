"""The labels a user knows: from a file (`--known few.csv`) or a sequence (`fit(graph, y)`), checked."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from classify.categories.known import Known
from hin.errors import BadInput, BadUsage, UnknownName
from hin.human import plural
from hin.stores.answers import PERSON, Answer

if TYPE_CHECKING:
    from hin.graph import Graph

_DOCUMENT = ("document", "id")
_CATEGORY = ("category", "label")
_SOURCE = ("source",)
_CONFIDENCE = ("confidence",)
#: The most categories that an error lists.
_MOST_LISTED = 20


def known_from_labels(
    labels: Sequence[Any], classes: Sequence[str], n_documents: int, several: bool = False
) -> Known | None:
    """Convert labels in the order of the documents; None and "" are unknown.

    If a document may have `several` categories, its label may be a list.

    >>> known = known_from_labels(["b", None, "", "a"], ["a", "b"], 4)
    >>> known.rows.tolist(), known.labels.tolist()
    ([0, 3], [1, 0])
    """
    given = list(labels)
    if len(given) != n_documents:
        raise BadUsage(
            f"{plural(len(given), 'label')} for {plural(n_documents, 'document')}",
            hint="give one per document, None where it is not known",
        )
    number = {name: i for i, name in enumerate(classes)}
    rows, codes = [], []
    for row, item in enumerate(given):
        listed = isinstance(item, list | tuple | set | frozenset)
        if listed and not several:
            raise BadUsage(f"document {row} has several labels", hint="give one, or MotifClassifier(several=True)")
        for label in sorted(set(item)) if listed else [item]:
            if label is None or label == "" or label != label:  # NaN is pandas' missing value
                continue
            if label not in number:
                raise UnknownName(
                    f"the label {label!r} of document {row} is not a category",
                    hint=_listed(classes),
                )
            rows.append(row)
            codes.append(number[str(label)])
    return Known(np.array(rows, dtype=np.int64), np.array(codes, dtype=np.int64)) if rows else None


def read_known(path: str | Path, graph: Graph, classes: Sequence[str]) -> Known | None:
    """Read documents with their categories from a CSV, TSV or JSONL file with `document` and `category`.

    Lines without a category are skipped, so that a file may be filled in bit by bit.

    Raises
    ------
    BadInput, UnknownName
        With file and line: an unknown document, a label that is not a category, two labels of one document.
    """
    return known_of(read_answers(path, graph, classes), graph, classes)


def read_answers(path: str | Path, graph: Graph, classes: Sequence[str], several: bool = False) -> list[Answer]:
    """Read a file for `--known` as answers; the optional columns `source` and `confidence` are for teachers.

    If a document may have `several` categories, it has a line for each, or a list in JSONL.

    Raises
    ------
    BadInput, UnknownName
        As `read_known`.
    """
    found: dict[tuple[str, str], dict[str, KnownLine]] = {}
    for one in known_lines(Path(path), several):
        if not one.category:
            continue
        where = f"{path}, line {one.number}"
        if graph.documents.get(one.document) is None:
            raise UnknownName(
                f"{where}: there is no document {one.document!r}", hint="give ids as `hin load` read them"
            )
        if one.category not in classes:
            raise UnknownName(f"{where}: {one.category!r} is not a category", hint=_listed(classes))
        before = found.setdefault((one.document, one.source or PERSON), {})
        before.setdefault(one.category, one)
        if len(before) > 1 and not several:
            earlier = next(iter(before.values()))
            raise BadInput(
                f"{where}: document {one.document!r} has the category {earlier.category!r} in line {earlier.number}",
                hint="give each document one category, or add --several",
            )
    return [
        Answer(document, tuple(lines), source, _confidence(path, next(iter(lines.values()))))
        for (document, source), lines in found.items()
    ]


def known_of(answers: Sequence[Answer], graph: Graph, classes: Sequence[str]) -> Known | None:
    """Convert answers to the numbers of documents and categories.

    Of several persons' answers for a document the last one counts. Each teacher's answers stay separate.
    """
    number = {name: i for i, name in enumerate(classes)}
    persons = {answer.document: answer for answer in answers if answer.by_person}
    by_teachers = [answer for answer in answers if not answer.by_person]
    taken = [*persons.values(), *by_teachers]
    sources = tuple(sorted({answer.source for answer in by_teachers}))
    entries = sorted(
        (
            graph.documents.index(answer.document),
            -1 if answer.by_person else sources.index(answer.source),
            number[name],
            np.nan if answer.confidence is None else answer.confidence,
        )
        for answer in taken
        for name in dict.fromkeys(answer.categories)
    )
    if not entries:
        return None
    rows, source, labels, confidence = zip(*entries, strict=True)
    return Known(
        np.array(rows, dtype=np.int64),
        np.array(labels, dtype=np.int64),
        sources,
        np.array(source, dtype=np.int64),
        np.array(confidence, dtype=np.float64),
    )


class KnownLine(NamedTuple):
    """A line of a file with known documents, unchecked."""

    number: int
    document: str
    category: str
    source: str = ""
    confidence: str = ""


def _confidence(path: str | Path, line: KnownLine) -> float | None:
    try:
        value = float(line.confidence) if line.confidence else None
        if value is None or 0 <= value <= 1:
            return value
    except ValueError:
        pass
    raise BadInput(
        f"{path}, line {line.number}: the confidence {line.confidence!r} is not a number from 0 to 1",
        hint="mend or leave it out",
    )


def known_lines(path: Path, several: bool = False) -> Iterator[KnownLine]:
    """Yield the lines of a CSV, TSV or JSONL file with known documents; one for each category."""
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
    # Records may span lines, so line numbers come from the reader.
    reader = csv.reader(text.splitlines(keepends=True), delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
    columns: list[int | None] | None = None
    for record in reader:
        if not any(cell.strip() for cell in record):
            continue
        if columns is None:
            columns = _columns(path, [cell.strip().lower() for cell in record])
            continue
        if len(record) <= max(column for column in columns[:2] if column is not None):
            raise BadInput(f"{path}, line {reader.line_num}: too few columns", hint="give document and category")
        cells = ("" if at is None or at >= len(record) else record[at].strip() for at in columns)
        yield KnownLine(reader.line_num, *cells)


def _listed(classes: Sequence[str]) -> str:
    """List the categories, for the hint of an error.

    >>> _listed(["a", "b"])
    'the categories are a, b'
    """
    more = f", and {len(classes) - _MOST_LISTED:,} more" if len(classes) > _MOST_LISTED else ""
    return f"the categories are {', '.join(classes[:_MOST_LISTED])}{more}"


def _columns(path: Path, names: list[str]) -> list[int | None]:
    kinds = (_DOCUMENT, _CATEGORY, _SOURCE, _CONFIDENCE)
    found = [next((names.index(name) for name in kind if name in names), None) for kind in kinds]
    if found[0] is None or found[1] is None:
        raise BadInput(
            f"{path}, line 1: no columns document and category; it has {', '.join(names)}",
            hint="begin the file with a line `document,category`",
        )
    return found


def _json_lines(path: Path, text: str, several: bool) -> Iterator[KnownLine]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
        except ValueError as error:
            raise BadInput(f"{path}, line {number}: {error}", hint="give one JSON object per line") from error
        kinds = (_DOCUMENT, _CATEGORY, _SOURCE, _CONFIDENCE)
        found = [
            next((record[name] for name in kind if isinstance(record, dict) and name in record), None) for kind in kinds
        ]
        document, category, *rest = found
        if document is None:
            raise BadInput(f"{path}, line {number}: no document", hint='write {"document": ..., "category": ...}')
        listed = isinstance(category, list)
        if listed and not several:
            raise BadInput(
                f"{path}, line {number}: several categories", hint="give each document one category, or add --several"
            )
        for one in category if isinstance(category, list) else [category]:
            cells = ("" if value is None else str(value) for value in (one, *rest))
            yield KnownLine(number, str(document), *cells)
