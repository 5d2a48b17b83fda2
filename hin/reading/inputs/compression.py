"""Read the bytes of a file, a long one decompressed in a thread of its own while the caller parses."""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import queue
import threading
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from types import TracebackType
from typing import IO, Any, cast

from hin.errors import BadInput
from hin.reading.inputs.files import display_name
from hin.reading.inputs.places import BAD_ZIP, is_stream, open_place, size_of

#: The bytes that are passed on together, and those that are decompressed at a time.
CHUNK, PIECE = 1 << 22, 1 << 18
#: Chunks decompressed ahead of the reader: a few, to bound memory and keep both threads busy.
AHEAD = 3
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

    Use it as a context manager: leaving it closes the file and stops its thread, even before the end.

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
        self._raw: _Raw | None = None
        self._buffered: list[bytes] = []
        small = (size_of(path) or PIECE) < PIECE  # starting a thread would take longer than reading
        self._chunks = self._read() if small else _ahead(self._read(), path)
        self._error: BaseException | None = None

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
        while sum(map(len, self._buffered)) < size:
            chunk = self._take()
            if not chunk:
                break
            self._buffered.append(chunk)
        return b"".join(self._buffered)[:size]

    def __iter__(self) -> Iterator[bytes]:
        while self._buffered:
            yield self._buffered.pop(0)
        while chunk := self._take():
            yield chunk

    def __enter__(self) -> Chunks:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._chunks.close()

    def _take(self) -> bytes:
        """Return the next chunk, empty at the end; an error is raised again by every later call."""
        if self._error is None:
            try:
                return next(self._chunks, b"")
            except Exception as error:
                self._error = _explain(self.path, error)
        raise self._error

    def _read(self) -> Generator[bytes]:
        """Yield the chunks, everything before a damaged byte too."""
        with open_place(self.path) as file:
            self._raw = _Raw(file)
            self.packed = compression_of(self._raw.head) is not None
            parts: list[bytes] = []
            try:
                with _unpack(self._raw) as unpacked:
                    read = getattr(unpacked, "read1", unpacked.read)
                    while data := read(PIECE):
                        parts.append(data)
                        if sum(map(len, parts)) >= self.size:
                            yield b"".join(parts)
                            parts = []
            except Exception:
                if parts:
                    yield b"".join(parts)
                raise
            if parts:
                yield b"".join(parts)


def _ahead(chunks: Generator[bytes], path: str) -> Generator[bytes]:
    """Make chunks in a thread of its own, a few ahead of the reader."""
    waiting: queue.Queue[bytes | BaseException | None] = queue.Queue(AHEAD)
    stop = threading.Event()

    def put(item: bytes | BaseException | None) -> None:
        while not stop.is_set():
            with suppress(queue.Full):
                waiting.put(item, timeout=0.1)
                return

    def run() -> None:
        try:
            with closing(chunks):
                for chunk in chunks:
                    put(chunk)
                    if stop.is_set():
                        return
            put(None)
        except BaseException as error:  # passed to the reader's thread, which raises it
            put(error)

    thread = threading.Thread(target=run, name="hin-unpack", daemon=True)
    thread.start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        if not is_stream(path):  # a pipe may stay silent forever
            thread.join()


def _explain(path: str, error: BaseException) -> BaseException:
    name = display_name(path)
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
