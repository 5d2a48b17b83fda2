"""`hin.explore`: the workbench from Python, also from a notebook."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import webbrowser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from hin.graph import Graph
from hin.stores.base import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from classify.categories.category_file import Category
    from classify.explore.server import Workbench
    from classify.options import ClassifyOptions


def explore(
    graph: str | os.PathLike[str] | Store | Graph | None = None,
    categories: Sequence[str | Category] | Mapping[str, Iterable[str]] | str | None = None,
    *,
    port: int = 0,
    browser: bool = True,
    read_only: bool = False,
    options: ClassifyOptions | None = None,
) -> Workbench:
    """Open the workbench on a graph and return: it is served by a thread of this process.

    Parameters
    ----------
    graph : where the graph lives, a folder or a database; by default as for `hin.open_store`. A graph in memory is
        written to a temporary folder, which lasts as long as this process: download the results from the page.
    categories : the names to begin with; by default those of the last session.
    port : on this machine; 0 for one that is free.
    browser : whether to open the page; its `address` can be opened by hand.
    read_only : let the page change nothing.
    options : of the runs; by default those of the last classification.

    Returns
    -------
    Workbench
        With its `address`, and `stop()` to end it.

    Examples
    --------
    >>> import hin, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/papers.jsonl", "w") as file:
    ...     _ = file.write('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> _ = hin.load(f"{folder}/papers.jsonl", graph=f"{folder}/papers.hin")
    >>> bench = explore(f"{folder}/papers.hin", ["web", "data mining"], browser=False)
    >>> bench.address.startswith("http://127.0.0.1:")
    True
    >>> bench.stop()
    """
    from classify.categories.category_file import as_categories
    from classify.explore.server import Workbench
    from classify.explore.session import Session

    store = (
        _store_temporarily(graph)
        if isinstance(graph, Graph)
        else graph
        if isinstance(graph, Store)
        else open_store(graph)
    )
    named = None if categories is None else as_categories(categories)
    bench = Workbench(Session(store, named, options, read_only), port)
    bench.thread = Thread(target=bench.serve, name="hin-explore", daemon=True)
    bench.thread.start()
    if browser:
        webbrowser.open(bench.address)
    return bench


def _store_temporarily(graph: Graph) -> Store:
    """Write a graph to a folder that is removed at the end of the process."""
    folder = tempfile.mkdtemp(prefix="hin-explore-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    store = open_store(Path(folder) / "graph.hin")
    store.write_graph(graph, options={})
    return store
