"""What every learner of the registry keeps to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from classify.documents.encoder import Encoded
from classify.documents.sequences import Sequences
from classify.learners.average import AverageLearner
from classify.learners.base import LEARNERS, Learner, TrainingData
from classify.learners.cnn_options import CNNOptions
from classify.learners.options import AverageOptions
from hin.arrays.score_rows import softmax
from hin.errors import BadUsage, DamagedGraph

OPTIONS = {"cnn": CNNOptions(epochs=60, learning_rate=0.05)}
VECTORS = np.eye(6, dtype=np.float32)
TARGETS = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]])


def data(weights: list[float] | None = None) -> TrainingData:
    documents = Encoded.of(Sequences.of([[0, 1], [1, 0, 5], [2, 3], [3, 2, 5]]), 6)
    given = None if weights is None else np.array(weights)
    return TrainingData([documents], TARGETS, VECTORS, np.ones(6, dtype=np.float32), given)


def trained(name: str) -> Learner:
    return LEARNERS.get(name)(OPTIONS).fit(data(), seed=0, threads=2)


@pytest.mark.parametrize("name", LEARNERS.names())
def test_it_learns_saves_and_loads(name: str, tmp_path: Path) -> None:
    rows = data().documents[0]
    model = trained(name)
    scores = model.scores(rows, threads=2)
    assert scores.argmax(axis=1).tolist() == [0, 0, 1, 1]
    assert scores.sum(axis=1) == pytest.approx(np.zeros(4), abs=1e-9)
    assert softmax(scores).max() < 1
    model.save(tmp_path)
    assert not any(path.suffix in (".pkl", ".pt") for path in tmp_path.iterdir())
    assert LEARNERS.get(name).load(tmp_path, VECTORS).scores(rows).tobytes() == scores.tobytes()


@pytest.mark.parametrize("name", LEARNERS.names())
def test_it_takes_its_own_options_or_its_defaults(name: str) -> None:
    learner = LEARNERS.get(name)
    assert learner.Options is not None
    own = learner.Options()
    assert learner({"another": object(), name: own}).options is own
    assert learner().options == own


@pytest.mark.parametrize("share", ['"much"', "2", "null", "[]"])
def test_a_share_that_was_altered_is_refused(share: str, tmp_path: Path) -> None:
    trained("average").save(tmp_path)
    (tmp_path / "average.json").write_text(f'{{"share": {share}}}')
    with pytest.raises(DamagedGraph, match="no number from 0 to 1|not a number"):
        LEARNERS.get("average").load(tmp_path, VECTORS)


@pytest.mark.parametrize("name", LEARNERS.names())
def test_its_weights_add_up_to_the_score(name: str) -> None:
    rows, model = data().documents[0], trained(name)
    for category in (0, 1):
        found = model.weights(rows, np.full(4, category))
        total = found.instances.sum(axis=1) + found.prior + found.together
        assert total == pytest.approx(model.scores(rows)[:, category], abs=1e-5)


@pytest.mark.parametrize("name", LEARNERS.names())
def test_heavier_documents_decide(name: str) -> None:
    documents = [Encoded.of(Sequences.of([[0], [0]]), 6)]
    weights = np.array([9.0, 1.0])
    given = TrainingData(documents, np.eye(2), VECTORS, np.ones(6, dtype=np.float32), weights)
    assert LEARNERS.get(name)(OPTIONS).fit(given).scores(documents[0])[0].argmax() == 0


@pytest.mark.parametrize("name", LEARNERS.names())
def test_untrained_it_says_so(name: str) -> None:
    with pytest.raises(BadUsage, match="not been trained"):
        LEARNERS.get(name)().scores(data().documents[0])


def test_the_average_is_the_weighted_mean_of_its_members() -> None:
    rows = data().documents[0]
    model = AverageLearner({**OPTIONS, "average": AverageOptions(0.25)}).fit(data())
    one, other = (member.scores(rows) for member in model.members.values())
    np.testing.assert_allclose(model.scores(rows), 0.75 * one + 0.25 * other)


def test_a_learner_that_cannot_tell_its_instances_apart_gives_everything_together() -> None:
    model, rows = trained("linear"), data().documents[0]
    found = Learner.weights(model, rows, np.zeros(4, dtype=int))
    assert found.instances.nnz == 0 and found.together == pytest.approx(model.scores(rows)[:, 0])
