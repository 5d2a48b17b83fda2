"""Seeded naive Bayes EM: labels from name scores, refined by what documents of a category have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.documents.products import product
from classify.documents.score_rows import log_softmax
from classify.recipe.known import Known
from hin.progress import Progress, silent

__all__ = ["BayesOptions", "naive_bayes_em"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class BayesOptions:
    """How the EM runs.

    Attributes
    ----------
    rounds : E and M steps.
    temperature : what the start scores are multiplied with before the softmax.
    smoothing : evidence that each category starts with, as if drawn from the whole corpus: that of 500 long documents.
    evidence : no document has more evidence than this, so that long ones are not overconfident.
    keep : how much of the start's log posterior stays in every round.
    uniform : share of the uniform distribution in the prior of the categories.
    """

    rounds: int = 8
    temperature: float = 2.0
    smoothing: float = 10_000.0
    evidence: float = 20.0
    keep: float = 1.0
    uniform: float = 0.5


def log_odds(
    counts: npt.NDArray[np.float64], total: npt.NDArray[np.float64], smoothing: float
) -> npt.NDArray[np.float64]:
    """Return how much likelier each instance is in a category than in the others: log odds, categories x instances.

    Both are smoothed with `smoothing` times each instance's share of all evidence. Against the rest, not against
    everything, a large category is not its own background (complement naive Bayes, Rennie et al. 2003).

    >>> log_odds(np.array([[3.0, 1.0], [1.0, 3.0]]), np.array([4.0, 4.0]), 0.0).round(3).tolist()
    [[1.099, -1.099], [-1.099, 1.099]]
    """
    background = smoothing * total / max(total.sum(), 1e-12)
    rest = total - counts
    inside, outside = counts.sum(axis=1, keepdims=True), rest.sum(axis=1, keepdims=True)
    tiny = 1e-12
    return np.asarray(
        np.log((counts + background + tiny) / (inside + smoothing + tiny))
        - np.log((np.maximum(rest, 0) + background + tiny) / (outside + smoothing + tiny))
    )


def capped(weights: Any, most: float) -> Any:
    """Return rows scaled down to a sum of at most `most`.

    >>> from scipy import sparse
    >>> capped(sparse.csr_array([[3.0, 1.0], [1.0, 0.0]]), 2.0).toarray().tolist()
    [[1.5, 0.5], [1.0, 0.0]]
    """
    from scipy import sparse

    sizes = np.diff(weights.indptr)
    sums = np.add.reduceat(np.append(weights.data.astype(np.float64), 0.0), weights.indptr[:-1])
    scale = np.minimum(1.0, most / np.maximum(np.where(sizes > 0, sums, 0.0), 1e-12))
    values = (weights.data * np.repeat(scale, sizes)).astype(np.float32)
    return sparse.csr_array((values, weights.indices, weights.indptr), shape=weights.shape)


def naive_bayes_em(
    weights: Any,
    scores: npt.NDArray[np.floating[Any]],
    options: BayesOptions | None = None,
    shares: Sequence[float] | None = None,
    threads: int = 1,
    progress: Progress = silent,
    known: Known | None = None,
    known_weight: float = 1.0,
) -> npt.NDArray[np.float64]:
    """Return log posteriors of the categories for every document.

    Parameters
    ----------
    weights : CSR, documents x instances
        The evidence.
    scores : float[documents, categories]
        Where the posteriors start.
    shares : expected category sizes; they replace the prior.
    known : documents that are held to their category; each counts `known_weight` times.

    Examples
    --------
    >>> from scipy import sparse
    >>> weights = sparse.csr_array(np.array([[2, 0, 1], [0, 2, 0], [0, 0, 1.0]], dtype=np.float32))
    >>> start = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> naive_bayes_em(weights, start, BayesOptions(smoothing=0.3)).argmax(axis=1).tolist()
    [0, 1, 0]
    """
    options = options or BayesOptions()
    evidence = capped(weights, options.evidence)
    transposed = evidence.T.tocsr()
    total = np.bincount(evidence.indices, weights=evidence.data, minlength=evidence.shape[1]).astype(np.float64)
    start = log_softmax(options.temperature * np.asarray(scores, dtype=np.float64))
    logs = start
    n_categories = start.shape[1]
    taught = np.zeros((n_categories, evidence.shape[1]))
    if known is not None:
        own = evidence[known.rows].T.tocsr()
        taught = (known_weight - 1) * product(own, known.targets(n_categories), threads).T.astype(np.float64)
    total = total + taught.sum(axis=0)
    for done in range(options.rounds):
        progress("naive Bayes", done, options.rounds)
        posterior = np.exp(logs) if known is None else known.held(np.exp(logs))
        counts = product(transposed, posterior, threads).T.astype(np.float64) + taught
        sizes = posterior.sum(axis=0) / len(posterior)
        prior = options.uniform / n_categories + (1 - options.uniform) * sizes
        if shares is not None:
            prior = np.asarray(shares, dtype=np.float64)
        odds = log_odds(counts, total, options.smoothing)
        likelihood = product(evidence, odds.T, threads)
        logs = log_softmax(likelihood + np.log(prior) + options.keep * start)
    return logs if known is None else np.log(np.maximum(known.held(np.exp(logs)), 1e-300))
