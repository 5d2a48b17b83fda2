"""The vector of a category's name in the joint embedding."""

from __future__ import annotations

from dataclasses import dataclass

from hin.arrays.types import Floats


@dataclass(frozen=True, eq=False)
class NameVector:
    """A category in the embedding space: the instances that are its name and keywords, their direction, its kappa.

    Examples
    --------
    >>> import numpy as np
    >>> NameVector((3,), np.array([1.0, 0.0], dtype=np.float32), 0.5).instances
    (3,)
    """

    instances: tuple[int, ...]
    vector: Floats
    kappa: float
    category: str = ""
