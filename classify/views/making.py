"""The views of one classification: those that the options name, with their pretrained models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from classify.knowledge.corpus_knowledge import Knowledge, document_texts, names_of
from classify.knowledge.scoring import ScoringModel
from classify.knowledge.static import built_in_model
from classify.views.base import VIEWS, View, ViewSource, make_views

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.documents.own_vectors import DocumentVectors
    from classify.knowledge.base import KnowledgeModel
    from classify.options import ClassifyOptions
    from embed import JointEmbedding
    from motifs import MotifSet


def views_of(
    motif_set: MotifSet,
    embedding: JointEmbedding,
    knowledge: KnowledgeModel | None,
    categories: Sequence[Category],
    options: ClassifyOptions,
    cache: Path,
    given: DocumentVectors | None = None,
) -> list[View]:
    """Make the views; `cache` is a folder for these documents, where the vectors of a model are cached.

    The user's own vectors, `given`, are one more view.
    """
    source = replace(ViewSource.of(motif_set, embedding), given=given)
    wanted = list(options.recipe.views or VIEWS.defaults())
    wanted += ["vectors"] if given is not None and "vectors" not in wanted else []
    if knowledge is None:
        named = options.recipe.views  # a view that is named and has no model is an error
        return make_views([name for name in wanted if named or name != "knowledge"], source)
    if isinstance(knowledge, ScoringModel):
        knowledge = knowledge.bound([category.name for category in categories])
    ask = partial(Knowledge, names=names_of(categories), texts=partial(document_texts, motif_set.graph), keep=cache)
    # An encoder is better at texts than at words, so the built-in word vectors are used beside it.
    source = replace(source, knowledge=ask(knowledge if knowledge.quick else built_in_model()))
    if not knowledge.quick:
        most = knowledge.most if isinstance(knowledge, ScoringModel) else Knowledge.most
        source = replace(source, encoder=ask(knowledge, seconds=options.knowledge.knowledge_seconds, most=most))
        wanted += ["encoder"] if "knowledge" in wanted and "encoder" not in wanted else []
    return make_views(wanted, source)
