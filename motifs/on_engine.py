"""Match on the workers of an engine: each takes an independent range, the driver combines the results.

A pattern around one document is split by the nodes of the field that is joined first, so that every worker counts
whole instances and drops the rare ones itself; any other by its anchor documents. Workers read the graph's own files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from hin.engines.base import Engine
from hin.graph import Graph
from hin.progress import Progress, silent
from motifs.joins.compile_plan import compile_plan
from motifs.joins.join_plan import check_memory
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.matching import match
from motifs.options import MotifOptions
from motifs.table import MotifTable

#: Ranges per worker: their costs differ.
_PIECES = 4


def match_on_engine(
    engine: Engine,
    folder: str | os.PathLike[str],
    graph: Graph,
    pattern: Pattern,
    options: MotifOptions,
    progress: Progress = silent,
) -> MotifTable:
    """Find the instances of a pattern as `match` does, on an engine.

    Parameters
    ----------
    folder : path
        The folder of the graph's files, on a path that all workers have access to.

    Examples
    --------
    >>> import tempfile
    >>> from hin.engines.base import open_engine
    >>> from hin.stores.graph_files import write_graph
    >>> from motifs import MotifOptions, Pattern
    >>> from motifs.samples import tiny_graph
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_graph(tiny_graph(), folder)
    >>> options = MotifOptions(min_count=2)
    >>> match_on_engine(open_engine("local:2"), folder, tiny_graph(), Pattern("venue-year"), options).names()
    ['VENUE[KDD]-YEAR[2008]']
    """
    plan = compile_plan(pattern, Columns(graph), options)
    blocks = plan.split(_PIECES * engine.workers)
    if len(blocks) < 2:
        return match(graph, pattern, options=options, progress=progress)
    where = os.path.abspath(folder)
    engine.check([where])
    # One thread each: there are as many workers as cores.
    shared = MotifOptions(options.min_count, options.max_per_document, options.max_memory, threads=1)
    work = partial(_range, where, engine.share((pattern, shared)))
    pieces: list[Any] = []
    for piece in engine.map(work, blocks):
        pieces.append(piece)
        progress(f"joining {pattern.name}", len(pieces), len(blocks))
        check_memory(pattern, len(pieces), sum(_size(piece) for piece in pieces), options)
    matched = plan.combine(pieces)
    limits = (options.min_count, options.max_per_document)
    return MotifTable(pattern, matched.parts, matched.incidence, graph, *limits, matched.skipped)


def _range(folder: str, shared: Callable[[], tuple[Pattern, MotifOptions]], block: tuple[int, int]) -> Any:
    return compile_plan(shared()[0], _columns(folder), shared()[1]).run_range(block)


@lru_cache(maxsize=1)  # a process works on many ranges of one graph, whose folder is named by its content
def _columns(folder: str) -> Columns:
    from hin.stores.graph_files import read_graph

    return Columns(read_graph(Path(folder)))


def _size(piece: Any) -> int:
    arrays, rest = piece
    if isinstance(arrays, list):
        return int(sum(array.nbytes for array in arrays) + rest.targets.nbytes + rest.offsets.nbytes)
    return int(arrays.nbytes)
