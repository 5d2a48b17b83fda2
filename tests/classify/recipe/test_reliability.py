"""Teachers are trusted as far as the rest of the evidence bears them out."""

from __future__ import annotations

import numpy as np
import pytest

from classify.categories.known import Known
from classify.recipe.reliability import weigh_teachers
from classify.views.base import Space

N, K = 400, 4


def corpus(seed: int = 0) -> tuple[np.ndarray, list[Space], np.ndarray]:
    """Return true categories, a view in which they are apart, and names' scores that are right more often than not."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, K, N)
    centres = rng.normal(size=(K, 16))
    places = (centres[truth] + rng.normal(size=(N, 16))).astype(np.float32)
    places /= np.linalg.norm(places, axis=1, keepdims=True)
    start = rng.normal(size=(N, K)) * 0.5
    start[np.arange(N), truth] += 0.8
    return truth, [Space(places, places)], start.astype(np.float32)


def teach(truth: np.ndarray, right: float, number: int = 150, seed: int = 1) -> Known:
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(N, number, replace=False))
    wrong = (truth[rows] + rng.integers(1, K, number)) % K
    labels = np.where(rng.random(number) < right, truth[rows], wrong)
    return Known(rows, labels, ("teacher",), np.zeros(number, dtype=np.int64), np.full(number, np.nan))


@pytest.mark.parametrize("right", [0.5, 0.65, 0.8, 1.0])
def test_the_share_of_right_answers_is_estimated_without_labels(right: float) -> None:
    truth, spaces, start = corpus()
    known = teach(truth, right)
    weighed, (source,) = weigh_teachers(known, spaces, start, False)
    actual = float((known.labels == truth[known.rows]).mean())
    assert source.teaches and abs(source.right - actual) < 0.12
    good = truth[weighed.rows] == weighed.labels
    if right < 1:
        assert weighed.weights[good].mean() > weighed.weights[~good].mean() + 0.2


def test_a_teacher_no_better_than_chance_teaches_nothing() -> None:
    truth, spaces, start = corpus()
    weighed, (source,) = weigh_teachers(teach(truth, 1 / K), spaces, start, False)
    assert not source.teaches and len(weighed) == 0 and "hardly better than chance" in source.note
    always = teach(truth, 1.0)
    stuck = Known(always.rows, np.zeros_like(always.labels), ("stuck",), always.source, always.confidence)
    assert not weigh_teachers(stuck, spaces, start, False)[1][0].teaches


def test_a_person_is_certain_and_goes_before_teachers() -> None:
    truth, spaces, start = corpus()
    taught = teach(truth, 0.8)
    rows = np.concatenate([taught.rows, taught.rows[:5]])
    labels = np.concatenate([taught.labels, truth[taught.rows[:5]]])
    source = np.concatenate([taught.source, np.full(5, -1)])
    both = Known(rows, labels, ("teacher",), source, np.full(len(rows), np.nan))
    weighed, _ = weigh_teachers(both, spaces, start, False)
    held = weighed.by_persons
    assert held.rows.tolist() == taught.rows[:5].tolist() and held.weights.tolist() == [1.0] * 5
    assert len(np.unique(weighed.rows)) == len(weighed)  # one label per document


def test_without_teachers_nothing_is_weighed() -> None:
    truth, spaces, start = corpus()
    known = Known(np.arange(5), truth[:5])
    assert weigh_teachers(known, spaces, start, False) == (known, ())


def test_with_several_categories_teachers_are_weighed_too() -> None:
    truth, spaces, start = corpus()
    for right in (0.3, 0.8):
        known = teach(truth, right)
        weighed, (source,) = weigh_teachers(known, spaces, start, True)
        actual = float((known.labels == truth[known.rows]).mean())
        assert abs(source.right - actual) < 0.15
        assert source.teaches == (right > 0.5) == (len(weighed) > 0)


def test_a_teacher_whose_errors_are_systematic_is_found_out() -> None:
    """It takes most documents for one category: its answers predict one another, and contradict the names."""
    truth, spaces, start = corpus()
    known = teach(truth, 1.0)
    stubborn = np.where(np.isin(known.labels, [1, 2]), 0, known.labels)
    skewed = Known(known.rows, stubborn, ("skewed",), known.source, known.confidence)
    good, bad = (weigh_teachers(one, spaces, start, False)[1][0].right for one in (known, skewed))
    assert bad < good - 0.2


@pytest.mark.parametrize("several", [False, True])
def test_answers_that_confirm_one_another_weigh_no_more_than_the_teacher_is_right(several: bool) -> None:
    truth, spaces, start = corpus()
    known = teach(truth, 1.0)
    fond = np.where(np.random.default_rng(5).random(len(known)) < 0.5, 0, known.labels)
    right = float((fond == known.labels).mean())
    weighed, _ = weigh_teachers(Known(known.rows, fond, ("fond",), known.source), spaces, start, several)
    assert weighed.weights.sum() / len(known) < right + 0.02  # by what they teach one another .72 and .67 for .63


def test_answers_weigh_less_where_what_they_teach_is_worse_than_the_names() -> None:
    """One teacher repeats the names and errs at random beside; the other is right where the names are not."""
    truth, spaces, start = corpus()
    known = teach(truth, 0.9)
    names = start[known.rows].argmax(axis=1)
    drawn = np.random.default_rng(6).random(len(known))
    repeated = np.where(drawn < 0.8, names, np.random.default_rng(7).integers(0, K, len(known)))
    weighed = [
        weigh_teachers(Known(known.rows, labels, ("teacher",), known.source), spaces, start, False)
        for labels in (known.labels, repeated)
    ]
    (own, (good,)), (echo, (fond,)) = weighed
    assert own.weights.mean() > 0.9 * good.right  # as much as it is right
    assert fond.teaches and fond.right > 0.6 and echo.weights.mean() < 0.6 * fond.right
