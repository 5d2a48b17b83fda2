"""The embedded store: a folder whose manifest names, stage by stage, the sub-folders that hold the results.

A stage is written to a temporary sub-folder, which then gets a name made from its content, and at last the manifest is
replaced by a rename. So a reader sees the state before or the state after, whatever happens in between, and equal
content gives equal names.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from hin.arrays.scratch import remove_abandoned
from hin.arrays.spill import SCRATCH
from hin.errors import DamagedGraph, GraphBusy, GraphChanged, GraphNotFound, StoreError
from hin.files.atomic import current_umask, failed_write, is_full, place_folder, sync_file
from hin.files.checked import file_hash
from hin.files.graph_folder import ANSWERS, LOCK, MANIFEST, TEMPORARY, VIEWS, is_stage_folder, is_temporary
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.stages import FIRST, MADE_FROM, STAGES, Stage, follows
from hin.stores.base import DEFAULT_GRAPH, FOLDER, STORES, Store
from hin.stores.manifest import read_manifest, stage_of, write_manifest

T = TypeVar("T")
#: Reading is tried anew where a writer replaced the files meanwhile; this many times in a row is no coincidence.
_ATTEMPTS = 5


@STORES.register(FOLDER)
class FolderStore(Store):
    """A graph in a folder.

    Examples
    --------
    >>> import tempfile
    >>> store = FolderStore(tempfile.mkdtemp() + "/papers.hin")
    >>> store.exists()
    False
    """

    def __init__(self, location: str | os.PathLike[str], model: str | os.PathLike[str] | None = None) -> None:
        self.location = os.fspath(location)
        self.root = Path(location)
        self._locked = False
        self._scratch = False
        #: The identity of each stage that this object read or wrote. If one has changed when a result is written, that
        #: result was computed from something else.
        self._read: dict[str, str] = {}
        self._opened: tuple[str, Graph] | None = None

    @property
    def name(self) -> str:
        """The folder's name, or its parent's if its own is the default."""
        path = self.root.absolute()
        return (path.parent.name if path.name == DEFAULT_GRAPH else path.name.removesuffix(".hin")) or "graph"

    @property
    def workspace(self) -> Path:
        """The folder itself."""
        return self.root

    def beside(self, ending: str) -> str:
        """Return the default path of a file beside the folder: the same name with this ending."""
        return self.location.rstrip("/") + ending

    def exists(self) -> bool:
        """Check whether a complete graph is stored."""
        return (self.root / MANIFEST).is_file()

    # Reading

    def read_graph(self, progress: Progress = silent) -> Graph:
        """Open the graph, memory-mapped; `progress` is not called, as hardly anything is read."""
        from hin.stores.graph_files import read_graph

        def read() -> Graph:
            stage = self._require_stage(FIRST)
            if self._opened is None or self._opened[0] != stage.identity:
                self._opened = stage.identity, read_graph(stage.path)
            self._read[FIRST] = stage.identity
            return self._opened[1]

        return self._retry_if_replaced(read)

    def stage(self, name: str) -> Stage | None:
        """Return the result of a stage, or None when it has not run since the stage before it changed."""
        stages = self._manifest()
        if name != FIRST:
            self._check_unchanged(stages, FIRST)
        if name not in stages:
            return None
        stage = stage_of(self.root, name, stages[name])
        if name != FIRST:
            self._read[name] = stage.identity
        return stage

    def _check_unchanged(self, stages: dict[str, dict[str, Any]], name: str) -> None:
        """Raise if a stage is another one than the one this object read."""
        read = self._read.get(name)
        if read is not None and stages.get(name, {}).get("folder") != read:
            raise GraphChanged(
                f"{self.location} was changed by another process, whose version stays",
                hint="run this again",
            )

    def check(self) -> list[str]:
        """Compare every file with the manifest; returns one line for each fault."""
        faults = []
        for name, entry in self._manifest().items():
            stage = stage_of(self.root, name, entry)
            for file, expected in stage.files.items():
                path = stage.path / file
                if not path.is_file():
                    faults.append(f"{stage.path.name}/{file} is missing")
                elif _hash_file(path) != expected:
                    faults.append(f"{stage.path.name}/{file} is not what was written")
        return faults

    def _require_stage(self, name: str) -> Stage:
        stage = self.stage(name)
        if stage is None:
            raise GraphNotFound(f"no graph in {self.location}", hint="make one with `hin load FILE --graph PATH`")
        return stage

    def _manifest(self) -> dict[str, dict[str, Any]]:
        try:
            return read_manifest(self.root)
        except GraphNotFound as error:
            raise GraphNotFound(f"no graph at {self.location}", hint=error.hint) from None

    def _retry_if_replaced(self, read: Callable[[], T]) -> T:
        """Call `read`; if a writer replaced the files meanwhile, call it again on the new ones."""
        for attempt in range(_ATTEMPTS):
            before = self._manifest()
            try:
                return read()
            except FileNotFoundError as error:
                if self._manifest() == before or attempt == _ATTEMPTS - 1:
                    raise DamagedGraph(
                        f"{self.location} lacks the file {Path(str(error.filename)).name}",
                        hint="see `hin info --check`, or load the documents again",
                    ) from None
            except (ValueError, OSError) as error:  # pyarrow's errors are among these
                raise DamagedGraph(
                    f"cannot read {self.location}: {error}", hint="see `hin info --check`, or load the documents again"
                ) from None
        raise AssertionError("unreachable")

    # Writing

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other writers out; a dead writer's lock is released by the system. Re-entrant."""
        from filelock import FileLock, Timeout

        if self._locked:
            yield
            return
        existed = self.root.exists()
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise StoreError(
                f"{self.location} is a file, not a folder", hint="name another place with `graph=`"
            ) from None
        except OSError as error:
            raise StoreError(
                f"cannot make the folder {self.location}: {error.strerror}", hint="name another place with `graph=`"
            ) from None
        if existed and not self.exists() and self._has_foreign_files():
            raise StoreError(
                f"{self.location} is a folder with other things in it", hint="name an empty or a new one with `graph=`"
            )
        if (self.root / LOCK).is_symlink():
            raise StoreError(f"{self.root / LOCK} is a link", hint="remove it, or name another place with `graph=`")
        guard = FileLock(self.root / LOCK, timeout=0)
        try:
            guard.acquire()
        except Timeout:
            raise GraphBusy(
                f"another process is writing to {self.location}", hint="wait until it has ended, then run this again"
            ) from None
        except OSError as error:
            raise StoreError(
                f"cannot write to {self.location}: {error.strerror}",
                hint="check its permissions, or name another place",
            ) from None
        self._locked = True
        try:
            yield
        finally:
            self._locked = False
            guard.release()
            if not existed and not self.exists():
                shutil.rmtree(self.root, ignore_errors=True)

    def _has_foreign_files(self) -> bool:
        """Check whether the folder has files that no store wrote: then it is not ours to fill."""
        foreign = (path for path in self.root.iterdir() if not _is_store_file(path) and path.name != ANSWERS)
        return any(not path.name.startswith(".") for path in foreign)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Yield a folder beside the stages for columns that are too large for memory; it is removed afterwards."""
        with self.lock():
            self._remove_unreferenced()
            path = self.root / SCRATCH
            path.mkdir()
            self._scratch = True
            try:
                yield path
            except OSError as error:
                if not is_full(error):  # a file that could not be read, say
                    raise
                raise failed_write(error, self.location, "graph") from None
            finally:
                self._scratch = False
                shutil.rmtree(path, ignore_errors=True)

    def write_graph(self, graph: Graph, *, options: dict[str, Any], progress: Progress = silent) -> Graph:
        """Replace the graph; the results of later stages on the old one are removed."""
        from hin.stores.graph_files import write_graph

        progress("saving", 0, None)
        self.write_stage("load", lambda folder: write_graph(graph, folder), options)
        return self.read_graph()

    def write_stage(self, name: str, write: Callable[[Path], None], options: dict[str, Any]) -> None:
        """Write a stage by `write(folder)`, all or nothing; the stages made from it are dropped."""
        with self.lock():
            self._remove_unreferenced()
            stages = self._manifest() if self.exists() else {}
            # The result was computed from the stages above as they were read: they must be the same now.
            for above in STAGES:
                if above != name and follows(name, above):
                    self._check_unchanged(stages, above)
            source = MADE_FROM[name]
            inputs = stages[source]["folder"] if source in stages else None
            temporary = Path(tempfile.mkdtemp(prefix=f"{TEMPORARY}{name}-", dir=self.root))
            try:
                write(temporary)
                files = {
                    path.relative_to(temporary).as_posix(): path
                    for path in sorted(temporary.rglob("*"))
                    if path.is_file()
                }
                hashes = {file: _hash_file(path, sync=True) for file, path in files.items()}
                entry: dict[str, Any] = {"options": options, "inputs": inputs, "files": hashes}
                identity = hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()
                entry["folder"] = f"{name}-{identity[:12]}"
                temporary.chmod(0o777 & ~current_umask())  # mkdtemp lets only its owner in
                place_folder(temporary, self.root / entry["folder"])
                others = {other: stages[other] for other in stages if not follows(other, name)}
                write_manifest(self.root, {**others, name: entry})
                self._read[name] = entry["folder"]
            except OSError as error:
                shutil.rmtree(temporary, ignore_errors=True)
                raise failed_write(error, self.location, "graph") from None
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                raise
            self._remove_unreferenced()

    def _remove_unreferenced(self) -> None:
        """Remove the files that no manifest names: of killed commands, of old stages, and stale views."""
        stages = self._manifest() if self.exists() else {}
        used = {entry["folder"] for entry in stages.values()}
        remove_abandoned(self.root)
        if "embed" not in stages and not (self.root / VIEWS).is_symlink():
            shutil.rmtree(self.root / VIEWS, ignore_errors=True)
        for path in self.root.iterdir():
            if self._scratch and path.name == SCRATCH:
                continue
            if _is_store_file(path) and path.name not in used and path.name not in (MANIFEST, LOCK):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _is_store_file(path: Path) -> bool:
    """Check whether a file in the folder is one that this store writes."""
    return is_stage_folder(path.name) or path.name in (MANIFEST, LOCK) or is_temporary(path.name)


def _hash_file(path: Path, sync: bool = False) -> str:
    if sync:
        sync_file(path)
    return file_hash(path)
