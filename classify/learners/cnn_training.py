"""Training of the CNN in Torch, exact for a seed at any number of threads.

A batch is split into a fixed number of lanes; each lane computes its gradient with one Torch thread, the gradients are
added in the order of the lanes. The windows are found by the kernel that prediction uses; Torch differentiates all that
comes after them. Max-pooling hands the gradient of a map to one window only, so the filters' is a sum over those.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from classify.documents.sequences import Sequences, take_sequences
from classify.learners.cnn_forward import Floats, apply_head, by_place, compact, cut, pool_windows, tabulate
from classify.learners.cnn_options import CNNOptions
from classify.learners.torch_thread import one_torch_thread
from hin.engines.base import ranges
from hin.errors import MissingStage
from hin.progress import Progress

if TYPE_CHECKING:
    import torch

__all__ = ["train"]

_NAMES = ("filters", "bias", "hidden", "hidden_bias", "out", "out_bias")
#: Early stopping looks once the loss has fallen to this share of the first epoch's: before that the held-out documents'
#: loss may well rise, and what would be kept is a network that has learned nothing (decision 0036).
_LEARNING = 0.5


def train(
    options: CNNOptions,
    rows: Sequences,
    vectors: Floats,
    targets: Floats,
    *,
    seed: int,
    threads: int,
    weights: npt.NDArray[np.floating[Any]] | None,
    progress: Progress | None,
    start: Mapping[str, Floats] | None = None,
) -> tuple[dict[str, Floats], list[dict[str, float]]]:
    """Fit the parameters, from `start` on where given, and return them with the losses of every epoch."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise MissingStage(
            "the CNN is trained with Torch, which is not installed",
            hint="install it with `pip install torch`, or leave the CNN out with `classifier=linear`",
        ) from error

    rng = np.random.default_rng([seed, 0xC44])
    rows = cut(rows, options.length)
    weight = np.ones(len(targets)) if weights is None else np.asarray(weights, dtype=np.float64)
    weight = (weight / weight.mean()).astype(np.float32)
    state = dict(start) if start else _start(options, vectors.shape[1], targets.shape[1], rng)
    order = rng.permutation(len(targets))
    # Early stopping needs no labels: it watches pseudo-labelled documents the gradient has not seen.
    n_held = int(len(order) * options.held_out) if options.patience > 0 else 0
    held, kept = np.sort(order[:n_held]), np.sort(order[n_held:])
    history: list[dict[str, float]] = []
    best, best_loss, worse = state.copy(), np.inf, 0
    steps = -(-len(kept) // options.batch)
    with (
        one_torch_thread(),
        ThreadPoolExecutor(max(1, threads), initializer=torch.set_num_threads, initargs=(1,)) as pool,
    ):
        parameters = {name: torch.from_numpy(state[name].copy()).requires_grad_() for name in _NAMES}
        update = _Update(options, parameters, options.epochs * steps)
        for epoch in range(options.epochs):
            shuffled = kept[rng.permutation(len(kept))]
            total = 0.0
            for step in range(steps):
                batch = shuffled[step * options.batch : (step + 1) * options.batch]
                mask = _dropout(options, rng, len(batch))
                total += _step(options, parameters, update, rows, vectors, targets, weight, batch, mask, pool)
            entry = {"epoch": epoch + 1.0, "loss": total / float(weight[kept].sum())}
            state = {name: parameters[name].detach().numpy().copy() for name in _NAMES}
            if n_held:
                entry["held_out"] = _loss(options, state, rows, vectors, targets, weight, held, pool)
            history.append(entry)
            if progress is not None:
                progress("training the CNN", epoch + 1, options.epochs, f"loss {entry['loss']:.3f}")
            looking = n_held > 0 and entry["loss"] < _LEARNING * history[0]["loss"]
            if not looking or entry["held_out"] < best_loss - 1e-4:
                best, best_loss, worse = state, entry["held_out"] if looking else np.inf, 0
            else:
                worse += 1
                if worse >= options.patience:
                    break
    return best, history


def _start(options: CNNOptions, dim: int, categories: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Glorot's uniform start; the filters of all widths side by side, one column a map and position."""
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


def _step(
    options: CNNOptions,
    parameters: dict[str, torch.Tensor],
    update: _Update,
    rows: Sequences,
    vectors: Floats,
    targets: Floats,
    weight: Floats,
    batch: npt.NDArray[np.int64],
    mask: Floats | None,
    pool: ThreadPoolExecutor,
) -> float:
    """Return one step of gradient descent; the sum of the batch's losses."""
    # The lanes' documents one after the other: their words are multiplied with the filters once for all of them.
    lanes = [np.arange(k, len(batch), options.lanes) for k in range(min(options.lanes, len(batch)))]
    part = take_sequences(rows, batch[np.concatenate(lanes)])
    words = _tabulated(options, parameters["filters"].detach(), part, vectors, pool)

    def lane(k: int) -> tuple[float, list[torch.Tensor | None]]:
        first, mine = sum(map(len, lanes[:k])), lanes[k]
        own = words._replace(offsets=part.offsets[first : first + len(mine) + 1])
        picked, lane_mask = batch[mine], None if mask is None else mask[mine]
        return _gradient(options, parameters, own, targets[picked], weight[picked], lane_mask)

    done = list(pool.map(lane, range(len(lanes))))
    gradients: list[torch.Tensor | None] = list(done[0][1])
    for _, lane_gradients in done[1:]:
        gradients = [a if a is None or b is None else a + b for a, b in zip(gradients, lane_gradients, strict=True)]
    update.apply([None if g is None else g / len(batch) for g in gradients])
    return sum(loss for loss, _ in done)


class _Words(NamedTuple):
    """Documents in the words of their batch.

    Attributes
    ----------
    tokens, offsets : the number of each word of the batch, and where the documents begin.
    inputs, table : the vectors of the words and a last row of zeros, and what the filters make of them (`by_place`).
    """

    tokens: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    inputs: Floats
    table: Floats


def _tabulated(
    options: CNNOptions, filters: torch.Tensor, part: Sequences, vectors: Floats, pool: ThreadPoolExecutor
) -> _Words:
    """Multiply each word of some documents with the filters, in as many parts as there are lanes."""
    import torch

    used, tokens = compact(part.ids, len(vectors))
    inputs = np.zeros((len(used) + 1, vectors.shape[1]), dtype=np.float32)
    table = np.empty((len(inputs), filters.shape[1]), dtype=np.float32)
    placed = filters[:, torch.from_numpy(by_place(options)[0])]

    def some(rows: tuple[int, int]) -> None:
        here = slice(*rows)
        inputs[here][: len(used[here])] = vectors[used[here]]
        torch.mm(torch.from_numpy(inputs[here]), placed, out=torch.from_numpy(table[here]))

    list(pool.map(some, ranges(len(inputs), -(-len(inputs) // options.lanes))))
    return _Words(tokens, part.offsets, inputs, table)


def _gradient(
    options: CNNOptions,
    parameters: dict[str, torch.Tensor],
    words: _Words,
    targets: Floats,
    weight: Floats,
    mask: Floats | None,
) -> tuple[float, list[torch.Tensor | None]]:
    """Return loss of one lane and its gradient, through the winning windows alone."""
    import torch

    from classify.learners import cnn_kernel

    tokens, offsets, inputs, table = words
    n, maps = len(targets), options.maps
    widths = np.array(options.widths, dtype=np.int64)
    best = np.empty((n, maps * len(widths)), dtype=np.float32)
    where = np.empty(best.shape, dtype=np.int16)
    cnn_kernel.pool(tokens, offsets, 0, n, table, *by_place(options)[1:], best, where)
    pooled = torch.from_numpy(best).requires_grad_()
    features = torch.relu(pooled + parameters["bias"])
    if mask is not None:
        features = features * torch.from_numpy(mask)
    if options.hidden:
        features = torch.relu(features @ parameters["hidden"] + parameters["hidden_bias"])
    log_proba = torch.log_softmax(features @ parameters["out"] + parameters["out_bias"], dim=1)
    losses = -(torch.from_numpy(np.ascontiguousarray(targets, dtype=np.float32)) * log_proba).sum(dim=1)
    loss = (losses * torch.from_numpy(weight)).sum()
    slope, *rest = torch.autograd.grad(loss, [pooled, *(parameters[n] for n in _NAMES[1:])], allow_unused=True)
    slopes = np.zeros(parameters["filters"].shape[::-1], dtype=np.float32)
    cnn_kernel.filter_slopes(tokens, offsets, where, slope.numpy(), inputs, widths, maps, slopes)
    return float(loss.detach()), [torch.from_numpy(slopes.T), *rest]


class _Update:
    """SGD with momentum, or Adam; written out because `torch.optim` costs seconds to import."""

    def __init__(self, options: CNNOptions, parameters: Mapping[str, torch.Tensor], steps: int) -> None:
        import torch

        self.options, self.steps, self.done = options, steps, 0
        self.parameters = [parameters[name] for name in _NAMES]
        self.mean = [torch.zeros_like(p) for p in self.parameters]
        self.square = [torch.zeros_like(p) for p in self.parameters]

    def apply(self, gradients: list[torch.Tensor | None]) -> None:
        """Move the parameters one step."""
        import torch

        rate = self.options.learning_rate * (1 - self.done / self.steps if self.options.decay else 1.0)
        self.done += 1
        with torch.no_grad():
            for p, g, mean, square in zip(self.parameters, gradients, self.mean, self.square, strict=True):
                if g is None:
                    continue
                if self.options.optimizer == "sgd":
                    mean.mul_(self.options.momentum).add_(g)
                    p.sub_(rate * mean)
                else:
                    mean.mul_(0.9).add_(g, alpha=0.1)
                    square.mul_(0.999).addcmul_(g, g, value=0.001)
                    scale = rate * np.sqrt(1 - 0.999**self.done) / (1 - 0.9**self.done)
                    p.sub_(scale * mean / (square.sqrt() + 1e-8))


def _dropout(options: CNNOptions, rng: np.random.Generator, n: int) -> Floats | None:
    """Return which pooled features of a batch survive, scaled up to keep their mean."""
    if not options.dropout:
        return None
    kept = rng.random((n, options.maps * len(options.widths)), dtype=np.float32) >= options.dropout
    return (kept / (1 - options.dropout)).astype(np.float32)


def _loss(
    options: CNNOptions,
    state: dict[str, Floats],
    rows: Sequences,
    vectors: Floats,
    targets: Floats,
    weight: Floats,
    picked: npt.NDArray[np.int64],
    pool: ThreadPoolExecutor,
) -> float:
    """Return mean weighted cross-entropy of some documents."""
    part = take_sequences(rows, picked)
    pooled, _ = pool_windows(options, *tabulate(options, state, vectors, part, pool), part, pool)
    proba = np.empty((len(picked), targets.shape[1]), dtype=np.float32)
    apply_head(state, pooled, proba, pool)
    losses = -(targets[picked] * np.log(np.maximum(proba, 1e-12))).sum(axis=1)
    return float((losses * weight[picked]).sum() / weight[picked].sum())
