"""Atomic writes of files and folders, which never replace what hin did not write.

Everything hin writes outside a graph goes through `atomic_file` or `atomic_folder`: it is written under a temporary
name beside the target and renamed in one step. A killed run leaves only its temporary file, which the next writer in
that folder removes.
"""

from __future__ import annotations

import errno
import importlib
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hin.errors import BadUsage, HinError, NoSpace
from hin.files.swap import swap

#: Locks on files; Windows has none of this kind.
fcntl: Any = None if os.name == "nt" else importlib.import_module("fcntl")
#: The marker file of a folder that hin wrote; it lists what hin put there.
MARK = ".made-by-hin"
_PREFIX, _SUFFIX = ".hin-", ".tmp"


@contextmanager
def atomic_file(target: str | os.PathLike[str], *, own: bool = False) -> Iterator[Path]:
    """Yield the path of a temporary file beside the target; it is renamed to the target when the block succeeds.

    Parameters
    ----------
    own : bool
        The target is part of a graph and written by its store, so that nothing has to be checked.

    Examples
    --------
    >>> folder = Path(tempfile.mkdtemp())
    >>> with atomic_file(folder / "a.txt") as temporary:
    ...     _ = temporary.write_text("whole")
    >>> [path.name for path in folder.iterdir()]
    ['a.txt']
    """
    target = Path(target)
    if not own:
        check_file(target)
    with _failures(target, own):
        handle: int | None
        handle, temporary = _make_file(target.parent)
        try:
            yield temporary
            os.chmod(temporary, 0o666 & ~current_umask())  # temporary files are private, results are not
            os.fsync(handle)
            if fcntl is None:  # Windows replaces no open file
                os.close(handle)
                handle = None
            os.replace(temporary, target)
            sync_folder(target.parent)
        finally:
            _release(handle)
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(target: str | os.PathLike[str], kind: str, *, own: bool = False) -> Iterator[Path]:
    """Yield an empty folder beside the target; it replaces the target in one step when the block succeeds.

    Parameters
    ----------
    kind : str
        What the folder is, for example "csv export". Only an empty folder or one that hin wrote as the same kind is
        replaced, and only if nothing else was put into it.
    own : bool
        The target is part of a graph and written by its store, so that nothing has to be checked or marked.

    Examples
    --------
    >>> target = Path(tempfile.mkdtemp()) / "made"
    >>> for text in ("old", "new"):
    ...     with atomic_folder(target, "example") as folder:
    ...         _ = (folder / "a.txt").write_text(text)
    >>> (target / "a.txt").read_text()
    'new'
    >>> _ = (target / "thesis.tex").write_text("mine")
    >>> check_folder(target, "example")
    Traceback (most recent call last):
    hin.errors.BadUsage: ... holds thesis.tex, which hin did not write; name a new or an empty folder with `out=`
    """
    target = Path(target)
    if not own:
        _check_place(target)
        check_folder(target, kind)
    with _failures(target, own):
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = _make_folder(target.parent)
        try:
            yield temporary
            temporary.chmod(0o777 & ~current_umask())
            if not own:
                mark_folder(temporary, kind)
                _sync_files(temporary)
                check_folder(target, kind)  # another process may have filled it meanwhile
            place_folder(temporary, target)
            sync_folder(target.parent)
        finally:
            _release(handle)
            shutil.rmtree(temporary, ignore_errors=True)


def place_folder(made: Path, target: Path) -> None:
    """Rename a folder to its target in one step; a folder that had this name is removed."""
    if os.path.lexists(target):
        swap(made, target)
        shutil.rmtree(made, ignore_errors=True) if made.is_dir() and not made.is_symlink() else made.unlink()
    else:
        os.rename(made, target)


def check_place(target: Path, kind: str) -> None:
    """Raise unless a folder of this kind may be written there; to be called before any work."""
    _check_place(target)
    check_folder(target, kind)


def check_file(target: Path) -> None:
    """Raise unless a file may be written there: not a folder or device, and not inside a graph."""
    _check_place(target)
    if target.is_dir():
        raise BadUsage(f"{target} is a folder, not a file", hint="name a file with `out=`")
    if target.exists() and not target.is_file():
        raise BadUsage(f"{target} is not an ordinary file", hint="name another with `out=`")


def check_folder(target: Path, kind: str) -> None:
    """Raise unless a folder may be (re)placed: it is new, or empty, or only holds what hin wrote as this kind."""
    hint = "name a new or an empty folder with `out=`"
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise BadUsage(f"{target} is there and is not a folder", hint=hint)
    if not target.is_dir() or not any(target.iterdir()):
        return
    made = _read_mark(target)
    if made is None or made[0] != kind:
        raise BadUsage(f"{target} is there and is no {kind} that hin wrote", hint=hint)
    for path in _files_in(target):
        if path not in made[1] and path != MARK:
            raise BadUsage(f"{target} holds {path}, which hin did not write", hint=hint)


