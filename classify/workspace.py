"""The cache of a pipeline's results: in memory, in a folder beside the stages, and in the store.

The newest result of each step is held in memory, so that a second pipeline in an open workspace computes only what
changed. The documents' vectors in the views are cached in files, as they depend on no name, keyword or label.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import weakref
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from classify.knowledge.options import CACHE
from hin.errors import HinError
from hin.files.atomic import atomic_file
from hin.files.graph_folder import VIEWS
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from classify.categories.naming import Matcher
    from classify.run import Run
    from embed import EmbedOptions, JointEmbedding
    from hin.engines.base import Engine
    from hin.graph import Graph
    from hin.stores.base import Store
    from motifs import MotifOptions, MotifSet, MotifTable, Pattern

T = TypeVar("T")


class Workspace:
    """Cached results by key, and the folders of their files; to be closed, or used in a `with` statement.

    Parameters
    ----------
    store : of the graph, and of results that are cached between processes; None caches nothing there.
    scratch : the folder of temporary files; by default beside the store's stages, or the system's.

    Examples
    --------
    >>> with Workspace() as workspace:
    ...     made = [workspace.remember("square", key, lambda: object()) for key in ("a", "a", "b")]
    >>> made[0] is made[1], made[1] is made[2]
    (True, False)
    """

    def __init__(self, store: Store | None = None, scratch: str | Path | None = None) -> None:
        self.store = store
        self._parent = scratch if scratch is not None or store is None else store.workspace
        self._opened = ExitStack()
        weakref.finalize(self, self._opened.close)  # where nobody closes it
        self._graph: Graph | None = None
        self._memory: dict[str, tuple[str, Any]] = {}
        self._identities: list[Any] = []
        #: The folder of cached files that was used last.
        self._files: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release all results in memory, and remove scratch files and stale cached files."""
        self._memory.clear()
        self._remove_stale()
        self._opened.close()
        self.__dict__.pop("scratch", None)

    def read(self, progress: Progress = silent) -> Graph:
        """Return the store's graph, read once."""
        assert self.store is not None
        if self._graph is None:
            self._graph = self.store.read_graph(progress)
        return self._graph

    @property
    def graph(self) -> Graph:
        """The store's graph."""
        return self.read()

    @cached_property
    def scratch(self) -> Path:
        """The folder for files that are removed when the workspace is closed."""
        from hin.arrays.scratch import scratch_folder

        return self._opened.enter_context(scratch_folder(self._parent))

    def remember(self, name: str, key: str, make: Callable[[], T]) -> T:
        """Return a step's result with this key, cached or made now; an older result of the step is released."""
        held = self._memory.get(name)
        if held is None or held[0] != key:
            self._memory.pop(name, None)
            if held is not None:
                shutil.rmtree(self._place(name, held[0]), ignore_errors=True)
            self._memory[name] = held = (key, make())
        return held[1]

    def place(self, name: str, key: str) -> Path:
        """Return an empty folder for the scratch files of a step; they are removed with its result."""
        folder = self._place(name, key)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def _place(self, name: str, key: str) -> Path:
        return self.scratch / f"{name}-{key}"

    def files(self, key: str) -> Path:
        """Return the folder for files of this key that are cached between processes."""
        parent = self.scratch if self.store is None else self.store.workspace / VIEWS
        self._files = parent / key
        return self._files

    def stored_record(self, name: str, key: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return a small result that is cached between processes; one of another key is replaced."""
        if self.store is None:
            return make()
        file = self.store.workspace / CACHE / f"{name}.json"
        with suppress(OSError, ValueError, KeyError, TypeError):
            found = json.loads(file.read_text(encoding="utf-8"))
            if found["key"] == key:
                return dict(found["value"])
        value = make()
        with suppress(OSError, HinError):  # without write access it is not cached
            file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(file, own=True) as target:
                target.write_text(json.dumps({"key": key, "value": value}), encoding="utf-8")
        return value

    def _remove_stale(self) -> None:
        """Remove cached files of all embeddings but the one used last."""
        if self._files is None or self._files.parent.name != VIEWS or not self._files.exists():
            return
        for other in self._files.parent.glob("*"):
            if other != self._files and not other.is_symlink():
                shutil.rmtree(other, ignore_errors=True)

    @property
    def texts(self) -> Path | None:
        """The folder for cached vectors of texts that an encoder has read; None without a store."""
        return None if self.store is None else self.store.workspace / CACHE

    def identity(self, value: Any) -> str:
        """Return an input's part of a key: a hash of its content where that is cheap, else the object's identity."""
        stage = None if self.store is None else self.store.stage("load")
        if stage is not None and value is self._graph:
            return stage.identity
        described = getattr(value, "identity", None)
        if isinstance(described, str):
            return described
        if isinstance(value, str | int | float | None | tuple):
            return hashlib.blake2b(repr(value).encode(), digest_size=12).hexdigest()
        for number, one in enumerate(self._identities):
            if one is value:
                return f"object {number}"
        self._identities.append(value)  # held, so that no other object gets its number
        return f"object {len(self._identities) - 1}"

    def matcher(self, options: MotifOptions, run: Run) -> Matcher | None:
        """Return the matcher of the store, which reads matched patterns from it, or matches and stores them."""
        from motifs.motif_stage import motifs_of
        from motifs.on_engine import match_on_engine

        store = self.store
        if store is None:
            return None
        load = None if run.elsewhere is None or store.database is not None else store.stage("load")

        def on_engine(pattern: Pattern) -> MotifTable:
            assert run.engine is not None and load is not None
            return match_on_engine(run.engine, load.path, self.graph, pattern, options, run.progress)

        def from_store(graph: Graph, patterns: Sequence[Pattern]) -> MotifSet:
            return motifs_of(store, graph, patterns, options, run.progress, None if load is None else on_engine)

        return from_store

    def embedding(self, motif_set: MotifSet, options: EmbedOptions, run: Run) -> JointEmbedding:
        """Return the stored embedding where it was made from the same edges and options, else train one."""
        from embed.embedding_stage import embedding_of
        from embed.learn import train

        if self.store is None:
            return train(motif_set.graph, motif_set, options, run.progress)
        return embedding_of(self.store, motif_set, options, run.resume, run.progress, run.engine)

    def engine(self, run: Run) -> Engine:
        """Return the engine for passes over the documents: threads, or workers with access to the scratch files."""
        from hin.engines.through_files import through_files

        if run.elsewhere is None:
            return run.local
        run.elsewhere.check([self.scratch])
        return through_files(run.elsewhere, self.scratch)

    def check(self, run: Run) -> None:
        """Raise, before the work, if an engine's workers cannot do it."""
        if run.engine is not None and self.store is not None:
            run.engine.check([self.store.workspace] if self.store.workspace.exists() else [])
