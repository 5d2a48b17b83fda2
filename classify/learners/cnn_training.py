"""Training of the CNN in Torch, exact for a seed at any number of threads.

Threads project the words and find the largest windows of different documents; Torch, on one thread, computes the layers
after pooling and their gradient. That of the filters is a sum over the words of the largest windows alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from classify.documents.sequences import Sequences, take_sequences
from classify.learners.cnn_forward import Words, cut, lay_out, places, pool_windows, run_all, tabulate
from classify.learners.cnn_head import apply_head, torch_log_proba
from classify.learners.cnn_options import CNNOptions
from classify.learners.torch_thread import one_torch_thread
from hin.arrays.types import Floats, Int64, Reals
from hin.errors import MissingStage
from hin.progress import Progress

#: Early stopping begins once the loss has fallen to this share of the first epoch's: before that the held-out loss may
#: rise, and an untrained network would be the result (decision 0036).
_LEARNING = 0.5
#: Words that a thread projects at a time, and columns of the filters whose gradient it computes.
_ROWS, _COLUMNS = 1024, 70


class SequenceSet(NamedTuple):
    """Documents as sequences of instances, the instances' vectors, and a target and weight for each document."""

    rows: Sequences
    vectors: Floats
    targets: Floats
    weights: Reals


def train(
    options: CNNOptions,
    data: SequenceSet,
    seed: int,
    threads: int,
    progress: Progress | None,
    start: Mapping[str, Floats] | None = None,
) -> tuple[dict[str, Floats], list[dict[str, float]]]:
    """Train the parameters, beginning with `start` where given, and return them with the losses of every epoch."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingStage(
            "the CNN is trained with Torch, which is not installed",
            hint="install it with `pip install torch`, or leave the CNN out with `classifier=linear`",
        ) from error
    rng = np.random.default_rng([seed, 0xC44])  # the number sets its draws apart from those of other steps
    weights = (data.weights / np.mean(data.weights)).astype(np.float32)
    data = data._replace(rows=cut(data.rows, options.length), weights=weights)
    shape = data.vectors.shape[1], data.targets.shape[1]
    state = {name: value.copy() for name, value in (start or initial_parameters(options, *shape, rng)).items()}
    order = rng.permutation(len(data.targets))
    # Early stopping needs no true labels: it uses the loss of pseudo-labelled documents outside the training set.
    n_held_out = int(len(order) * options.held_out) if options.patience > 0 else 0
    held_out, trained = np.sort(order[:n_held_out]), np.sort(order[n_held_out:])
    history: list[dict[str, float]] = []
    best, best_loss, worse = state, np.inf, 0
    steps = -(-len(trained) // options.batch)
    update = _Update(options, state, options.epochs * steps)
    with one_torch_thread(), ThreadPoolExecutor(max(1, threads)) as pool:
        for epoch in range(options.epochs):
            shuffled = trained[rng.permutation(len(trained))]
            total = 0.0
            for step in range(steps):
                batch = shuffled[step * options.batch : (step + 1) * options.batch]
                loss, gradients = gradient(options, state, data, batch, pool, _dropout(options, rng, len(batch)))
                update.apply(state, gradients, len(batch))
                total += loss
            entry = {"epoch": epoch + 1.0, "loss": total / float(weights[trained].sum())}
            if n_held_out:
                entry["held_out"] = _held_out_loss(options, state, data, held_out, pool)
            history.append(entry)
            if progress is not None:
                progress("training the CNN", epoch + 1, options.epochs, f"loss {entry['loss']:.3f}")
            watching = n_held_out > 0 and entry["loss"] < _LEARNING * history[0]["loss"]
            if not watching or entry["held_out"] < best_loss - 1e-4:
                best_loss, worse = entry["held_out"] if watching else np.inf, 0
                best = {name: value.copy() for name, value in state.items()}
            else:
                worse += 1
                if worse >= options.patience:
                    break
    return best, history


def initial_parameters(options: CNNOptions, dim: int, categories: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Draw Glorot-uniform parameters; the filters have one column for each map and position in its window."""
    maps, n_pooled = options.maps, options.maps * len(options.widths)

    def uniform(fan_in: int, fan_out: int, shape: tuple[int, int]) -> Floats:
        bound = np.sqrt(6.0 / (fan_in + fan_out))
        return rng.uniform(-bound, bound, size=shape).astype(np.float32)

    filters = np.hstack([uniform(w * dim, maps, (dim, w * maps)) for w in options.widths])
    last = options.hidden or n_pooled
    return {
        "filters": np.ascontiguousarray(filters),
        "bias": np.zeros(n_pooled, dtype=np.float32),
        "hidden": uniform(n_pooled, max(options.hidden, 1), (n_pooled, options.hidden)),
        "hidden_bias": np.zeros(options.hidden, dtype=np.float32),
        "out": uniform(last, categories, (last, categories)),
        "out_bias": np.zeros(categories, dtype=np.float32),
    }


