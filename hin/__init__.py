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
    from classify.classification import Classification as Classification
    from classify.documents.encoder import Encoded as Encoded
    from classify.documents.features import Features as Features
    from classify.documents.graph_encoding import Corpus as Corpus
    from classify.documents.own_vectors import DocumentVectors as DocumentVectors
    from classify.documents.sequences import Sequences as Sequences
    from classify.explore.server import Workbench as Workbench
    from classify.explore.start import explore
    from classify.fields.judging import Judgement as Judgement
    from classify.fields.nuisance import Nuisance as Nuisance
    from classify.fields.text_pass import ReadTexts as ReadTexts
    from classify.knowledge.asked import Knowledge as Knowledge
    from classify.knowledge.base import KnowledgeModel as KnowledgeModel
    from classify.knowledge.options import KnowledgeOptions as KnowledgeOptions
    from classify.learners.base import Weights as Weights
    from classify.learners.cnn_options import CNNOptions as CNNOptions
    from classify.learners.options import LinearOptions as LinearOptions
    from classify.learners.vector_part import VectorPart as VectorPart
    from classify.model.decision import Decision as Decision
    from classify.model.explain import InstanceFacts as InstanceFacts
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

#: The public names of the other packages.
_FRONT_DOOR = {
    "motifs": """
        BadInstanceName BadPattern MotifOptions MotifSet MotifTable Pattern PatternWorth TooManyInstances
        add_pattern_edges discover estimate instance_name match match_all parse_name
    """,
    "embed": """
        Edges EmbedOptions JointEmbedding Neighbour Specificity edges_of estimate_specificity train
    """,
    "classify": """
        Category CategoryFinding ClassifyOptions CooccurrenceView JointView LEARNERS Learner MotifClassifier
        PaperOptions Pipeline RecipeOptions Run SelectionOptions TfidfView TrainingData VIEWS View ViewSource Workspace
        as_categories ask check_categories classify diff evaluate find_categories prediction_records read_categories
        select_instances suggest suggest_documents suggest_missing true_codes write_predictions
    """,
}

#: Types of arguments and results, for annotations.
_TYPES = {
    "classify.answers.asking": "Round",
    "classify.answers.differences": "Difference",
    "classify.answers.options": "TeacherOptions",
    "classify.answers.task": "Question",
    "classify.categories.keywords": "Keyword",
    "classify.categories.known": "Known",
    "classify.categories.name_vector": "NameVector",
    "classify.categories.naming": "Names",
    "classify.classification": "Classification",
    "classify.documents.encoder": "Encoded",
    "classify.documents.features": "Features",
    "classify.documents.graph_encoding": "Corpus",
    "classify.documents.own_vectors": "DocumentVectors",
    "classify.documents.sequences": "Sequences",
    "classify.explore.server": "Workbench",
    "classify.fields.judging": "Judgement",
    "classify.fields.nuisance": "Nuisance",
    "classify.fields.text_pass": "ReadTexts",
    "classify.knowledge.asked": "Knowledge",
    "classify.knowledge.base": "KnowledgeModel",
    "classify.knowledge.options": "KnowledgeOptions",
    "classify.learners.base": "Weights",
    "classify.learners.cnn_options": "CNNOptions",
    "classify.learners.options": "LinearOptions",
    "classify.learners.vector_part": "VectorPart",
    "classify.model.decision": "Decision",
    "classify.model.explain": "InstanceFacts",
    "classify.model.predictor": "Predictor",
    "classify.paper.options": "GenerationOptions",
    "classify.paper.pseudo_documents": "PseudoDocuments",
    "classify.recipe.options": """
        AgreementOptions BayesOptions DiscriminantOptions FieldOptions KnownOptions MeaningOptions NameOptions
        OpinionOptions PrototypeOptions
    """,
    "classify.recipe.seeds": "Seeds",
    "classify.recipe.soft_labels": "SoftLabels",
    "classify.several.options": "SeveralOptions",
    "classify.stored_classification": "StoredClassification",
    "classify.suggestions.documents": "DocumentChoice",
    "classify.suggestions.grounds": "Grounds",
    "classify.suggestions.missing": "Missing",
    "classify.suggestions.suggest": "CategoryHelp",
    "classify.views.base": "Space",
    "hin.arrays.row_blocks": "RowBlocks",
    "hin.cypher.options": "QueryOptions",
    "hin.cypher.result": "QueryResult",
    "hin.engines.base": "Engine",
    "hin.graph": "Dangling ExtraEdges Labels Texts",
    "hin.loading": "LoadArguments LoadResult",
    "hin.node_names": "NameTable",
    "hin.progress": "Progress",
    "hin.reading.columns.choose": "ColumnChoice",
    "hin.reading.options": "LoadOptions",
    "hin.stages": "Stage",
    "hin.stores.base": "Database",
    "hin.stores.copying": "Copied",
    "hin.stores.findings": "Findings",
    "motifs.joins.join_plan": "Estimate",
    "motifs.joins.sorted_edges": "Columns",
    "motifs.significance.result": "Significance",
}

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Answer": "hin.stores.answers",
        "AnswerLog": "hin.stores.answers",
        "Csr": "hin.graph",
        "Graph": "hin.graph",
        "Store": "hin.stores.base",
        "copy": "hin.stores.copying",
        "explore": "classify.explore.start",
        "export": "hin.exchange.export",
        "load": "hin.loading",
        "load_into": "hin.loading",
        "open": "hin.stores.opening",
        "open_store": "hin.stores.base",
        "query": "hin.stores.querying",
        **{name: home for table in (_FRONT_DOOR, _TYPES) for home, names in table.items() for name in names.split()},
    },
)
