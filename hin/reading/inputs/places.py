"""Open the bytes of an input: on the disk, at a URL, in a zip archive, or on the standard input."""

from __future__ import annotations

import io
import os
import re
import struct
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from typing import IO, Any, cast

from hin.errors import BadInput

_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
#: Separates a file from the part of it to read: a table, a query, a sheet, a member of an archive.
PART = "::"
#: The exceptions Python raises for archives that are incomplete, use an unknown compression or have unreadable names.
BAD_ZIP = (zipfile.BadZipFile, NotImplementedError, struct.error, OverflowError, RecursionError, UnicodeDecodeError)
_ZIP = b"PK\x03\x04"
#: Members by which a zip archive is recognised as an office document rather than an archive of files.
_OFFICE = ("[Content_Types].xml", "mimetype", "META-INF/manifest.xml")


def is_url(path: str) -> bool:
    """Check whether a path is a URL.

    >>> is_url("https://example.org/papers.csv"), is_url("papers.csv")
    (True, False)
    """
    return _URL.match(path) is not None


class InputPath:
    """A path split into the file and the part of it to read.

    Examples
    --------
    >>> place = InputPath("papers.db::articles")
    >>> place.file, place.part, InputPath("papers.csv").part
    ('papers.db', 'articles', None)
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.file, self.part = path, None
        if not os.path.exists(path) and PART in path:
            file, _, part = path.partition(PART)
            self.file, self.part = file, part

    @property
    def exists(self) -> bool:
        """Whether the file exists; a URL counts as existing until it is opened."""
        return self.file == "-" or is_url(self.file) or os.path.exists(self.file)

    @cached_property
    def in_archive(self) -> bool:
        """Whether the part is a member of a zip archive."""
        return self.part is not None and _is_archive(self.file)

    @property
    def own_name(self) -> str:
        """The name of the file that holds the bytes, without folders."""
        return os.path.basename((self.part or "") if self.in_archive else self.file)

    @property
    def is_plain_file(self) -> bool:
        """Whether the bytes are a file on the disk by themselves."""
        return os.path.isfile(self.file) and not self.in_archive


def is_stream(path: str) -> bool:
    """Check whether the bytes can be read only once: the standard input, or a named pipe.

    >>> is_stream("-"), is_stream("papers.csv")
    (True, False)
    """
    file = InputPath(path).file
    return file == "-" or (os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file))


def members_of(path: str) -> list[str]:
    """List the files in a zip archive, each as ``archive.zip::member``; any other path is returned as it is."""
    place = InputPath(path)
    if place.part is not None or not place.exists or not _is_archive(place.file):
        return [path]
    try:
        with _archive(place.file) as archive:
            names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
    except BAD_ZIP as error:
        raise BadInput(f"{path}: the zip archive is damaged ({error})", hint="copy or fetch the file again") from None
    kept = [name for name in names if not name.startswith("__MACOSX/") and not os.path.basename(name).startswith(".")]
    if not kept:
        raise BadInput(f"{path}: the zip archive has no files", hint="expected at least one file of records")
    return [f"{path}{PART}{name}" for name in kept]


def _is_archive(file: str) -> bool:
    if os.path.isfile(file):
        return _holds_files(*_version(file))
    return is_url(file) and file.lower().split("?")[0].endswith(".zip") and _holds_files.__wrapped__(file)


@lru_cache(maxsize=64)
def _holds_files(file: str, *version: int) -> bool:
    """Check whether a file is a zip archive of other files."""
    try:
        with _opened(file) as opened:
            if opened.read(4) != _ZIP:
                return False
        with _archive(file) as archive:
            return not any(name in archive.NameToInfo for name in _OFFICE)
    except OSError:
        return False
    except BAD_ZIP:  # a damaged office document is reported by its own reader
        return not file.lower().endswith((".xlsx", ".xlsm", ".xlsb", ".ods", ".docx", ".odt"))


@contextmanager
def _archive(file: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; one on the disk stays open for its next member."""
    if is_url(file):
        with _opened(file) as opened, zipfile.ZipFile(opened) as archive:
            yield archive
    else:
        yield _last_archive(*_version(file))


def _version(file: str) -> tuple[str, int, int, int, int, int]:
    """Return the cache key of a file's version; it includes the process id, so that a forked process opens its own."""
    found = os.stat(file)
    return file, os.getpid(), found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@lru_cache(maxsize=1)
def _last_archive(file: str, *version: int) -> zipfile.ZipFile:
    """Cache an open archive: its directory, which lists all members, is read once rather than once per member."""
    return zipfile.ZipFile(file)


def size_of(path: str) -> int | None:
    """Return the number of bytes that will be read, if known."""
    place = InputPath(path)
    if place.in_archive:
        with suppress(*BAD_ZIP, KeyError), _archive(place.file) as archive:
            return archive.getinfo(place.part or "").file_size
        return None
    return os.path.getsize(place.file) if os.path.isfile(place.file) else None


@contextmanager
def open_place(path: str) -> Iterator[IO[bytes]]:
    """Open the bytes of a path for reading once."""
    place = InputPath(path)
    if place.file == "-":
        with _standard_input() as file:
            yield file
    elif place.in_archive:
        with _archive(place.file) as archive, _member(archive, place) as opened:
            yield opened
    else:
        with _opened(place.file) as file:
            yield file


def _member(archive: zipfile.ZipFile, place: InputPath) -> IO[bytes]:
    try:
        return archive.open(place.part or "")
    except KeyError:
        names = ", ".join(archive.namelist()[:10])
        raise BadInput(f"{place.file}: no file {place.part!r} in the archive", hint=f"there are {names}") from None
    except RuntimeError:  # the archive needs a password
        raise BadInput(f"{place.path}: the archive is encrypted", hint="unpack it first") from None


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    if not is_url(file):
        with open(file, "rb") as opened:
            yield opened
        return
    try:
        import fsspec
    except ImportError:
        hint = "install it with `pip install fsspec aiohttp`, or fetch the file first"
        raise BadInput(f"{file}: URLs are read with fsspec, which is not installed", hint=hint) from None
    try:
        address = fsspec.open(file, "rb")
        opened = address.__enter__()
    except FileNotFoundError:
        raise BadInput(f"{file}: not found", hint="check the address") from None
    except (ImportError, ValueError) as error:  # an unknown protocol, or one that needs a package
        raise BadInput(f"{file}: cannot be read ({error})", hint="fetch the file first, and load the copy") from None
    except Exception as error:
        raise _unreachable(file, error) from None
    try:
        yield cast(IO[bytes], opened)
    except Exception as error:
        raise _unreachable(file, error) from None
    finally:
        address.__exit__(None, None, None)


def _unreachable(url: str, error: Exception) -> Exception:
    """Convert an error of the network to one line; return any other error unchanged."""
    package = (type(error).__module__ or "").partition(".")[0]
    if isinstance(error, (TimeoutError, ConnectionError)) or package in ("aiohttp", "botocore", "gcsfs", "s3fs"):
        reason = str(error).split("\n")[0] or type(error).__name__
        return BadInput(f"{url}: cannot be read ({reason})", hint="check the address and the connection")
    return error


@contextmanager
def _standard_input() -> Iterator[IO[bytes]]:
    """Open the standard input without Python's buffer, whose lock a waiting thread would still hold at exit."""
    try:
        number = sys.stdin.fileno()
    except (AttributeError, io.UnsupportedOperation):  # replaced by an object that is not a file
        yield cast(Any, sys.stdin).buffer
    else:
        yield cast(IO[bytes], io.FileIO(number, closefd=False))
