"""The log of the edits in the workbench: an append-only file of JSON lines."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hin.errors import DamagedGraph, GraphBusy
from hin.files.atomic import failed_write


class Journal:
    """Entries in the order they were made; each is on disk before `append` returns.

    A process that is killed while it writes leaves an incomplete line at the end: it was never acknowledged, and is
    removed when the log is opened again.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "edits.jsonl"
    >>> _ = Journal(path).append("undo")
    >>> with path.open("a") as file:
    ...     _ = file.write('{"kind": "ha')
    >>> [entry["kind"] for entry in Journal(path).entries]
    ['undo']
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[dict[str, Any]] = []
        if path.exists():
            self._read()

    def _read(self) -> None:
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                entry = json.loads(line)
                entry["kind"], entry["at"]
            except (ValueError, KeyError, TypeError) as error:
                hint = "move the file away: the graph and its labels stay as they are"
                raise DamagedGraph(f"{self.path}, line {number}: no entry of a log", hint=hint) from error
            self.entries.append(entry)
        if whole < len(data):
            os.truncate(self.path, whole)

    def append(self, kind: str, **content: Any) -> dict[str, Any]:
        """Write an entry, and return it once it is on disk."""
        entry = {"kind": kind, "at": datetime.now(UTC).isoformat(timespec="milliseconds"), **content}
        line = json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        before = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                before = file.tell()
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if before is not None and self.path.exists():  # an incomplete line would corrupt the next one
                os.truncate(self.path, before)
            raise failed_write(error, str(self.path), "log") from None
        self.entries.append(entry)
        return entry


def hold_journal(folder: Path, location: str) -> Any:
    """Lock the journal of a graph against a second workbench; return the lock."""
    from filelock import FileLock, Timeout

    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise GraphBusy(
            f"{location} is open in another `hin explore`", hint="use that page, or add --read-only"
        ) from None
    return lock
