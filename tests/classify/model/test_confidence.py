"""Confidence that ranks, its mean the expected accuracy; what a run says of its own labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits

from classify.categories.category_file import Category
from classify.categories.finding import CategoryFinding
from classify.documents.encoder import Encoded, Encoder
from classify.documents.sequences import Sequences
from classify.learners.base import LEARNERS, TrainingData
from classify.model.calibration import calibrate
from classify.model.confidence import corrected_accuracy, view_support
from classify.model.predictor import Predictor
from classify.model.reliability import Reliability, assess
from classify.model.sureness import Sureness, _ridge, fit_sureness, sharpened
from classify.model.training import TrainingSet
from classify.options import ClassifyOptions
from classify.recipe.soft_labels import SoftLabels
from classify.several.expected import expected_number
from classify.several.options import SeveralOptions
from classify.several.rule import set_rule
from hin.arrays.row_blocks import in_blocks


def documents(n: int = 300) -> tuple[TrainingData, np.ndarray, dict[str, np.ndarray]]:
    """Return documents of which the views are sure where the first instance is, and the learner everywhere alike."""
    rng = np.random.default_rng(0)
    counts = (rng.random((n, 12)) < 0.4).astype(np.float32)
    counts[:, 0] = np.arange(n) % 2
    counts[:, 1] = 1.0
    scores = rng.normal(size=(n, 3)) * 0.01
    scores[np.arange(n), np.arange(n) % 3] += 1.0
    view = np.zeros((n, 3), dtype=np.float32)
    view[np.arange(n), np.arange(n) % 3] = 2.0 * counts[:, 0]
    blocks = [Encoded(sparse.csr_array(counts), Sequences.of([[0]] * n))]
    data = TrainingData(blocks, np.eye(3)[np.arange(n) % 3], np.zeros((12, 2), np.float32), np.ones(12, np.float32))
    return data, scores - scores.mean(axis=1, keepdims=True), {"view": view}


def test_confidence_follows_the_views_and_has_the_expected_mean(tmp_path: Path) -> None:
    data, scores, views = documents()
    found = fit_sureness(data, scores, views, 0.6, 2.0, threads=1)
    counts = data.counts()
    sure = found.confidence(scores, found.of(counts))
    assert sure.mean() == pytest.approx(0.6, abs=1e-3)
    assert sure[1::2].mean() > sure[::2].mean() + 0.3  # the learner's margins carry no information
    probabilities = sharpened(scores, sure)
    assert (probabilities.argmax(axis=1) == scores.argmax(axis=1)).all()
    assert probabilities.max(axis=1) == pytest.approx(sure, abs=1e-6)
    again = Sureness.load(tmp_path, found.save(tmp_path), counts.shape[1])
    assert (again.confidence(scores, again.of(counts)) == sure).all()
    assert (fit_sureness(data, scores, views, 0.6, 2.0, threads=2).coefficients == found.coefficients).all()
    with pytest.raises(ValueError, match="spread"):
        Sureness.load(tmp_path, {**found.save(tmp_path), "views": [0.0, 0.0]}, counts.shape[1])


def test_opinions_that_disagree_lower_the_expected_accuracy() -> None:
    labels = np.arange(90) % 3
    shifted = np.where(np.arange(90) < 60, (labels + 1) % 3, labels)  # agrees on a third: by chance
    same, apart = ({"corpus": labels, "knowledge": said} for said in (labels, shifted))
    little, much = (corrected_accuracy(0.6, 0.6, opinions, 0.2, 3) for opinions in (apart, same))
    assert 1 / 3 <= little < much - 0.1
    assert (
        little < corrected_accuracy(0.6, 0.6, {"corpus": labels}, 0.2, 3) < much
    )  # without a pretrained model, as usual
    assert corrected_accuracy(0.6, 0.6, {**apart, "encoder": labels}, 0.2, 3) == much


def test_names_that_no_document_holds_lower_the_expected_accuracy() -> None:
    opinions = {"corpus": np.arange(90) % 3}
    nowhere, seldom, often = (corrected_accuracy(0.6, 0.6, opinions, named, 3) for named in (0.0, 0.05, 0.5))
    assert nowhere < seldom - 0.1
    assert seldom < often < seldom + 0.05  # names in a twentieth of the documents are enough to place them


def test_labels_that_the_single_views_do_not_give_lower_the_expected_accuracy() -> None:
    labels = np.arange(90) % 3
    same, shifted = np.eye(3)[labels], np.eye(3)[(labels + 1) % 3]
    opinions = {"corpus": labels, "knowledge": labels}
    support = [
        view_support(labels, {"tf-idf": same, "joint": other, "knowledge": shifted}, opinions)
        for other in (shifted, same)
    ]
    assert support == [0.5, 1.0]
    little, much = (corrected_accuracy(0.6, share, opinions, 0.2, 3) for share in support)
    assert little < much - 0.1


def test_poor_labels_and_weak_categories_are_named() -> None:
    labels = np.repeat([0, 1], 50)
    soft = SoftLabels(np.zeros((0, 0)), np.zeros((100, 2), np.float32), {}, {})
    soft = replace(soft, opinions={"corpus": labels, "knowledge": np.zeros(100, dtype=np.int64)})
    findings = [CategoryFinding("music", "term", "music", 90), CategoryFinding("seafood", "composed", None, 3)]
    sure = np.where(labels[:, None] == 1, 0.35, [0.6, 0.4])  # of music's labels, and not of seafood's
    found = assess(labels, sure, soft, findings, 0.3)
    assert [weak.category for weak in found.weak] == ["seafood"]
    assert found.notes[0].startswith("These labels are probably poor: about 3 of 10")
    assert found.notes[1].startswith(
        "seafood: weak (its name is in 3 documents; the corpus and the meaning of its name disagree)"
    )
    assert Reliability.of_record(found.as_record()) == found
    assert assess(labels, np.full((100, 2), 0.5), soft, findings, 0.8).notes == ()
    (unsure,) = assess(labels, sure, soft, findings, 0.8, taught=True).notes
    assert unsure == "seafood: weak (its name is in 3 documents); add words, or answer 20 documents with `hin ask`"
    agreed = replace(soft, opinions={"corpus": labels, "knowledge": labels})
    assert assess(labels, sure, agreed, findings, 0.8).weak == ()  # no opinion disagrees
    assert [weak.disagree for weak in assess(labels, sure - 0.05, agreed, findings, 0.8).weak] == [False]
    rare = CategoryFinding("seafood", "variant", "sea foods", 1, written=3)  # a term of its own in one of them
    assert "in only 3 documents; keywords would help" in rare.notes()
    assert assess(labels, sure, soft, [findings[0], rare], 0.8, taught=True).notes == (unsure,)


def test_documents_may_have_no_category_and_probabilities_do_not_collapse() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=0.3, size=(600, 5))
    scores[np.arange(300), rng.integers(0, 5, 300)] += 6.0  # the other half belongs to none
    number = expected_number(scores)
    assert 0.6 < number < 0.8  # the mixtures alone say .5
    rule = set_rule(scores, number, number / 5 + 0.25)
    found = rule.probabilities(scores)
    given = rule.chosen(found)
    assert np.ptp(found) > 0.5
    assert 200 < (~given.any(axis=1)).sum() < 400


def test_the_best_of_several_labels_is_expected_to_be_right_as_often_as_the_only_one() -> None:
    data, scores, views = documents()
    labels = scores.argmax(axis=1)
    said = {"corpus": labels, "knowledge": np.where(np.arange(len(labels)) % 4, labels, 0)}
    start = scores.astype(np.float32)
    soft = SoftLabels(np.zeros((0, 0)), start, views, {}, {}, said, {"corpus": 1.0, "knowledge": 0.2}, named=0.5)
    made = TrainingSet(data, np.zeros((3, 2), np.float32), soft)
    predictor = Predictor(Encoder((), (), np.zeros(0, np.int64), ()), LEARNERS.get("linear")(None))
    names = [Category(name) for name in "abc"]
    one, several = (
        calibrate(predictor, scores, made, names, options, taught=False).accuracy
        for options in (ClassifyOptions(), ClassifyOptions(several=SeveralOptions(several=True)))
    )
    assert one == several


def test_the_confidence_is_the_same_at_any_number_of_blas_threads() -> None:
    # More than 10,000 instances: BLAS computes the inner products of such vectors on several threads.
    rows = sparse.random_array((5000, 60_000), density=2e-3, format="csr", dtype=np.float32, rng=0)
    target = np.random.default_rng(0).standard_normal(5000)
    found = []
    for threads in (1, 2, 4):
        with threadpool_limits(threads):
            found.append(_ridge(in_blocks(rows, 1), target - target.mean()).tobytes())
    assert found[0] == found[1] == found[2]
