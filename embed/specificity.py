"""How specific each motif instance is: the concentration of its documents on the sphere, in closed form."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from embed.edges import Edges
from embed.vectors import centred_units

__all__ = ["concentration", "estimate_specificity", "mean_cosines"]

#: An instance in so few documents counts half by itself, half by what is usual.
SHRINK_DOCUMENTS = 5.0


def mean_cosines(edges: Edges, documents: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mean cosine between the centred vectors of two documents of each instance; nan where there is only one.

    It is (|sum d|^2 - n) / (n (n - 1)): the squared mean resultant length without its bias.
    """
    from embed.specificity_kernel import squared_resultants

    units = centred_units(documents)
    squared, counts = squared_resultants(edges.instance_offsets, edges.instances, units, edges.n_instances)
    n = counts.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(n > 1, (squared - n) / (n * (n - 1)), np.nan)


def concentration(squared_length: NDArray[np.float64], dim: int) -> NDArray[np.float64]:
    """The von Mises-Fisher kappa of a squared mean resultant length: R (p - R^2) / (1 - R^2).

    Examples
    --------
    >>> concentration(np.array([-0.1, 0.0, 0.25]), 100).round(1).tolist()
    [0.0, 0.0, 66.5]
    """
    square = np.clip(squared_length, 0.0, 0.999)
    return np.asarray(np.sqrt(square) * (dim - square) / (1.0 - square))


def estimate_specificity(edges: Edges, documents: NDArray[np.float32]) -> NDArray[np.float32]:
    """Kappa of every instance from the documents that hold it (section 3.1.1: they are drawn from vMF(e_m, kappa_m)).

    The mean cosine of an instance in n documents is drawn towards the usual one with the weight of 5 documents, so
    that a chance meeting of a few documents does not look specific.
    """
    cosines = mean_cosines(edges, documents)
    counts = edges.instance_degrees().astype(np.float64)
    known = np.isfinite(cosines)
    usual = float(np.average(cosines[known], weights=counts[known])) if known.any() else 0.0
    filled = np.where(known, cosines, usual)
    weight = np.where(known, counts, 0.0)
    shrunk = (weight * filled + SHRINK_DOCUMENTS * usual) / (weight + SHRINK_DOCUMENTS)
    return concentration(shrunk, documents.shape[1]).astype(np.float32)
