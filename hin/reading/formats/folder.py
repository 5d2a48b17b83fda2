"""A folder of documents: one per file, with its sub-folder as a metadata field."""

from __future__ import annotations

import email
import email.policy
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hin.errors import BadInput
from hin.reading.columns.html_text import plain_text
from hin.reading.formats.base import Row
from hin.reading.inputs.encodings import likely_encoding, marked_encoding

__all__ = ["DocumentFolder", "document_files"]

#: The name of the field that holds the sub-folder.
FOLDER = "folder"


def document_files(folder: str) -> list[str]:
    """List the document files of a folder and its sub-folders; hidden ones are left out.

    >>> document_files("no such folder")
    []
    """
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [os.path.join(place, name) for name in files if not name.startswith(".") and _reader_of(name)]
    return sorted(found)


class DocumentFolder:
    """The documents of a folder, with the description of the input that `hin info` shows.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "sea").mkdir()
    >>> _ = (folder / "sea" / "a.txt").write_text("A pilot finds a chart.")
    >>> [row for _, row, _ in DocumentFolder(str(folder), lambda done: None, 1000).rows()]
    [{'id': 'sea/a.txt', 'text': 'A pilot finds a chart.', 'folder': 'sea'}]
    """

    def __init__(self, folder: str, report: Callable[[int], None], longest: int) -> None:
        self.folder = folder
        self.report = report
        self.longest = longest
        self.bytes = 0
        self._hash = hashlib.sha256()

    def rows(self) -> Iterator[Row]:
        """Read the files in the order of their names."""
        for number, file in enumerate(document_files(self.folder), 1):
            name = Path(file).relative_to(self.folder).as_posix()
            if os.path.getsize(file) > self.longest:
                raise BadInput(f"{file}: longer than a record may be", hint="raise the limit with `max_record=`")
            raw = Path(file).read_bytes()
            self.bytes += len(raw)
            self._hash.update(f"{name}\0{len(raw)}\0".encode("utf-8", "surrogatepass") + raw)
            self.report(self.bytes)
            reader = _reader_of(file)
            above = name.rpartition("/")[0]
            if reader is not None:
                yield number, {"id": name, **reader(raw), **({FOLDER: above} if above else {})}, raw

    def inputs(self) -> dict[str, Any]:
        """Name, size and hash of all files together, once the rows are read."""
        return {"file": self.folder, "bytes": self.bytes, "sha256": self._hash.hexdigest()}


def _text(raw: bytes) -> str:
    encoding = marked_encoding(raw) or likely_encoding(raw) or "utf-8-sig"
    return raw.decode(encoding, "replace").replace("\r\n", "\n").replace("\0", " ").strip()


def _plain(raw: bytes) -> dict[str, Any]:
    return {"text": _text(raw)}


def _page(raw: bytes) -> dict[str, Any]:
    return {"text": plain_text(_text(raw))}


def _message(raw: bytes) -> dict[str, Any]:
    """Return an e-mail's subject, text, author and date."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    body = message.get_body(("plain", "html"))
    try:
        text = str(body.get_content()) if body is not None else ""
    except (LookupError, ValueError):  # an unknown encoding
        text = _text(raw)
    if body is not None and body.get_content_subtype() == "html":
        text = plain_text(text)
    heads = {name: str(message[name]) for name in ("from", "date") if message[name]}
    return {"subject": str(message["subject"] or ""), "text": text.strip(), **heads}


_READERS: dict[str, Callable[[bytes], dict[str, Any]]] = {
    **dict.fromkeys((".txt", ".text", ".md", ".markdown"), _plain),
    **dict.fromkeys((".html", ".htm"), _page),
    ".eml": _message,
}


def _reader_of(file: str) -> Callable[[bytes], dict[str, Any]] | None:
    return _READERS.get(os.path.splitext(file)[1].lower())
