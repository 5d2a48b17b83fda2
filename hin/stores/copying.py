"""`copy`: copy a graph from one store to another, folder or database, with its findings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hin.errors import BadUsage, GraphExists, GraphNotFound, HinError
from hin.files.checked import plain_file
from hin.graph import Graph
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent
from hin.stages import Stage, current
from hin.stores.answers import AnswerLog
from hin.stores.base import Store, store_at
from hin.stores.past_classifications import PastClassifications


@dataclass(frozen=True)
class Copied:
    """The copied graph, and the stages whose files were copied with it."""

    graph: Graph
    stages: tuple[str, ...]
    missing: tuple[str, ...] = ()


@shows_progress
def copy(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    model: str | os.PathLike[str] | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Copied:
    """Copy a graph and its stages; after an interruption, run it again to finish the copy.

    Parameters
    ----------
    source, target : path or Bolt URL
    model : path, optional
        Where the vectors of a database live.
    replace : bool
        Whether another graph at the target may be removed.

    Examples
    --------
    >>> import hin, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/papers.jsonl", "w") as file:
    ...     _ = file.write('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> graph = hin.load(f"{folder}/papers.jsonl", graph=f"{folder}/a.hin")
    >>> copy(f"{folder}/a.hin", f"{folder}/b.hin").graph.equals(hin.open(f"{folder}/b.hin"))
    True
    """
    if os.fspath(source).rstrip("/") == os.fspath(target).rstrip("/"):
        raise BadUsage("source and target are the same place", hint="name two places")
    progress = progress or silent
    with store_at(source, model) as origin, store_at(target, model) as goal:
        loaded = origin.stage("load")
        if loaded is None:
            raise GraphNotFound(f"no graph at {origin.location}", hint="make one with `hin load`")
        graph = origin.read_graph(progress)
        options = dict(loaded.options)
        if goal.exists() and not replace and not _same(goal, graph):
            raise GraphExists(
                f"there is another graph at {goal.location}", hint="use `replace=True`, or name another place"
            )
        goal.write_graph(graph, options=options, progress=progress)
        copied = []
        for name, stage in current(origin).items():
            progress(f"copying {name}", 0, None)
            goal.write_stage(name, _files_of(stage), dict(stage.options))
            copied.append(name)
        AnswerLog(origin).copy_to(goal)
        PastClassifications(origin).copy_to(goal)
        goal.show_answers()
        # A database shows findings whose files are on another computer.
        missing = ("motifs",) if not copied and origin.shows_findings() else ()
        return Copied(graph, tuple(copied), missing)


def _same(goal: Store, graph: Graph) -> bool:
    """Check whether the target holds exactly this graph, so that copying again changes nothing."""
    try:
        return bool(graph.equals(goal.read_graph()))
    except HinError:
        return False


def _files_of(stage: Stage) -> Callable[[Path], None]:
    """Copy the files that the manifest lists and no others: a planted link would lead anywhere."""

    def write(folder: Path) -> None:
        for file in stage.files:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(plain_file(stage.path / file), folder / file)

    return write
