"""A hierarchical attention network: words make sentences, sentences make documents (Yang et al., NAACL 2016).

A batch is split into lanes whose gradients are computed in parallel and added in order, so the result is the same
at any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from classify.documents.sequences import Sequences
from hin.arrays.types import Floats, Int64
from hin.progress import Progress

_LANES = 4


@dataclass(frozen=True)
class HANOptions:
    """Two GRUs of 100 units per direction, Adam, as META's authors have them.

    Attributes
    ----------
    words, sentences : how long a sentence is, and how many are read.
    patience : epochs without a lower loss on the held-out tenth before training stops.
    """

    units: int = 100
    words: int = 20
    sentences: int = 10
    batch: int = 64
    rate: float = 1e-3
    epochs: int = 10
    patience: int = 3


def to_sentences(sequences: Sequences, words: int, sentences: int) -> Int64:
    """Split documents into sentences of equal length, padded with -1: int[documents, sentences, words].

    >>> to_sentences(Sequences.of([[5, 6, 7], []]), 2, 2).tolist()
    [[[5, 6], [7, -1]], [[-1, -1], [-1, -1]]]
    """
    n = sequences.n_documents
    out = np.full((n, sentences * words), -1, dtype=np.int64)
    lengths = np.diff(sequences.offsets)
    within = np.arange(len(sequences.ids)) - np.repeat(sequences.offsets[:-1], lengths)
    kept = within < sentences * words
    out[np.repeat(np.arange(n), lengths)[kept], within[kept]] = sequences.ids[kept]
    return out.reshape(n, sentences, words)


class _Attention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(size, size), nn.Linear(size, 1, bias=False)

    def forward(self, states: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        scores = self.outer(torch.tanh(self.inner(states))).squeeze(-1)
        weights = torch.softmax(scores.masked_fill(~known, -1e9), dim=1)
        return (weights.unsqueeze(-1) * states).sum(dim=1)


class HAN(nn.Module):
    """Frozen word vectors, a GRU and attention over words, the same over sentences, softmax."""

    def __init__(self, vectors: Floats, categories: int, options: HANOptions) -> None:
        super().__init__()
        blank = np.zeros((1, vectors.shape[1]), dtype=np.float32)
        self.vectors = torch.from_numpy(np.concatenate([vectors, blank]))
        both = 2 * options.units
        self.words = nn.GRU(vectors.shape[1], options.units, batch_first=True, bidirectional=True)
        self.sentences = nn.GRU(both, options.units, batch_first=True, bidirectional=True)
        self.word_attention, self.sentence_attention = _Attention(both), _Attention(both)
        self.out = nn.Linear(both, categories)

    def forward(self, documents: Int64) -> torch.Tensor:
        """Return logits of documents as `to_sentences` gives them."""
        ids = torch.from_numpy(documents)
        known = ids >= 0
        there = known.any(dim=2)
        there[:, 0] = True  # an empty document is one empty sentence
        states, _ = self.words(self.vectors[ids[there]])
        sentences = torch.zeros((*there.shape, states.shape[2]))
        sentences[there] = self.word_attention(states, known[there])
        states, _ = self.sentences(sentences)
        logits: torch.Tensor = self.out(self.sentence_attention(states, there))
        return logits


def fit_han(
    model: HAN,
    documents: Int64,
    labels: Int64,
    options: HANOptions,
    rng: np.random.Generator,
    threads: int,
    progress: Progress,
) -> None:
    """Train on nine tenths with early stopping on the rest; restore the best epoch."""
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=options.rate)
    order = rng.permutation(len(labels))
    held, kept = np.sort(order[: len(order) // 10]), np.sort(order[len(order) // 10 :])
    best, lowest, worse = _state(model), np.inf, 0
    with _pool(threads) as pool:
        for epoch in range(options.epochs):
            progress("hierarchical attention network", epoch, options.epochs)
            shuffled = kept[rng.permutation(len(kept))]
            for start in range(0, len(shuffled), options.batch):
                _step(model, parameters, documents, labels, shuffled[start : start + options.batch], pool)
                optimizer.step()
            if not len(held):
                best = _state(model)
                continue
            proba = _predict(model, documents[held], pool)
            loss = float(-np.log(np.maximum(proba[np.arange(len(held)), labels[held]], 1e-12)).mean())
            if loss < lowest:
                best, lowest, worse = _state(model), loss, 0
            else:
                worse += 1
                if worse >= options.patience:
                    break
    model.load_state_dict(best)


def predict_han(model: HAN, documents: Int64, threads: int) -> Floats:
    """Return probabilities of all documents."""
    with _pool(threads) as pool:
        return _predict(model, documents, pool)


def _step(
    model: HAN, parameters: list[Any], documents: Int64, labels: Int64, batch: Int64, pool: ThreadPoolExecutor
) -> None:
    def lane(k: int) -> tuple[torch.Tensor, ...]:
        rows = batch[k::_LANES]
        loss = nn.functional.cross_entropy(model(documents[rows]), torch.from_numpy(labels[rows]), reduction="sum")
        return torch.autograd.grad(loss / len(batch), parameters)

    done = list(pool.map(lane, range(min(_LANES, len(batch)))))
    for at, parameter in enumerate(parameters):
        total = done[0][at]
        for gradients in done[1:]:
            total = total + gradients[at]
        parameter.grad = total


def _predict(model: HAN, documents: Int64, pool: ThreadPoolExecutor) -> Floats:
    def part(start: int) -> Floats:
        with torch.inference_mode():
            return np.asarray(torch.softmax(model(documents[start : start + 128]), dim=1).numpy())

    return np.concatenate(list(pool.map(part, range(0, len(documents), 128))))


def _pool(threads: int) -> ThreadPoolExecutor:
    set_one: Callable[[int], None] = torch.set_num_threads
    return ThreadPoolExecutor(max(1, threads), initializer=set_one, initargs=(1,))


def _state(model: HAN) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in model.state_dict().items()}
