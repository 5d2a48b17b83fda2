"""One file that a format reads: its bytes as a stream or as a whole, decompressed, counted and hashed."""

from __future__ import annotations

import codecs
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple

from hin.errors import argument
from hin.reading.inputs.binary_files import refuse_binary
from hin.reading.inputs.compression import Chunks
from hin.reading.inputs.encodings import as_utf8, marked_encoding, recode
from hin.reading.inputs.files import display_name
from hin.reading.inputs.places import InputPath
from hin.reading.limits import Limits


class TextTable(NamedTuple):
    """The first lines of a delimited text, and its encoding."""

    above: str
    header: str
    encoding: str = "utf-8"


class Source:
    """A file, or the standard input (``-``), open for one reader.

    `report` is called from time to time with the number of bytes read so far; `columns` are the names of a table's
    columns, where the file does not have them. `part` is the part of the file to read: a table, a query, a sheet.
    `encoding` is that of a text without a byte order mark; by default it is detected.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.txt"
    >>> _ = path.write_bytes(b"hello")
    >>> with Source(str(path)) as source:
    ...     b"".join(source.text()), source.inputs()["bytes"]
    (b'hello', 5)
    """

    def __init__(
        self,
        file: str,
        report: Callable[[int], None] = lambda done: None,
        columns: Sequence[str] | None = None,
        limits: Limits | None = None,
        encoding: str | None = None,
    ) -> None:
        self.place = InputPath(file)
        self.name = display_name(file)
        #: The file's own name, whose ending may determine the format.
        self.file_name = self.place.own_name
        self.part = None if self.place.in_archive else self.place.part
        self.columns = columns
        self.limits = limits or Limits()
        self._encoding = None if encoding == "utf-8" else encoding
        self._utf8 = encoding == "utf-8"
        #: Notes for the user on how the file was read.
        self.notes: list[str] = []
        #: The layout of a delimited text, once its header was read.
        self.table: TextTable | None = None
        #: The encoding of the text; `utf-8-sig` if UTF-8 has a byte order mark.
        self.written_in = "utf-8"
        self._chunks = Chunks(file)
        self._report = report

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._chunks.__exit__(kind, value, trace)

    def head(self) -> bytes:
        """Return the first bytes, decompressed and as UTF-8, without consuming them."""
        head, encoding = self._chunks.head(), self.encoding
        return head if encoding is None else codecs.getincrementaldecoder(encoding)("replace").decode(head).encode()

    def first_bytes(self) -> bytes:
        """Return the first bytes, decompressed, in whatever encoding, without consuming them."""
        return self._chunks.head()

    @property
    def encoding(self) -> str | None:
        """The encoding of the text, if its byte order mark or the user says that it is not UTF-8."""
        return marked_encoding(self._chunks.head()) or self._encoding

    def text(self, always_utf8: bool = False) -> Iterator[bytes]:
        """Yield the bytes of a text in chunks, as UTF-8 without a byte order mark, and report progress.

        In a format that is `always_utf8`, other bytes are errors, never a sign of another encoding.
        """
        refuse_binary(self.head(), self.name)
        encoding = self.encoding
        self.written_in = encoding or ("utf-8-sig" if self.first_bytes().startswith(codecs.BOM_UTF8) else "utf-8")
        if encoding is None and not self._utf8 and not always_utf8:
            chunks: Iterable[bytes] = as_utf8(self._chunks, self.name, self._note_encoding, self.add_note)
        else:
            chunks = self._chunks if encoding is None else recode(self._chunks, encoding, self.name)
        first = True
        for chunk in chunks:
            self._report(self._chunks.bytes_read)
            yield chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk
            first = False

    def add_note(self, note: str) -> None:
        """Record a note for the user on how the file was read."""
        self.notes.append(f"{self.name}: {note}")

    def table_begins(self, above: bytes, header: bytes) -> None:
        """Record the first lines of a delimited text."""
        self.table = TextTable(above.decode("utf-8", "replace"), header.decode("utf-8", "replace"))

    def _note_encoding(self, encoding: str) -> None:
        self.written_in = encoding
        self.add_note(f"not UTF-8, read as {encoding} ({argument('encoding', 'NAME')} if it is another)")

    def whole(self) -> str | io.BytesIO:
        """Return a seekable input for a reader: the path of a plain file, or all bytes in memory."""
        self.head()
        if self.place.is_plain_file and not self._chunks.packed:
            return self.place.file
        whole = io.BytesIO()
        for chunk in self._chunks:
            self.limits.check_unpacked(whole.tell() + len(chunk), self.name)
            whole.write(chunk)
        whole.seek(0)
        return whole

    @contextmanager
    def on_disk(self) -> Iterator[str]:
        """Yield the path of a file on the disk with these bytes, for libraries that accept only paths."""
        whole = self.whole()
        if isinstance(whole, str):
            yield whole
            return
        with tempfile.NamedTemporaryFile(prefix="hin-") as copy:
            copy.write(whole.getbuffer())
            copy.flush()
            yield copy.name

    def inputs(self) -> dict[str, Any]:
        """Name, size and hash of the file, once its rows are read."""
        for _ in self._chunks:  # bytes that the format did not need are part of the hash too
            pass
        self._report(self._chunks.bytes_read)
        return {"file": self.name, "bytes": self._chunks.bytes_read, "sha256": self._chunks.sha256}
