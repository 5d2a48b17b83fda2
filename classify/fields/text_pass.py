"""Quick labels from the texts alone, by which the metadata fields are judged.

These are soft labels of the default recipe without the joint embedding, which takes most of the time: only the views
tf-idf, co-occurrence and knowledge are used, and of a large corpus only a sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.encoder import Encoder
from classify.documents.features import Features
from classify.documents.graph_encoding import encode_documents
from classify.fields.nuisance import cluster
from classify.knowledge.corpus_knowledge import Knowledge, document_texts, names_of
from classify.knowledge.static import built_in_model
from classify.recipe.soft_labels import SoftLabels, soft_labels
from classify.run import Run
from classify.views.base import Space, ViewSource, make_views, place, terms_of
from classify.views.knowledge import KnowledgeView
from classify.views.placing import generator_of
from classify.views.tf_idf import TfidfView
from embed.specificity import shrink_to_mean
from embed.vectors import unit_rows
from hin.arrays.linalg import product
from hin.arrays.types import Floats, Int64

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.options import ClassifyOptions
    from classify.recipe.seeds import Seeds
    from motifs import MotifSet

#: This many documents are enough to judge a field.
MOST_DOCUMENTS = 5_000
_VIEWS = ("tf-idf", "co-occurrence")


@dataclass(frozen=True, eq=False)
class ReadTexts:
    """Documents and terms placed in the views of the texts, where they can be compared with names.

    Attributes
    ----------
    motif_set : the terms.
    rows : the documents that were read, sorted.
    features : these documents as weighted terms.
    spaces : the vectors of documents and terms in each view.
    cache : a folder for the model's vectors of these documents, which depend on no name.
    source : what views are made from.
    vectors : the vectors of documents in all views, side by side.
    clusters : the cluster of each document by these.
    """

    motif_set: MotifSet
    rows: Int64
    features: Features
    spaces: dict[str, Space]
    cache: Path
    source: ViewSource
    vectors: Floats
    clusters: Int64


def read_texts(motif_set: MotifSet, clusters: int, seed: int, cache: Path, run: Run) -> ReadTexts:
    """Place documents and terms in the views that need no embedding; of a large corpus a sample."""
    rows = sample_rows(len(motif_set.graph), seed)
    run.progress("reading the texts", 0, None)
    features = _features(motif_set, rows, seed, run.threads)
    source = ViewSource(np.zeros((0, 0), dtype=np.float32), *terms_of(motif_set))
    nothing = np.zeros((0, 0), dtype=np.float32), np.zeros(0, dtype=np.int64)
    return _place_texts(ReadTexts(motif_set, rows, features, {}, cache, source, *nothing), clusters, seed, run)


def damp_texts(texts: ReadTexts, factors: Floats, clusters: int, seed: int, run: Run) -> ReadTexts:
    """Make the views anew, with the weight of each term times its factor."""
    return _place_texts(replace(texts, features=texts.features.damped(factors)), clusters, seed, run)


def _place_texts(texts: ReadTexts, clusters: int, seed: int, run: Run) -> ReadTexts:
    features, spaces = texts.features, {}
    for number, view in enumerate(make_views(_VIEWS, texts.source)):
        run.progress("judging the metadata", number, len(_VIEWS), view.name)
        vectors = view.instances(features, generator_of(view.name, seed), run.threads)
        spaces[view.name] = place(features, vectors, view.rows(features), run.threads)
    joined = np.concatenate([space.documents for space in spaces.values()], axis=1)
    found = cluster(joined, clusters, np.random.default_rng([seed, 0xC1]))
    return replace(texts, spaces=spaces, vectors=joined, clusters=found)


def knowledge_of(texts: ReadTexts, categories: Sequence[Category]) -> Knowledge:
    """Return the built-in word vectors with the names and these texts."""
    return Knowledge(built_in_model(), names_of(categories), partial(_texts, texts), keep=texts.cache)


def label_texts(
    texts: ReadTexts, knowledge: Knowledge | None, seeds: Seeds, options: ClassifyOptions, run: Run
) -> SoftLabels:
    """Label the documents by their texts.

    Parameters
    ----------
    knowledge : the word vectors, where they are used.
    seeds : the names among the terms.
    """
    outside = []
    if knowledge is not None:
        views = make_views(["knowledge"], replace(texts.source, knowledge=knowledge))
        outside = [view for view in views if isinstance(view, KnowledgeView)]
    return soft_labels(texts.features, texts.spaces, seeds, outside, None, options, replace(run, watch=Run.watch))


def sample_rows(n_documents: int, seed: int) -> Int64:
    """Return the documents that are read: of a large corpus a sample, sorted."""
    if n_documents <= MOST_DOCUMENTS:
        return np.arange(n_documents)
    return np.sort(np.random.default_rng([seed, 0xF1E1D]).permutation(n_documents)[:MOST_DOCUMENTS])


def _texts(texts: ReadTexts, rows: Int64) -> list[str]:
    return document_texts(texts.motif_set.graph, texts.rows[rows])


def _features(motif_set: MotifSet, rows: Int64, seed: int, threads: int) -> Features:
    """Return the documents as weighted terms; a term is trusted the more, the more alike its documents are."""
    from scipy import sparse

    blocks = [one.counts for one in encode_documents(Encoder.of(motif_set), motif_set.graph, motif_set)]
    counts = sparse.vstack(blocks, format="csr")[rows]
    n_terms = counts.shape[1]
    first = Features(counts, np.ones(n_terms, dtype=np.bool_), np.ones(n_terms, dtype=np.float32))
    vectors = TfidfView(rank=100).instances(first, np.random.default_rng([seed, 1]), threads)
    documents = unit_rows(product(first.unit, vectors, threads))
    documents = unit_rows(documents - documents.mean(axis=0))
    return Features(counts, first.single, _trust(counts, documents, threads))


def _trust(counts: Any, documents: Floats, threads: int) -> Floats:
    """Return, for each term, the mean cosine of two documents that hold it, shrunk where they are few."""
    has_term = counts.copy()
    has_term.data = np.ones_like(has_term.data)
    sums = product(has_term.T.tocsr(), documents, threads)
    n = np.bincount(has_term.indices, minlength=has_term.shape[1]).astype(np.float64)
    squared = np.einsum("ij,ij->i", sums, sums, dtype=np.float64)
    cosines = np.where(n > 1, (squared - n) / np.maximum(n * (n - 1), 1.0), np.nan)
    return np.clip(shrink_to_mean(cosines, n.astype(np.int64)), 1e-3, 1.0).astype(np.float32)
