"""One file that a format reads: its bytes as a stream or as a whole, unpacked, counted and hashed."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from hin.errors import BadInput
from hin.reading.compression import Chunks
from hin.reading.files import shown

__all__ = ["Source"]


class Source:
    """A file, or the standard input (``-``), open for one reader.

    `tell` hears from time to time how many bytes of the file have been read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.txt"
    >>> _ = path.write_bytes(b"hello")
    >>> with Source(str(path)) as source:
    ...     b"".join(source.text()), source.inputs()["bytes"]
    (b'hello', 5)
    """

    def __init__(self, file: str, tell: Callable[[int], None] = lambda done: None) -> None:
        self.file = file
        self.name = shown(file)
        self._chunks = Chunks(file)
        self._tell = tell

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._chunks.__exit__(kind, value, trace)

    def head(self) -> bytes:
        """Return the first bytes, unpacked; they are not used up."""
        return self._chunks.head()

    @property
    def packed(self) -> bool:
        """Whether the file is compressed, so that it can only be read from its start."""
        return self._chunks.packed

    def text(self) -> Iterator[bytes]:
        """Yield the bytes of a text in chunks, without a byte order mark, with word of how far we are."""
        if self.head()[:2] in (b"\xff\xfe", b"\xfe\xff"):
            hint = "convert the file to UTF-8, for example with iconv -f UTF-16 -t UTF-8"
            raise BadInput(f"{self.name}: the text is UTF-16", hint=hint)
        first = True
        for chunk in self._chunks:
            self._tell(self._chunks.bytes_read)
            yield chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk
            first = False

    def whole(self) -> str | io.BytesIO:
        """Return what a reader that jumps about needs: the path of a plain file, or all bytes in memory."""
        if self.file != "-" and not self._chunks.packed:
            return self.file
        return io.BytesIO(b"".join(self._chunks))

    def inputs(self) -> dict[str, Any]:
        """Name, size and hash of the file, once its rows are read."""
        for _ in self._chunks:  # what the format had no need of is part of the hash all the same
            pass
        self._tell(self._chunks.bytes_read)
        return {"file": self.name, "bytes": self._chunks.bytes_read, "sha256": self._chunks.sha256}
