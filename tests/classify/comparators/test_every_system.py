"""What every system must keep to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from classify.comparators import SYSTEMS
from classify.evaluation import evaluate, true_codes
from tests.classify.comparators.small import SMALL, small

pytestmark = pytest.mark.slow

#: Systems that run here without a pretrained model.
LIGHT = [name for name in SYSTEMS.names() if not SYSTEMS.get(name).about.transformer]


def given(task, system):
    if system.supervised:
        return replace(task, truth=true_codes(task.graph.labels, task.names))
    return task.without_labels()


@pytest.mark.parametrize("name", LIGHT)
def test_scores_for_all_documents_without_seeing_a_label(name, demo_task):
    system = small(name)
    task = given(demo_task, system)
    outcome = system.run(task)
    assert outcome.scores.shape == (len(task.graph), len(task.categories))
    assert np.isfinite(outcome.scores).all()
    assert (outcome.tested is not None) == system.supervised
    truth = true_codes(demo_task.graph.labels, task.names)
    # Better than the largest category for all. Systems with settings made small for tests are held to planted corpora
    # instead, in `test_fidelity`.
    least = 0.0 if name in SMALL else np.bincount(truth).max() / len(truth)
    assert evaluate(truth, outcome.labels, task.names)["micro_f1"] > least


@pytest.mark.parametrize("name", ["tf-idf", "motifclass", "supervised-linear", "meta", "metapath2vec", "westclass"])
def test_the_same_seed_gives_the_same_scores_at_any_number_of_threads(name, demo_task):
    system = small(name)
    one, two = (system.run(replace(given(demo_task, system), threads=n)) for n in (1, 2))
    assert np.array_equal(one.scores, two.scores)


def test_every_setting_and_every_remark_is_reported():
    for name in SYSTEMS.names():
        system = SYSTEMS.get(name)()
        assert system.about.title and system.about.follows
        assert isinstance(system.settings(), dict)
