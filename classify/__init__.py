"""From category names to labels, with reasons: selection, pseudo documents, classifiers, evaluation (section 3)."""

from __future__ import annotations

from classify.categories.category_file import Category, as_categories, read_categories
from classify.categories.finding import CategoryFinding, check_categories, find_categories
from classify.evaluation import evaluate, true_codes
from classify.learners.base import Learner, Lesson, learners
from classify.model.estimator import MotifClassifier
from classify.paper.pipeline import PaperOptions
from classify.paper.selection import SelectionOptions, select_instances
from classify.prediction_files import prediction_records, write_predictions
from classify.recipe.soft_labels import RecipeOptions, soft_labels
from classify.views.base import View, ViewSource, views
from classify.views.co_occurrence import CooccurrenceView
from classify.views.encoder import EncoderView, encoder_view
from classify.views.joint import JointView
from classify.views.tf_idf import TfidfView

__all__ = [
    "Category",
    "CategoryFinding",
    "CooccurrenceView",
    "EncoderView",
    "JointView",
    "Learner",
    "Lesson",
    "MotifClassifier",
    "PaperOptions",
    "RecipeOptions",
    "SelectionOptions",
    "TfidfView",
    "View",
    "ViewSource",
    "as_categories",
    "check_categories",
    "encoder_view",
    "evaluate",
    "find_categories",
    "learners",
    "prediction_records",
    "read_categories",
    "select_instances",
    "soft_labels",
    "true_codes",
    "views",
    "write_predictions",
]
