"""Options of the learners that have few of them; the CNN's are in `cnn_options`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LinearOptions:
    """How the linear classifier is trained.

    Attributes
    ----------
    penalty : weight of ½‖coefficients‖² against the sum of the documents' losses.
    balance : a document's weight is (mean size / size of its category) to this power.
    rounds : the largest number of L-BFGS steps.
    """

    penalty: float = 1.0
    balance: float = 0.5
    rounds: int = 12


@dataclass(frozen=True)
class AverageOptions:
    """How much each member counts.

    Attributes
    ----------
    share : the CNN's share; the linear classifier has the rest.
    """

    share: float = 0.3
