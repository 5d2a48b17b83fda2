"""From category names to labels, with reasons: selection, pseudo documents, classifiers, evaluation (section 3)."""

from __future__ import annotations

from classify.categories.category_file import Category, as_categories, read_categories
from classify.categories.finding import CategoryFinding, check_categories, find_categories
from classify.evaluation import evaluate, true_codes
from classify.model.estimator import MotifClassifier
from classify.paper.pipeline import PaperOptions
from classify.paper.selection import SelectionOptions, select_instances
from classify.prediction_files import prediction_records, write_predictions
from classify.recipe.soft_labels import RecipeOptions, soft_labels
from classify.views.views import CooccurrenceView, EncoderView, JointView, TfidfView, View

__all__ = [
    "Category",
    "CategoryFinding",
    "CooccurrenceView",
    "EncoderView",
    "JointView",
    "MotifClassifier",
    "PaperOptions",
    "RecipeOptions",
    "SelectionOptions",
    "TfidfView",
    "View",
    "as_categories",
    "check_categories",
    "evaluate",
    "find_categories",
    "prediction_records",
    "read_categories",
    "select_instances",
    "soft_labels",
    "true_codes",
    "write_predictions",
]
