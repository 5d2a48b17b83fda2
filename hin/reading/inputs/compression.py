"""Read the bytes of a file, decompressed in a thread of its own while the caller parses."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import queue
import threading
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import IO, Any, cast

from hin.errors import BadInput
from hin.reading.inputs.files import shown
from hin.reading.inputs.places import BAD_ZIP, is_stream, open_place

__all__ = ["Chunks", "compression_of"]

CHUNK = 1 << 22
PIECE = 1 << 18
AHEAD = 3  # chunks decompressed ahead of the reader: bounds memory, keeps both threads busy
_MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2"}
_LONGEST_MAGIC = 6


def compression_of(head: bytes) -> str | None:
    """Detect the compression of a file by its first bytes.

    The bytes decide, not the file's name, so that a misnamed file still opens.

    >>> import gzip
    >>> compression_of(gzip.compress(b"x")), compression_of(b"{}")
    ('gzip', None)
    """
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


class _Raw(io.RawIOBase):
    """A file that counts and hashes the bytes that are read, and can replay its first ones."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.count = 0
        self.hash = hashlib.sha256()
        self.head = b""
        while len(self.head) < _LONGEST_MAGIC and (more := self._next(_LONGEST_MAGIC - len(self.head))):
            self.head += more

    def _next(self, size: int) -> bytes:
        data = self.file.read(size)
        self.count += len(data)
        self.hash.update(data)
        return data

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self.head:
            head, self.head = self.head, b""
            if 0 <= size < len(head):
                head, self.head = head[:size], head[size:]
            return head
        return self._next(size)

    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _unpack(raw: _Raw) -> IO[bytes]:
    kind = compression_of(raw.head)
    file = cast(IO[bytes], raw)
    if kind == "gzip":
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if kind == "xz":
        return lzma.LZMAFile(file)
    if kind == "zstd":
        import pyarrow as pa

        return cast(IO[bytes], pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd"))
    if kind == "bzip2":
        import bz2

        return bz2.BZ2File(file)
    return io.BufferedReader(raw, CHUNK)


class Chunks:
    """The decompressed bytes of a file (``-``: the standard input) in chunks of a few megabytes.

    Use it as a context manager: leaving it stops the thread, even before the end of the file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.txt"
    >>> _ = path.write_bytes(b"hello")
    >>> with Chunks(str(path)) as chunks:
    ...     b"".join(chunks)
    b'hello'
    """

    def __init__(self, path: str, size: int = CHUNK) -> None:
        self.path = path
        self.size = size
        #: Whether the file is compressed; known after the first call of `head`.
        self.packed = False
        self._queue: queue.Queue[bytes | BaseException | None] = queue.Queue(AHEAD)
        self._stop = threading.Event()
        self._raw: _Raw | None = None
        self._kept: list[bytes] = []
        self._thread = threading.Thread(target=self._run, name="hin-unpack", daemon=True)
        self._thread.start()

    @property
    def bytes_read(self) -> int:
        """How many bytes of the file itself have been read so far."""
        return 0 if self._raw is None else self._raw.count

    @property
    def sha256(self) -> str:
        """The hash of the bytes of the file read so far, before decompression."""
        return hashlib.sha256().hexdigest() if self._raw is None else self._raw.hash.hexdigest()

    def head(self, size: int = 1 << 16) -> bytes:
        """Return the first bytes (all, if the file has fewer), for format detection, without consuming them."""
        while sum(map(len, self._kept)) < size:
            chunk = self._take()
            if not chunk:
                break
            self._kept.append(chunk)
        return b"".join(self._kept)[:size]

    def __iter__(self) -> Iterator[bytes]:
        while self._kept:
            yield self._kept.pop(0)
        while chunk := self._take():
            yield chunk

    def __enter__(self) -> Chunks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        while self._thread.is_alive() and not is_stream(self.path):  # a pipe may stay silent forever
            try:
                self._queue.get_nowait()
            except queue.Empty:
                self._thread.join(0.01)

    def _take(self) -> bytes:
        item = self._queue.get()
        if isinstance(item, bytes):
            return item
        self._queue.put(item)  # the end mark stays in the queue for further reads
        if item is None:
            return b""
        raise _explain(self.path, item)

    def _put(self, item: bytes | BaseException | None) -> bool:
        while not self._stop.is_set():
            try:
                self._queue.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def _pass_on(self, file: IO[bytes]) -> None:
        """Fill chunks piece by piece, so that everything before a damaged byte still gets through."""
        read = getattr(file, "read1", file.read)
        parts: list[bytes] = []
        held = 0
        try:
            while data := read(PIECE):
                parts.append(data)
                held += len(data)
                if held >= self.size:
                    if not self._put(b"".join(parts)):
                        return
                    parts, held = [], 0
        finally:
            if parts:
                self._put(b"".join(parts))

    def _run(self) -> None:
        try:
            with open_place(self.path) as file:
                self._raw = _Raw(file)
                self.packed = compression_of(self._raw.head) is not None
                with _unpack(self._raw) as unpacked:
                    self._pass_on(unpacked)
            self._put(None)
        except BaseException as error:  # passed to the reader's thread, which raises it
            self._put(error)


def _explain(path: str, error: BaseException) -> BaseException:
    name = shown(path)
    again = "copy or fetch the file again"
    if isinstance(error, EOFError) or (isinstance(error, OSError) and "Truncated" in str(error)):
        return BadInput(f"{name}: the compressed data ends too early", hint=again)
    if isinstance(error, FileNotFoundError):
        return BadInput(f"{name}: no such file", hint="check the name and the folder")
    if isinstance(error, PermissionError):
        return BadInput(f"{name}: may not be read", hint="check the file's permissions")
    if isinstance(error, (lzma.LZMAError, zlib.error, gzip.BadGzipFile)) or "decompress" in str(error):
        return BadInput(f"{name}: the compressed data is damaged", hint=again)
    if isinstance(error, BAD_ZIP):
        return BadInput(f"{name}: the zip archive is damaged ({error})", hint=again)
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return BadInput(f"{name}: cannot be read ({reason})", hint="check the file and the disk")
    return error
