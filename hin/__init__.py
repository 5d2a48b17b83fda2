"""Heterogeneous information networks: documents, terms and metadata as one graph.

Every public name of `motifs`, `embed` and `classify` can be imported from here too, even where a user's own module
has one of those names; and so can every type in their signatures.

>>> import hin
>>> hin.Graph.__name__, hin.Pattern("venue-year").fields, hin.MotifClassifier.__name__
('Graph', ('venue', 'year'), 'MotifClassifier')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hin.errors import HinError
from hin.lazy_names import lazy_names

if TYPE_CHECKING:
    from classify import (
        LEARNERS,
        VIEWS,
        Category,
        CategoryFinding,
        ClassifyOptions,
        CooccurrenceView,
        JointView,
        Learner,
        MotifClassifier,
        PaperOptions,
        Pipeline,
        RecipeOptions,
        Run,
        SelectionOptions,
        TfidfView,
        TrainingData,
        View,
        ViewSource,
        Workspace,
        as_categories,
        ask,
        check_categories,
        classify,
        diff,
        evaluate,
        find_categories,
        prediction_records,
        read_categories,
        select_instances,
        suggest,
        suggest_documents,
        suggest_missing,
        true_codes,
        write_predictions,
    )

    # For annotations: not in `__all__`, which lists the names to start with.
    from classify.answers.asking import Round as Round
    from classify.answers.differences import Difference as Difference
    from classify.answers.options import TeacherOptions as TeacherOptions
    from classify.answers.task import Question as Question
    from classify.categories.keywords import Keyword as Keyword
    from classify.categories.known import Known as Known
    from classify.categories.name_vector import NameVector as NameVector
    from classify.categories.naming import Names as Names
    from classify.categories.term_lookup import TermIndex as TermIndex
    from classify.classification import Classification as Classification
    from classify.documents.encoder import Encoded as Encoded
    from classify.documents.features import Features as Features
    from classify.documents.graph_encoding import Corpus as Corpus
    from classify.documents.own_vectors import DocumentVectors as DocumentVectors
    from classify.documents.own_vectors import GivenVectors as GivenVectors
    from classify.documents.sequences import Sequences as Sequences
    from classify.explore.server import Workbench as Workbench
    from classify.explore.start import explore
    from classify.fields.judging import Judgement as Judgement
    from classify.fields.nuisance import Nuisance as Nuisance
    from classify.fields.text_pass import ReadTexts as ReadTexts
    from classify.knowledge.base import KnowledgeModel as KnowledgeModel
    from classify.knowledge.corpus_knowledge import Knowledge as Knowledge
    from classify.knowledge.options import KnowledgeOptions as KnowledgeOptions
    from classify.learners.base import Weights as Weights
    from classify.learners.cnn_options import CNNOptions as CNNOptions
    from classify.learners.options import LinearOptions as LinearOptions
    from classify.learners.vector_part import VectorPart as VectorPart
    from classify.model.decision import Decision as Decision
    from classify.model.explain import InstanceFacts as InstanceFacts
    from classify.model.flips import Flip as Flip
    from classify.model.notebook import Explanation as Explanation
    from classify.model.predictor import Predictor as Predictor
    from classify.paper.options import GenerationOptions as GenerationOptions
    from classify.paper.pseudo_documents import PseudoDocuments as PseudoDocuments
    from classify.recipe.options import AgreementOptions as AgreementOptions
    from classify.recipe.options import BayesOptions as BayesOptions
    from classify.recipe.options import DiscriminantOptions as DiscriminantOptions
    from classify.recipe.options import FieldOptions as FieldOptions
    from classify.recipe.options import KnownOptions as KnownOptions
    from classify.recipe.options import MeaningOptions as MeaningOptions
    from classify.recipe.options import NameOptions as NameOptions
    from classify.recipe.options import OpinionOptions as OpinionOptions
    from classify.recipe.options import PrototypeOptions as PrototypeOptions
    from classify.recipe.seeds import Seeds as Seeds
    from classify.recipe.soft_labels import SoftLabels as SoftLabels
    from classify.several.options import SeveralOptions as SeveralOptions
    from classify.steps import Step as Step
    from classify.stored_classification import StoredClassification as StoredClassification
    from classify.suggestions.documents import DocumentChoice as DocumentChoice
    from classify.suggestions.grounds import Grounds as Grounds
    from classify.suggestions.missing import Missing as Missing
    from classify.suggestions.suggest import CategoryHelp as CategoryHelp
    from classify.views.base import Space as Space
    from embed import (
        Edges,
        EmbedOptions,
        JointEmbedding,
        Neighbour,
        Specificity,
        edges_of,
        estimate_specificity,
        train,
    )
    from hin.arrays.row_blocks import RowBlocks as RowBlocks
    from hin.cypher.options import QueryOptions as QueryOptions
    from hin.cypher.result import QueryResult as QueryResult
    from hin.engines.base import Engine as Engine
    from hin.exchange.export import export
    from hin.graph import Csr, Graph
    from hin.graph import Dangling as Dangling
    from hin.graph import ExtraEdges as ExtraEdges
    from hin.graph import Labels as Labels
    from hin.graph import Texts as Texts
    from hin.loading import LoadArguments as LoadArguments
    from hin.loading import LoadResult as LoadResult
    from hin.loading import load, load_into
    from hin.node_names import NameTable as NameTable
    from hin.progress import Progress as Progress
    from hin.reading.columns.choose import ColumnChoice as ColumnChoice
    from hin.reading.options import LoadOptions as LoadOptions
    from hin.reading.records import RecordBatch as RecordBatch
    from hin.stages import Stage as Stage
    from hin.stores.answers import Answer, AnswerLog
    from hin.stores.base import Database as Database
    from hin.stores.base import Store, open_store
    from hin.stores.copying import Copied as Copied
    from hin.stores.copying import copy
    from hin.stores.findings import Findings as Findings
    from hin.stores.opening import open
    from hin.stores.querying import query
    from motifs import (
        BadInstanceName,
        BadPattern,
        MotifOptions,
        MotifSet,
        MotifTable,
        Pattern,
        PatternWorth,
        TooManyInstances,
        add_pattern_edges,
        discover,
        estimate,
        instance_name,
        match,
        match_all,
        parse_name,
    )
    from motifs.joins.join_plan import Estimate as Estimate
    from motifs.joins.sorted_edges import Columns as Columns
    from motifs.significance.result import Significance as Significance

__all__ = [
    "BadInstanceName",
    "BadPattern",
    "Category",
    "CategoryFinding",
    "ClassifyOptions",
    "CooccurrenceView",
    "Csr",
    "Edges",
    "EmbedOptions",
    "Graph",
    "HinError",
    "JointEmbedding",
    "JointView",
    "LEARNERS",
    "Learner",
    "TrainingData",
    "MotifClassifier",
    "MotifOptions",
    "MotifSet",
    "MotifTable",
    "Neighbour",
    "PaperOptions",
    "Pipeline",
    "Pattern",
    "PatternWorth",
    "RecipeOptions",
    "Run",
    "SelectionOptions",
    "Specificity",
    "Store",
    "TfidfView",
    "TooManyInstances",
    "VIEWS",
    "View",
    "ViewSource",
    "Workspace",
    "__version__",
    "add_pattern_edges",
    "as_categories",
    "ask",
    "check_categories",
    "classify",
    "copy",
    "diff",
    "discover",
    "edges_of",
    "estimate",
    "estimate_specificity",
    "evaluate",
    "explore",
    "export",
    "find_categories",
    "instance_name",
    "load",
    "load_into",
    "match",
    "match_all",
    "open",
    "open_store",
    "parse_name",
    "prediction_records",
    "query",
    "read_categories",
    "select_instances",
    "suggest",
    "suggest_documents",
    "suggest_missing",
    "train",
    "true_codes",
    "write_predictions",
    "Answer",
    "AnswerLog",
]

__version__ = "0.1.0"

__getattr__, __dir__ = lazy_names(__name__)
