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

__getattr__, __dir__ = lazy_names(__name__)
