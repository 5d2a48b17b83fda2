"""A linear discriminant in the views, trained on soft labels.

Naive Bayes takes words as independent and is soon overconfident. Halfway through the EM, its soft labels train a
linear discriminant in the views of the corpus, where documents that share no word may be neighbours. Its scores are
added to those of the names, and the EM starts anew from the sum. Each model corrects the drift of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from classify.recipe.options import DiscriminantOptions
from classify.views.base import Space
from hin.arrays.score_rows import in_units
from hin.arrays.stored_rows import row_blocks
from hin.arrays.types import Floats, Reals
from hin.files.mapped import mapped_zeros, release_pages


def discriminant_scores(
    spaces: Sequence[Space],
    posterior: Reals,
    options: DiscriminantOptions | None = None,
) -> Floats:
    """Return scores of Fisher's linear discriminant, trained on the soft labels, in units of their spread.

    The categories are normal distributions that share one covariance (Hastie et al. 2009, section 4.3), so a small one
    is not drawn towards the large ones as it would be by a regression.

    Examples
    --------
    >>> documents = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]], dtype=np.float32)
    >>> posterior = np.array([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.5, 0.5]])
    >>> discriminant_scores([Space(documents, documents)], posterior).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """
    options = options or DiscriminantOptions()
    n, n_categories = posterior.shape
    width = sum(space.documents.shape[1] for space in spaces)
    gram, sums = np.zeros((width, width)), np.zeros((width, n_categories))
    sizes = np.zeros(n_categories)
    for first, part in _blocks(spaces):
        believed = posterior[first : first + len(part)]
        gram += part.T @ part
        sums += part.T @ believed.astype(np.float32)
        sizes += believed.sum(axis=0, dtype=np.float64)
        release_pages(posterior)
    means = sums / np.maximum(sizes, 1e-9)
    within = (gram - (means * sizes) @ means.T) / max(n, 1) + options.ridge * np.eye(width)
    directions = np.linalg.solve(within, means)
    prior = options.uniform / n_categories + (1 - options.uniform) * sizes / max(float(sizes.sum()), 1e-9)
    level = np.log(np.maximum(prior, 1e-12)) - 0.5 * (means * directions).sum(axis=0)
    scores: Floats = mapped_zeros((n, n_categories), np.float32)
    for first, part in _blocks(spaces):
        found = part @ directions.astype(np.float32) + level
        scores[first : first + len(part)] = found - found.mean(axis=1, keepdims=True)
        release_pages(scores)
    return in_units(scores)


def _blocks(spaces: Sequence[Space]) -> Iterator[tuple[int, Floats]]:
    """Yield blocks of documents with their vectors in all views concatenated, and the first row of each block."""
    for first, last in row_blocks(len(spaces[0].documents)):
        yield first, np.concatenate([space.documents[first:last] for space in spaces], axis=1)
