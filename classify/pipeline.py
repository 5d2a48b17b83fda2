r"""From category names to labels: the method's table of contents (Zhang et al. 2022, section 3).

    names -> fields -> motifs -> embedding -> documents -> views -> soft labels ------\
               \-> selection -> pseudo documents (preset paper) ------------> training set -> scores -> labels

Ask for any step: what it needs is computed, once. The bodies of the steps are in the packages they import from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.finding import CategoryFinding, add_kappa, name_vectors, require_vectors
from classify.categories.name_vector import NameVector
from classify.categories.naming import Names, cache_key_parts, find_names, informative_terms, motifs_of_names
from classify.categories.term_lookup import TermIndex
from classify.classification import Classification, classify_scores, fix_known_labels, named_labels, unlabel_outliers
from classify.documents.features import Features
from classify.documents.graph_encoding import Corpus, encode_corpus, features_of
from classify.fields.judging import Judgement, answer_fields, drifts_to, judge, keyword_fields
from classify.fields.nuisance import Nuisance
from classify.fields.nuisance_removal import NuisanceRemoval, damp_features, remove_nuisances
from classify.fields.text_pass import ReadTexts, knowledge_of, label_texts, read_texts
from classify.knowledge.opening import open_model
from classify.learners.base import LEARNERS, Learner
from classify.learners.vector_part import VectorPart, fit_vector_part
from classify.model import training
from classify.model.calibration import calibrate
from classify.model.explain import InstanceFacts
from classify.model.predictor import Predictor, score_documents
from classify.model.reliability import assess
from classify.options import ClassifyOptions
from classify.paper.pseudo_documents import PseudoDocuments, collect_pseudo_documents
from classify.paper.selection import Selection, select
from classify.recipe.seeds import Seeds, seeds_of
from classify.recipe.soft_labels import SoftLabels, soft_labels
from classify.run import Run
from classify.steps import Input, Steps, step
from classify.suggestions.grounds import Grounds
from classify.suggestions.missing import MissingOptions, find_missing
from classify.views.base import Space, View
from classify.views.knowledge import cache_keys, corpus_views, outside_views
from classify.views.making import views_of
from classify.views.placing import place_views
from classify.workspace import Workspace
from hin.arrays.score_rows import best_two
from hin.arrays.stored_rows import passing
from hin.arrays.types import Doubles
from hin.errors import BadUsage
from hin.files.mapped import release_freed_memory
from motifs.language.pattern import Pattern
from motifs.matching import match_all, pattern_order
from motifs.motif_set import MotifSet

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.categories.known import Known
    from classify.documents.own_vectors import DocumentVectors
    from classify.knowledge.base import KnowledgeModel
    from classify.stored_classification import StoredClassification
    from embed import JointEmbedding
    from hin.engines.base import Engine
    from hin.graph import Graph


class Pipeline(Steps):
    """The steps from category names to labels.

    Parameters
    ----------
    graph : the documents; true labels are never read.
    categories : the names, with keywords and shares.
    options : everything that shapes the result, before `for_graph`.
    known : documents whose category the user knows.
    vectors : vectors of the documents from an encoder of the user's.
    workspace : the cache of results; in an open one only what has changed since the last pipeline is computed.
    run : engine, threads and callbacks.

    Examples
    --------
    >>> from classify.categories.category_file import Category
    >>> from motifs.samples import tiny_graph
    >>> options = ClassifyOptions(patterns=["venue"], min_count=2)
    >>> with Workspace() as workspace:
    ...     pipeline = Pipeline(tiny_graph(), (Category("data mining"), Category("web")), options, workspace=workspace)
    ...     pipeline.motifs.find("TERM[data mining]") is not None
    True
    """

    graph = Input()
    categories = Input()
    known = Input()
    vectors = Input()

    def __init__(
        self,
        graph: Graph,
        categories: Sequence[Category],
        options: ClassifyOptions | None = None,
        *,
        known: Known | None = None,
        vectors: DocumentVectors | None = None,
        workspace: Workspace | None = None,
        run: Run | None = None,
    ) -> None:
        options = options or ClassifyOptions()
        paper = options.preset == "paper"
        if paper and known is not None:
            raise BadUsage("the preset paper learns from names alone", hint="use the preset default")
        if paper and vectors is not None:
            raise BadUsage("the preset paper compares in the joint embedding alone", hint="use the preset default")
        given = {"graph": graph, "categories": tuple(categories), "known": known, "vectors": vectors}
        left_out = {"soft_labels", "features", "spaces", "views"} if paper else {"pseudo_documents"}
        super().__init__(workspace or Workspace(), given, options.for_graph(graph), frozenset(left_out))
        self.run = run or Run()

    @step(options="preset knowledge.model", content=lambda self, model: getattr(model, "fingerprint", None))
    def knowledge(self) -> KnowledgeModel | None:
        """The model of what words mean outside the corpus; None with the preset paper, which uses the corpus alone."""
        wanted = self.options.knowledge.model if self.options.preset == "default" else None
        return open_model(wanted, self.workspace.texts)

    @step("graph")
    def term_index(self) -> TermIndex:
        """Looks up names among the terms and in the texts."""
        return TermIndex(self.graph)

    @step("graph categories knowledge term_index", options="strict_names preset motifs.min_count")
    def names(self) -> Names:
        """What each name is in the corpus, and the graph in which a name that is a phrase is one term."""
        options = self.options
        strict = options.strict_names or options.preset == "paper"  # the preset paper cannot leave a category empty
        count = options.motifs.min_count
        return find_names(self.graph, self.categories, self.knowledge, strict, count, self.term_index)

    @step("graph names", options="motifs")
    def term_table(self) -> MotifSet:
        """The matched terms, shared by the steps that read terms alone and those that read all patterns."""
        in_memory = partial(match_all, options=self.options.motifs, progress=self.run.progress)
        matcher = self.workspace.matcher(self.options.motifs, self.run) if self.names.graph is self.graph else None
        return (matcher or in_memory)(self.names.graph, [Pattern("term")])

    @step(
        "graph names term_table",
        content=lambda self, motifs: [self.key("graph"), cache_key_parts(motifs, self.given["graph"])],
    )
    def terms(self) -> MotifSet:
        """The terms alone, by which the metadata is judged."""
        return informative_terms(self.names, self.term_table)

    @step("terms", options="first_seed recipe.fields.clusters")
    def read_texts(self) -> ReadTexts:
        """Documents and terms in the views that need no embedding."""
        clusters = self.options.recipe.fields.clusters
        return read_texts(self.terms, clusters, self.options.first_seed, self.scratch(), self.run)

    @step("graph categories names knowledge terms read_texts", options="patterns preset recipe several sets first_seed")
    def fields(self) -> Judgement | None:
        """The worth of the metadata fields, and what is taken out of the views; None where patterns are named."""
        if self.options.patterns or self.options.preset == "paper":
            return None

        def make() -> dict[str, Any]:
            return self._judge_fields().as_record()

        return Judgement.of_record(self.workspace.stored_record("fields", self.declared("fields"), make))

    def _judge_fields(self) -> Judgement:
        graph, options, run = self.graph, self.options, self.run
        from_keywords = keyword_fields(self.categories, graph.fields)
        answers = tuple(one for one in answer_fields(self.categories, graph) if one.field not in from_keywords)
        names = [name for name in graph.fields if name not in {one.field for one in answers}]
        if len(graph) < options.recipe.fields.documents:
            judged = judge(None, dict.fromkeys(names), from_keywords, options.recipe.fields)
            return replace(judged, fields=(*judged.fields, *answers))
        texts, seed, knowledge = self.read_texts, options.first_seed, None
        values = {name: graph.edges(name).to_scipy(graph.size(name))[texts.rows] for name in names}
        found = NuisanceRemoval(texts)
        seeds = seeds_of(self.categories, self.names.findings, self.terms).within(texts.rows)

        def drifts(given: Any) -> bool:
            return drifts_to(label_texts(texts, knowledge, seeds, options, run), given, options.recipe.fields)

        if self.knowledge is not None:
            knowledge = knowledge_of(texts, self.categories)
            free = {name: given for name, given in values.items() if name not in from_keywords}
            found = remove_nuisances(texts, knowledge, free, drifts, options.recipe, seed, run)
        if not values:
            return Judgement(answers, nuisances=found.nuisances)
        labels = label_texts(found.texts, knowledge, seeds, options, run)
        judged = judge(labels, values, from_keywords, options.recipe.fields, found.fields)
        return replace(judged, fields=(*judged.fields, *answers), nuisances=found.nuisances)

    @step(
        "graph names term_table fields",
        options="patterns paper.selection.higher_order motifs.min_count motifs.max_per_document",
        content=lambda self, motifs: [self.key("graph"), cache_key_parts(motifs, self.given["graph"])],
    )
    def motifs(self) -> MotifSet:
        """The motif instances (section 3.1); a new keyword rarely changes them, so nothing is trained again."""
        self.workspace.check(self.run)

        def in_memory(graph: Graph, wanted: Sequence[Pattern]) -> MotifSet:
            others = [pattern for pattern in wanted if pattern != Pattern("term")]
            found = match_all(graph, others, options=self.options.motifs, progress=self.run.progress)
            tables = [*found, *(self.term_table if len(others) < len(wanted) else ())]
            return MotifSet(tuple(sorted(tables, key=lambda table: pattern_order(table.pattern))), graph)

        matcher = self.workspace.matcher(self.options.motifs, self.run) or in_memory
        patterns = self.options.wanted_patterns(self.graph, self.fields)
        return motifs_of_names(self.names, self.graph, patterns, matcher, in_memory)

    @step("motifs", options="embed.shaping preset")
    def embedding(self) -> JointEmbedding:
        """Vectors and specificities of the instances (section 3.1.1)."""
        found = self.workspace.embedding(self.motifs, self.options.embed, self.run)
        # The paper's eta is a factor on the learned kappa; the estimated one has another scale (decision 0035).
        return replace(found, specificity="learned") if self.options.preset == "paper" else found

    @step("names motifs embedding")
    def findings(self) -> list[CategoryFinding]:
        """What each name was found as, with its kappa and the names that are nearly the same."""
        found = add_kappa(self.names.findings, self.motifs, *_arrays(self.embedding))
        self.run.found(found)
        return found

    @step("findings motifs embedding")
    def name_vectors(self) -> list[NameVector]:
        """Each name's direction and specificity in the embedding."""
        return name_vectors(self.findings, self.motifs, *_arrays(self.embedding))

    @step("name_vectors motifs embedding", options="paper.selection")
    def selection(self) -> Selection:
        """The instances that indicate each category (section 3.1.2)."""
        self.run.progress("selecting instances", 0, None)
        return select(self.embedding, self.motifs, self.name_vectors, self.options.paper.selection)

    @step("motifs", options="length")
    def documents(self) -> Corpus:
        """Counts and sequences of the instances, encoded once."""
        release_freed_memory()
        self.run.progress("reading the documents", 0, None)
        return encode_corpus(self.motifs, self.options.length, self.scratch())

    @step("graph fields", content=lambda self, found: [self.key("graph"), [asdict(one) for one in found]])
    def nuisances(self) -> tuple[Nuisance, ...]:
        """The groups of documents that are taken out of the views; a new keyword rarely changes them."""
        return () if self.fields is None else self.fields.nuisances

    @step("graph nuisances documents motifs embedding", options="first_seed")
    def features(self) -> Features:
        """The documents as weighted instances; what explains them but not the categories weighs less."""
        found = features_of(self.documents, self.motifs, self.embedding, self.engine, self.scratch())
        return damp_features(found, self.nuisances, self.graph, self.options.first_seed, self.run)

    @step(
        "motifs embedding knowledge categories vectors",
        options="recipe.views knowledge.knowledge_seconds",
        content=lambda self, views: [self.key("embedding"), cache_keys(views)],
    )
    def views(self) -> list[View]:
        """The spaces in which documents and names are compared: the embedding, words, their meaning, own vectors."""
        cache = self.workspace.files(self.key("embedding"))
        known, given = self.knowledge, self.vectors
        return views_of(self.motifs, self.embedding, known, self.categories, self.options, cache, given)

    @step("features views", options="first_seed")
    def spaces(self) -> dict[str, Space]:
        """The vectors of documents and instances in each view of the corpus; they do not depend on the names."""
        views, cache = corpus_views(self.views), self.workspace.files(self.key("embedding"))
        return place_views(self.features, views, self.options.first_seed, cache, self.run)

    @step("categories names motifs")
    def seeds(self) -> Seeds:
        """The names, their parents in a tree and their shares as the recipe takes them."""
        return seeds_of(self.categories, self.names.findings, self.motifs)

    @step(
        "features spaces seeds views knowledge categories known",
        options="recipe several sets first_seed knowledge.knowledge_seconds",
    )
    def soft_labels(self) -> SoftLabels:
        """The soft labels of every document: from views, knowledge and naive Bayes, started from the names."""
        views, spaces = outside_views(self.views), self.spaces
        found = soft_labels(self.features, spaces, self.seeds, views, self.known, self.options, self.run)
        for space in spaces.values():
            space.release()
        return found

    @step("motifs documents embedding name_vectors selection", options="paper first_seed")
    def pseudo_documents(self) -> PseudoDocuments:
        """Documents retrieved and generated for each category (section 3.2)."""
        self.run.progress("retrieving and generating documents", 0, None)
        vectors, sequences, options = _arrays(self.embedding)[0], self.documents.sequences, self.options
        names, chosen = self.name_vectors, self.selection
        return collect_pseudo_documents(
            self.motifs, sequences, vectors, names, chosen, options.paper, options.first_seed
        )

    @step(
        "fields soft_labels features seeds known knowledge pseudo_documents name_vectors selection motifs documents "
        "embedding",
        options="preset recipe several sets",
    )
    def training_set(self) -> training.TrainingSet:
        """The training set of the learner: the one step in which the presets differ."""
        vectors = np.ascontiguousarray(self.embedding.vectors, dtype=np.float32)
        if self.options.preset == "paper":
            names = require_vectors(self.name_vectors)
            pseudo = self.pseudo_documents
            data = training.pseudo_training_data(pseudo, self.documents, self.motifs, vectors)
            notes = training.pseudo_notes(names, self.selection, pseudo)
            return training.TrainingSet(data, training.centred_names(names, self.embedding.centre), notes=notes)
        soft, features = self.soft_labels, self.features
        release_freed_memory()
        directions = training.joint_names(
            soft, self.seeds, features, vectors, self.options.recipe.names, self.run.threads
        )
        data = training.soft_training_data(soft, self.documents, features, vectors, self.options, self.engine)
        used = soft.used(self.knowledge)
        notes = tuple(source.note for source in soft.sources)
        if self.fields is not None:
            used["fields"] = self.fields.as_records()
            notes = (*map(str, self.fields.nuisances), *notes)
        return training.TrainingSet(data, directions, soft, notes, used)

    @step("training_set documents", options="learner learner_options first_seed preset")
    def learner(self) -> Learner:
        """The trained classifier (section 3.3)."""
        learner = LEARNERS.get(self.options.learner)(self.options.learner_options)
        if self.run.elsewhere is None:
            learner.warm_up()
        learner.fit(self.training_set.data, self.options.first_seed, self.run.threads, self.run.progress)
        for name, member in learner.members.items() if self.run.measures else ():
            self.run.watch(name, np.concatenate([member.scores(part) for part in self.documents.stored]))
        return learner

    @step("training_set vectors", options="first_seed")
    def vector_part(self) -> VectorPart | None:
        """The classifier on the user's vectors, beside the learner; None where there are no vectors."""
        given, soft = self.vectors, self.training_set.soft
        if given is None or soft is None:
            return None
        share, rng = soft.shares["vectors"], np.random.default_rng([self.options.first_seed, 0xDEC])
        return fit_vector_part(given, self.training_set.data, share, rng, self.run.threads)

    @step("learner documents vector_part vectors", options="learner")
    def scores(self) -> Doubles:
        """The learner's scores of all documents."""
        corpus, learner = self.documents, self.learner
        release_freed_memory()
        predictor = Predictor(corpus.encoder, learner, corpus.length)
        found = score_documents(predictor, corpus.stored, self.engine, self.run.progress)
        if (part := self.vector_part) is not None:
            for here in passing(found):
                found[here] = part.mixed(found[here], self.vectors.rows[here])
        self.run.watch(" and ".join(learner.members) or self.options.learner, found)
        return found

    @step("learner scores documents training_set categories known vector_part", options="recipe several sets")
    def predictor(self) -> Predictor:
        """The learner with calibrated probabilities, as well as they can be estimated without labels."""
        plain = Predictor(self.documents.encoder, self.learner, self.documents.length, own=self.vector_part)
        if self.training_set.soft is None:
            return plain
        made, taught = self.training_set, self.known is not None
        return calibrate(plain, self.scores, made, self.categories, self.options, taught, self.run.threads)

    @step("motifs embedding")
    def instance_facts(self) -> InstanceFacts:
        """The facts of the instances that do not depend on the names."""
        return InstanceFacts.of(self.motifs, self.embedding)

    @step("instance_facts training_set")
    def facts(self) -> InstanceFacts:
        """The facts that a reason shows of an instance."""
        return self.instance_facts.about(self.training_set.directions, self.training_set.meaning)

    @step(
        "graph categories motifs documents findings facts training_set predictor scores known",
        options="other first_seed",
    )
    def classification(self) -> Classification:
        """The labels of all documents; known ones are fixed, and documents that belong to no category have none."""
        named = sorted(self.findings, key=lambda finding: finding.status != "missing")  # empty categories first
        notes = [f"{finding.category}: {note}" for finding in named for note in finding.notes()]
        found = classify_scores(self.predictor, self.scores, self.documents.stored, [*notes, *self.training_set.notes])
        if self.training_set.soft is not None:
            accuracy, soft, taught = self.predictor.accuracy, self.training_set.soft, self.known is not None
            trust = assess(found.labels, found.probabilities, soft, self.findings, accuracy, taught, found.sets)
            found = replace(found, reliability=trust, notes=(*trust.notes, *found.notes))
        if self.known is not None:
            several = found.sets is not None
            found = fix_known_labels(found, self.known, named_labels(self.known, self.graph, self.categories, several))
        if self.options.other:
            options = MissingOptions(groups=0, seed=self.options.first_seed)
            found = unlabel_outliers(found, find_missing(self.grounds_of(found), options).none)
        return found

    def grounds_of(self, found: Classification) -> Grounds:
        """Return the grounds of suggestions: the documents with their probabilities."""
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
        """The labels in the store: reused where only the abstentions differ, else computed and written."""
        from classify.stored_classification import reuse_stored, write_classification

        return reuse_stored(self) or write_classification(self)

    @cached_property
    def engine(self) -> Engine:
        """The engine on which passes over the documents run."""
        return self.workspace.engine(self.run)


def _arrays(embedding: JointEmbedding) -> tuple[Any, Any]:
    return np.asarray(embedding.vectors), np.asarray(embedding.kappa)
