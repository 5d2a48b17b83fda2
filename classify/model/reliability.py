"""How far a run's labels can be trusted: the expected accuracy, and the weak categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.score_rows import best
from hin.arrays.types import Bools, Ints, Reals
from hin.human import plural

if TYPE_CHECKING:
    from classify.categories.finding import CategoryFinding
    from classify.recipe.soft_labels import SoftLabels

#: Below this expected accuracy labels are called poor.
_POOR = 0.45
#: Below the first mean confidence a category is weak; below the second, if an opinion gives it less than a share of
#: its documents (docs/experiments/confidence.md).
_WEAK, _DOUBTFUL, _LEFT = 0.33, 0.48, 0.45
#: With fewer documents that hold a name, the note says so.
_FEW = 20

#: The schema of a stored reliability.
RELIABILITY = {
    "expected_accuracy": (None, float),
    "weak": [{"category": str, "documents": int, "confidence": float, "held": int, "disagree": bool}],
}


@dataclass(frozen=True)
class WeakCategory:
    """A category whose labels are probably wrong.

    Attributes
    ----------
    documents : how many got it.
    confidence : their mean confidence.
    held : how many documents hold its name.
    disagree : whether the corpus or knowledge gives it few of these documents.
    """

    category: str
    documents: int
    confidence: float
    held: int
    disagree: bool

    def __str__(self) -> str:
        why = "its labels are unsure"
        if self.held < _FEW:
            why = (
                f"its name is in {plural(self.held, 'document')}" if self.held else "its name occurs nowhere as written"
            )
        also = "; the corpus and the meaning of its name disagree" if self.disagree else ""
        return f"{self.category}: weak ({why}{also}); add words, or answer 20 documents with `hin ask`"


@dataclass(frozen=True)
class Reliability:
    """How far labels can be trusted, estimated without true labels.

    Attributes
    ----------
    expected_accuracy : the estimated share of right labels; None where it cannot be estimated.
    weak : the categories that are probably wrong.
    """

    expected_accuracy: float | None = None
    weak: tuple[WeakCategory, ...] = ()

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Reliability:
        """Make a reliability from what `as_record` returned."""
        return cls(record["expected_accuracy"], tuple(WeakCategory(**given) for given in record["weak"]))

    def as_record(self) -> dict[str, Any]:
        """Return the reliability as a record for JSON."""
        known = self.expected_accuracy
        return {
            "expected_accuracy": None if known is None else round(known, 4),
            "weak": [asdict(category) for category in self.weak],
        }

    @property
    def warning(self) -> str | None:
        """Return the warning that the labels are poor; None where they are not.

        >>> Reliability(0.31).warning
        'These labels are probably poor: about 3 of 10 are expected to be right; add words, or answer 20 with `hin ask`'
        >>> Reliability(0.8).warning is None
        True
        """
        if self.expected_accuracy is None or self.expected_accuracy >= _POOR:
            return None
        right = max(round(10 * self.expected_accuracy), 1)
        return (
            f"These labels are probably poor: about {right} of 10 are expected to be right; "
            "add words, or answer 20 with `hin ask`"
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the notes for the user, the warning first."""
        return tuple(filter(None, [self.warning, *map(str, self.weak)]))


def assess(
    labels: Ints,
    probabilities: Reals,
    soft: SoftLabels,
    findings: Sequence[CategoryFinding],
    accuracy: float | None,
    taught: bool = False,
    sets: Bools | None = None,
) -> Reliability:
    """Estimate how far the labels can be trusted.

    Where known documents have corrected the opinions, the start is what the labels are compared with.

    Parameters
    ----------
    labels, probabilities : of all documents.
    soft : the soft labels from which the classifier was trained: their opinions are compared.
    findings : what each name was found as.
    accuracy : the expected accuracy of the labels.
    taught : whether the start holds what known documents taught.
    sets : the mask of each document's categories, where it may have several.
    """
    opinions = {"start": best(soft.start)} if taught else soft.opinions
    sure = probabilities.max(axis=1)
    weak = []
    for column, finding in enumerate(findings):
        own = labels == column if sets is None else sets[:, column]
        if not own.any():
            continue
        confidence = float((sure if sets is None else probabilities[:, column])[own].mean())
        left = min((float(np.mean(said[own] == column)) for said in opinions.values()), default=1.0)
        if confidence < (_DOUBTFUL if left < _LEFT else _WEAK):
            disagree = left < _LEFT and not taught
            documents, held = int(own.sum()), int(finding.document_count)
            weak.append(WeakCategory(finding.category, documents, round(confidence, 4), held, disagree))
    return Reliability(accuracy, tuple(weak))
