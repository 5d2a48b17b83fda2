"""From a graph and its motif instances to the joint embedding."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from embed.edges import Edges
from embed.model import JointEmbedding, names_table
from embed.options import EmbedOptions
from embed.sgd.checkpoint import Checkpoint, fingerprint
from embed.sgd.trainer import Trainer
from embed.specificity import estimate_specificity
from embed.vectors import unit_rows
from hin.errors import BadInput
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["edges_of", "train", "train_on"]


def edges_of(graph: Graph, motif_set: MotifSet) -> Edges:
    """Return the arrays that training works on; terms that are no instance (too rare) leave the windows.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> graph = tiny_graph()
    >>> edges_of(graph, match_all(graph, ["term", "venue"], min_count=1)).n_documents == len(graph)
    True
    """
    by_document = motif_set.by_document()
    term_offset = n_terms = 0
    tokens = np.empty(0, np.int32)
    token_offsets = np.zeros(len(graph) + 1, np.int64)
    table = motif_set.table("term")
    if table is not None:
        term_offset = int(motif_set.offsets[motif_set.tables.index(table)])
        n_terms = len(table)
        position = np.full(len(graph.names("term")), -1, np.int32)
        position[table.parts[:, 0]] = np.arange(n_terms, dtype=np.int32)
        mapped = position[graph.tokens.targets]
        kept = mapped >= 0
        tokens = mapped[kept]
        kept_before = np.zeros(len(kept) + 1, np.int64)
        np.cumsum(kept, out=kept_before[1:])
        token_offsets = kept_before[graph.tokens.offsets]
    return Edges(
        np.ascontiguousarray(by_document.offsets, np.int64), np.ascontiguousarray(by_document.targets, np.int32),
        token_offsets, tokens, motif_set.n_instances, term_offset, n_terms,
    )  # fmt: skip


def train(
    graph: Graph,
    motif_set: MotifSet,
    options: EmbedOptions | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
) -> JointEmbedding:
    """Learn vectors and specificities of the motif instances (section 3.1.1).

    Parameters
    ----------
    graph : Graph
    motif_set : MotifSet
        The instances; the pattern `term` should be among them.
    options : EmbedOptions, optional
    progress : callable, optional
        Told about rate, loss and time left.
    checkpoint : path, optional
        A folder where the state is saved every minute and on Ctrl-C; removed at the end.
    resume : bool
        Go on from the checkpoint if it belongs to the same edges and options; the result is the same bytes as
        without the stop.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> graph = tiny_graph()
    >>> model = train(graph, match_all(graph, ["term", "venue"], min_count=1), EmbedOptions(dim=16, epochs=2))
    >>> model.dim, len(model.documents) == len(graph)
    (16, True)
    """
    options = options or EmbedOptions()
    edges = edges_of(graph, motif_set)
    run = fingerprint(edges, options) if checkpoint is not None else ""
    return train_on(edges, run, motif_set, options, progress or silent, checkpoint, resume)


def train_on(
    edges: Edges,
    run: str,
    motif_set: MotifSet,
    options: EmbedOptions,
    progress: Progress = silent,
    checkpoint: str | Path | None = None,
    resume: bool = False,
) -> JointEmbedding:
    """Train on edges that were made before; `run` is their fingerprint, which tells checkpoints apart."""
    check_edges(edges)
    saver = Checkpoint(checkpoint, run) if checkpoint is not None else None
    start = saver.load() if saver is not None and resume else None
    trainer = Trainer(edges, options, start)
    report = trainer.run(progress, saver.save if saver is not None else None)
    dim, n, terms = options.dim, edges.n_instances, edges.n_terms
    table = trainer.parameters.table
    vectors, learned = unit_rows(table[:n, :dim], rounded=True), unit_rows(table[n + terms :, :dim], rounded=True)
    progress("specificity", 0, 1)
    estimated = estimate_specificity(edges, vectors, learned, trainer.threads)
    progress("specificity", 1, 1)
    model = JointEmbedding(
        vectors=vectors,
        documents=estimated.documents,
        documents_learned=learned,
        contexts=np.ascontiguousarray(table[n : n + terms, :dim]),
        kappa_learned=trainer.parameters.kappa,
        kappa_estimated=estimated.kappa,
        weights=estimated.weights,
        document_counts=edges.instance_degrees().astype(np.int32),
        names=names_table(motif_set.names()),
        patterns=tuple(t.pattern.name for t in motif_set.tables),
        starts=np.asarray(motif_set.offsets, np.int64),
        specificity=options.specificity,
        report={**asdict(report), "edges_per_second": report.edges_per_second},
    )
    if saver is not None:
        saver.clear()
    return model


def check_edges(edges: Edges) -> None:
    """Refuse what cannot be trained on."""
    if edges.n_documents == 0:
        raise BadInput("the graph has no documents to embed", hint="load some with `hin load`")
    if len(edges.instances) == 0:
        raise BadInput(
            "no motif instance is in enough documents to be embedded",
            hint="match with a lower --min-count, or load more documents",
        )
