"""A classification in a store: what `hin classify` writes and the later commands read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category, read_categories
from classify.categories.finding import CategoryFinding, judged, name_vectors
from classify.documents.score_rows import by_rows
from classify.knowledge.static import built_in_model
from classify.model.decision import Decision, Given
from classify.model.preparation import prepare
from classify.paper.selection import NameVector, Selection, SelectionOptions, instance_orders, select_instances
from classify.suggestions.grounds import nearest_of
from classify.views.kept import views_folder
from embed.embedding_stage import embedding_of
from hin.checked_files import load_array, read_json
from hin.errors import DamagedGraph, MissingStage
from hin.progress import Progress, silent
from hin.stores.findings import Findings
from motifs.motif_stage import motifs_of
from motifs.on_engine import match_on_engine
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
    from classify.model.motif_model import MotifModel
    from classify.recipe.known import Known
    from embed import EmbedOptions, JointEmbedding
    from embed.arguments import EmbedCommand
    from hin.engines.base import Engine
    from hin.graph import Graph
    from hin.stores.base import Store
    from hin.stores.stages import Stage
    from motifs import MotifSet, MotifTable, Pattern

__all__ = [
    "Prepared", "StoredClassification", "embedded", "kept_views", "named", "named_for_embedding",
    "stored_classification", "write_classification",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Prepared:
    """Everything up to the embedding: the graph with the names as terms, the instances, what each name is."""

    graph: Graph
    motif_set: MotifSet
    embedding: JointEmbedding
    findings: list[CategoryFinding]

    def fit(
        self,
        model: MotifModel,
        known: Known | None,
        store: Store,
        progress: Progress = silent,
        engine: Engine | None = None,
    ) -> None:
        """Fit a model to it, with the store's folder for scratch files and for what the next fit can use again."""
        model.fit(
            self.graph,
            known,
            motif_set=self.motif_set,
            embedding=self.embedding,
            findings=self.findings,
            progress=progress,
            scratch=store.workspace,
            engine=None if engine is None or engine.here else engine,
            keep=kept_views(store),
        )

    def names(self) -> list[NameVector]:
        """Return each category's direction and specificity."""
        vectors, kappa = np.asarray(self.embedding.vectors), np.asarray(self.embedding.kappa)
        return name_vectors(self.findings, self.motif_set, vectors, kappa)

    def selected(self, options: SelectionOptions) -> Selection:
        """Return the indicative instances of each category (section 3.1.2)."""
        vectors, kappa = np.asarray(self.embedding.vectors), np.asarray(self.embedding.kappa)
        options = replace(options, eta=options.eta_for(self.embedding.specificity))
        return select_instances(vectors, kappa, instance_orders(self.motif_set), self.names(), options)


def embedded(
    store: Store,
    categories: Sequence[Category],
    patterns: Sequence[str] | None,
    options: EmbedOptions,
    *,
    min_count: int = MotifOptions.min_count,
    allow_missing: bool = False,
    knowledge: KnowledgeModel | None = None,
    progress: Progress = silent,
    engine: Engine | None = None,
) -> Prepared:
    """Find the names, match the patterns, and train the embedding unless the store has this very one."""
    if engine is not None:  # what is wrong with its workers is told before the work
        engine.check([store.workspace] if store.workspace.exists() else [])
    grown, motif_set, found = named(store, categories, patterns, min_count, allow_missing, progress, knowledge, engine)
    embedding, _ = embedding_of(store, grown, motif_set, options, progress=progress, engine=engine)
    vectors, kappa = np.asarray(embedding.vectors), np.asarray(embedding.kappa)
    return Prepared(grown, motif_set, embedding, judged(found, motif_set, vectors, kappa))


def kept_views(store: Store) -> Path | None:
    """Return the folder for what the next fit on the store's embedding can use again."""
    stage = store.stage("embed")
    return None if stage is None else views_folder(store.workspace, stage.identity)


def named(
    store: Store,
    categories: Sequence[Category],
    patterns: Sequence[str] | None,
    min_count: int = MotifOptions.min_count,
    allow_missing: bool = False,
    progress: Progress = silent,
    knowledge: KnowledgeModel | None = None,
    engine: Engine | None = None,
) -> tuple[Graph, MotifSet, list[CategoryFinding]]:
    """Find the names in a store's graph, and match the patterns unless the store has them."""
    from motifs.default_patterns import default_patterns

    graph = store.read_graph(progress)
    wanted = list(patterns) if patterns else default_patterns(graph, min_count)
    matching = MotifOptions(min_count=min_count)

    load = None if engine is None or engine.here or store.database is not None else store.stage("load")

    def on_engine(pattern: Pattern) -> MotifTable:
        assert engine is not None and load is not None
        return match_on_engine(engine, load.path, graph, pattern, matching, progress)

    def from_store(graph: Graph, patterns: Sequence[Pattern]) -> MotifSet:
        return motifs_of(store, graph, patterns, matching, progress, None if load is None else on_engine)

    return prepare(graph, categories, wanted, allow_missing, matching, progress, from_store, knowledge)


