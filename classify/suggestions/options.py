"""Options of suggestions; imported before anything heavy, to make the options of the command line."""

from __future__ import annotations

from dataclasses import dataclass

from hin.option_fields import check_limits, option

__all__ = ["SuggestOptions"]


@dataclass(frozen=True)
class SuggestOptions:
    """What is suggested.

    Attributes
    ----------
    words : words and values offered for each category.
    least : a word or value must be in at least so many documents.
    accepted : so many of them stand in the labels file that is written, for each weak category.
    """

    words: int = option(8, "Words and values offered for each category.", "--top", least=1)
    least: int = option(10, "Offer nothing that is in fewer documents.", "--least", least=1)
    accepted: int = option(3, "With --write: so many of them for each weak category.", "--accept", least=0)

    def __post_init__(self) -> None:
        check_limits(self, "suggest")
