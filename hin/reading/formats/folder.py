"""A folder of documents: one per file, with its sub-folder as a metadata field."""

from __future__ import annotations

import email
import email.policy
import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from hin.errors import BadInput
from hin.files.checked import file_hash
from hin.human import plural
from hin.reading.columns.html_text import plain_text
from hin.reading.formats.base import Row, format_by_name
from hin.reading.inputs.encodings import likely_encoding, marked_encoding
from hin.reading.inputs.places import InputPath, members_of, open_place, size_of

#: The name of the field that holds the sub-folder.
FOLDER = "folder"
#: An archive with fewer texts may have one document a line in each.
MANY_FILES = 20
#: The first lines of an e-mail or a post to a newsgroup.
_HEADERS = re.compile(rb"(?:[\w-]+: ?.*\n(?:[ \t].*\n)*){2,40}\r?\n")


def _document_files(folder: str) -> list[str]:
    """List the document files of a folder and its sub-folders; hidden ones are left out.

    Where most files have no ending, or one with figures, those of them that hold text are documents (newsgroups).
    """
    files = _files(folder)
    known = [file for file in files if _reader_of(file)]
    unnamed = [] if known else [file for file in files if not os.path.splitext(file)[1][1:].isalpha()]
    return known or [file for file in unnamed if 2 * len(unnamed) > len(files) and _is_text(file)]


def _is_text(file: str) -> bool:
    with open(file, "rb") as opened:
        return format_by_name(file) is None and b"\0" not in opened.read(1 << 12)


def check_folder(folder: str) -> list[str]:
    """Return a note on the files of a folder that are not documents; raise if there are more tables than documents.

    >>> check_folder("no such folder")
    Traceback (most recent call last):
        ...
    hin.errors.BadInput: no such folder: a folder without .txt, .md, .html or .eml files; name the files in it
    """
    found = _document_files(folder)
    documents, others = len(found), _other_files(folder, set(found))
    tables = {ending: count for ending, count in others.items() if format_by_name(f"a{ending}")}
    if sum(tables.values()) > documents:
        ending = max(tables, key=lambda ending: tables[ending])
        what = f"{folder}: a folder of {plural(tables[ending], 'file')} {ending}"
        what += f", and {plural(documents, 'document')}" if documents else ""
        raise BadInput(what, hint=f"name the files, for example '{folder.rstrip('/')}/**/*{ending}'")
    if not documents:
        raise BadInput(f"{folder}: a folder without .txt, .md, .html or .eml files", hint="name the files in it")
    kinds = ", ".join(ending or "without an ending" for ending, _ in others.most_common(3))
    count = sum(others.values())
    return [f"{folder}: {plural(count, 'file')} skipped, no documents ({kinds})"] if count else []


def _other_files(folder: str, documents: Collection[str]) -> Counter[str]:
    """Count the files that are not documents by the ending of their names."""
    return Counter(os.path.splitext(file)[1].lower() for file in _files(folder) if file not in documents)


def _files(folder: str) -> list[str]:
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not name.endswith(".hin"))
        found += [os.path.join(place, name) for name in files if not name.startswith(".")]
    return sorted(found)


def is_archive_of_documents(path: str) -> bool:
    """Check whether a path is a zip archive of many files, all of them documents."""
    members = members_of(path) if os.path.isfile(path) else []
    return len(members) >= MANY_FILES and all(map(_reader_of, members))


class DocumentFolder:
    """The documents of a folder or a zip archive, with the description of the input that `hin info` shows.

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
        packed = os.path.isfile(self.folder)
        for number, file in enumerate(members_of(self.folder) if packed else _document_files(self.folder), 1):
            name = InputPath(file).part or Path(file).relative_to(self.folder).as_posix()
            if (size_of(file) or 0) > self.longest:
                raise BadInput(f"{file}: longer than a record may be", hint="raise the limit with `max_record=`")
            with open_place(file) as opened:
                raw = opened.read()
            self.bytes += len(raw)
            self._hash.update(f"{name}\0{len(raw)}\0".encode("utf-8", "surrogatepass") + raw)
            self.report(self.bytes)
            reader = _reader_of(file) or (_message if _HEADERS.match(raw) else _plain)
            above = name.rpartition("/")[0]
            yield number, {"id": name, **reader(raw), **({FOLDER: above} if above else {})}, raw

    def inputs(self) -> dict[str, Any]:
        """Name, size and hash of all files together, once the rows are read."""
        if os.path.isfile(self.folder):
            return {"file": self.folder, "bytes": os.path.getsize(self.folder), "sha256": file_hash(self.folder)}
        return {"file": self.folder, "bytes": self.bytes, "sha256": self._hash.hexdigest()}


def _text(raw: bytes) -> str:
    encoding = marked_encoding(raw) or likely_encoding(raw) or "utf-8-sig"
    return raw.decode(encoding, "replace").replace("\r\n", "\n").replace("\0", " ").strip()


def _plain(raw: bytes) -> dict[str, Any]:
    return {"text": _text(raw)}


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
    **dict.fromkeys((".html", ".htm"), lambda raw: {"text": plain_text(_text(raw))}),
    ".eml": _message,
}


def _reader_of(file: str) -> Callable[[bytes], dict[str, Any]] | None:
    return _READERS.get(os.path.splitext(file)[1].lower())
