"""A classification in a store, written by `hin classify` and read by later commands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.category_file import Category
from classify.classification import named_labels, taught_labels
from classify.documents.own_vectors import DocumentVectors
from classify.knowledge.options import BUILT_IN
from classify.model.decision import Decision, Given
from classify.model.reliability import RELIABILITY, Reliability
from classify.options import ClassifyOptions
from classify.several.rule import SETS
from hin.arrays.score_rows import best_two, by_rows
from hin.arrays.spill import link_or_copy
from hin.arrays.types import Doubles, Floats, Int64
from hin.errors import DamagedGraph, MissingStage
from hin.files.checked import load_array, read_json
from hin.stores.findings import Findings
from hin.stores.past_classifications import PastClassifications

if TYPE_CHECKING:
    from classify.model.fitted import FittedModel
    from classify.pipeline import Pipeline
    from hin.stages import Stage
    from hin.stores.base import Store

#: Options that may differ without another fit, and those that a fit adds by itself.
_LATER = ("abstain_below", "used")
#: The file of the user's own vectors of the documents.
_VECTORS = "vectors.npy"

_TREE = {"names": [str], "parents": [int], "n_leaves": int}
_FINDING = {
    "category": str, "status": str, "term": (None, str), "documents": int, "kappa": (None, float), "notes": [str],
    "keywords": [{str: object}], "excluded": [{str: object}], "spellings": [str], "related": [str], "words": [str],
    "near": [[(str, float)]],
}  # fmt: skip
#: The schema of `classification.json`.
_HEAD = {
    "categories": [str],
    "decision?": (None, {"abstain_below": (None, float), "sets": (None, SETS), "tree": (None, _TREE)}),
    "findings": [_FINDING],
    "notes": [str],
    "reliability?": RELIABILITY,
}


@dataclass(frozen=True, eq=False)
class StoredClassification:
    """The content of the `classify` stage.

    Attributes
    ----------
    model : path of the saved model.
    categories : the names, in the order of the columns.
    probabilities : float32[documents, categories], memory-mapped.
    decision : how they become categories.
    reliability : how far they can be trusted.
    fresh : False where it was reused, and only the abstentions are new.
    """

    stage: Stage
    model: Path
    categories: tuple[str, ...]
    probabilities: Floats
    decision: Decision
    findings: list[dict[str, Any]]
    notes: list[str]
    reliability: Reliability = Reliability()
    fresh: bool = True

    @property
    def given_categories(self) -> tuple[Category, ...]:
        """The categories as the user gave them."""
        return tuple(Category.of_record(category) for category in self.stage.option("categories"))

    def options(self, store: Store) -> ClassifyOptions:
        """Return the options it was made with."""
        embedded = store.stage("embed")
        assert embedded is not None, "a classification goes with its embedding"
        try:
            return ClassifyOptions.of_record(self.stage.options, embedded.options["embed"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            what = f"the options of the classification are damaged ({type(error).__name__}: {error})"
            raise DamagedGraph(what, hint="run `hin classify` again") from None

    @cached_property
    def nearest(self) -> Floats | None:
        """Each document's similarity to its nearest name and to the second; None where the fit has no such scores."""
        file = self.stage.path / "nearest.npy"
        return load_array(file, "float32", (len(self.probabilities), 2)) if file.exists() else None

    @cached_property
    def exact(self) -> Doubles:
        """The probabilities with six digits, as they are written."""
        return np.asarray(self.probabilities, dtype=np.float64).round(6)

    @cached_property
    def vectors(self) -> DocumentVectors | None:
        """The user's own vectors of the documents, where it was made with some."""
        file = self.stage.path / _VECTORS
        if not file.exists():
            return None
        return DocumentVectors(load_array(file, "float32", (len(self.probabilities), None)))

    def open_model(self) -> FittedModel:
        """Open the model with the vectors of the documents, for explanations."""
        from classify.model.fitted import FittedModel

        model = FittedModel.load(self.model)
        model.vectors_ = self.vectors
        return model

    @property
    def used(self) -> dict[str, Any]:
        """The weight of each view, and the pretrained models that were used."""
        return dict(self.stage.options.get("used") or {})

    @property
    def known(self) -> dict[str, Any]:
        """The documents whose category the user gave, and that category."""
        return dict(self.stage.options.get("known") or {})

    @cached_property
    def given(self) -> Given:
        """The categories each document has."""
        return self.decision.given(np.asarray(self.probabilities))

    @property
    def labels(self) -> Int64:
        """Each document's category as a column, the surest where it has several, -1 where it has none.

        In a tree also where it has a parent only.
        """
        return self.given.leaves(len(self.categories))

    @property
    def abstain_below(self) -> float | None:
        """The confidence below which no category is given, or None."""
        return self.decision.abstain_below


