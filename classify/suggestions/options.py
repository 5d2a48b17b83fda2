"""Options of suggestions. The command line builds its options from them at start-up: import nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass

from hin.option_fields import check_limits, option


@dataclass(frozen=True)
class SuggestOptions:
    """What is suggested.

    Attributes
    ----------
    words : words and values offered for each category.
    least : a word or value must be in at least this many documents.
    accepted : how many suggested words each weak category gets in the labels file that is written.
    """

    words: int = option(8, "How many words and values to suggest for each category.", "--top", least=1)
    least: int = option(10, "Suggest only words and values in at least this many documents.", "--least", least=1)
    accepted: int = option(
        3, "With --write: how many suggested words to add to each weak category.", "--accept", least=0
    )

    def __post_init__(self) -> None:
        check_limits(self, "suggest")
