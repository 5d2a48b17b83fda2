"""MotifClass, the paper's own system, and its two ablations (section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task

_PAPER = "Zhang et al., MotifClass: Weakly Supervised Text Classification with Higher-order Metadata, WSDM 2022"
_DIFFERS = (
    "As decision 0035 says: no hidden layer before the softmax, and eta is lowered for a category where too few "
    "instances pass. 50 retrieved and 50 generated documents per category always (the paper: 100 and 100 on Amazon)."
)


@SYSTEMS.register("motifclass")
@dataclass(frozen=True)
class MotifClass(System):
    """The preset `paper`; the settings are section 4.1's."""

    about = About(
        title="MotifClass",
        paper=_PAPER,
        follows="Sections 3.1 to 3.3: joint embedding with specificity, selection, retrieval, generation, CNN.",
        differs=_DIFFERS,
    )
    instances: int = 50
    eta: float = 2.0
    retrieved: int = 50
    generated: int = 50
    dim: int = 100
    window: int = 5
    negatives: int = 5
    higher_order: ClassVar[bool] = True
    specificity: ClassVar[bool] = True

    def run(self, task: Task) -> Outcome:
        """Fit the preset `paper` on the graph."""
        from classify.paper.options import PaperOptions, SelectionOptions
        from embed.options import EmbedOptions

        embed = EmbedOptions(
            dim=self.dim, window=self.window, negatives=self.negatives, threads=task.threads, seed=task.seed
        )
        if not self.specificity:  # every kappa is fixed to be 1
            embed = replace(embed, kappa_start=1.0, kappa_speed=0.0)
        chosen = SelectionOptions(self.instances, self.eta, self.higher_order, self.specificity)
        patterns = task.pattern_names if self.higher_order else task.field_names
        paper = PaperOptions(chosen, self.retrieved, self.generated)
        with task.pipeline(patterns, preset="paper", embed=embed, paper=paper) as pipeline:
            return Outcome(pipeline.classification.scores)


@SYSTEMS.register("motifclass-no-higher-order")
@dataclass(frozen=True)
class NoHigherOrder(MotifClass):
    """MotifClass that sees single metadata fields only."""

    about = About(
        title="MotifClass-NoHigherOrder",
        paper=_PAPER,
        follows="Section 4.1: only single metadata types are input motifs.",
        differs=_DIFFERS,
    )
    higher_order = False


@SYSTEMS.register("motifclass-no-specificity")
@dataclass(frozen=True)
class NoSpecificity(MotifClass):
    """MotifClass without specificity."""

    about = About(
        title="MotifClass-NoSpecificity",
        paper=_PAPER,
        follows="Section 4.1: every kappa is 1, and selection does not look at it.",
        differs=_DIFFERS,
    )
    specificity = False
