"""Read the inputs of a report from a store: the graph, the findings, and the results of the stages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.report.gathering import ReportInputs
from classify.report.parents import with_parents
from hin.arrays.types import Floats, Int32, Int64
from hin.errors import BadInput, HinError
from hin.progress import Progress, silent
from hin.stores.base import Store
from hin.stores.findings import Findings

if TYPE_CHECKING:
    from classify.stored_classification import StoredClassification
    from classify.suggestions.grounds import Grounds
    from hin.engines.base import Engine
    from hin.graph import Graph


def inputs_of(
    store: Store, reasons: int = 3, progress: Progress = silent, engine: Engine | None = None
) -> ReportInputs:
    """Read the inputs of a report from a store; results of stages that have not run are left out.

    On an engine its workers compute the reasons of all documents; they must have access to the graph's folder.

    Examples
    --------
    >>> import tempfile, pathlib, hin
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "papers.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> _ = hin.load(folder / "papers.jsonl", graph=folder / "papers.hin")
    >>> inputs_of(hin.open_store(folder / "papers.hin")).name
    'papers.jsonl'
    """
    graph = store.read_graph(progress)
    found = Findings.of_store(store)
    found.check(graph)
    stages = {name: store.stage(name) for name in ("load", "embed", "classify")}
    settings = {name: stage.options for name, stage in stages.items() if stage is not None}
    bare = ReportInputs(
        graph,
        found,
        name=_files(settings.get("load", {})) or store.name,
        vectors=_vectors(store, found),
        truth=_truth(graph, found),
        pseudo=retrieved_documents(found),
        settings=settings,
        comparison=_comparison(store),
    )
    return bare if stages["classify"] is None else _with_model(bare, store, reasons, progress, engine)


def _files(loaded: Mapping[str, Any]) -> str:
    """Join the names of the files that a graph was loaded from, for a title."""
    names = [str(entry["file"]) for entry in loaded.get("inputs") or [] if entry.get("file")]
    return ", ".join(names) if len(names) < 3 else f"{names[0]} and {len(names) - 1} more files"


def _with_model(
    inputs: ReportInputs, store: Store, wanted: int, progress: Progress, engine: Engine | None
) -> ReportInputs:
    """Add the results of the `classify` stage: probabilities, remarks, the names' vectors, the reasons."""
    from classify.documents.stored_documents import StoredDocuments
    from classify.model.files import read_model
    from classify.report.reasons import reasons_of
    from classify.stored_classification import stored_classification
    from classify.suggestions.grounds import grounds_with
    from classify.suggestions.suggest import help_for
    from hin.arrays.scratch import scratch_folder
    from hin.arrays.stored_rows import BLOCK

    stored = stored_classification(store)
    predictor, facts, _ = read_model(stored.model)
    places = None if store.database is not None else (Path(store.location), stored.model)
    with scratch_folder(store.workspace) as folder:
        progress("reading the documents", 0, None)
        encoded = predictor.encoder.encode_graph(inputs.graph, predictor.length, BLOCK)
        documents = StoredDocuments.of(folder, encoded, len(facts.names))
        progress("looking for words that would help", 0, None)
        grounds = grounds_with(stored, inputs.graph, facts, documents.all_counts)
        reasons = reasons_of((predictor, facts), documents, stored.labels, wanted, progress, engine, places)
    vectors = inputs.vectors
    if vectors is not None and vectors.shape[1] == facts.categories.shape[1]:
        vectors = np.asarray(vectors) - facts.centre
    category_vectors, probabilities = facts.categories, stored.probabilities
    if stored.decision.tree is not None:
        category_vectors, probabilities = with_parents(
            stored.decision.tree, stored.given, facts.categories, probabilities
        )
    return replace(
        inputs,
        vectors=vectors,
        category_vectors=category_vectors if vectors is not None else None,
        own=stored.vectors,
        probabilities=probabilities,
        reasons=reasons,
        notes=[*stored.notes, *_set_aside(grounds, stored)],
        help=[one.as_dict() for one in help_for(grounds)],
        decision=stored.decision,
        abstain_below=stored.abstain_below,
    )


def _set_aside(grounds: Grounds, stored: StoredClassification) -> list[str]:
    """Describe the documents that `hin classify --other` left without a category."""
    if not stored.stage.options.get("other"):
        return []
    from classify.suggestions.missing import MissingOptions, find_missing

    options = MissingOptions(share=None, seed=int(stored.stage.options.get("seed", 0)))
    return [group.summary() for group in find_missing(grounds, options).groups]


def retrieved_documents(found: Findings, size: int = 1000) -> list[Int64] | None:
    """Return, for each category, the documents with the most of its indicative instances and none of another's.

    Examples
    --------
    >>> from hin.graph import Csr
    >>> found = Findings.of(
    ...     motifs=[("term", f"TERM[{i}]", 2, []) for i in range(2)], has_motif=Csr.from_lists([[0], [0, 1], [1]]),
    ...     categories=[("a", None), ("b", None)], indicates=[(0, 0, 1, 0.9), (1, 1, 1, 0.8)])
    >>> [documents.tolist() for documents in retrieved_documents(found)]
    [[0], [2]]
    """
    if found.has_motif is None or found.indicates is None or found.categories is None or found.motifs is None:
        return None
    from classify.paper.retrieval import count_indicative, retrieve

    owner, motif = (found.indicates.column(name).to_numpy() for name in ("category", "motif"))
    chosen = [motif[owner == code] for code in range(found.categories.num_rows)]
    scores = count_indicative(found.has_motif, chosen, found.motifs.num_rows)
    return [category.documents for category in retrieve(scores, size)]


def _comparison(store: Store) -> dict[str, Any] | None:
    """Summarise the runs that `hin compare` stored; None where it did not run."""
    from classify.comparators.runs.stored_runs import read_runs
    from classify.comparators.runs.summary import summarise

    head, runs = read_runs(store)
    if not runs:
        return None
    sizes = {name: head[name] for name in ("documents", "documents_of_graph")}
    return {**sizes, "systems": summarise(runs)}


def _vectors(store: Store, found: Findings) -> Floats | None:
    stage = store.stage("embed")
    if stage is None or found.motifs is None:
        return None
    from embed import JointEmbedding

    try:
        vectors = JointEmbedding.open(stage.path).vectors
    except HinError:
        return None
    return vectors if len(vectors) == found.motifs.num_rows else None


def _truth(graph: Graph, found: Findings) -> Int32 | None:
    if graph.labels is None or found.categories is None:
        return None
    from classify.evaluation import true_codes

    try:
        return true_codes(graph.labels, found.categories.column("name").to_pylist())
    except BadInput:  # no label is a category: there is nothing to compare
        return None
