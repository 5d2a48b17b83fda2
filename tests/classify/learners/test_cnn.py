"""The CNN: its arithmetic against Torch's own layers, exactness, storage."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from classify.documents.sequences import Sequences, take_sequences
from classify.learners.cnn_forward import multiply
from classify.learners.cnn_model import CNNClassifier
from classify.learners.cnn_options import PAPER, CNNOptions
from classify.learners.cnn_training import SequenceSet, gradient, initial_parameters
from hin.errors import BadUsage, DamagedGraph

SMALL = CNNOptions(maps=3, epochs=3, batch=16, learning_rate=0.02)


def planted(n: int = 120, seed: int = 0) -> tuple[Sequences, np.ndarray, np.ndarray]:
    """Documents of three kinds; the order of two words decides, so that windows are needed."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 3, n)
    pairs = {0: [0, 1], 1: [1, 0], 2: [2, 2]}
    rows = []
    for kind in kinds:
        noise = rng.integers(3, 30, rng.integers(0, 12)).tolist()
        at = int(rng.integers(0, len(noise) + 1))
        rows.append(noise[:at] + pairs[int(kind)] + noise[at:])
    vectors = rng.standard_normal((30, 8)).astype(np.float32)
    return Sequences.of(rows), vectors, np.eye(3, dtype=np.float32)[kinds]


def torch_forward(options: CNNOptions, p: Any, rows: Sequences, vectors: np.ndarray, mask: Any = None) -> Any:
    """The same network with Torch's convolution and pooling, document by document."""
    import torch

    out = []
    for i in range(rows.n_documents):
        words = torch.zeros((max(1, len(rows.row(i))) + max(options.widths) - 1, vectors.shape[1]))
        for t, word in enumerate(rows.row(i).tolist()[: options.length]):
            if word >= 0:
                words[t] = torch.from_numpy(vectors[word])
        pooled, column = [], 0
        for w, width in enumerate(options.widths):
            block = p["filters"][:, column : column + width * options.maps].reshape(-1, width, options.maps)
            starts = max(1, min(len(rows.row(i)), options.length))
            inputs = words[: starts + width - 1].T[None]
            bias = p["bias"][w * options.maps : (w + 1) * options.maps]
            maps = torch.nn.functional.conv1d(inputs, block.permute(2, 0, 1), bias)
            pooled.append(torch.relu(maps).max(dim=2).values[0])
            column += width * options.maps
        features = torch.cat(pooled)
        if mask is not None:
            features = features * torch.from_numpy(mask[i])
        if options.hidden:
            features = torch.relu(features @ p["hidden"] + p["hidden_bias"])
        out.append(torch.softmax(features @ p["out"] + p["out_bias"], dim=0))
    return torch.stack(out)


def torch_probabilities(model: CNNClassifier, rows: Sequences, vectors: np.ndarray) -> np.ndarray:
    import torch

    parameters = {name: torch.from_numpy(value) for name, value in model.parameters_.items()}
    return np.asarray(torch_forward(model.options, parameters, rows, vectors).numpy())


@pytest.mark.parametrize("options", [SMALL, replace(SMALL, hidden=5), replace(SMALL, length=4, widths=(1, 3))])
@pytest.mark.slow
def test_prediction_is_what_torch_computes(options: CNNOptions) -> None:
    rows, vectors, targets = planted()
    model = CNNClassifier(options).fit(rows, vectors, targets, seed=1)
    odd = Sequences.of([[], [5], [-1, 2, -1], list(range(30))])
    for some in (take_sequences(rows, np.arange(20)), odd):
        expected = torch_probabilities(model, some, vectors)
        assert model.predict_proba(some) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("options", [SMALL, replace(SMALL, hidden=5), replace(SMALL, length=4, widths=(1, 3))])
def test_parts_of_the_words_add_up_to_the_logits(options: CNNOptions) -> None:
    rows, vectors, targets = planted()
    model = CNNClassifier(options).fit(rows, vectors, targets, seed=1)
    some = Sequences.of([[], [5], [-1, 2, -1], list(range(30)), [3, 1, 3, 2]])
    logs = np.log(model.predict_proba(some).astype(np.float64))
    for category in range(3):
        parts = model.parts(some, np.full(5, category))
        owner = np.repeat(np.arange(5), np.diff(parts.offsets))
        total = np.bincount(owner, weights=parts.added, minlength=5) + parts.rest
        assert total == pytest.approx(logs[:, category] - logs.mean(axis=1), abs=1e-4)
        assert not parts.added[parts.instances < 0].any()