def check_outputs(outputs: Iterable[str | os.PathLike[str] | None], inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Raise if a file that will be written is one that is read, or lies inside a graph; to be called before any work.

    Examples
    --------
    >>> check_outputs(["./papers.jsonl"], ["papers.jsonl"])
    Traceback (most recent call last):
    hin.errors.BadUsage: ./papers.jsonl is an input and would be overwritten; name another file
    """
    read = {os.path.realpath(path): path for path in inputs if os.fspath(path) != "-"}
    for output in outputs:
        if output is None:
            continue
        if os.path.realpath(output) in read or any(_same_file(output, path) for path in read):
            raise BadUsage(f"{output} is an input and would be overwritten", hint="name another file")
        check_file(Path(output))


def _same_file(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False


def folder_kind(folder: Path) -> str | None:
    """Return the kind that hin wrote a folder as, or None if hin did not write it."""
    made = _read_mark(folder)
    return None if made is None else made[0]


def mark_folder(folder: Path, kind: str) -> None:
    """Write the marker file that says what a folder is and which files hin wrote into it."""
    made = {"kind": kind, "files": sorted(set(_files_in(folder)) - {MARK})}
    with atomic_file(folder / MARK, own=True) as temporary:
        temporary.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def failed_write(error: OSError, target: str | os.PathLike[str], option: str = "out") -> HinError:
    """Return the error for a file that cannot be written.

    Examples
    --------
    >>> str(failed_write(OSError(28, "No space left on device"), "a.csv"))
    'no space left to write a.csv; free some, or name another place with `out=`'
    """
    if is_full(error):
        return NoSpace(f"no space left to write {target}", hint=f"free some, or name another place with `{option}=`")
    return BadUsage(f"cannot write {target}: {error.strerror or error}", hint=f"name another place with `{option}=`")


def is_full(error: OSError) -> bool:
    """Check whether an error means that the disk is full; numpy's only names the bytes it could not write.

    >>> is_full(OSError("Not enough free space to write 794918656 bytes after offset 128"))
    True
    """
    says_full = re.search(r"\d+ requested and \d+ written|[Nn]ot enough free space", str(error)) is not None
    return says_full or error.errno in (errno.ENOSPC, errno.EDQUOT)


def sync_file(path: Path) -> None:
    """Sync a file's content to the disk."""
    with path.open("rb" if fcntl else "r+b") as file:  # Windows syncs only files opened for writing
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries to the disk."""
    if hasattr(os, "O_DIRECTORY"):
        with suppress(OSError):  # some network disks cannot
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _check_place(target: Path) -> None:
    """Raise if a result would be written into a graph's own folder."""
    from hin.files.graph_folder import enclosing_graph

    graph = enclosing_graph(target)
    if graph is not None:
        raise BadUsage(f"{target} lies inside the graph {graph}", hint="name a place outside of it with `out=`")


@contextmanager
def _failures(target: Path, own: bool) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if own:  # the store has a more precise message
            raise
        if isinstance(error, FileNotFoundError) and not target.parent.is_dir():
            raise BadUsage(f"there is no folder {target.parent}", hint="create it first, or write elsewhere") from error
        raise failed_write(error, target) from error


def _make_file(folder: Path) -> tuple[int, Path]:
    """Make a temporary file with a random name, locked for the life of this process."""
    _remove_abandoned(folder)
    while True:
        handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
        if _lock(handle) and _is_same_file(handle, name):
            return handle, Path(name)
        os.close(handle)  # another writer removed it as abandoned before it was locked


def _make_folder(parent: Path) -> tuple[int | None, Path]:
    _remove_abandoned(parent)
    while True:
        name = tempfile.mkdtemp(prefix=_PREFIX, suffix=_SUFFIX, dir=parent)
        if fcntl is None:  # Windows opens no folder
            return None, Path(name)
        with suppress(FileNotFoundError):
            handle = os.open(name, os.O_RDONLY)
            if _lock(handle) and _is_same_file(handle, name):
                return handle, Path(name)
            os.close(handle)


def _release(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)


def _is_same_file(handle: int, name: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(name))
    except FileNotFoundError:
        return False


def _remove_abandoned(folder: Path) -> None:
    """Remove temporary files of runs that were killed: those that nobody holds a lock on."""
    if fcntl is None:  # without locks nobody knows whether they are in use
        return
    for path in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            found = path.lstat()
            if stat.S_ISLNK(found.st_mode) or (hasattr(os, "geteuid") and found.st_uid != os.geteuid()):
                continue
            handle = os.open(path, os.O_RDONLY)
            try:
                if _lock(handle):
                    shutil.rmtree(path) if stat.S_ISDIR(found.st_mode) else path.unlink()
            finally:
                os.close(handle)


def _lock(handle: int) -> bool:
    """Lock an open file for as long as it is open; False if another process holds it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _read_mark(folder: Path) -> tuple[str, frozenset[str]] | None:
    try:
        made = json.loads((folder / MARK).read_text(encoding="utf-8"))
        return str(made["kind"]), frozenset(map(str, made["files"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def missing_files(folder: Path) -> list[str]:
    """Return the files that hin wrote into a folder of its own and that are gone."""
    made = _read_mark(folder)
    return [] if made is None else sorted(name for name in made[1] if not (folder / name).is_file())


def _files_in(folder: Path) -> list[str]:
    """Return every file, link and empty folder below a folder, by its relative path."""
    found = []
    for here, folders, files in os.walk(folder):
        place = Path(here).relative_to(folder)
        links = [name for name in folders if Path(here, name).is_symlink()]
        found += [(place / name).as_posix() for name in (*files, *links)]
        if not folders and not files and place != Path():
            found.append(place.as_posix())
    return sorted(found)


def _sync_files(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            sync_file(path)


def current_umask() -> int:
    """Return the process's umask."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