def named_for_embedding(store: Store, command: EmbedCommand, progress: Progress) -> tuple[Graph, MotifSet]:
    """Return what `hin embed --categories` trains on: the very graph and motifs that `hin classify` would."""
    assert command.categories is not None
    categories = read_categories(command.categories, True, command.max_categories)  # shares play no part here
    # A name that occurs nowhere changes no edge; `hin classify` will tell of it.
    known = built_in_model()
    return named(store, categories, command.patterns, command.motifs.min_count, True, progress, known)[:2]


@dataclass(frozen=True, eq=False)
class StoredClassification:
    """What the `classify` stage holds.

    Attributes
    ----------
    model : path of the saved model.
    categories : the names, in the order of the columns.
    probabilities : float32[documents, categories], memory-mapped.
    decision : how they become categories.
    """

    stage: Stage
    model: Path
    categories: tuple[str, ...]
    probabilities: npt.NDArray[np.float32]
    decision: Decision
    findings: list[dict[str, Any]]
    notes: list[str]

    @cached_property
    def nearest(self) -> npt.NDArray[np.float32] | None:
        """How near each document is to its nearest name and to the next; None where the fit did not tell."""
        file = self.stage.path / "nearest.npy"
        return load_array(file, "float32", (len(self.probabilities), 2)) if file.exists() else None

    @property
    def known(self) -> dict[str, str]:
        """The documents whose category the user gave, and that category."""
        return dict(self.stage.options.get("known") or {})

    @cached_property
    def given(self) -> Given:
        """The categories each document has."""
        return self.decision.given(np.asarray(self.probabilities))

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """Each document's category as a column, the surest where it has several, -1 where it has none.

        In a tree also where it has a parent only.
        """
        return self.given.leaves(len(self.categories))

    @property
    def abstain_below(self) -> float | None:
        """The confidence below which no category is given, or None."""
        return self.decision.abstain_below


def write_classification(
    store: Store,
    model: MotifModel,
    prepared: Prepared,
    selection: Selection,
    options: dict[str, Any],
    abstain_below: float | None = None,
) -> None:
    """Keep a fit in the store: the model, the probabilities, and what Cypher and the report show."""
    # Six digits as in the predictions file, so that a stored and a written confidence never differ.
    probabilities = by_rows(lambda rows: rows.round(6), model.probabilities_, np.float32)
    decision = model.decision(abstain_below)
    given, nearest = decision.given(model.probabilities_), nearest_of(model)
    kappas: list[float | None] = [float(vector.kappa) for vector in prepared.names()]
    names, tree = decision.names(model.classes_.tolist()), decision.tree
    found = Findings.of(
        # What is above the categories in a tree has no vector of its own.
        categories=zip(names, kappas + [None] * (len(names) - len(kappas)), strict=True),
        part_of=None if tree is None else [(n, above) for n, above in enumerate(tree.parents) if above >= 0],
        indicates=[
            (int(instance), column, position, float(cosine))
            for column, chosen in enumerate(selection)
            for position, (instance, cosine) in enumerate(zip(chosen.instances, chosen.cosines, strict=True), start=1)
        ],
    )
    found = replace(found, classified=Findings.labels(given.documents, given.categories, given.confidence))
    head = {
        "categories": list(model.classes_),
        "decision": decision.as_record(),
        "findings": [finding.as_dict() for finding in prepared.findings],
        "notes": list(model.notes_),
    }

    def write(folder: Path) -> None:
        model.save(folder / "model")
        np.save(folder / "probabilities.npy", probabilities)
        if nearest is not None:
            np.save(folder / "nearest.npy", nearest)
        text = json.dumps(head, indent=1, ensure_ascii=False, sort_keys=True)
        (folder / "classification.json").write_text(text + "\n", encoding="utf-8")
        found.save(folder)

    store.write_stage("classify", write, options)


def stored_classification(store: Store) -> StoredClassification:
    """Open what `hin classify` wrote."""
    graph = store.read_graph()  # a graph that is not there is the first thing to say
    stage = store.stage("classify")
    if stage is None:
        raise MissingStage("the documents have not been classified", hint="run `hin classify --categories labels.txt`")
    try:
        head = read_json(stage.path / "classification.json")
        names = tuple(map(str, head["categories"]))
        probabilities = load_array(stage.path / "probabilities.npy", "float32", (len(graph), len(names)))
        return StoredClassification(
            stage,
            stage.path / "model",
            names,
            probabilities,
            Decision.of_record(head.get("decision") or head),
            list(head["findings"]),
            list(map(str, head["notes"])),
        )
    except (OSError, KeyError, TypeError) as error:
        raise DamagedGraph(
            f"{stage.path} holds no readable classification ({error})", hint="run `hin classify` again"
        ) from error
