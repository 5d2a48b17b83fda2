"""Fitting, stage after stage, for both presets: from a graph and its embedding to a predictor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category
from classify.categories.finding import CategoryFinding
from classify.documents.encoder import Encoded, Encoder
from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.features import Features
from classify.documents.graph_encoding import encode_documents
from classify.documents.row_blocks import RowBlocks
from classify.documents.score_rows import best, by_rows
from classify.documents.stored_documents import StoredDocuments
from classify.documents.stored_rows import BLOCK
from classify.knowledge.asked import Knowledge, document_texts, names_of
from classify.knowledge.options import BUILT_IN
from classify.knowledge.static import built_in_model
from classify.learners.base import LEARNERS, Lesson
from classify.model.confidence import expected_accuracy, temperature_for
from classify.model.explain import InstanceFacts
from classify.model.predictor import Predictor
from classify.model.share_offsets import share_offsets
from classify.paper.pipeline import PaperOptions, PaperRun, run_paper
from classify.recipe.known import Known
from classify.recipe.parents import parent_instances
from classify.recipe.soft_labels import RecipeOptions, SoftLabels, Watch, soft_labels
from classify.several.rule import set_offsets, set_rule
from classify.views.base import ViewSource, make_views
from classify.views.joint import JointView
from classify.views.kept import keeping
from classify.views.name_vectors import NameUnit, find_units, place_names
from classify.views.placing import place_view
from hin.engines.local import LocalEngine
from hin.engines.mapped import let_go, let_go_of_freed, room_for
from hin.engines.scratch import scratch_folder
from hin.engines.through_files import through_files
from hin.progress import Progress
from hin.text.languages import language_of

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
    from classify.several.options import SeveralOptions
    from embed import JointEmbedding
    from hin.engines.base import Engine
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
    several: SeveralOptions | None = None,
    engine: Engine | None = None,
    scratch: str | Path | None = None,
    keep: Path | None = None,
) -> Fitted:
    """Return soft labels of all documents, then a learner that learns from them.

    Documents are worked on block by block, from a folder inside `scratch`; on an engine other than this machine's
    threads its workers must see that folder. In `keep` lies what neither names nor labels change, for the next fit.
    """
    learner = LEARNERS.get(classifier)(options.learner_options())
    encoder = Encoder.of(motif_set)
    length = options.cnn.length
    engine = engine or LocalEngine(f"local:{threads}")
    with scratch_folder(scratch) as folder:
        engine.check([folder])
        engine = through_files(engine, folder)
        let_go_of_freed()
        progress("reading the documents", 0, None)
        encoded = encode_documents(encoder, graph, motif_set, length, BLOCK)
        stored = StoredDocuments.of(folder / "encoded", encoded, motif_set.n_instances)
        trust, beyond = np.asarray(embedding.weights), _beyond(motif_set)
        features = FeatureBlocks(stored, _single(motif_set), trust, beyond, engine, folder)
        units, source = _units(motif_set, categories, findings), _view_source(motif_set, embedding)
        wanted = [view for view in options.views if view != "knowledge" or knowledge is not None]
        if knowledge is not None:
            ask = partial(Knowledge, names=names_of(categories), texts=partial(document_texts, graph), keep=keep)
            # An encoder knows texts better than words: the built-in vectors of words stay beside it.
            source = replace(source, knowledge=ask(knowledge if knowledge.quick else built_in_model()))
            if not knowledge.quick:
                source = replace(source, encoder=ask(knowledge, seconds=knowledge_seconds))
                wanted += ["encoder"] if "knowledge" in wanted else []
        views = keeping(make_views(wanted, source), keep)
        above = parent_instances(categories, motif_set.find)
        if engine.here:
            learner.warm_up()
        soft = soft_labels(
            features, units, views, options, shares, seed, threads, progress, watch, known, several, above
        )
        let_go_of_freed()
        names = soft.names.get("joint")
        if names is None:  # reasons tell the cosine with the name in the joint embedding, whichever views take part
            names = _joint_names(units, features, source.vectors, options, threads)
        facts = _instance_facts(motif_set, embedding, source.vectors, names)
        # Half precision, as it is saved: a model that was read back says the same.
        facts.meaning = None if soft.meaning is None else soft.meaning.astype(np.float16)
        lesson = Lesson(
            stored,
            _targets(soft, several),
            source.vectors,
            features.idf,
            emphasis=_emphasis(known, len(graph), options),
            engine=engine,
        )
        learner.fit(lesson, seed, threads, progress)
        if watch is not None:
            for name, member in learner.members.items():
                watch(name, np.concatenate([member.scores(part, threads) for part in stored]))
        let_go_of_freed()
        scores = _scores(Predictor(encoder, learner, length), stored, engine, progress)
    if watch is not None:
        watch(" and ".join(learner.members) or classifier, scores)
    offsets = _offsets(scores, categories, shares, soft.expected, several)
    scores = scores if offsets is None else _moved(scores, offsets)
    predictor = Predictor(encoder, learner, length, offsets=offsets)
    predictor = _calibrated(predictor, scores, soft, options, several, known is not None)
    notes = tuple(f"{f.category}: {note}" for f in findings for note in f.notes())
    return Fitted(predictor, facts, scores, soft, None, notes, classifier, _used(soft, knowledge))


def _targets(soft: SoftLabels, several: SeveralOptions | None) -> npt.NDArray[np.float32]:
    """Return one distribution over the categories for each document, in parts where it has several."""
    return by_rows(np.exp if several is None else _in_parts, soft.logs, np.float32)


def _in_parts(logs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    posterior = np.exp(logs)
    return np.asarray(posterior / np.maximum(posterior.sum(axis=1, keepdims=True), 1e-12))


def _offsets(
    scores: npt.NDArray[np.float64],
    categories: Sequence[Category],
    shares: Sequence[float] | None,
    expected: float,
    several: SeveralOptions | None,
) -> npt.NDArray[np.float64] | None:
    """Return what to add to the scores so that the labels fall into the shares the user gave; None for nothing."""
    given = [category.share for category in categories]
    if several is not None:
        return None if all(share is None for share in given) else set_offsets(scores, given, expected)
    if shares is not None and all(share is not None for share in given):
        return share_offsets(scores, shares)
    return None


def _calibrated(
    predictor: Predictor,
    scores: npt.NDArray[np.float64],
    soft: SoftLabels,
    options: RecipeOptions,
    several: SeveralOptions | None,
    taught: bool = False,
) -> Predictor:
    """Return the predictor with probabilities that mean what they say, as far as can be told without labels."""
    accuracy = expected_accuracy(
        best(scores),
        soft.start,
        soft.opinions,
        soft.opinion_weights,
        options.bayes.temperature,
        None if several is None else soft.expected,
        taught,
    )
    if several is not None:
        return replace(predictor, sets=set_rule(scores, soft.expected, accuracy, several))
    return replace(predictor, temperature=temperature_for(scores, accuracy))


def _used(soft: SoftLabels, knowledge: KnowledgeModel | None) -> dict[str, Any]:
    """Return how much each view counted, and what knowledge was drawn on: for the manifest and the report."""
    used: dict[str, Any] = {"views": {name: round(share, 4) for name, share in soft.shares.items()}}
    if knowledge is not None and soft.kept:
        used["knowledge"] = {
            "model": knowledge.name,
            "weights": knowledge.fingerprint,
            "documents": soft.read["knowledge" if knowledge.quick else "encoder"],
            "kept": {name: round(share, 4) for name, share in soft.kept.items()},
        }
        if not knowledge.quick:
            used["knowledge"]["beside"] = BUILT_IN
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
    predictor: Predictor, stored: StoredDocuments, engine: Engine, progress: Progress
) -> npt.NDArray[np.float64]:
    """Return the scores of all documents; the encoder has done its work and stays here."""
    shape = (stored.n_documents, stored.n_instances)
    alone = replace(predictor, encoder=Encoder((), (), np.zeros(1, dtype=np.int64), ()))
    blocks = RowBlocks(stored.__getitem__, shape, engine)
    scores: npt.NDArray[np.float64] | None = None
    for done, part in enumerate(blocks.each(_score, alone)):
        progress("predicting", done, blocks.n_blocks)
        if scores is None:
            scores = room_for((stored.n_documents, part.shape[1]), np.float64)
        scores[done * BLOCK : done * BLOCK + len(part)] = part
        let_go(scores)
    assert scores is not None
    return scores


def _score(part: Encoded, number: int, predictor: Predictor) -> npt.NDArray[np.float64]:
    return predictor.scores(part)


def _moved(scores: npt.NDArray[np.float64], offsets: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return scores with offsets added; a document without anything to go on keeps its zeros."""
    return by_rows(lambda rows: np.where(rows.any(axis=1, keepdims=True), rows + offsets, 0.0), scores)


def _emphasis(known: Known | None, n_documents: int, options: RecipeOptions) -> npt.NDArray[np.float64] | None:
    if known is None:
        return None
    emphasis = np.ones(n_documents)
    emphasis[known.rows] = options.known.weight
    return emphasis


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
    return [row[0] for row in table.values_of(np.arange(len(table)))], motif_set.instances_of("term").start


def _units(
    motif_set: MotifSet, categories: Sequence[Category], findings: Sequence[CategoryFinding]
) -> list[list[NameUnit]]:
    return find_units(categories, findings, *_terms(motif_set), motif_set.find, language_of(motif_set.graph))


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
    space = place_view(features, JointView(vectors), np.random.default_rng(0), threads)
    return place_names(units, space, features, options.names)


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
