"""A person's or a teacher's answers to "which category has this document?", in a log beside the graph.

The log is a file of JSON lines that only grows. An entry is on the disk before `append` returns; undoing is an entry
too. A line that a killed process left unfinished was never acknowledged, and the next entry removes it. Answers name
documents by id and hold a digest of the text, so that they survive `hin load --append` and never apply to another
document that happens to have the same id.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hin.errors import BadUsage, GraphBusy, UnknownName
from hin.files.atomic import failed_write, sync_folder
from hin.files.checked import damaged, plain_file
from hin.files.graph_folder import ANSWERS
from hin.files.json_shapes import mismatch

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stores.base import Store

#: The file in the folder beside the stages.
FILE = "answers.jsonl"
#: The source of answers that are taken as certain; any other source is a teacher, whose answers are evidence.
PERSON = "person"
#: Texts of this many documents are taken from the mapped table, of more from its file.
_FEW = 8

Verdict = Literal["category", "none", "cannot tell"]
Purpose = Literal["teach", "measure"]

_ENTRY = {
    "document": str, "categories": [str], "verdict": str, "source": str, "confidence?": (None, float), "at": str,
    "purpose": str, "text": str,
}  # fmt: skip
_UNDO = {"undo": [int], "at": str}


@dataclass(frozen=True)
class Answer:
    """The category of a document, according to a person or a teacher.

    Attributes
    ----------
    document : the document's id.
    categories : the category's name; several where a document may have several; empty unless `verdict` is "category".
    source : "person", "person:NAME", or a teacher's name.
    confidence : the source's own confidence, from 0 to 1.
    purpose : whether the answer is to be learned from ("teach"), or only measures how good the labels are ("measure").
    verdict : "category", "none" (of these categories) or "cannot tell".
    at : when, in UTC; set by the log.
    text : digest of the document's text; set by the log.
    number : the entry's number in the log; set by the log.

    Examples
    --------
    >>> Answer("d1", ("sports",)).by_person, Answer("d1", (), "minilm", verdict="none").by_person
    (True, False)
    """

    document: str
    categories: tuple[str, ...] = ()
    source: str = PERSON
    confidence: float | None = None
    purpose: Purpose = "teach"
    verdict: Verdict = "category"
    at: str = ""
    text: str = field(default="", repr=False)
    number: int = -1

    def __post_init__(self) -> None:
        if (self.verdict == "category") != bool(self.categories):
            raise BadUsage(
                f"the answer about {self.document!r} is {self.verdict!r} with {len(self.categories)} categories",
                hint='name categories, or give verdict="none" or "cannot tell" without any',
            )
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise BadUsage(f"the confidence {self.confidence} is not from 0 to 1", hint="mend or leave it out")

    @property
    def by_person(self) -> bool:
        """Whether a person gave it, so that it is taken as certain."""
        return self.source == PERSON or self.source.startswith(PERSON + ":")


class AnswerLog:
    """The answers of one graph.

    Parameters
    ----------
    store : where the graph lives; a database's answers are in the local folder of its models.

    Examples
    --------
    >>> import hin, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/papers.jsonl", "w") as file:
    ...     _ = file.write('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> graph = hin.load(f"{folder}/papers.jsonl", graph=f"{folder}/papers.hin")
    >>> log = AnswerLog(hin.open_store(f"{folder}/papers.hin"))
    >>> entry, = log.append([Answer("p1", ("data mining",))], graph)
    >>> [answer.categories for answer in log.current(graph)]
    [('data mining',)]
    >>> log.undo(entry.number)
    >>> log.current(graph)
    []
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.path: Path = store.workspace / ANSWERS / FILE

    def append(self, answers: Iterable[Answer], graph: Graph) -> list[Answer]:
        """Write answers; when this returns they are on the disk. Returns them with number and time.

        Raises
        ------
        UnknownName
            If the graph has no such document; then none is written.
        """
        given = list(answers)
        rows = [graph.documents.index(answer.document) for answer in given]
        now = _now()
        made = [
            replace(answer, at=answer.at or now, text=text_digest(texts))
            for answer, texts in zip(given, _texts(graph, rows), strict=True)
        ]
        first = self._write([_record(answer) for answer in made]) if made else 0
        return [replace(answer, number=first + i) for i, answer in enumerate(made)]

    def undo(self, *numbers: int) -> None:
        """Revoke answers; the answers that they had replaced, if any, apply again."""
        there = {answer.number for answer in self.entries()}
        if missing := sorted(set(numbers) - there):
            raise UnknownName(f"there is no answer {missing[0]}", hint="see the numbers of `AnswerLog.entries()`")
        self._write([{"undo": list(numbers), "at": _now()}])

    def entries(self) -> list[Answer]:
        """Return all answers that were not revoked, oldest first."""
        answers: dict[int, Answer] = {}
        for number, record in enumerate(self._records()):
            if "undo" in record:
                for undone in record["undo"]:
                    answers.pop(undone, None)
            else:
                answers[number] = Answer(**{**record, "categories": tuple(record["categories"])}, number=number)
        return list(answers.values())

    def latest(self) -> list[Answer]:
        """Return the newest answer of each source about each document, in the order they were given."""
        newest: dict[tuple[str, str, str], Answer] = {}
        for answer in self.entries():
            key = answer.document, answer.source, answer.purpose
            newest.pop(key, None)
            newest[key] = answer
        return list(newest.values())

    def current(self, graph: Graph) -> list[Answer]:
        """Return the newest answers about documents that are in the graph with the text they had then."""
        found = [answer for answer in self.latest() if graph.documents.get(answer.document) is not None]
        rows = [graph.documents.index(answer.document) for answer in found]
        return [
            answer
            for answer, texts in zip(found, _texts(graph, rows), strict=True)
            if text_digest(texts) == answer.text
        ]

    def copy_to(self, store: Store) -> None:
        """Copy all entries of this log to another store, if it has none of its own."""
        target = AnswerLog(store)
        if (records := list(self._records())) and not target.path.exists():
            target._write(records)

    def _records(self) -> Iterator[dict[str, Any]]:
        """Yield the committed entries: whole lines."""
        try:
            data = plain_file(self.path).read_bytes() if os.path.lexists(self.path) else b""
        except OSError as error:
            raise damaged(self.path, error.strerror or str(error)) from None
        for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
            try:
                record = json.loads(line)
                fault = mismatch(record, _UNDO if isinstance(record, dict) and "undo" in record else _ENTRY)
            except ValueError as error:
                fault = str(error)
            if fault is not None:
                raise damaged(self.path, f"line {number}: {fault}")
            yield record

    def _write(self, records: Sequence[dict[str, Any]]) -> int:
        """Write entries to the disk, and return the number of the first."""
        lines = "".join(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n" for record in records)
        try:
            with self._lock():
                new = not os.path.lexists(self.path)
                with (self.path if new else plain_file(self.path)).open("a+b") as file:
                    file.seek(0)
                    before = file.read()
                    whole = before.rfind(b"\n") + 1
                    if whole < len(before):
                        file.truncate(whole)  # left by a process that was killed before it could acknowledge the entry
                    file.write(lines.encode())
                    file.flush()
                    os.fsync(file.fileno())
                if new:
                    sync_folder(self.path.parent)
                    sync_folder(self.path.parent.parent)
                return before.count(b"\n")
        except OSError as error:
            raise failed_write(error, self.path, "graph") from None

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Wait until no other process appends."""
        from filelock import FileLock, Timeout

        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.path.parent / ".lock", timeout=30):
                yield
        except Timeout:
            raise GraphBusy(f"another process holds {self.path}", hint="wait until it has ended") from None


def text_digest(texts: Sequence[str]) -> str:
    """Return a short hash of a document's texts.

    >>> text_digest(["Mining graphs"])
    '053df3f01b06bead'
    """
    joined = "\x1f".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=8).hexdigest()


def _record(answer: Answer) -> dict[str, Any]:
    record = asdict(answer)
    del record["number"]
    return {**record, "categories": list(answer.categories)}


def _texts(graph: Graph, rows: Sequence[int]) -> list[tuple[str, ...]]:
    import numpy as np

    if len(rows) <= _FEW:  # opening the file takes longer
        return [graph.texts[row] for row in rows]
    return graph.texts.of_documents(np.array(rows, dtype=np.int64)) if rows else []


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
