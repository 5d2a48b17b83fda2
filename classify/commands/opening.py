"""Open the workspace of a command."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from classify.run import Run
from classify.workspace import Workspace
from hin.engines.base import Engine, closing_engine
from hin.engines.local import core_count
from hin.stores.base import Store, open_store

if TYPE_CHECKING:
    from hin.console import Console


@contextmanager
def open_workspace(
    command: Any, console: Console, found: Callable[[Sequence[Any]], None] | None = None
) -> Iterator[tuple[Workspace, Run]]:
    """Open the command's store and engine; print progress and notes to the console.

    Parameters
    ----------
    found : called with the findings about the category names, before the long work.
    """
    store: Store = open_store(command.graph, command.model)
    threads = command.options.embed.threads if hasattr(command, "options") else None
    with (
        console.progress() as progress,
        _engine(getattr(command, "engine", None)) as engine,
        Workspace(store) as workspace,
    ):
        workspace.read(progress)  # a missing graph is reported before anything else
        run = Run(engine, threads or core_count(), progress)
        classified = store.stage("classify") is not None
        yield workspace, run if found is None else replace(run, found=found)
        if classified and store.stage("classify") is None:
            console.note("The graph has no labels any more: they were made from the embedding that this one replaces.")


def _engine(wanted: str | None) -> AbstractContextManager[Engine | None]:
    """Open an engine other than the default threads, which are imported only when there is work for them."""
    wanted = wanted or os.environ.get("HIN_ENGINE")
    return nullcontext() if wanted in (None, "local") else closing_engine(wanted)