def write_classification(pipeline: Pipeline) -> StoredClassification:
    """Classify, and store the model, the probabilities, and the findings for Cypher and the report."""
    from classify.model.fitted import FittedModel

    store = pipeline.workspace.store
    assert store is not None
    made, model, soft = pipeline.classification, FittedModel.of(pipeline), pipeline.training_set.soft
    # Six digits as in the predictions file, so that a stored and a written confidence never differ.
    probabilities = by_rows(lambda rows: rows.round(6), made.probabilities, np.float32)
    decision = model.decision(pipeline.options.abstain_below)
    found = _findings(pipeline, decision, decision.given(made.probabilities))
    head = {
        "categories": model.classes_.tolist(),
        "decision": decision.as_record(),
        "findings": [finding.as_dict() for finding in pipeline.findings],
        "notes": list(made.notes),
        "reliability": made.reliability.as_record(),
    }

    def write(folder: Path) -> None:
        model.save(folder / "model")
        np.save(folder / "probabilities.npy", probabilities)
        if soft is not None:
            np.save(folder / "nearest.npy", best_two(soft.start))
        if pipeline.vectors is not None:
            np.save(folder / _VECTORS, pipeline.vectors.rows)
        _write_head(folder, head)
        found.save(folder)

    pipeline.run.progress("saving", 0, None)
    store.write_stage("classify", write, {**_record(pipeline), "used": pipeline.training_set.used})
    return _add_to_history(store)


def _add_to_history(store: Store) -> StoredClassification:
    """Open the classification, and store it among the last ones."""
    stored = stored_classification(store)
    names = stored.decision.names(stored.categories)
    PastClassifications(store).add(stored.stage, names, store.read_graph())
    return stored


def _findings(pipeline: Pipeline, decision: Decision, given: Given) -> Findings:
    """Return the categories, their indicative instances and their documents as every store shows them."""
    names, tree = decision.names([category.name for category in pipeline.categories]), decision.tree
    kappas: list[float | None] = [float(name.kappa) for name in pipeline.name_vectors]
    found = Findings.of(
        # Parents in a tree have no vector of their own.
        categories=zip(names, kappas + [None] * (len(names) - len(kappas)), strict=True),
        part_of=None if tree is None else [(n, above) for n, above in enumerate(tree.parents) if above >= 0],
        indicates=[
            (int(instance), column, position, float(cosine))
            for column, chosen in enumerate(pipeline.selection)
            for position, (instance, cosine) in enumerate(zip(chosen.instances, chosen.cosines, strict=True), start=1)
        ],
    )
    return replace(found, classified=Findings.labels(given.documents, given.categories, given.confidence))


def _write_head(folder: Path, head: dict[str, Any]) -> None:
    text = json.dumps(head, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "classification.json").write_text(text + "\n", encoding="utf-8")


def _record(pipeline: Pipeline) -> dict[str, Any]:
    """Return the manifest's record of a classification's inputs, besides the graph and its embedding."""
    categories, several, known = pipeline.categories, pipeline.options.sets is not None, pipeline.known
    answers: dict[str, Any] = {}
    if known is not None and known.sources:
        answers = {"answers": known.identity, "taught": taught_labels(known, pipeline.graph, categories, several)}
    return {
        **pipeline.options.as_record(),
        "known": named_labels(known, pipeline.graph, categories, several),
        **answers,
        **({"vectors": pipeline.vectors.identity} if pipeline.vectors is not None else {}),
        "categories": [asdict(category) for category in categories],
    }


def reuse_stored(pipeline: Pipeline) -> StoredClassification | None:
    """Return the stored labels if they have these inputs and options, with the new abstentions stored; else None."""
    store, options = pipeline.workspace.store, pipeline.options
    assert store is not None
    stage, embedded = store.stage("classify"), store.stage("embed")
    if stage is None or embedded is None or not _same(stage.options, _record(pipeline)):
        return None
    if not _same(embedded.options.get("embed", {}), options.embed.shaping):
        return None
    if not all(isinstance(given, str) for given in (*options.recipe.views, *options.learners)):  # known by no name
        return None
    if stage.options.get("knowledge") not in (BUILT_IN, "none"):  # a folder may hold another model by now
        return None
    stored = stored_classification(store)
    if stored.abstain_below != options.abstain_below:
        _abstain(store, stored, options.abstain_below)
    return replace(_add_to_history(store), fresh=False)


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Check whether two sets of options mean the same fit; a manifest has lists where Python has tuples."""
    texts = [
        json.dumps({name: value for name, value in given.items() if name not in _LATER}, sort_keys=True)
        for given in (one, other)
    ]
    return texts[0] == texts[1]


def _abstain(store: Store, stored: StoredClassification, below: float | None) -> None:
    """Store the same classification with another threshold of abstention."""
    decision = replace(stored.decision, abstain_below=below)
    given = decision.given(np.asarray(stored.probabilities))
    found = Findings(classified=Findings.labels(given.documents, given.categories, given.confidence))
    head = {**read_json(stored.stage.path / "classification.json", _HEAD), "decision": decision.as_record()}

    def write(folder: Path) -> None:
        shutil.copytree(stored.stage.path, folder, dirs_exist_ok=True, copy_function=link_or_copy)
        for changed in (folder / "classification.json", folder / "findings" / "classified.arrow"):
            changed.unlink(missing_ok=True)  # a link: the old one stays as it is
        _write_head(folder, head)
        found.save(folder)

    store.write_stage("classify", write, {**stored.stage.options, "abstain_below": below})


def stored_classification(store: Store) -> StoredClassification:
    """Open what `hin classify` wrote."""
    graph = store.read_graph()  # a missing graph is reported before anything else
    stage = store.stage("classify")
    if stage is None:
        raise MissingStage("the documents have not been classified", hint="run `hin classify --categories labels.txt`")
    try:
        head = read_json(stage.path / "classification.json", _HEAD)
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
            Reliability.of_record(head["reliability"]) if "reliability" in head else Reliability(),
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise DamagedGraph(
            f"{stage.path} holds no readable classification ({error})", hint="run `hin classify` again"
        ) from error
