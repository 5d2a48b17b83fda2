"""The CNN: its arithmetic against Torch's own layers, exactness, storage."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from classify.documents.sequences import Sequences, take_sequences
from classify.learners.cnn_model import CNNClassifier
from classify.learners.cnn_options import PAPER, CNNOptions
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


def torch_probabilities(model: CNNClassifier, rows: Sequences, vectors: np.ndarray) -> np.ndarray:
    """The same network with Torch's convolution and pooling, document by document."""
    import torch

    options, p = model.options, {k: torch.from_numpy(v) for k, v in model.parameters_.items()}
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
        if options.hidden:
            features = torch.relu(features @ p["hidden"] + p["hidden_bias"])
        out.append(torch.softmax(features @ p["out"] + p["out_bias"], dim=0).numpy())
    return np.array(out)


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


def test_the_gradient_through_the_winning_windows_is_torchs_gradient() -> None:
    import torch

    from classify.learners.cnn_training import _gradient, _start, _tabulated

    rows, vectors, targets = planted(10)
    options = replace(SMALL, hidden=4)
    start = _start(options, 8, 3, np.random.default_rng(0))
    parameters = {name: torch.from_numpy(value).requires_grad_() for name, value in start.items()}
    with ThreadPoolExecutor(1) as pool:
        words = _tabulated(options, parameters["filters"].detach(), rows, vectors, pool)
    loss, gradients = _gradient(options, parameters, words, targets, np.ones(10, dtype=np.float32), None)
    model = CNNClassifier(options)
    model.parameters_, model._vectors = start, vectors
    assert loss == pytest.approx(-(targets * np.log(model.predict_proba(rows))).sum(), rel=1e-4)
    # Finite differences of the loss, in a few places of every parameter.
    for name, gradient in zip(("filters", "bias", "hidden", "hidden_bias", "out", "out_bias"), gradients, strict=True):
        assert gradient is not None
        flat = start[name].reshape(-1)
        for at in range(0, flat.size, max(1, flat.size // 5)):
            kept, losses = flat[at], []
            for change in (1e-2, -1e-2):
                flat[at] = kept + change
                losses.append(-(targets * np.log(model.predict_proba(rows).astype(np.float64))).sum())
            flat[at] = kept
            assert float(gradient.reshape(-1)[at]) == pytest.approx((losses[0] - losses[1]) / 2e-2, abs=0.05)


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
    with pytest.raises(DamagedGraph, match="8 numbers a word"):
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
