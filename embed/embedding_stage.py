"""Store the embedding with its settings, and reuse it when they are the same."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embed.learn import edges_of, train_on
from embed.model import JointEmbedding
from embed.on_engine import DocumentGroups
from embed.one_worker import fits_one_worker
from embed.options import EmbedOptions
from embed.sgd.checkpoint import Checkpoint, fingerprint
from hin.arrays.arrow_columns import lists, numbers, texts, values_of
from hin.files.mapped import release_pages
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from hin.engines.base import Engine
    from hin.graph import Graph
    from hin.stores.base import Store
    from motifs import MotifSet


def settings_of(motif_set: MotifSet, options: EmbedOptions, run: str) -> dict[str, Any]:
    """Return the settings of an embedding: patterns with their limits, options, and the hash of its run.

    The hash covers the edges, which differ where other phrases of category names became terms of the same graph.
    """
    patterns = {table.pattern.name: [table.min_count, table.max_per_document] for table in motif_set.tables}
    return {"patterns": patterns, "embed": options.shaping, "edges": run}


def stored_embedding(store: Store, wanted: dict[str, Any] | None = None) -> JointEmbedding | None:
    """Open the embedding of a store; with `wanted`, only if it has those settings."""
    stage = store.stage("embed")
    if stage is None or (wanted is not None and _compared_settings(stage.options) != _compared_settings(wanted)):
        return None
    return JointEmbedding.open(stage.path)


def _compared_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that must agree for an embedding to be reused; those of rounds on a cluster are left out."""
    return {name: value for name, value in options.items() if name != "groups"}


def checkpoint_of(store: Store) -> Path:
    """Return the checkpoint path of an unfinished training: in the graph's folder, or the model's."""
    return store.workspace / ".embed-checkpoint"


def embedding_of(
    store: Store,
    motif_set: MotifSet,
    options: EmbedOptions,
    resume: bool = True,
    progress: Progress = silent,
    engine: Engine | None = None,
) -> JointEmbedding:
    """Return the stored embedding of these motifs with these options, or train and store it."""
    edges = edges_of(motif_set.graph, motif_set)
    run = fingerprint(edges, options)
    wanted = settings_of(motif_set, options, run)
    if engine is not None and not engine.here and not fits_one_worker(edges, options):
        # Rounds visit the edges in another order, so they are recorded; one worker gives this machine's bytes.
        wanted["groups"] = {**asdict(DocumentGroups.of(edges, options)), "worker_memory": options.worker_memory}
    stored = stored_embedding(store, wanted)
    if stored is not None:
        return stored
    saver = Checkpoint(checkpoint_of(store).absolute(), run)
    model = train_on(edges, motif_set, options, progress, saver, resume, engine)

    def write(folder: Path) -> None:
        model.save(folder)
        found = motif_set.findings()
        kappa = np.asarray(model.kappa, dtype=np.float64)
        motifs = _drop_unknown_parts(found.motifs, store.read_graph())
        replace(found, motifs=motifs, kappa=kappa).save(folder)
        if found.has_motif is not None:
            release_pages(found.has_motif.targets)

    progress("saving", 0, None)
    store.write_stage("embed", write, wanted)
    stage = store.stage("embed")
    assert stage is not None
    # From here on the files suffice: the trained arrays have a row for every document.
    return replace(JointEmbedding.open(stage.path), report=model.report)


def _drop_unknown_parts(motifs: Any, graph: Graph) -> Any:
    """Drop the parts of motifs that are not nodes of the stored graph: phrases added for category names."""
    import pyarrow as pa

    n_terms, types, nodes = len(graph.names("term")), motifs.column("part_types"), motifs.column("part_nodes")
    parts = [part for chunk in types.chunks for part in chunk.flatten().to_pylist()]
    numbered = np.concatenate([values_of(chunk.flatten(), "int32") for chunk in nodes.chunks])
    known = (numbered < n_terms) | np.array([part != "term" for part in parts], dtype=np.bool_)
    if known.all():
        return motifs
    sizes = np.concatenate([values_of(chunk.value_lengths(), "int32") for chunk in types.chunks])
    ends = np.append(0, np.cumsum(known))[np.append(0, np.cumsum(sizes))]
    left = [part for part, stays in zip(parts, known.tolist(), strict=True) if stays]
    columns = {
        "part_types": lists(ends, texts(left).cast(pa.string())),
        "part_nodes": lists(ends, numbers(numbered[known], "int32")),
    }
    for name, column in columns.items():
        motifs = motifs.set_column(motifs.column_names.index(name), name, column)
    return motifs
