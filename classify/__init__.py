"""From category names to labels, with reasons: selection, pseudo documents, classifiers, evaluation (section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hin.lazy_names import lazy_names

if TYPE_CHECKING:
    from classify.answers.ask import ask
    from classify.answers.differences import diff
    from classify.categories.category_file import Category, as_categories, read_categories
    from classify.categories.finding import CategoryFinding, check_categories, find_categories
    from classify.estimator import MotifClassifier
    from classify.evaluation import evaluate, true_codes
    from classify.labelled.tables import classify
    from classify.learners.base import LEARNERS, Learner, TrainingData
    from classify.model.prediction_files import prediction_records, write_predictions
    from classify.options import ClassifyOptions
    from classify.paper.options import PaperOptions, SelectionOptions
    from classify.paper.selection import select_instances
    from classify.pipeline import Pipeline
    from classify.recipe.options import RecipeOptions
    from classify.run import Run
    from classify.suggestions.suggest import suggest, suggest_documents, suggest_missing
    from classify.views.base import VIEWS, View, ViewSource
    from classify.views.co_occurrence import CooccurrenceView
    from classify.views.joint import JointView
    from classify.views.tf_idf import TfidfView
    from classify.workspace import Workspace

__all__ = [
    "Category", "CategoryFinding", "ClassifyOptions", "CooccurrenceView", "JointView", "Learner", "TrainingData",
    "MotifClassifier", "PaperOptions", "Pipeline", "RecipeOptions", "Run", "SelectionOptions", "TfidfView", "View",
    "ViewSource", "Workspace", "as_categories", "ask", "check_categories", "classify", "diff", "evaluate",
    "find_categories", "LEARNERS", "prediction_records", "read_categories", "select_instances", "suggest",
    "suggest_documents", "suggest_missing", "true_codes", "VIEWS", "write_predictions",
]  # fmt: skip

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Category": "classify.categories.category_file",
        "CategoryFinding": "classify.categories.finding",
        "ClassifyOptions": "classify.options",
        "CooccurrenceView": "classify.views.co_occurrence",
        "JointView": "classify.views.joint",
        "Learner": "classify.learners.base",
        "TrainingData": "classify.learners.base",
        "MotifClassifier": "classify.estimator",
        "PaperOptions": "classify.paper.options",
        "Pipeline": "classify.pipeline",
        "RecipeOptions": "classify.recipe.options",
        "Run": "classify.run",
        "SelectionOptions": "classify.paper.options",
        "TfidfView": "classify.views.tf_idf",
        "View": "classify.views.base",
        "ViewSource": "classify.views.base",
        "Workspace": "classify.workspace",
        "as_categories": "classify.categories.category_file",
        "ask": "classify.answers.ask",
        "check_categories": "classify.categories.finding",
        "classify": "classify.labelled.tables",
        "diff": "classify.answers.differences",
        "evaluate": "classify.evaluation",
        "find_categories": "classify.categories.finding",
        "LEARNERS": "classify.learners.base",
        "prediction_records": "classify.model.prediction_files",
        "read_categories": "classify.categories.category_file",
        "select_instances": "classify.paper.selection",
        "suggest": "classify.suggestions.suggest",
        "suggest_documents": "classify.suggestions.suggest",
        "suggest_missing": "classify.suggestions.suggest",
        "true_codes": "classify.evaluation",
        "VIEWS": "classify.views.base",
        "write_predictions": "classify.model.prediction_files",
    },
)
