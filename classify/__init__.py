"""From category names to labels, with reasons: selection, pseudo documents, classifiers, evaluation (section 3)."""

from __future__ import annotations

from classify.categories import Category, as_categories, read_categories
from classify.checks import CategoryFinding, check_categories, find_categories
from classify.classifier import MotifClassifier
from classify.evaluate import evaluate, true_codes
from classify.outputs import prediction_records, write_predictions
from classify.pipeline_paper import PaperOptions
from classify.recipe import RecipeOptions, soft_labels
from classify.selection import SelectionOptions, select_instances
from classify.views import CooccurrenceView, EncoderView, JointView, TfidfView, View

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
