"""A cache of paid replies, by model and prompt: the same question is never paid for twice."""

from __future__ import annotations

import json
import os
import threading
from hashlib import blake2b
from pathlib import Path


class PaidReplies:
    """An append-only file of JSON lines; a line left incomplete by a killed process is skipped.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> PaidReplies(folder).add("model", "Which?", "web", 12)
    >>> PaidReplies(folder).get("model", "Which?"), PaidReplies(folder).get("other", "Which?")
    ('web', None)
    >>> PaidReplies(folder).add("model", "Why?", "", 72, cut=60)
    >>> PaidReplies(folder).get("model", "Why?", 60), PaidReplies(folder).get("model", "Why?", 2000)
    ('', None)
    """

    def __init__(self, folder: Path | None) -> None:
        self.path = None if folder is None else folder / "paid.jsonl"
        self._lock = threading.Lock()
        self._found: dict[str, tuple[str, int | None]] = {}
        if self.path is not None and self.path.is_file() and not self.path.is_symlink():
            for line in self.path.read_bytes().splitlines():
                try:
                    record = json.loads(line)
                    cut = record.get("cut")
                    found = str(record["content"]), cut if isinstance(cut, int) else None
                    self._found[str(record["key"])] = found
                except (ValueError, TypeError, KeyError):
                    continue

    def get(self, model: str, prompt: str, most: int = 0) -> str | None:
        """Return the cached reply to a question; None where there is none, or one that was cut off before `most`."""
        content, cut = self._found.get(_key(model, prompt), (None, None))
        return None if cut is not None and cut < most else content

    def add(self, model: str, prompt: str, content: str, tokens: int, cut: int | None = None) -> None:
        """Append a reply, with the number of tokens at which it was cut off; it is on disk when this returns."""
        key = _key(model, prompt)
        with self._lock:
            self._found[key] = content, cut
            if self.path is None:
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            record = {"key": key, "model": model, "content": content, "tokens": tokens}
            line = json.dumps(record if cut is None else {**record, "cut": cut}, ensure_ascii=False)
            with self.path.open("ab") as file:
                # A line break first: a killed process may have left the last line incomplete.
                file.write(b"\n" + line.encode("utf-8", "replace") + b"\n")
                file.flush()
                os.fsync(file.fileno())


def _key(model: str, prompt: str) -> str:
    return blake2b(f"{model}\x1f{prompt}".encode("utf-8", "replace"), digest_size=16).hexdigest()
