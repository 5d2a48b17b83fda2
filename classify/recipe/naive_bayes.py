"""Seeded naive Bayes EM: soft labels from name scores, refined by the words that each category's documents share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from classify.categories.known import Known
from classify.recipe.options import BayesOptions
from classify.several.levels import log_of_sets
from hin.arrays.linalg import add_product, product
from hin.arrays.row_blocks import in_blocks
from hin.arrays.score_rows import log_softmax
from hin.arrays.stored_rows import BLOCK, row_blocks
from hin.arrays.types import Doubles, Floats, Reals
from hin.engines.local import LocalEngine
from hin.files.mapped import mapped_zeros, release_pages
from hin.progress import Progress, silent


def log_odds(
    counts: Doubles,
    total: Doubles,
    smoothing: float,
    inside: Doubles | None = None,
    everything: float | None = None,
) -> Doubles:
    """Return the log odds of each instance in a category against the other categories: categories x instances.

    Both probabilities are smoothed with `smoothing` times each instance's share of all evidence. A category is compared
    with the others and not with the whole corpus, or a large one would be its own background (complement naive Bayes,
    Rennie et al. 2003). For a part of the instances, `inside` is the evidence of each category over all instances and
    `everything` that of all categories.

    >>> log_odds(np.array([[3.0, 1.0], [1.0, 3.0]]), np.array([4.0, 4.0]), 0.0).round(3).tolist()
    [[1.099, -1.099], [-1.099, 1.099]]
    """
    everything = float(total.sum()) if everything is None else everything
    background = smoothing * total / max(everything, 1e-12)
    rest = total - counts
    within = (counts.sum(axis=1) if inside is None else inside)[:, None]
    outside = everything - within
    tiny = 1e-12
    return np.asarray(
        np.log((counts + background + tiny) / (within + smoothing + tiny))
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
    scores: Reals,
    options: BayesOptions | None = None,
    shares: Sequence[float] | None = None,
    threads: int = 1,
    progress: Progress = silent,
    known: Known | None = None,
) -> Doubles:
    """Return log posteriors of the categories for every document.

    If a document may have several categories, each value is the log probability of that category by itself, and they
    need not add up to 1.

    Parameters
    ----------
    weights : CSR or blocks of rows, documents x instances
        The evidence.
    scores : float[documents, categories]
        The scores that the EM starts from.
    shares : expected category sizes; they replace the prior.
    known : documents with a known category; where it is certain, each counts `known_weight` times.

    Examples
    --------
    >>> from scipy import sparse
    >>> weights = sparse.csr_array(np.array([[2, 0, 1], [0, 2, 0], [0, 0, 1.0]], dtype=np.float32))
    >>> start = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> naive_bayes_em(weights, start, BayesOptions(smoothing=0.3)).argmax(axis=1).tolist()
    [0, 1, 0]
    """
    options = options or BayesOptions()
    rows = in_blocks(weights, threads)
    rows = replace(rows, read=partial(_evidence, rows.read, options.evidence)).cached()
    n_categories, n_instances = scores.shape[1], rows.shape[1]
    start = np.asarray(scores, dtype=np.float32)
    shape = ((n_instances, n_categories), "float32")
    total, taught = np.zeros(n_instances), np.zeros((n_instances, n_categories), dtype=np.float32)
    if known is not None:
        more = (options.known_weight - 1) * known.weights  # an answer outweighs its document as far as it is certain
        add_product(rows[known.rows], more[:, None] * known.targets(n_categories), taught)
    model: tuple[Any, Any] | None = None  # no odds yet: the first posteriors follow from the start alone
    for done in range(options.rounds):
        progress("naive Bayes", done, options.rounds)
        counts, sizes = rows.total(_expect, [shape, ((n_categories,), "float64")], start, model, options, known)
        counts += taught
        if not done:  # every posterior adds up to 1, so the counts of all categories are the evidence
            total = counts.sum(axis=1, dtype=np.float64) / (options.expected or 1.0)
        prior = options.uniform / n_categories + (1 - options.uniform) * sizes / max(len(start), 1)
        if shares is not None:
            prior = np.asarray(shares, dtype=np.float64)
        if options.expected is not None:  # the level of a document's scores determines how many categories it has
            prior = np.ones(n_categories)
        model = (_odds(counts, total, options.smoothing, threads), np.log(prior))
    logs = mapped_zeros(scores.shape, np.float64)
    for number, block in enumerate(rows.each(_posterior, start, model, options, known)):
        logs[number * BLOCK : number * BLOCK + len(block)] = block
        release_pages(logs)
    return logs


def _odds(counts: Floats, total: Doubles, smoothing: float, threads: int) -> Floats:
    """Overwrite the counts with `log_odds`, instances x categories, a block of instances at a time."""
    inside, everything = counts.sum(axis=0, dtype=np.float64), float(total.sum())

    def some(rows: tuple[int, int]) -> None:
        here = slice(*rows)
        counts[here] = log_odds(counts[here].astype(np.float64).T, total[here], smoothing, inside, everything).T

    list(LocalEngine(f"local:{max(1, threads)}").map(some, row_blocks(len(counts))))
    return counts


def _evidence(read: Callable[[int], Any], most: float, number: int) -> Any:
    """Read a block of documents, with the evidence of each capped."""
    return capped(read(number), most)


def _posterior(
    evidence: Any, number: int, start: Floats, model: tuple[Any, Any] | None, options: BayesOptions, known: Known | None
) -> Doubles:
    """Return the log posteriors of a block of documents; without a model, those by the start scores alone."""
    first = number * BLOCK
    begun = options.sharpness * start[first : first + BLOCK].astype(np.float64)
    believed = log_softmax if options.expected is None else partial(log_of_sets, expected=options.expected)
    if model is None:
        logs = believed(begun)
    else:
        odds, prior = model
        kept = log_softmax(begun) if options.expected is None else begun
        logs = believed(product(evidence, odds) + prior + options.keep * kept)
    if known is None:
        return logs
    return np.asarray(np.log(np.maximum(known.within(first, first + len(logs)).clamp(np.exp(logs)), 1e-300)))


def _expect(
    evidence: Any,
    number: int,
    sums: list[Any],
    start: Floats,
    model: tuple[Any, Any] | None,
    options: BayesOptions,
    known: Known | None,
) -> None:
    """Add a block's evidence, weighted by the posteriors, to the categories' sums (part of the E step)."""
    posterior = np.exp(_posterior(evidence, number, start, model, options, known))
    add_product(evidence, posterior, sums[0])
    sums[1] += posterior.sum(axis=0)
