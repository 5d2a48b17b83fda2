"""Options of the demo corpus."""

from __future__ import annotations

from dataclasses import dataclass

from hin.option_fields import option


@dataclass(frozen=True)
class DemoOptions:
    """Size and difficulty of the demo corpus.

    Attributes
    ----------
    documents : int
        How many documents.
    seed : int
        The same seed gives the same bytes.
    own, other : float
        The probability that a word belongs to the document's topic, or to another category.
    stray_team, stray_venue : float
        The probability that a team leaves its field, and that a document is outside its venue's scope.
    names_itself : float
        The probability that a document names its category.
    """

    documents: int = option(3000, "How many documents to make.", least=100, common=True)
    seed: int = option(0, "The random seed: the same seed gives the same bytes.", common=True, least=0)
    own: float = 0.5
    other: float = 0.25
    stray_team: float = 0.1
    stray_venue: float = 0.125
    names_itself: float = 0.2
    first_year: int = 2001
    years: int = 18
    scope_years: int = 3
    team_years: int = 6
