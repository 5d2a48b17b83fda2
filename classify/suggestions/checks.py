"""Names that mislead: in documents of other categories, nearly the same as another, too broad, too rare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.suggestions.grounds import Grounds
from hin.human import plural

__all__ = ["NameCheck", "check_names"]

#: A name in fewer documents says little about where it belongs.
_RARE = 10
#: A name in so many of all documents, spread over half of the categories or more, is too broad.
_BROAD = 0.1


@dataclass(frozen=True)
class NameCheck:
    """What is wrong with one name.

    Attributes
    ----------
    category : the name.
    documents : in how many documents it is.
    own : how many of those are of its category, as the model sees it.
    problems : a sentence each; empty if all is well.
    """

    category: str
    documents: int
    own: float
    problems: tuple[str, ...]

    @property
    def weak(self) -> bool:
        """Whether the category needs help."""
        return bool(self.problems)

    def as_dict(self) -> dict[str, Any]:
        """Return the check as a record for machines."""
        return {
            "category": self.category,
            "documents": self.documents,
            "own": round(self.own, 4),
            "weak": self.weak,
            "problems": list(self.problems),
        }


def check_names(grounds: Grounds) -> list[NameCheck]:
    """Look at the documents that hold each name: of which categories they are, as the model sees it."""
    found = []
    for number, (category, finding) in enumerate(zip(grounds.categories, grounds.findings, strict=True)):
        shares, documents = _holders(grounds, finding)
        problems = list(_problems(grounds, number, finding, shares, documents))
        found.append(NameCheck(category.name, documents, float(shares[number]), tuple(problems)))
    return found


def _holders(grounds: Grounds, finding: Any) -> tuple[npt.NDArray[np.float64], int]:
    """Return the categories of the documents that hold a name, as shares, and how many documents that are."""
    term = finding.get("term")
    at = next((i for i in _terms(grounds, term)), None) if term else None
    if at is None or not grounds.documents[at]:
        return np.zeros(len(grounds.categories)), 0
    return grounds.inside[at] / grounds.documents[at], int(grounds.documents[at])


def _terms(grounds: Grounds, term: str) -> list[int]:
    name = f"TERM[{term}]"
    return [i for i, other in enumerate(grounds.facts.names) if other == name]


def _problems(
    grounds: Grounds, number: int, finding: Any, shares: npt.NDArray[np.float64], documents: int
) -> list[str]:
    problems = []
    if not documents:
        problems.append("occurs nowhere")
    elif documents < _RARE:
        problems.append(f"is in only {plural(documents, 'document')}")
    other = int(shares.argmax())
    if documents and other != number:
        problems.append(
            f"pulls the wrong way: of its {plural(documents, 'document')} {shares[number]:.0%} are of this category, "
            f"{shares[other]:.0%} of {grounds.classes[other]!r}"
        )
    spread = float(np.exp(-(shares * np.log(np.maximum(shares, 1e-12))).sum()))
    if documents > _BROAD * len(grounds.graph) and spread > len(grounds.categories) / 2:
        problems.append(f"is too broad: in {documents / len(grounds.graph):.0%} of all documents, of all kinds")
    problems += [f"nearly the same as {name!r} (cosine {cosine:.2f})" for name, cosine in finding.get("near", ())]
    return problems
