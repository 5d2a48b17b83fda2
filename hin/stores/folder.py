"""The embedded store: a folder whose manifest names, stage by stage, the sub-folders that hold the results.

A stage is written to a temporary sub-folder, which then gets a name made from its content, and at last the manifest is
replaced by a rename. So a reader sees the state before or the state after, whatever happens in between, and equal
content gives equal names.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from hin.atomic import current_umask, failed_write, whole_file
from hin.errors import DamagedGraph, GraphBusy, GraphNotFound, NewerFormat, StoreError
from hin.graph import Graph
from hin.progress import Progress, silent
from hin.spill import SCRATCH
from hin.stores.base import DEFAULT_GRAPH, FOLDER, STORES, Store
from hin.stores.graph_folder import LOCK, MANIFEST, TEMPORARY, is_stage_folder, is_temporary
from hin.stores.stages import MADE_FROM, Stage, follows

__all__ = ["FORMAT", "FolderStore"]

FORMAT = 1

T = TypeVar("T")


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

    @property
    def name(self) -> str:
        """The folder's name, or the name of the folder it lies in when its own is the default."""
        path = self.root.absolute()
        return (path.parent.name if path.name == DEFAULT_GRAPH else path.name.removesuffix(".hin")) or "graph"

    @property
    def workspace(self) -> Path:
        """The folder itself."""
        return self.root

    def beside(self, ending: str) -> str:
        """Return the folder's name with another ending."""
        return self.location.rstrip("/") + ending

    def exists(self) -> bool:
        """Whether a whole graph is there."""
        return (self.root / MANIFEST).is_file()

    # Reading

    def read_graph(self, progress: Progress = silent) -> Graph:
        """Open the graph, memory-mapped: nothing is read that could show progress."""
        from hin.stores.graph_files import read_graph

        return self._reading(lambda: read_graph(self._need("load").path))

    def stage(self, name: str) -> Stage | None:
        """The result of a stage, or None when it has not run since the stage before it changed."""
        stages = self._manifest()["stages"]
        if name not in stages:
            return None
        entry = stages[name]
        path = self.root / entry["folder"]
        return Stage(name, path, entry["options"], entry["inputs"], entry["folder"], entry["files"])

    def check(self) -> list[str]:
        """Compare every file with the manifest; returns one line for each fault."""
        faults = []
        for name in self._manifest()["stages"]:
            stage = self._need(name)
            for file, expected in stage.files.items():
                path = stage.path / file
                if not path.is_file():
                    faults.append(f"{stage.path.name}/{file} is missing")
                elif _hash_file(path) != expected:
                    faults.append(f"{stage.path.name}/{file} is not what was written")
        return faults

    def _need(self, name: str) -> Stage:
        stage = self.stage(name)
        if stage is None:
            raise GraphNotFound(f"no graph in {self.location}", hint="make one with `hin load FILE --graph PATH`")
        return stage

    def _manifest(self) -> dict[str, Any]:
        path = self.root / MANIFEST
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            raise GraphNotFound(
                f"no graph at {self.location}", hint="make one with `hin load FILE --graph PATH`, or name another"
            ) from None
        except (ValueError, OSError) as error:
            raise DamagedGraph(f"cannot read {path}: {error}", hint="load the documents again") from None
        if not isinstance(manifest, dict) or not isinstance(manifest.get("format"), int) or "stages" not in manifest:
            raise DamagedGraph(f"{path} is not the manifest of a graph", hint="load the documents again")
        if manifest["format"] > FORMAT:
            raise NewerFormat(
                f"{self.location} has format {manifest['format']}, this version reads up to {FORMAT}",
                hint="upgrade with `pip install --upgrade hin`",
            )
        return manifest

    def _reading(self, read: Callable[[], T]) -> T:
        """Read; when a writer took the files away meanwhile, read what it put there instead."""
        for attempt in range(5):
            before = self._manifest()
            try:
                return read()
            except FileNotFoundError as error:
                if self._manifest() == before or attempt == 4:
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
        """Keep other writers out; a writer that died leaves no lock behind. May be taken again while it is held."""
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
        if (
            existed
            and not self.exists()
            and any(not p.name.startswith(".") for p in self.root.iterdir() if not _ours(p))
        ):
            raise StoreError(
                f"{self.location} is a folder with other things in it", hint="name an empty or a new one with `graph=`"
            )
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

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder beside the stages for columns that are too large for memory; gone afterwards, also after a kill."""
        with self.lock():
            self._tidy()
            path = self.root / SCRATCH
            path.mkdir()
            self._scratch = True
            try:
                yield path
            except OSError as error:
                if error.errno not in (errno.ENOSPC, errno.EDQUOT):  # a file that could not be read, say
                    raise
                raise failed_write(error, self.location, "graph") from None
            finally:
                self._scratch = False
                shutil.rmtree(path, ignore_errors=True)

    def write_graph(self, graph: Graph, *, options: dict[str, Any], progress: Progress = silent) -> Graph:
        """Replace the graph; what later stages found in the old one goes with it."""
        from hin.stores.graph_files import write_graph

        progress("saving", 0, None)
        self.write_stage("load", lambda folder: write_graph(graph, folder), options)
        return self.read_graph()

    def write_stage(self, name: str, write: Callable[[Path], None], options: dict[str, Any]) -> None:
        """Write a stage by `write(folder)`, all or nothing; the stages made from it are dropped."""
        with self.lock():
            self._tidy()
            stages = self._manifest()["stages"] if self.exists() else {}
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
                entry["folder"] = f"{name}-{_hash_text(json.dumps(entry, sort_keys=True))[:12]}"
                if (self.root / entry["folder"]).exists():
                    shutil.rmtree(temporary)
                else:
                    temporary.chmod(0o777 & ~current_umask())
                    temporary.rename(self.root / entry["folder"])
                kept = {other: stages[other] for other in stages if not follows(other, name)}
                self._replace_manifest({"format": FORMAT, "stages": {**kept, name: entry}})
            except OSError as error:
                shutil.rmtree(temporary, ignore_errors=True)
                raise failed_write(error, self.location, "graph") from None
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                raise
            self._tidy()

    def _replace_manifest(self, manifest: dict[str, Any]) -> None:
        with whole_file(self.root / MANIFEST, own=True) as temporary:
            temporary.write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")

    def _tidy(self) -> None:
        """Remove what no manifest names: leavings of a killed writer, superseded stages."""
        used = {entry["folder"] for entry in self._manifest()["stages"].values()} if self.exists() else set()
        for path in self.root.iterdir():
            if self._scratch and path.name == SCRATCH:
                continue
            if _ours(path) and path.name not in used and path.name not in (MANIFEST, LOCK):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _ours(path: Path) -> bool:
    """Whether a file in the folder is one that this store makes."""
    return is_stage_folder(path.name) or path.name in (MANIFEST, LOCK) or is_temporary(path.name)


def _hash_file(path: Path, sync: bool = False) -> str:
    with path.open("rb") as file:
        if sync:
            os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()


def _hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
