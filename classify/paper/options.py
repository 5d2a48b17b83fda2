"""Options of the paper's pipeline; without heavy imports, as the command line imports them first."""

from __future__ import annotations

from dataclasses import dataclass, field

from classify.learners.cnn_options import PAPER, CNNOptions
from hin.errors import BadUsage
from hin.option_fields import ABLATIONS, check_limits, nested, option


@dataclass(frozen=True)
class SelectionOptions:
    """How indicative instances are chosen; the defaults are the paper's.

    Attributes
    ----------
    size : the number of instances of a category, its name among them.
    eta : an instance must be this many times as specific as the name; None for the default of the kappa, see `eta_for`.
    higher_order : whether combinations of metadata are used (off: the paper's ablation NoHigherOrder).
    specificity : whether kappa is used (off: the paper's ablation NoSpecificity).

    Examples
    --------
    >>> SelectionOptions().eta_for("learned"), SelectionOptions(eta=1.5).eta_for("estimated")
    (2.0, 1.5)
    """

    size: int = option(50, "Indicative instances per category.", "--instances", least=1)
    eta: float | None = option(
        None,
        "The least kappa of an instance, as a multiple of the category name's. Default: 1, or 2 for learned kappa.",
        least=0,
    )
    higher_order: bool = option(
        True, "Off: only single fields and terms.", "--higher-order/--no-higher-order", heading=ABLATIONS
    )
    specificity: bool = option(
        True, "Off: ignore kappa when selecting.", "--use-specificity/--no-specificity", heading=ABLATIONS
    )

    def __post_init__(self) -> None:
        check_limits(self, "select")

    def eta_for(self, kappa: str) -> float:
        """Return eta; the paper's 2 is a factor on the kappa that SGD learns, the estimated one has another scale."""
        if self.eta is not None:
            return self.eta
        return 2.0 if kappa == "learned" else 1.0


@dataclass(frozen=True)
class GenerationOptions:
    """How documents are generated; the authors' code uses concentration 200 for MAG-CS.

    Attributes
    ----------
    concentration : kappa of the von Mises–Fisher distribution of document vectors around the name.
    neighbours : the number of nearest words and metadata that a document is drawn from.
    length : the number of words and metadata in a document; None for the corpus's mean.
    """

    concentration: float = 200.0
    neighbours: int = 50
    length: int | None = None

    def __post_init__(self) -> None:
        if not self.concentration >= 0:
            raise BadUsage(f"the concentration is {self.concentration}", hint="give a number from 0 up, e.g. 200")
        if self.neighbours < 1 or (self.length is not None and self.length < 1):
            raise BadUsage("generated documents need at least one neighbour and one word")


@dataclass(frozen=True)
class PaperOptions:
    """Every size and switch of the paper's pipeline.

    Attributes
    ----------
    retrieved, generated : pseudo documents per category (the paper: 50 and 50 for MAG-CS, 100 and 100 for Amazon; its
        table 6 tries other pairs, 0 among them).
    cnn : the classifier that is trained on them.
    """

    selection: SelectionOptions = nested(SelectionOptions)
    retrieved: int = option(50, "Pseudo documents retrieved per category.", least=0, heading="With --preset paper")
    generated: int = option(50, "Pseudo documents generated per category.", least=0, heading="With --preset paper")
    generation: GenerationOptions = field(default_factory=GenerationOptions)
    cnn: CNNOptions = PAPER

    def __post_init__(self) -> None:
        if self.retrieved < 0 or self.generated < 0 or self.retrieved + self.generated == 0:
            raise BadUsage(
                f"{self.retrieved} retrieved and {self.generated} generated documents are nothing to learn from",
                hint="the paper uses 50 and 50",
            )
