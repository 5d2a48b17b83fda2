"""Options of the paper's pipeline."""

from __future__ import annotations

from dataclasses import dataclass

from hin.option_fields import check_limits, option

__all__ = ["SelectionOptions"]


@dataclass(frozen=True)
class SelectionOptions:
    """How indicative instances are chosen; the defaults are the paper's.

    Attributes
    ----------
    size : how many instances a category gets, its name among them.
    eta : an instance must be this many times as specific as the name; None takes what fits the kappa, see `eta_for`.
    higher_order : whether combinations of metadata count (off: the paper's ablation NoHigherOrder).
    specificity : whether kappa is looked at (off: the paper's ablation NoSpecificity).

    Examples
    --------
    >>> SelectionOptions().eta_for("learned"), SelectionOptions(eta=1.5).eta_for("estimated")
    (2.0, 1.5)
    """

    size: int = option(50, "Indicative instances a category.", "--instances", least=1)
    eta: float | None = option(
        None, "How many times as specific as the name. Default: 1, or 2 for the learned kappa.", least=0
    )
    higher_order: bool = option(True, "Ablation: only single fields and terms.", "--higher-order/--no-higher-order")
    specificity: bool = option(True, "Ablation: select without looking at kappa.", "--use-specificity/--no-specificity")

    def __post_init__(self) -> None:
        check_limits(self, "select")

    def eta_for(self, kappa: str) -> float:
        """Return eta; the paper's 2 is a factor on the kappa that SGD learns, the estimated one has another scale."""
        if self.eta is not None:
            return self.eta
        return 2.0 if kappa == "learned" else 1.0
