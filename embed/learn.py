"""Train the joint embedding from a graph and its motif instances."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from embed.edges import Edges
from embed.model import JointEmbedding, names_table
from embed.on_engine import train_groups
from embed.one_worker import fits_one_worker, train_on_one_worker
from embed.options import EmbedOptions
from embed.sgd.checkpoint import Checkpoint, fingerprint
from embed.sgd.trainer import Trainer
from embed.trained import Learned, Trained
from hin.arrays.scratch import scratch_folder
from hin.arrays.types import Int32, Int64
from hin.errors import BadInput
from hin.files.mapped import mapped_zeros, release_pages
from hin.notebook.watching import shows_progress
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from hin.engines.base import Engine
    from hin.graph import Csr, Graph
    from motifs import MotifSet

#: How many documents' tokens are processed together.
_DOCUMENTS = 16_384


def edges_of(graph: Graph, motif_set: MotifSet) -> Edges:
    """Build the arrays to train on; terms that are not instances (too rare) are removed from the windows.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> graph = tiny_graph()
    >>> edges_of(graph, match_all(graph, ["term", "venue"], min_count=1)).n_documents == len(graph)
    True
    """
    by_document = motif_set.by_document()
    terms = motif_set.instances_of("term")
    tokens = np.empty(0, np.int32)
    token_offsets = np.zeros(len(graph) + 1, np.int64)
    table = motif_set.table("term")
    if table is not None:
        position = np.full(len(graph.names("term")), -1, np.int32)
        position[table.parts[:, 0]] = np.arange(len(terms), dtype=np.int32)
        token_offsets, tokens = _tokens_with_position(graph.tokens, position)
    release_pages(by_document.targets)
    return Edges(
        np.ascontiguousarray(by_document.offsets, np.int64),
        np.ascontiguousarray(by_document.targets, np.int32),
        token_offsets,
        tokens,
        motif_set.n_instances,
        terms.start,
        len(terms),
    )


def _tokens_with_position(tokens: Csr, position: Int32) -> tuple[Int64, Int32]:
    """Return the tokens that have a position, in blocks of documents: there are many more tokens than documents."""
    offsets, sizes = np.asarray(tokens.offsets), np.zeros(len(tokens) + 1, np.int64)
    found = mapped_zeros((tokens.n_edges,), np.int32)
    done = 0
    for first in range(0, len(tokens), _DOCUMENTS):
        last = min(first + _DOCUMENTS, len(tokens))
        mapped = position[tokens.targets[offsets[first] : offsets[last]]]
        known = mapped >= 0
        before = np.concatenate([[0], np.cumsum(known)])
        sizes[first + 1 : last + 1] = before[offsets[first + 1 : last + 1] - offsets[first]] + done
        found[done : done + before[-1]] = mapped[known]
        done += int(before[-1])
        release_pages(tokens.targets, found)
    return sizes, found[:done]


@shows_progress
def train(
    graph: Graph,
    motif_set: MotifSet,
    options: EmbedOptions | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    engine: Engine | None = None,
) -> JointEmbedding:
    """Learn a vector and a specificity for each motif instance (section 3.1.1).

    Parameters
    ----------
    graph : Graph
    motif_set : MotifSet
        The instances; the pattern `term` should be among them.
    options : EmbedOptions, optional
    progress : callable, optional
        Called with the rate, the loss and the time left.
    checkpoint : path, optional
        A folder where the state is saved every minute and on Ctrl-C; removed at the end.
    resume : bool
        Continue from the checkpoint if it belongs to the same edges and options; the result has the same bytes as
        without the interruption.
    engine : Engine, optional
        The engine that runs the training; see `train_on`.

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
    saver = None if checkpoint is None else Checkpoint(Path(checkpoint).absolute(), fingerprint(edges, options))
    return train_on(edges, motif_set, options, progress or silent, saver, resume, engine)


def train_on(
    edges: Edges,
    motif_set: MotifSet,
    options: EmbedOptions,
    progress: Progress = silent,
    saver: Checkpoint | None = None,
    resume: bool = False,
    engine: Engine | None = None,
) -> JointEmbedding:
    """Train on given edges.

    On an engine with remote workers, one of them trains, or all in rounds if it does not fit the memory of one
    (`embed.one_worker`, `embed.on_engine`); they must have access to the folder that holds the checkpoint.
    """
    check_edges(edges)
    trained: Trained | None = None
    if engine is not None and not engine.here:
        with scratch_folder(saver.folder.parent if saver is not None else None) as folder:
            if fits_one_worker(edges, options):
                trained, report = train_on_one_worker(edges, options, engine, folder, progress, saver, resume)
            else:
                parameters, report = train_groups(edges, options, engine, folder, progress)
    else:
        start = saver.load() if saver is not None and resume else None
        trainer = Trainer(edges, options, start)
        report, parameters = trainer.run(progress, saver.save if saver is not None else None), trainer.parameters
        del trainer, start
    if trained is None:
        learned = Learned.of(parameters, edges, options.dim)
        del parameters  # the largest array of all
        progress("specificity", 0, 1)
        trained = learned.with_specificity(edges, options.threads)
    progress("specificity", 1, 1)
    model = JointEmbedding(
        **trained._asdict(),
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
    """Raise if the edges cannot be trained on."""
    if edges.n_documents == 0:
        raise BadInput("the graph has no documents to embed", hint="load some with `hin load`")
    if len(edges.instances) == 0:
        raise BadInput(
            "no motif instance is in enough documents to be embedded",
            hint="match with a lower --min-count, or load more documents",
        )
