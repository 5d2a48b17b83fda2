"""What a few known documents teach the others."""

from __future__ import annotations

import numpy as np
import pytest

from classify.categories.known import Known
from classify.recipe.options import KnownOptions
from classify.recipe.taught import known_scores, supported_sizes
from classify.several.levels import probabilities_of_sets
from classify.views.base import Space
from hin.arrays.score_rows import softmax
from hin.arrays.types import Floats


def test_a_category_without_a_label_is_not_forgotten() -> None:
    documents = np.array([[1, 0, 0], [1, 0.1, 0], [0, 1, 0], [0, 1, 0.1], [0, 0, 1], [0.1, 0, 1]], dtype=np.float32)
    start = np.array([[1, 0, 0]] * 2 + [[0, 1, 0]] * 2 + [[0, 0, 1]] * 2, dtype=np.float64)
    known, spaces = Known(np.array([0, 2]), np.array([0, 1])), [Space(documents, documents)]
    said = known_scores(known, spaces, start, options=KnownOptions(stand_ins=1))
    assert (start + said).argmax(axis=1).tolist() == [0, 0, 1, 1, 2, 2]
    few = known_scores(Known(np.array([0]), np.array([0])), spaces, start, options=KnownOptions(stand_ins=1))
    assert np.abs(few).max() < np.abs(said).max()  # one label counts less than two


def test_labels_that_the_names_foretell_teach_little() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 50)
    places = np.eye(2, dtype=np.float32)[truth] + rng.normal(0, 0.1, (100, 2)).astype(np.float32)
    known, spaces = Known(np.array([0, 1, 50, 51]), np.array([0, 0, 1, 1])), [Space(places, places)]
    right, wrong = 4 * np.eye(2)[truth], 4 * np.eye(2)[1 - truth]
    agreed = known_scores(known, spaces, right)
    opposed = known_scores(known, spaces, wrong)
    assert np.abs(agreed).max() < 0.1 * np.abs(opposed).max()


def test_many_labels_of_few_categories_count_nearly_as_much_as_labels_of_all() -> None:
    rng = np.random.default_rng(0)
    spaces = [Space(rng.standard_normal((300, 5)).astype(np.float32), np.zeros((0, 5), dtype=np.float32))]
    rows = np.arange(100)
    known = Known(rows, (spaces[0].documents[rows, 0] > 0).astype(np.int64))

    def margin(categories: int) -> float:
        said = known_scores(known, spaces, np.zeros((300, categories)), options=KnownOptions(stand_ins=1))
        return float(np.abs(said[:, 0] - said[:, 1]).mean())

    assert margin(10) > 0.7 * margin(2)  # by the share of categories with a label it would be a fifth


def test_what_documents_of_several_categories_teach_may_speak_for_all_of_them() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((400, 3)) < [0.9, 0.5, 0.2]
    places = (truth @ np.eye(3, 8) + rng.normal(0, 0.3, (400, 8))).astype(np.float32)
    known = Known(*np.nonzero(truth[:80]))
    said = known_scores(known, [Space(places, places)], np.zeros((400, 3), dtype=np.float32), expected=1.6)
    assert ((said > 0) == truth)[80:].mean(axis=0).min() > 0.75
    assert (said[truth.all(axis=1)] > 0).all(axis=1).mean() > 0.3  # in one regression for all they add up to nothing


@pytest.mark.parametrize("expected", [None, 1.2])
def test_answers_shrink_a_category_no_further_than_those_about_its_documents_support(expected: float | None) -> None:
    truth = np.repeat([0, 1, 2], [80, 90, 30])
    start = np.eye(3, dtype=np.float32)[truth]
    against = np.tile(np.float32([4, 0, -4]), (200, 1))

    def left(rows: list[int], labels: list[int]) -> float:
        """How much of the last category's size by names is left."""
        known = Known(np.array(rows), np.array(labels))
        taught = against + supported_sizes(known, start, against, expected=expected)
        before, after = (
            softmax(2 * scores) if expected is None else probabilities_of_sets(2 * scores, expected)
            for scores in (start, start + taught)
        )
        return float(after.sum(axis=0)[2] / before.sum(axis=0)[2])

    others = [0, 1, 100, 101]
    assert left([*others, 190], [0, 0, 1, 1, 0]) > 0.7  # one answer takes away little
    assert left([*others, *range(180, 200)], [0, 0, 1, 1, *[0] * 20]) < 0.4  # twenty say that its documents are others'
    agreed = Known(np.array(others), np.array([0, 0, 1, 1]))
    assert not supported_sizes(agreed, start, np.zeros_like(start), expected=expected).any()


def test_a_doubtful_answer_of_several_categories_counts_less_for_its_category_and_against_the_others() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    places = np.eye(3, 20, dtype=np.float32)[truth] + rng.normal(0, 0.3, (300, 20)).astype(np.float32)
    start = np.eye(3, dtype=np.float32)[truth]
    rows = np.arange(30)

    def said(weight: float) -> Floats:
        known = Known(rows, truth[rows], weight=np.full(30, weight))
        return known_scores(known, [Space(places, places)], start, expected=1.0)

    doubtful, certain = said(0.3), said(1.0)
    right = np.eye(3, dtype=np.bool_)[truth]
    assert np.abs(doubtful).mean() < 0.8 * np.abs(certain).mean()
    assert doubtful[right].mean() > 0.5 * certain[right].mean()  # right answers are not evidence against themselves
