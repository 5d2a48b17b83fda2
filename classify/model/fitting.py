"""Fitting, stage after stage, for both presets: from a graph and its embedding to a predictor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category
from classify.categories.finding import CategoryFinding
from classify.documents.encoder import Encoded, Encoder
from classify.documents.features import Features, inverse_frequency, normalised, weighted
from classify.documents.sequences import Sequences, take_sequences
from classify.learners.base import make_classifier
from classify.learners.linear import balance_weights, fit_linear
from classify.model.confidence import expected_accuracy, temperature_for
from classify.model.explain import InstanceFacts
from classify.model.predictor import Predictor
from classify.paper.pipeline import PaperOptions, PaperRun, run_paper
from classify.recipe.soft_labels import RecipeOptions, SoftLabels, Watch, balanced_sample, default_views, soft_labels
from classify.views.name_vectors import find_units
from classify.views.views import JointView
from hin.progress import Progress

if TYPE_CHECKING:
    from classify.learners.base import TextClassifier
    from classify.learners.linear import LinearModel
    from embed import JointEmbedding
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["Fitted", "fit_default", "fit_paper"]


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a fit leaves behind."""

    predictor: Predictor
    facts: InstanceFacts
    scores: npt.NDArray[np.float64]
    soft: SoftLabels | None
    paper: PaperRun | None
    notes: tuple[str, ...]
    text_name: str


def fit_default(
    graph: Graph,
    motif_set: MotifSet,
    embedding: JointEmbedding,
    categories: Sequence[Category],
    findings: Sequence[CategoryFinding],
    options: RecipeOptions,
    *,
    classifier: str,
    shares: Sequence[float] | None,
    seed: int,
    threads: int,
    progress: Progress,
    watch: Watch | None,
) -> Fitted:
    """Soft labels of all documents, then a linear classifier and a CNN that learn from them."""
    told = watch or (lambda stage, scores: None)
    encoder = Encoder.of(motif_set)
    length = options.cnn.length
    progress("reading the documents", 0, None)
    parts = list(encoder.encode_graph(graph, length))
    features = Features.joined(
        [part.counts for part in parts], _single(motif_set), np.asarray(embedding.weights), _beyond(motif_set)
    )
    units = _units(motif_set, categories, findings)
    vectors = np.ascontiguousarray(embedding.vectors, dtype=np.float32)
    joint = JointView(vectors)
    views = default_views(joint, options)
    soft = soft_labels(features, units, views, options, shares, seed, threads, progress, watch)
    facts = _instance_facts(motif_set, embedding, vectors, soft.names[joint.name])
    idf = features.idf
    del features
    posterior = soft.posterior
    linear: LinearModel | None = None
    if classifier in ("average", "linear"):
        progress("linear classifier", 0, options.linear.rounds)
        linear = fit_linear(_rows(parts, idf), posterior, options.linear, threads, progress)
    text: TextClassifier | None = None
    if classifier in ("average", "cnn"):
        text = _fit_text(parts, vectors, posterior, options, seed, threads, progress)
    share = options.cnn_share if linear is not None and text is not None else float(linear is None)
    predictor = Predictor(encoder, idf, linear, text, share, length)
    if watch is not None:
        if linear is not None:
            told("linear classifier", linear.logits(_rows(parts, idf), threads))
        if text is not None:
            told("CNN", np.concatenate([text.predict_proba(part.sequences, threads=threads) for part in parts]))
    scores = _scores(predictor, parts, threads, progress)
    told("linear classifier and CNN", scores)
    labels = scores.argmax(axis=1)
    accuracy = expected_accuracy(labels, [v.argmax(axis=1) for v in soft.views.values()], len(categories))
    predictor = Predictor(encoder, idf, linear, text, share, length, temperature_for(scores, accuracy))
    notes = tuple(f"{f.category}: {note}" for f in findings for note in f.notes())
    return Fitted(predictor, facts, scores, soft, None, notes, "cnn")


