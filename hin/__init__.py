"""Heterogeneous information networks: documents, terms and metadata as one graph.

Every public name of `motifs`, `embed` and `classify` can be imported from here too, so that a module of the user's
with one of those names is in nobody's way.

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
        Lesson,
        MotifClassifier,
        PaperOptions,
        Pipeline,
        RecipeOptions,
        Run,
        SelectionOptions,
        TfidfView,
        View,
        ViewSource,
        Workspace,
        as_categories,
        check_categories,
        classify,
        evaluate,
        find_categories,
        prediction_records,
        read_categories,
        select_instances,
        soft_labels,
        suggest,
        suggest_documents,
        suggest_missing,
        true_codes,
        write_predictions,
    )
    from embed import (
        Edges,
        EmbedOptions,
        JointEmbedding,
        Neighbour,
        Plan,
        Specificity,
        edges_of,
        estimate_specificity,
        make_plan,
        train,
    )
    from hin.exchange.export import export
    from hin.graph import Csr, Graph
    from hin.loading import load, load_into
    from hin.stores.base import Store, open_store
    from hin.stores.copying import copy
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
        discover,
        estimate,
        instance_name,
        match,
        match_all,
        parse_name,
    )

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
    "Lesson",
    "MotifClassifier",
    "MotifOptions",
    "MotifSet",
    "MotifTable",
    "Neighbour",
    "PaperOptions",
    "Pipeline",
    "Pattern",
    "PatternWorth",
    "Plan",
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
    "as_categories",
    "check_categories",
    "classify",
    "copy",
    "discover",
    "edges_of",
    "estimate",
    "estimate_specificity",
    "evaluate",
    "export",
    "find_categories",
    "instance_name",
    "load",
    "load_into",
    "make_plan",
    "match",
    "match_all",
    "open",
    "open_store",
    "parse_name",
    "prediction_records",
    "query",
    "read_categories",
    "select_instances",
    "soft_labels",
    "suggest",
    "suggest_documents",
    "suggest_missing",
    "train",
    "true_codes",
    "write_predictions",
]

__version__ = "0.1.0"

#: Everything public of the other packages is here too.
_FRONT_DOOR = {
    "motifs": """
        BadInstanceName BadPattern MotifOptions MotifSet MotifTable Pattern PatternWorth TooManyInstances discover
        estimate instance_name match match_all parse_name
    """,
    "embed": """
        Edges EmbedOptions JointEmbedding Neighbour Plan Specificity edges_of estimate_specificity make_plan train
    """,
    "classify": """
        Category CategoryFinding ClassifyOptions CooccurrenceView JointView LEARNERS Learner Lesson MotifClassifier
        PaperOptions Pipeline RecipeOptions Run SelectionOptions TfidfView VIEWS View ViewSource Workspace
        as_categories check_categories classify evaluate find_categories prediction_records read_categories
        select_instances soft_labels suggest suggest_documents suggest_missing true_codes write_predictions
    """,
}

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Csr": "hin.graph",
        "Graph": "hin.graph",
        "Store": "hin.stores.base",
        "copy": "hin.stores.copying",
        "export": "hin.exchange.export",
        "load": "hin.loading",
        "load_into": "hin.loading",
        "open": "hin.stores.opening",
        "open_store": "hin.stores.base",
        "query": "hin.stores.querying",
        **{name: package for package, names in _FRONT_DOOR.items() for name in names.split()},
    },
)