@pytest.mark.parametrize("hidden", [0, 4])
def test_the_gradient_is_that_of_finite_differences(hidden: int) -> None:
    rows, vectors, targets = planted(10)
    options = replace(SMALL, hidden=hidden)
    start = initial_parameters(options, 8, 3, np.random.default_rng(0))
    weights = np.linspace(0.5, 2, 10).astype(np.float32)
    loss, gradients = gradient(options, start, SequenceSet(rows, vectors, targets, weights), np.arange(10))
    model = CNNClassifier(options)
    model.parameters_, model._vectors = start, vectors

    def loss_now() -> float:
        return float(-(weights[:, None] * targets * np.log(model.predict_proba(rows).astype(np.float64))).sum())

    assert loss == pytest.approx(loss_now(), rel=1e-4)
    # In a few places of every parameter.
    assert set(gradients) == {name for name, value in start.items() if value.size}
    for name, found in gradients.items():
        flat = start[name].reshape(-1)
        for at in range(0, flat.size, max(1, flat.size // 5)):
            kept, losses = flat[at], []
            for change in (1e-3, -1e-3):
                flat[at] = kept + change
                losses.append(loss_now())
            flat[at] = kept
            assert float(found.reshape(-1)[at]) == pytest.approx((losses[0] - losses[1]) / 2e-3, abs=0.02)


@pytest.mark.parametrize("options", [SMALL, replace(SMALL, hidden=5), replace(SMALL, widths=(1, 3), dropout=0.5)])
def test_the_gradient_is_that_of_torchs_layers(options: CNNOptions) -> None:
    import torch

    rows, vectors, targets = planted(30)
    start = initial_parameters(options, 8, 3, np.random.default_rng(0))
    weights = np.linspace(0.5, 2, 30).astype(np.float32)
    mask = None
    if options.dropout:
        mask = np.random.default_rng(1).choice([0, 2], (30, options.maps * len(options.widths))).astype(np.float32)
    data = SequenceSet(rows, vectors, targets, weights)
    loss, gradients = gradient(options, start, data, np.arange(30), mask=mask)
    parameters = {name: torch.from_numpy(value).requires_grad_() for name, value in start.items()}
    proba = torch_forward(options, parameters, rows, vectors, mask)
    expected = -(torch.from_numpy(weights[:, None] * targets) * torch.log(proba)).sum()
    expected.backward()
    assert loss == pytest.approx(float(expected.detach()), rel=1e-5)
    for name, found in gradients.items():
        assert found == pytest.approx(parameters[name].grad.numpy(), abs=1e-4)


@pytest.mark.slow
def test_word_order_is_learned() -> None:
    rows, vectors, targets = planted(400)
    model = CNNClassifier(CNNOptions(epochs=30, batch=32, learning_rate=0.01)).fit(rows, vectors, targets, seed=0)
    fresh, _, truth = planted(200, seed=7)
    assert (model.predict_proba(fresh).argmax(axis=1) == truth.argmax(axis=1)).mean() > 0.9


@pytest.mark.slow
def test_soft_labels_are_matched_not_sharpened() -> None:
    vectors = np.eye(2, dtype=np.float32)
    rows = Sequences.of([[0], [1]] * 20)
    targets = np.array([[0.7, 0.3], [0.2, 0.8]] * 20, dtype=np.float32)
    model = CNNClassifier(CNNOptions(epochs=300, learning_rate=0.05)).fit(rows, vectors, targets)
    assert model.predict_proba(Sequences.of([[0], [1]])) == pytest.approx(targets[:2], abs=0.03)


@pytest.mark.parametrize("options", [SMALL, replace(PAPER, epochs=4), replace(SMALL, dropout=0.3, hidden=4)])
def test_the_same_seed_gives_the_same_bits_at_any_number_of_threads(options: CNNOptions) -> None:
    rows, vectors, targets = planted()
    weights = np.linspace(0.5, 2, len(targets))
    runs = [CNNClassifier(options).fit(rows, vectors, targets, 3, threads, weights) for threads in (1, 2, 5)]
    for other in runs[1:]:
        assert other.history_ == runs[0].history_
        for name, value in runs[0].parameters_.items():
            assert value.tobytes() == other.parameters_[name].tobytes()
    assert runs[0].predict_proba(rows, 1).tobytes() == runs[0].predict_proba(rows, 3).tobytes()
    changed = CNNClassifier(options).fit(rows, vectors, targets, 4, 1, weights)
    assert changed.parameters_["out"].tobytes() != runs[0].parameters_["out"].tobytes()


def test_a_document_gets_the_same_bits_whatever_stands_beside_it() -> None:
    rows, vectors, targets = planted()
    model = CNNClassifier(SMALL).fit(rows, vectors, targets)
    together = model.predict_proba(rows)
    for i in (0, 5, 119):
        assert model.predict_proba(take_sequences(rows, np.array([i]))).tobytes() == together[i].tobytes()


@pytest.mark.parametrize("columns", [1, 24, 42, 280])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_row_is_multiplied_to_the_same_bits_wherever_it_stands(columns: int, kind: type) -> None:
    rng = np.random.default_rng(0)
    rows, factor = rng.standard_normal((1_500, 100)).astype(kind), rng.standard_normal((100, columns)).astype(kind)
    expected = multiply(rows, factor)
    assert expected == pytest.approx(rows @ factor, abs=1e-4)
    order = rng.permutation(len(rows))
    assert multiply(rows[order], factor).tobytes() == expected[order].tobytes()
    for i in (0, 479, 700, 1_499):
        assert multiply(rows[i : i + 1], factor).tobytes() == expected[i].tobytes()


def test_training_leaves_torchs_threads_as_they_were() -> None:
    import torch

    before = torch.get_num_threads()
    rows, vectors, targets = planted(20)
    CNNClassifier(replace(SMALL, epochs=1)).fit(rows, vectors, targets, threads=2)
    assert torch.get_num_threads() == before


@pytest.mark.slow
def test_early_stopping_watches_held_out_pseudo_documents() -> None:
    rows, vectors, targets = planted(200)
    noise = np.eye(3, dtype=np.float32)[np.random.default_rng(0).integers(0, 3, 200)]
    options = replace(SMALL, epochs=200, patience=2, held_out=0.3, learning_rate=0.05)
    model = CNNClassifier(options).fit(rows, vectors, noise)
    losses = [entry["held_out"] for entry in model.history_]
    assert len(losses) < 200
    assert min(losses) < losses[-1]


@pytest.mark.slow
def test_early_stopping_waits_until_something_is_learned() -> None:
    rows, vectors, targets = planted(200)
    noise = np.eye(3, dtype=np.float32)[np.random.default_rng(0).integers(0, 3, 200)]
    options = replace(SMALL, batch=256, epochs=400, patience=2, held_out=0.3, learning_rate=0.005)
    history = CNNClassifier(options).fit(rows, vectors, noise).history_
    assert history[-1]["loss"] < history[0]["loss"] / 2 and len(history) < 400


@pytest.mark.slow
def test_heavier_documents_decide() -> None:
    vectors = np.eye(2, dtype=np.float32)
    rows, targets = Sequences.of([[0], [0]]), np.eye(2, dtype=np.float32)
    options = CNNOptions(epochs=200, learning_rate=0.05)
    model = CNNClassifier(options).fit(rows, vectors, targets, weights=np.array([9.0, 1.0]))
    assert model.predict_proba(rows)[0, 0] == pytest.approx(0.9, abs=0.02)


def test_an_untrained_network_and_an_empty_folder_say_so(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="not been trained"):
        CNNClassifier().predict_proba(Sequences.of([[0]]))
    with pytest.raises(DamagedGraph):
        CNNClassifier.load(tmp_path, np.eye(2, dtype=np.float32))


def test_vectors_of_another_length_are_refused(tmp_path: Path) -> None:
    rows, vectors, targets = planted(10)
    CNNClassifier(replace(SMALL, epochs=1)).fit(rows, vectors, targets).save(tmp_path)
    with pytest.raises(DamagedGraph, match="8 numbers per word"):
        CNNClassifier.load(tmp_path, vectors[:, :5])


@pytest.mark.parametrize(
    "options",
    [
        {"widths": ()},
        {"widths": (3, 2)},
        {"maps": 0},
        {"optimizer": "magic"},
        {"epochs": 0},
        {"held_out": 1.0},
        {"learning_rate": 0.0},
    ],
)
def test_senseless_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadUsage):
        CNNOptions(**options)  # type: ignore[arg-type]


def test_senseless_training_data_are_refused() -> None:
    rows, vectors, targets = planted(4)
    with pytest.raises(BadUsage, match="targets of shape"):
        CNNClassifier().fit(rows, vectors, targets[:3])
    with pytest.raises(BadUsage, match="weights"):
        CNNClassifier().fit(rows, vectors, targets, weights=np.zeros(4))
    with pytest.raises(BadUsage, match="ids from"):
        CNNClassifier().fit(Sequences.of([[99]]), vectors, targets[:1])
