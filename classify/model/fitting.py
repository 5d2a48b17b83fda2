"""Fitting, stage after stage, for both presets: from a graph and its embedding to a predictor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category
from classify.categories.finding import CategoryFinding
from classify.documents.encoder import Encoded, Encoder
from classify.documents.features import Features
from classify.documents.graph_encoding import encode_documents
from classify.knowledge.asked import Knowledge, document_texts, names_of
from classify.learners.base import LEARNERS, Lesson
from classify.model.confidence import expected_accuracy, temperature_for
from classify.model.explain import InstanceFacts
from classify.model.predictor import Predictor
from classify.model.share_offsets import share_offsets
from classify.paper.pipeline import PaperOptions, PaperRun, run_paper
from classify.recipe.known import Known
from classify.recipe.soft_labels import RecipeOptions, SoftLabels, Watch, soft_labels
from classify.views.base import ViewSource, make_views, place
from classify.views.joint import JointView
from classify.views.name_vectors import NameUnit, find_units, place_names
from hin.progress import Progress

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
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
    used: dict[str, Any] = field(default_factory=dict)


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
    knowledge: KnowledgeModel | None,
    knowledge_seconds: float,
    seed: int,
    threads: int,
    progress: Progress,
    watch: Watch | None,
    known: Known | None = None,
) -> Fitted:
    """Return soft labels of all documents, then a learner that learns from them."""
    learner = LEARNERS.get(classifier)(options.learner_options())
    encoder = Encoder.of(motif_set)
    length = options.cnn.length
    progress("reading the documents", 0, None)
    parts = list(encode_documents(encoder, graph, motif_set, length))
    features = Features.joined(
        [part.counts for part in parts], _single(motif_set), np.asarray(embedding.weights), _beyond(motif_set)
    )
    units, source = _units(motif_set, categories, findings), _view_source(motif_set, embedding)
    if knowledge is not None:
        texts = partial(document_texts, graph)
        asked = Knowledge(knowledge, names_of(categories), texts, seconds=knowledge_seconds)
        source = replace(source, knowledge=asked)
    wanted = [view for view in options.views if view != "knowledge" or knowledge is not None]
    views = make_views(wanted, source)
    soft = soft_labels(features, units, views, options, shares, seed, threads, progress, watch, known)
    names = soft.names.get("joint")
    if names is None:  # reasons tell the cosine with the name in the joint embedding, whichever views take part
        names = _joint_names(units, features, source.vectors, options, threads)
    facts = _instance_facts(motif_set, embedding, source.vectors, names)
    # Half precision, as it is saved: a model that was read back says the same.
    facts.meaning = None if soft.meaning is None else soft.meaning.astype(np.float16)
    emphasis = None
    if known is not None:
        emphasis = np.ones(features.n_documents)
        emphasis[known.rows] = options.known.weight
    lesson = Lesson(parts, soft.posterior, source.vectors, features.idf, emphasis=emphasis)
    del features
    learner.fit(lesson, seed, threads, progress)
    if watch is not None:
        for name, member in learner.members.items():
            watch(name, np.concatenate([member.scores(part, threads) for part in parts]))
    predictor = Predictor(encoder, learner, length)
    scores = _scores(predictor, parts, threads, progress)
    if watch is not None:
        watch(" and ".join(learner.members) or classifier, scores)
    if shares is not None and all(category.share is not None for category in categories):
        predictor = replace(predictor, offsets=share_offsets(scores, shares))
        scores = _scores(predictor, parts, threads, progress)
    predictor = replace(predictor, temperature=temperature_for(scores, _accuracy(scores, soft, options)))
    notes = tuple(f"{f.category}: {note}" for f in findings for note in f.notes())
    return Fitted(predictor, facts, scores, soft, None, notes, classifier, _used(soft, knowledge))


def _used(soft: SoftLabels, knowledge: KnowledgeModel | None) -> dict[str, Any]:
    """Return how much each view counted, and what knowledge was drawn on: for the manifest and the report."""
    used: dict[str, Any] = {"views": {name: round(share, 4) for name, share in soft.shares.items()}}
    if knowledge is not None and soft.kept:
        used["knowledge"] = {
            "model": knowledge.name,
            "weights": knowledge.fingerprint,
            "documents": soft.read,
            "kept": {name: round(share, 4) for name, share in soft.kept.items()},
        }
    return used


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
    """Return the paper as written, with the same predictor around its classifier."""
    # Its eta is a factor on the learned kappa; the estimated one has another scale (decision 0035).
    embedding = replace(embedding, specificity="learned")
    vectors = np.ascontiguousarray(embedding.vectors, dtype=np.float32)
    encoder = Encoder.of(motif_set)
    length = options.cnn.length
    parts = list(encode_documents(encoder, graph, motif_set, length))
    run = run_paper(parts, motif_set, vectors, embedding.kappa, findings, options, seed, threads, progress)
    predictor, scores = Predictor(encoder, run.classifier, length), run.scores
    if watch is not None:
        watch(options.classifier, scores)
    names = np.stack([name.vector for name in run.names])
    facts = _instance_facts(motif_set, embedding, vectors, _centred_names(names, embedding.centre))
    notes = tuple(f"{f.category}: {note}" for f in findings for note in f.notes())
    return Fitted(predictor, facts, scores, None, run, notes + run.notes, options.classifier)


def _scores(
    predictor: Predictor, parts: Sequence[Encoded], threads: int, progress: Progress
) -> npt.NDArray[np.float64]:
    scores = []
    for done, part in enumerate(parts):
        progress("predicting", done, len(parts))
        scores.append(predictor.scores(part, threads))
    return np.concatenate(scores)


def _accuracy(scores: npt.NDArray[np.float64], soft: SoftLabels, options: RecipeOptions) -> float:
    return expected_accuracy(
        scores.argmax(axis=1), soft.start, soft.opinions, soft.opinion_weights, options.bayes.temperature
    )


def _single(motif_set: MotifSet) -> npt.NDArray[np.bool_]:
    sizes = np.diff(motif_set.offsets)
    return np.repeat([len(table.fields) == 1 for table in motif_set.tables], sizes)


def _beyond(motif_set: MotifSet) -> Any:
    """Return counts of instances that a document alone does not tell: patterns through other documents."""
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


def _terms(motif_set: MotifSet) -> tuple[list[str], int]:
    """Return the terms among the instances, and the number of the first."""
    table = motif_set.table("term")
    if table is None:
        return [], 0
    start = int(motif_set.offsets[motif_set.tables.index(table)])
    return [row[0] for row in table.values_of(np.arange(len(table)))], start


def _units(
    motif_set: MotifSet, categories: Sequence[Category], findings: Sequence[CategoryFinding]
) -> list[list[NameUnit]]:
    return find_units(categories, findings, *_terms(motif_set), motif_set.find)


def _view_source(motif_set: MotifSet, embedding: JointEmbedding) -> ViewSource:
    terms, first = _terms(motif_set)
    return ViewSource(np.ascontiguousarray(embedding.vectors, dtype=np.float32), terms, first)


def _joint_names(
    units: Sequence[Sequence[NameUnit]],
    features: Features,
    vectors: npt.NDArray[np.float32],
    options: RecipeOptions,
    threads: int,
) -> npt.NDArray[np.float32]:
    view = JointView(vectors)
    return place_names(units, place(features, vectors, view.rows(features), threads), features, options.names)


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
    from embed.vectors import unit_rows

    return unit_rows(names - centre)
