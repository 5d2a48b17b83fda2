"""Replies that were paid for, by what was asked and of whom: the same question is never paid twice."""

from __future__ import annotations

import json
import os
import threading
from hashlib import blake2b
from pathlib import Path

__all__ = ["PaidReplies"]


class PaidReplies:
    """A file of JSON lines that only grows; a line that a kill left unfinished is passed over.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> PaidReplies(folder).add("model", "Which?", "web", 12)
    >>> PaidReplies(folder).get("model", "Which?"), PaidReplies(folder).get("other", "Which?")
    ('web', None)
    """

    def __init__(self, folder: Path | None) -> None:
        self.path = None if folder is None else folder / "paid.jsonl"
        self._lock = threading.Lock()
        self._found: dict[str, str] = {}
        if self.path is not None and self.path.is_file() and not self.path.is_symlink():
            for line in self.path.read_bytes().splitlines():
                try:
                    record = json.loads(line)
                    self._found[str(record["key"])] = str(record["content"])
                except (ValueError, TypeError, KeyError):
                    continue

    def get(self, model: str, prompt: str) -> str | None:
        """Return the reply to a question, where there is one."""
        return self._found.get(_key(model, prompt))

    def add(self, model: str, prompt: str, content: str, tokens: int) -> None:
        """Keep a reply; when this returns it is on the disk."""
        key = _key(model, prompt)
        with self._lock:
            self._found[key] = content
            if self.path is None:
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            line = json.dumps({"key": key, "model": model, "content": content, "tokens": tokens}, ensure_ascii=False)
            with self.path.open("ab") as file:
                # A line break first: the line before may be one that a kill cut short.
                file.write(b"\n" + line.encode("utf-8", "replace") + b"\n")
                file.flush()
                os.fsync(file.fileno())


def _key(model: str, prompt: str) -> str:
    return blake2b(f"{model}\x1f{prompt}".encode("utf-8", "replace"), digest_size=16).hexdigest()
