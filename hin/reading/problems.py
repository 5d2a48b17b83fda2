"""The problem of one bad record: raised, or counted and written to a side file."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hin.errors import BadInput, DuplicateDocument, HinError
from hin.files.atomic import atomic_file

SKIP = "or leave such records out with --on-error skip"


@dataclass(slots=True)
class Problem:
    """One bad record, or a file that cannot be read further.

    Examples
    --------
    >>> print(Problem(3, "expected a string, found a number", "fix it", field="text").error("papers.jsonl"))
    papers.jsonl, line 3, field 'text': expected a string, found a number; fix it
    """

    line: int
    what: str
    hint: str
    field: str | None = None
    raw: bytes | None = None
    duplicate: bool = False

    @classmethod
    def bad_byte(cls, line: int, raw: bytes, at: int, field: str | None = None) -> Problem:
        """Return the problem of a byte that is not UTF-8; `at` is its position in the record.

        >>> Problem.bad_byte(2, b"caf\\xe9", 3).what
        'not valid UTF-8 (byte 0xe9 at column 4)'
        """
        what = f"not valid UTF-8 (byte 0x{raw[at]:02x} at column {at + 1})"
        return cls(line, what, f"name the file's encoding, for example --encoding cp1252, {SKIP}", field=field, raw=raw)

    def error(self, file: str) -> BadInput:
        """Return the problem as an exception."""
        kind = DuplicateDocument if self.duplicate else BadInput
        return kind(f"{place(file, self.line, self.field)}: {self.what}", hint=self.hint)


def place(file: str, line: int, field: str | None = None) -> str:
    """Name a position in the input for a message; line 0 means the file as a whole.

    >>> place("a.csv", 2, "year"), place("a.csv", 0)
    ("a.csv, line 2, field 'year'", 'a.csv')
    """
    parts = [file]
    if line:
        parts.append(f"line {line}")
    if field is not None:
        parts.append(f"field {field!r}")
    return ", ".join(parts)


class Rejects:
    """Counts bad records and writes them with their reason to a side file, one JSON object per line.

    The file is created at the first bad record, so a clean run leaves none behind.

    Examples
    --------
    >>> rejects = Rejects(None)
    >>> rejects.add("a.jsonl", Problem(1, "missing", "give one", field="id"))
    >>> rejects.count
    1
    """

    def __init__(self, path: str | Path | None) -> None:
        self.path = None if path is None else Path(path)
        self.count = 0
        self.first: str | None = None
        self._file: IO[str] | None = None
        self._writing = ExitStack()

    def add(self, file: str, problem: Problem) -> None:
        """Count one bad record and write it to the side file."""
        self.count += 1
        if self.first is None:
            self.first = problem.error(file).message
        if self.path is None:
            return
        record = {
            "file": file,
            "line": problem.line,
            "field": problem.field,
            "reason": problem.what,
            "hint": problem.hint,
            "record": None if problem.raw is None else problem.raw.decode("utf-8", "backslashreplace"),
        }
        try:
            if self._file is None:
                temporary = self._writing.enter_context(atomic_file(self.path))
                self._file = temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
            self._file.write(json.dumps(record, ensure_ascii=False) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def close(self) -> None:
        """Close the side file."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
                self._writing.close()
            except OSError as error:
                raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> HinError:
        what = f"cannot write the rejected records to {self.path}: {error.strerror}"
        return HinError(what, hint="free some space or name another place for them")