def fit_paper(
    graph: Graph,
    motif_set: MotifSet,
    embedding: JointEmbedding,
    findings: Sequence[CategoryFinding],
    options: PaperOptions,
    *,
    seed: int,
    threads: int,
    progress: Progress,
    watch: Watch | None,
) -> Fitted:
    """The paper as written, with the same predictor around its classifier."""
    # Its eta is a factor on the learned kappa; the estimated one has another scale (decision 0035).
    embedding = replace(embedding, specificity="learned")
    vectors = np.ascontiguousarray(embedding.vectors, dtype=np.float32)
    run = run_paper(graph, motif_set, vectors, embedding.kappa, findings, options, seed, threads, progress)
    encoder = Encoder.of(motif_set)
    length = options.cnn.length
    parts = list(encoder.encode_graph(graph, length))
    idf = inverse_frequency(motif_set.documents, len(graph))
    predictor = Predictor(encoder, idf, None, run.classifier, 1.0, length)
    scores = _scores(predictor, parts, threads, progress)
    if watch is not None:
        watch(options.classifier, scores)
    names = np.stack([name.vector for name in run.names])
    facts = _instance_facts(motif_set, embedding, vectors, _centred_names(names, embedding.centre))
    notes = tuple(f"{f.category}: {note}" for f in findings for note in f.notes())
    return Fitted(predictor, facts, scores, None, run, notes + run.notes, options.classifier)


def _fit_text(
    parts: Sequence[Encoded],
    vectors: npt.NDArray[np.float32],
    posterior: npt.NDArray[np.float64],
    options: RecipeOptions,
    seed: int,
    threads: int,
    progress: Progress,
) -> TextClassifier:
    """The CNN on soft labels of all documents, or of a balanced sample of a large corpus."""
    rng = np.random.default_rng([seed, 0x5A3])
    rows = balanced_sample(posterior, options.cnn_documents, rng)
    sequences = take_sequences(_sequences(parts), rows)
    target = posterior[rows]
    weights = balance_weights(target, options.linear.balance)
    # Small corpora need more passes for as many steps.
    epochs = int(np.clip(np.ceil(options.cnn_steps * options.cnn.batch / max(1, len(rows))), options.cnn.epochs, 60))
    model = make_classifier("cnn", replace(options.cnn, epochs=epochs))
    model.fit(
        sequences, vectors, target.astype(np.float32), seed=seed, threads=threads, weights=weights, progress=progress
    )
    return model


def _rows(parts: Sequence[Encoded], idf: npt.NDArray[np.float32]) -> Any:
    """Unit tf-idf rows of all documents, as prediction makes them."""
    from scipy import sparse

    return normalised(weighted(sparse.vstack([part.counts for part in parts], format="csr"), idf))


def _scores(
    predictor: Predictor, parts: Sequence[Encoded], threads: int, progress: Progress
) -> npt.NDArray[np.float64]:
    scores = []
    for done, part in enumerate(parts):
        progress("predicting", done, len(parts))
        scores.append(predictor.scores(part, threads))
    return np.concatenate(scores)


def _single(motif_set: MotifSet) -> npt.NDArray[np.bool_]:
    sizes = np.diff(motif_set.offsets)
    return np.repeat([len(table.fields) == 1 for table in motif_set.tables], sizes)


def _beyond(motif_set: MotifSet) -> Any:
    """Counts of instances that a document alone does not tell: patterns through other documents."""
    from scipy import sparse

    rows, columns = [], []
    for table, start in zip(motif_set.tables, motif_set.offsets, strict=False):
        if not table.pattern.is_star:
            rows.append(table.incidence.targets.astype(np.int64))
            columns.append(table.incidence.rows().astype(np.int64) + start)
    if not rows:
        return None
    row, column = np.concatenate(rows), np.concatenate(columns)
    ones = np.ones(len(row), dtype=np.float32)
    return sparse.coo_array((ones, (row, column)), shape=(len(motif_set.graph), motif_set.n_instances)).tocsr()


def _units(motif_set: MotifSet, categories: Sequence[Category], findings: Sequence[CategoryFinding]) -> Any:
    table = motif_set.table("term")
    if table is None:
        return find_units(categories, findings, [], 0)
    start = int(motif_set.offsets[motif_set.tables.index(table)])
    terms = [row[0] for row in table.values_of(np.arange(len(table)))]
    return find_units(categories, findings, terms, start)


def _instance_facts(
    motif_set: MotifSet,
    embedding: JointEmbedding,
    vectors: npt.NDArray[np.float32],
    names: npt.NDArray[np.float32],
) -> InstanceFacts:
    patterns = [table.pattern.name for table in motif_set.tables]
    starts = np.asarray(motif_set.offsets, dtype=np.int64)
    return InstanceFacts(motif_set.names(), patterns, starts, embedding.kappa, vectors, embedding.centre, names)


def _centred_names(names: npt.NDArray[np.float32], centre: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    from classify.documents.products import unit_rows

    return unit_rows(names - centre)


def _sequences(parts: Sequence[Encoded]) -> Sequences:
    lengths = np.concatenate([np.diff(part.sequences.offsets) for part in parts])
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Sequences(offsets, np.concatenate([part.sequences.ids for part in parts]))
