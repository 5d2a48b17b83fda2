"""A folder of documents: one per file, with its sub-folder as a metadata field."""

from __future__ import annotations

import email
import email.policy
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hin.errors import BadInput
from hin.human import plural
from hin.reading.columns.html_text import plain_text
from hin.reading.formats.base import Row, format_by_name
from hin.reading.inputs.encodings import likely_encoding, marked_encoding

#: The name of the field that holds the sub-folder.
FOLDER = "folder"


def _document_files(folder: str) -> list[str]:
    """List the document files of a folder and its sub-folders; hidden ones are left out."""
    return [file for file in _files(folder) if _reader_of(file)]


def check_folder(folder: str) -> list[str]:
    """Return a note on the files of a folder that are no documents; raise if there are more tables than documents.

    >>> check_folder("no such folder")
    Traceback (most recent call last):
        ...
    hin.errors.BadInput: no such folder: a folder without .txt, .md, .html or .eml files; name the files in it
    """
    documents, others = len(_document_files(folder)), _other_files(folder)
    tables = {ending: count for ending, count in others.items() if format_by_name(f"a{ending}")}
    if sum(tables.values()) > documents:
        ending = max(tables, key=lambda ending: tables[ending])
        what = f"{folder}: a folder of {plural(tables[ending], 'file')} {ending}, and {plural(documents, 'document')}"
        raise BadInput(what, hint=f"name the files, for example '{folder.rstrip('/')}/**/*{ending}'")
    if not documents:
        raise BadInput(f"{folder}: a folder without .txt, .md, .html or .eml files", hint="name the files in it")
    kinds = ", ".join(ending or "without an ending" for ending, _ in others.most_common(3))
    count = sum(others.values())
    return [f"{folder}: {plural(count, 'file')} skipped, no documents ({kinds})"] if count else []


def _other_files(folder: str) -> Counter[str]:
    """Count the files that are no documents by the ending of their names."""
    return Counter(os.path.splitext(file)[1].lower() for file in _files(folder) if not _reader_of(file))


def _files(folder: str) -> list[str]:
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [os.path.join(place, name) for name in files if not name.startswith(".")]
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
        for number, file in enumerate(_document_files(self.folder), 1):
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
    **dict.fromkeys((".txt", ".text", ".md", ".markdown"), lambda raw: {"text": _text(raw)}),
    **dict.fromkeys((".html", ".htm"), lambda raw: {"text": plain_text(_text(raw))}),
    ".eml": _message,
}


def _reader_of(file: str) -> Callable[[bytes], dict[str, Any]] | None:
    return _READERS.get(os.path.splitext(file)[1].lower())
