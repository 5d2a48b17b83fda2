"""`hin.export`: write a graph for other tools; the modules beside this one register the formats."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.errors import BadUsage
from hin.exchange.formats import EXPORTS, ExportSource
from hin.files.atomic import atomic_file, atomic_folder
from hin.files.checked import load_array
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent
from hin.stages import current

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stores.base import Store
    from hin.stores.findings import Findings


@shows_progress
def export(
    graph: Graph | str | os.PathLike[str] | None = None,
    format: str = "graphml",
    out: str | os.PathLike[str] | None = None,
    *,
    csv_formulas: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write a graph, or the one at a location, in another tool's format.

    Parameters
    ----------
    graph : Graph, path or URL, optional
        Default: the environment's HIN_GRAPH, or `./graph.hin`.
    format : str
        graphml, igraph, networkx, csv, parquet, jsonl, neo4j-import, ladybug, pyg, or one that another package offers.
    out : path, optional
        A file or folder; by default named after the graph, in the current folder. It is written atomically.
    csv_formulas : bool
        In CSV: do not escape cells that a spreadsheet would take for formulas. Otherwise they get a quote before them.

    Returns
    -------
    Path
        The path that was written.

    Examples
    --------
    >>> import hin, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with open(f"{folder}/papers.jsonl", "w") as file:
    ...     _ = file.write('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> graph = hin.load(f"{folder}/papers.jsonl", graph=f"{folder}/papers.hin")
    >>> hin.export(f"{folder}/papers.hin", "csv", f"{folder}/tables").name
    'tables'
    """
    from hin.graph import Graph
    from hin.stores.base import open_store
    from hin.stores.findings import Findings

    made, progress = EXPORTS.get(format), progress or silent
    if isinstance(graph, Graph):
        alone = ExportSource(graph, progress=progress, csv_formulas=csv_formulas)
        return _write(alone, format, Path(out or f"graph{made.ending}"))
    with open_store(graph) as store:
        target = Path(out or Path(store.beside("")).stem + made.ending)
        loaded, found = store.stage("load"), Findings.of_store(store)
        source = ExportSource(
            store.read_graph(progress),
            found,
            dict(loaded.options) if loaded is not None else {},
            progress,
            csv_formulas,
            _vectors(store, found),
        )
        return _write(source, format, target)


def _vectors(store: Store, found: Findings) -> dict[str, Any]:
    """Return the vectors of documents and motif instances that the stage `embed` stored, by node type."""
    stage = current(store).get("embed")
    if stage is None:
        return {}
    documents, motifs = (
        load_array(stage.path / name, "float32", (None, None)) for name in ("documents.npy", "vectors.npy")
    )
    same = found.motifs is not None and len(motifs) == found.motifs.num_rows
    return {"document": documents, **({"motif": motifs} if same else {})}


def _write(source: ExportSource, format: str, target: Path) -> Path:
    made = EXPORTS.get(format)
    source.progress("exporting", 0, None)
    if made.folder:
        with atomic_folder(target, "export") as folder:
            made.write(source, folder)
    else:
        if target.is_dir():
            raise BadUsage(f"{target} is a folder, {format} is written to a file", hint="name a file with `out=`")
        with atomic_file(target) as temporary:
            made.write(source, temporary)
    return target
