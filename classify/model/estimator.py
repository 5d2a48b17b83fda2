"""The estimator: category names in, labels with reasons out, with scikit-learn's habits."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from classify.model.motif_model import MotifModel
from classify.model.notebook import ShownInNotebooks
from hin.errors import BadUsage

__all__ = ["MotifClassifier", "NotFitted"]


class NotFitted(BadUsage, NotFittedError):  # type: ignore[misc]
    """A model was asked before it was fitted; also one of scikit-learn's errors."""


class MotifClassifier(ShownInNotebooks, ClassifierMixin, BaseEstimator, MotifModel):  # type: ignore[misc]
    """Sorts documents into categories from the categories' names alone (the paper's task, section 2).

    Parameters
    ----------
    categories : list of str, or of `Category`, or a mapping to keywords, or the path of a labels file
    patterns : list of str, optional
        Motif patterns besides the terms; by default every metadata field and every pair of fields.
    preset : {"default", "paper"}
        The best we know that uses names only, or the paper as written.
    classifier : str
        What is trained in the end, by its name among `classify.learners`; by default as the preset's options say.
    min_count : int
        An instance must be in at least so many documents.
    allow_missing : bool
        Compose a name that occurs nowhere of its words.
    knowledge : str, path, model or None
        What words mean outside the corpus: "wordllama" (built in), a model's folder or hub name, or None.
    knowledge_seconds : float
        How long an encoder may read, as two ordinary cores go; documents it does not reach follow from the rest.
    several : bool or SeveralOptions
        Whether a document may have several categories, each with a probability by itself; the options say how many.
    other : bool
        Whether documents that are far from every name get no category.
    random_state : int
        The same seed gives the same labels to the last bit, at any number of threads.
    n_jobs : int, optional
        Threads; all cores by default.
    ignore_y : bool
        Learn nothing from `y`, so that scikit-learn's searches and scores measure what the names alone give.
    embed, recipe, paper : options of the stages, optional

    Attributes
    ----------
    categories_ : tuple of Category
    classes_ : array of str, in the order of the categories
    findings_ : what each name was found as
    notes_ : what the user should know about the run
    labels_, probabilities_ : of the documents of the fit
    sets_ : bool[documents, categories], with several: which categories the documents of the fit got
    known_ : the documents whose category was given to `fit`
    used_ : how much each view counted, and what was read with which model

    Examples
    --------
    >>> model = MotifClassifier(["databases", "robotics"], patterns=["venue-year"])
    >>> model.get_params()["preset"]
    'default'
    """

    not_fitted = NotFitted

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what goes in: texts or records, labels only where they are known."""
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = tags.input_tags.string = tags.input_tags.dict = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        tags.no_validation = True
        return tags
