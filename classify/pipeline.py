r"""From category names to labels: the method's table of contents (Zhang et al. 2022, section 3).

    names -> motifs -> embedding -> documents -> views -> soft labels ------\
                           \-> selection -> pseudo documents (preset paper) --> training set -> scores -> labels

Ask for any step: what it needs is made, once. The bodies of the steps are in the rooms that they import from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.classification import Classification, classified, held, named_labels, set_aside
from classify.documents.score_rows import best_two
from classify.options import ClassifyOptions
from classify.run import Run
from classify.steps import Input, Steps, step
from classify.workspace import Workspace
from hin.engines.mapped import let_go_of_freed
from hin.errors import BadUsage

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.categories.finding import CategoryFinding
    from classify.categories.naming import Names
    from classify.documents.feature_blocks import FeatureBlocks
    from classify.documents.graph_encoding import Corpus
    from classify.knowledge.base import KnowledgeModel
    from classify.learners.base import Learner
    from classify.model.explain import InstanceFacts
    from classify.model.predictor import Predictor
    from classify.model.training import TrainingSet
    from classify.paper.pseudo_documents import PseudoDocuments
    from classify.paper.selection import NameVector, Selection
    from classify.recipe.known import Known
    from classify.recipe.seeds import Seeds
    from classify.recipe.soft_labels import SoftLabels
    from classify.stored_classification import StoredClassification
    from classify.suggestions.grounds import Grounds
    from classify.views.base import Space, View
    from embed import JointEmbedding
    from hin.engines.base import Engine
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["Pipeline"]


class Pipeline(Steps):
    """The steps from category names to labels.

    Parameters
    ----------
    graph : the documents; true labels are never read.
    categories : the names, with keywords and shares.
    options : everything that shapes the result.
    known : documents whose category the user knows.
    workspace : remembers results; one that is held open makes only what has changed since the last pipeline.
    run : where it runs, and who is told.

    Examples
    --------
    >>> from classify.categories.category_file import Category
    >>> from motifs.options import MotifOptions
    >>> from motifs.samples import tiny_graph
    >>> options = ClassifyOptions(patterns=["venue"], motifs=MotifOptions(min_count=2))
    >>> with Workspace() as workspace:
    ...     pipeline = Pipeline(tiny_graph(), (Category("data mining"), Category("web")), options, workspace=workspace)
    ...     pipeline.motifs.find("TERM[data mining]") is not None
    True
    """

    graph = Input()
    categories = Input()
    known = Input()

    def __init__(
        self,
        graph: Graph,
        categories: Sequence[Category],
        options: ClassifyOptions | None = None,
        *,
        known: Known | None = None,
        workspace: Workspace | None = None,
        run: Run | None = None,
    ) -> None:
        options = options or ClassifyOptions()
        paper = options.preset == "paper"
        if paper and known is not None:
            raise BadUsage("the preset paper learns from names alone", hint="use the preset default")
        given = {"graph": graph, "categories": tuple(categories), "known": known}
        left_out = {"soft_labels", "features", "spaces", "views"} if paper else {"pseudo_documents"}
        super().__init__(workspace or Workspace(), given, options, frozenset(left_out))
        self.run = run or Run()

    @step(
        options="preset knowledge.knowledge", content=lambda self, model: None if model is None else model.fingerprint
    )
    def knowledge(self) -> KnowledgeModel | None:
        """What words mean outside the corpus; the paper knows the corpus alone."""
        from classify.knowledge.opening import open_model

        wanted = self.options.knowledge.knowledge if self.options.preset == "default" else None
        return open_model(wanted, self.workspace.texts)

    @step("graph", "categories", "knowledge", options="allow_missing motifs.min_count")
    def names(self) -> Names:
        """What each name is in the corpus, and the graph in which a name that is a phrase is one term."""
        from classify.categories.naming import find_names

        options = self.options
        return find_names(self.graph, self.categories, self.knowledge, options.allow_missing, options.motifs.min_count)

    @step(
        "graph",
        "names",
        options="patterns paper.selection.higher_order motifs.min_count motifs.max_per_document",
        content=lambda self, motifs: _motifs_content(self, motifs),
    )
    def motifs(self) -> MotifSet:
        """The motif instances (section 3.1); another keyword mostly gives the same, and trains nothing again."""
        from classify.categories.naming import motifs_of_names
        from motifs.matching import match_all

        self.workspace.check(self.run)
        in_memory = partial(match_all, options=self.options.motifs, progress=self.run.progress)
        matcher = self.workspace.matcher(self.options.motifs, self.run) or in_memory
        return motifs_of_names(self.names, self.graph, self.options.wanted_patterns(self.graph), matcher, in_memory)

    @step("motifs", options="embed.shaping preset")
    def embedding(self) -> JointEmbedding:
        """Vectors and specificities of the instances (section 3.1.1)."""
        found = self.workspace.embedding(self.motifs, self.options.embed, self.run)
        # The paper's eta is a factor on the learned kappa; the estimated one has another scale (decision 0035).
        return replace(found, specificity="learned") if self.options.preset == "paper" else found

    @step("names", "motifs", "embedding")
    def findings(self) -> list[CategoryFinding]:
        """What each name was found as, with its kappa and the names that are nearly the same."""
        from classify.categories.finding import judged

        found = judged(self.names.findings, self.motifs, *_arrays(self.embedding))
        self.run.found(found)
        return found

    @step("findings", "motifs", "embedding")
    def name_vectors(self) -> list[NameVector]:
        """Each name's direction and specificity in the embedding."""
        from classify.categories.finding import name_vectors

        return name_vectors(self.findings, self.motifs, *_arrays(self.embedding))

    @step("name_vectors", "motifs", "embedding", options="paper.selection")
    def selection(self) -> Selection:
        """The instances that indicate each category (section 3.1.2)."""
        from classify.paper.selection import select

        self.run.progress("selecting instances", 0, None)
        return select(self.embedding, self.motifs, self.name_vectors, self.options.paper.selection)

    @step("motifs", options="length")
    def documents(self) -> Corpus:
        """Counts and sequences of the instances, encoded once."""
        from classify.documents.graph_encoding import encode_corpus

        let_go_of_freed()
        self.run.progress("reading the documents", 0, None)
        return encode_corpus(self.motifs, self.options.length, self.workspace.place("documents", self.key("motifs")))

    @step("documents", "motifs", "embedding")
    def features(self) -> FeatureBlocks:
        """The documents as weighted instances."""
        from classify.documents.graph_encoding import features_of

        place = self.workspace.place("features", self.key("embedding"))
        return features_of(self.documents, self.motifs, self.embedding, self.engine, place)

    @step(
        "motifs", "embedding", "knowledge", "categories",
        options="recipe.views knowledge.knowledge_seconds",
        content=lambda self, views: _views_content(self, views),
    )  # fmt: skip
    def views(self) -> list[View]:
        """Where documents and names can be compared: in the embedding, by words, by what words mean."""
        from classify.views.making import views_of

        cache = self.workspace.files(self.key("embedding"))
        return views_of(self.motifs, self.embedding, self.knowledge, self.categories, self.options, cache)

    @step("features", "views", options="first_seed")
    def spaces(self) -> dict[str, Space]:
        """Where the views of the corpus place documents and instances; no name changes that."""
        from classify.views.knowledge import outside_views
        from classify.views.placing import place_views

        outside = outside_views(self.views)
        corpus, cache = (
            [view for view in self.views if view not in outside],
            self.workspace.files(self.key("embedding")),
        )
        return place_views(self.features, corpus, self.options.first_seed, cache, self.run)

    @step("categories", "names", "motifs")
    def seeds(self) -> Seeds:
        """The names, their parents in a tree and their shares as the recipe takes them."""
        from classify.recipe.seeds import seeds_of

        return seeds_of(self.categories, self.names.findings, self.motifs)

    @step("features", "spaces", "seeds", "views", "knowledge", "categories", "known",
          options="recipe several sets first_seed knowledge.knowledge_seconds")  # fmt: skip
    def soft_labels(self) -> SoftLabels:
        """What is believed of every document: views, knowledge and naive Bayes, started from the names."""
        from classify.recipe.soft_labels import soft_labels
        from classify.views.knowledge import outside_views

        views, spaces = outside_views(self.views), self.spaces
        found = soft_labels(self.features, spaces, self.seeds, views, self.known, self.options, self.run)
        for space in spaces.values():
            space.release()
        return found

    @step("motifs", "documents", "embedding", "name_vectors", "selection", options="paper first_seed")
    def pseudo_documents(self) -> PseudoDocuments:
        """Documents retrieved and generated for each category (section 3.2)."""
        from classify.paper.pseudo_documents import collect_pseudo_documents

        self.run.progress("retrieving and generating documents", 0, None)
        vectors, sequences, options = _arrays(self.embedding)[0], self.documents.sequences, self.options
        names, chosen = self.name_vectors, self.selection
        return collect_pseudo_documents(
            self.motifs, sequences, vectors, names, chosen, options.paper, options.first_seed
        )

    @step("soft_labels", "features", "seeds", "spaces", "pseudo_documents", "documents", "motifs", "embedding",
          "name_vectors", "selection", "known", "knowledge", options="preset recipe several sets")  # fmt: skip
    def training_set(self) -> TrainingSet:
        """What the learner learns from: the one step in which the presets differ."""
        from classify.model.training import (
            TrainingSet,
            centred_names,
            joint_names,
            pseudo_lesson,
            pseudo_notes,
            soft_lesson,
        )

        vectors = np.ascontiguousarray(self.embedding.vectors, dtype=np.float32)
        if self.options.preset == "paper":
            pseudo, names = self.pseudo_documents, self.name_vectors
            lesson = pseudo_lesson(pseudo, self.documents, self.motifs, vectors)
            notes = pseudo_notes(names, self.selection, pseudo)
            return TrainingSet(lesson, centred_names(names, self.embedding.centre), notes=notes)
        soft, features = self.soft_labels, self.features
        let_go_of_freed()
        directions = joint_names(soft, self.seeds, features, vectors, self.options.recipe.names, self.run.threads)
        lesson = soft_lesson(soft, self.documents, features, vectors, self.known, self.options, self.engine)
        return TrainingSet(lesson, directions, soft, used=soft.used(self.knowledge))

    @step("training_set", "documents", options="learner learner_options first_seed preset")
    def learner(self) -> Learner:
        """The trained classifier (section 3.3)."""
        from classify.learners.base import LEARNERS

        learner = LEARNERS.get(self.options.learner)(self.options.learner_options)
        if self.run.elsewhere is None:
            learner.warm_up()
        learner.fit(self.training_set.lesson, self.options.first_seed, self.run.threads, self.run.progress)
        for name, member in learner.members.items() if self.run.measures else ():
            self.run.watch(name, np.concatenate([member.scores(part) for part in self.documents.stored]))
        return learner

    @step("learner", "documents", options="learner")
    def scores(self) -> npt.NDArray[np.float64]:
        """The learner's scores of all documents."""
        from classify.model.predictor import Predictor, score_documents

        corpus, learner = self.documents, self.learner
        let_go_of_freed()
        predictor = Predictor(corpus.encoder, learner, corpus.length)
        found = score_documents(predictor, corpus.stored, self.engine, self.run.progress)
        self.run.watch(" and ".join(learner.members) or self.options.learner, found)
        return found

    @step("learner", "scores", "documents", "training_set", "categories", "known", options="recipe several sets")
    def predictor(self) -> Predictor:
        """The learner with probabilities that mean what they say, as far as can be told without labels."""
        from classify.model.calibration import calibrated
        from classify.model.predictor import Predictor

        plain = Predictor(self.documents.encoder, self.learner, self.documents.length)
        soft = self.training_set.soft
        if soft is None:
            return plain
        return calibrated(plain, self.scores, soft, self.categories, self.options, self.known is not None)

    @step("motifs", "embedding", "training_set")
    def facts(self) -> InstanceFacts:
        """What a reason says of an instance."""
        from classify.model.explain import InstanceFacts

        made = self.training_set
        return InstanceFacts.of(
            self.motifs, self.embedding, made.directions, None if made.soft is None else made.soft.meaning
        )

    @step("graph", "categories", "motifs", "documents", "findings", "facts", "training_set", "predictor", "scores",
          "known", options="other first_seed")  # fmt: skip
    def classification(self) -> Classification:
        """The labels of all documents; those that the user knows stay, those that belong to no category have none."""
        from classify.suggestions.missing import MissingOptions, find_missing

        notes = [f"{finding.category}: {note}" for finding in self.findings for note in finding.notes()]
        found = classified(self.predictor, self.scores, [*notes, *self.training_set.notes])
        if self.known is not None:
            found = held(
                found, self.known, named_labels(self.known, self.graph, self.categories, found.sets is not None)
            )
        if self.options.other:
            options = MissingOptions(groups=0, seed=self.options.first_seed)
            found = set_aside(found, find_missing(self.grounds_of(found), options).none)
        return found

    def grounds_of(self, found: Classification) -> Grounds:
        """Return what suggestions look at: the documents, and what is believed of them."""
        from classify.suggestions.grounds import Grounds

        soft = self.training_set.soft
        return Grounds(
            self.motifs.graph,
            self.categories,
            found.probabilities,
            self.documents.counts,
            self.facts,
            [finding.as_dict() for finding in self.findings],
            found.known,
            None if soft is None else best_two(soft.start),
        )

    @property
    def stored(self) -> StoredClassification:
        """The labels in the store: as they are there where only the abstentions are new, else made and written."""
        from classify.stored_classification import stored_again, write_classification

        return stored_again(self) or write_classification(self)

    @cached_property
    def engine(self) -> Engine:
        """Where passes over the documents run."""
        return self.workspace.engine(self.run)


def _arrays(embedding: JointEmbedding) -> tuple[Any, Any]:
    return np.asarray(embedding.vectors), np.asarray(embedding.kappa)


def _motifs_content(pipeline: Pipeline, motifs: MotifSet) -> object:
    from classify.categories.naming import what_shapes

    return [pipeline.key("graph"), *what_shapes(motifs, pipeline.given["graph"])]


def _views_content(pipeline: Pipeline, views: Sequence[View]) -> object:
    from classify.views.knowledge import outside_views

    outside = outside_views(views)
    corpus = [view for view in views if view not in outside]
    return [pipeline.key("embedding"), [[view.name, getattr(view, "cache_key", view)] for view in corpus]]
