"""Remove nuisances from the views of the texts: what explains the documents, but not the categories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import Features
from classify.fields.nuisance import Nuisance, damping, field_groups, nuisance_fields, nuisance_share
from classify.fields.text_pass import ReadTexts, damp_texts, sample_rows
from classify.knowledge.corpus_knowledge import Knowledge
from classify.recipe.meaning import nearness
from classify.recipe.options import RecipeOptions
from classify.run import Run
from classify.views.placing import generator_of
from hin.arrays.types import Int64
from hin.graph import Graph


@dataclass(frozen=True, eq=False)
class NuisanceRemoval:
    """The texts after the removal of nuisances (`classify.fields.nuisance`).

    Attributes
    ----------
    texts : documents and terms, in new views where a nuisance was removed.
    nuisances : the groups of documents that were removed.
    fields : the fields that explain the documents and not the names; the first was removed.
    """

    texts: ReadTexts
    nuisances: tuple[Nuisance, ...] = ()
    fields: tuple[str, ...] = ()


def remove_nuisances(
    texts: ReadTexts,
    knowledge: Knowledge,
    fields: Mapping[str, Any],
    drifts: Callable[[Any], bool],
    options: RecipeOptions,
    seed: int,
    run: Run,
) -> NuisanceRemoval:
    """Remove the field that explains the documents best, but not the names; then clusters that do so.

    Parameters
    ----------
    knowledge : word vectors, with the names and the texts.
    fields : for each field its values: sparse, documents of the pass x values.
    drifts : whether the EM's labels drift to a field's values.
    """
    rng = generator_of("knowledge", seed)
    # All documents of the pass are read, so their vectors are in order.
    meaning = knowledge.read(texts.features.n_documents, rng, run.threads, run.progress)[1]
    near = nearness(meaning, knowledge.name_vectors(run.threads), meaning.mean(axis=0), options.meaning.centre)
    judged = options.fields
    found = nuisance_fields(fields, texts.vectors, meaning, near, judged, drifts)
    nuisances: list[Nuisance] = []
    if found:
        nuisances.append(Nuisance(found[0]))
        groups = field_groups(fields[found[0]])
        assert groups is not None
        texts = damp_texts(texts, damping(texts.features, groups, run.threads), judged.clusters, seed, run)
    groups = texts.clusters
    if nuisance_share(groups, texts.vectors, meaning, near, judged, judged.clusters_beside):
        nuisances.append(Nuisance(None, tuple(groups.tolist())))
        texts = damp_texts(texts, damping(texts.features, groups, run.threads), judged.clusters, seed, run)
    return NuisanceRemoval(texts, tuple(nuisances), tuple(found))


def damp_features(features: Features, nuisances: Collection[Nuisance], graph: Graph, seed: int, run: Run) -> Features:
    """Return the features of all documents with the nuisances damped that were removed from the texts."""
    for groups in _all_groups(nuisances, graph, seed):
        features = features.damped(damping(features, groups, run.threads))
    return features


def _all_groups(nuisances: Collection[Nuisance], graph: Graph, seed: int) -> Iterator[Int64]:
    """Yield the groups of all documents, -1 for those of which nothing is known."""
    for nuisance in nuisances:
        groups = np.full(len(graph), -1, dtype=np.int64)
        if nuisance.field is None:
            groups[sample_rows(len(graph), seed)] = nuisance.clusters
        else:
            edges = graph.edges(nuisance.field)
            has_value = np.diff(edges.offsets) > 0
            groups[has_value] = edges.targets[edges.offsets[:-1][has_value]]
        yield groups
