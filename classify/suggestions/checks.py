"""Find misleading names: in documents of other categories, nearly the same as another, too broad, too rare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.categories.term_lookup import words_of
from classify.suggestions.grounds import Grounds
from hin.arrays.types import Bools, Doubles
from hin.human import plural

#: A name in fewer documents is too rare to judge.
_RARE = 10
#: A name in this share of all documents, spread over half of the categories or more, is too broad.
_BROAD = 0.1
#: A name misleads if another category has this many times as many of its documents as its own.
_WRONG = 2.0
#: A share of fewer documents is shown as a count.
_SHARES = 50


@dataclass(frozen=True)
class NameCheck:
    """The problems of one name.

    Attributes
    ----------
    category : the name.
    documents : how many documents hold it, or all its words.
    own : the share of these documents that belong to the category, according to the model.
    problems : one sentence each; empty if there are none.
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
    """Check each name by the categories that the model gives to the documents that hold it."""
    found = []
    for number, (category, finding) in enumerate(zip(grounds.categories, grounds.findings, strict=True)):
        shares, documents = _holders(grounds, category.name, finding)
        problems = list(_problems(grounds, number, finding, shares, documents))
        found.append(NameCheck(category.name, documents, float(shares[number]), tuple(problems)))
    return found


def _holders(grounds: Grounds, name: str, finding: Mapping[str, Any]) -> tuple[Doubles, int]:
    """Return each category's share of the documents that hold a name or all its words, and their number."""
    holds_name = _with(grounds, [str(finding.get("term"))]) | _with(grounds, words_of(name))
    if not holds_name.any():
        return np.zeros(len(grounds.categories)), 0
    given = np.asarray(grounds.probabilities[holds_name]).argmax(axis=1)
    return np.bincount(given, minlength=len(grounds.categories)) / len(given), len(given)


def _with(grounds: Grounds, terms: Sequence[str]) -> Bools:
    """Return the mask of documents that hold all of these terms."""
    found = np.ones(grounds.counts.shape[0], dtype=np.bool_)
    for term in terms:
        at = grounds.number.get(f"TERM[{term}]")
        has_term = np.zeros(len(found), dtype=np.bool_)
        if at is not None:
            has_term[grounds.incidence.indices[grounds.incidence.indptr[at] : grounds.incidence.indptr[at + 1]]] = True
        found &= has_term
    return found if len(terms) else ~found


def _problems(grounds: Grounds, number: int, finding: Any, shares: Doubles, documents: int) -> list[str]:
    problems = []
    helped = any(keyword["documents"] for keyword in finding.get("keywords", ()))
    # `hin classify` counted it inside longer terms too.
    anywhere = max(documents, finding.get("documents", 0), finding.get("written", 0))
    if helped and anywhere < _RARE:
        pass  # the user has given keywords
    elif not anywhere:
        composed = finding.get("status") in ("composed", "meaning")
        problems.append("occurs nowhere as written" if composed else "occurs nowhere")
    elif anywhere < _RARE:
        problems.append(f"is in only {plural(anywhere, 'document')}")
    other = int(shares.argmax())
    if documents and shares[other] > _WRONG * shares[number]:
        problems.append(
            f"misleads: of its {plural(documents, 'document')} {_some(shares[number], documents)} of this "
            f"category, {_some(shares[other], documents).split()[0]} of {grounds.classes[other]!r}"
        )
    spread = float(np.exp(-(shares * np.log(np.maximum(shares, 1e-12))).sum()))
    if documents > _BROAD * len(grounds.graph) and spread > len(grounds.categories) / 2:
        problems.append(f"is too broad: in {documents / len(grounds.graph):.0%} of all documents, of all kinds")
    problems += [f"is nearly the same as {name!r} (cosine {cosine:.2f})" for name, cosine in finding.get("near", ())]
    return problems


def _some(share: float, documents: int) -> str:
    """Format a share of some documents, with its verb.

    >>> _some(0.5, 2), _some(0.0, 2), _some(0.13, 400)
    ('1 is', 'none is', '13% are')
    """
    if documents >= _SHARES:
        return f"{share:.0%} are"
    number = round(share * documents)
    return "none is" if not number else f"{number} is" if number == 1 else f"{number} are"