def gradient(
    options: CNNOptions,
    parameters: Mapping[str, Floats],
    data: SequenceSet,
    batch: Int64,
    pool: ThreadPoolExecutor | None = None,
    mask: Floats | None = None,
) -> tuple[float, dict[str, Floats]]:
    """Return the summed loss of a batch and its gradient."""
    import torch

    filters = parameters["filters"]
    p = {name: torch.from_numpy(value).requires_grad_() for name, value in parameters.items() if name != "filters"}
    words = lay_out(options, take_sequences(data.rows, batch), data.vectors)
    best, where = pool_windows(options, _project(words.inputs, filters[:, places(options).order], pool), words, pool)
    pooled = torch.from_numpy(best).requires_grad_()
    log_proba = torch_log_proba(p, pooled, mask)
    loss = -(torch.from_numpy(data.targets[batch] * data.weights[batch, None]) * log_proba).sum()
    # Without a hidden layer, its parameters are there but unused.
    *found, of_pooled = torch.autograd.grad(loss, [*p.values(), pooled], allow_unused=True)
    gradients = {name: g.numpy() for name, g in zip(p, found, strict=True) if g is not None}
    return float(loss.detach()), {
        **gradients,
        "filters": _filter_gradient(options, of_pooled.numpy(), where, words, pool),
    }


def _project(inputs: Floats, filters: Floats, pool: ThreadPoolExecutor | None) -> Floats:
    """Multiply the words' vectors with the filters, in blocks that do not depend on the number of threads."""
    found = np.empty((len(inputs), filters.shape[1]), dtype=np.float32)

    def block(start: int) -> None:
        np.matmul(inputs[start : start + _ROWS], filters, out=found[start : start + _ROWS])

    run_all(pool, block, range(0, len(inputs), _ROWS))
    return found


def _filter_gradient(
    options: CNNOptions, of_pooled: Floats, where: Int64, words: Words, pool: ThreadPoolExecutor | None
) -> Floats:
    """Return the gradient of the filters: max-pooling passes a map's gradient to the words of its largest window."""
    from scipy import sparse

    order, first_maps, columns = places(options)
    starts = words.starts[:-1, None] + where
    at = np.vstack([words.tokens[starts[:, first:] + j].T for j, first in enumerate(first_maps)])
    passed = np.vstack([of_pooled[:, first:].T for first in first_maps])
    found = np.empty((words.inputs.shape[1], columns[-1]), dtype=np.float32)

    def some(first: int) -> None:
        here = slice(first, min(first + _COLUMNS, columns[-1]))
        offsets = np.arange(here.stop - first + 1) * at.shape[1]
        rows = sparse.csr_array(
            (passed[here].ravel(), at[here].ravel(), offsets), (here.stop - first, len(words.inputs))
        )
        found[:, order[here]] = (rows @ words.inputs).T

    run_all(pool, some, range(0, columns[-1], _COLUMNS))
    return found


def _held_out_loss(
    options: CNNOptions,
    parameters: Mapping[str, Floats],
    data: SequenceSet,
    held_out: Int64,
    pool: ThreadPoolExecutor,
) -> float:
    """Return the weighted mean of the cross-entropy of the documents outside the training set."""
    words = lay_out(options, take_sequences(data.rows, held_out), data.vectors)
    pooled, _ = pool_windows(options, tabulate(options, parameters["filters"], words, pool), words, pool)
    losses = -(data.targets[held_out] * np.log(np.maximum(apply_head(parameters, pooled).proba, 1e-12))).sum(axis=1)
    return float(np.average(losses, weights=data.weights[held_out]))


class _Update:
    """SGD with momentum, or Adam; written out because `torch.optim` costs seconds to import."""

    def __init__(self, options: CNNOptions, parameters: Mapping[str, Floats], steps: int) -> None:
        self.options, self.steps, self.done = options, steps, 0
        # Moments of the gradient: Adam's first and second; with SGD, the first is the momentum.
        self.mean = {name: np.zeros_like(value) for name, value in parameters.items()}
        self.square = {name: np.zeros_like(value) for name, value in parameters.items()}

    def apply(self, parameters: dict[str, Floats], gradients: Mapping[str, Floats], documents: int) -> None:
        """Move the parameters one step against the mean gradient of a batch."""
        rate = self.options.learning_rate * (1 - self.done / self.steps if self.options.decay else 1.0)
        self.done += 1
        for name, summed in gradients.items():
            mean, square = self.mean[name], self.square[name]
            found = summed / np.float32(documents)
            if self.options.optimizer == "sgd":
                mean *= self.options.momentum
                mean += found
                parameters[name] -= np.float32(rate) * mean
            else:
                # Adam's usual constants: .9 and .999, with the correction for moments that begin at zero.
                mean += np.float32(0.1) * (found - mean)
                square += np.float32(0.001) * (found * found - square)
                scale = np.float32(rate * np.sqrt(1 - 0.999**self.done) / (1 - 0.9**self.done))
                parameters[name] -= scale * mean / (np.sqrt(square) + np.float32(1e-8))


def _dropout(options: CNNOptions, rng: np.random.Generator, n: int) -> Floats | None:
    """Draw the dropout mask of a batch's pooled features, scaled so that their mean does not change."""
    if not options.dropout:
        return None
    kept = rng.random((n, options.maps * len(options.widths)), dtype=np.float32) >= options.dropout
    return (kept / (1 - options.dropout)).astype(np.float32)
