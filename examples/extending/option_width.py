"""An option in one field: its default, its help and its limit; the command line, Python and the reference follow."""

from __future__ import annotations

from dataclasses import dataclass

from hin.option_fields import check_limits, option


@dataclass(frozen=True)
class SpellingOptions:
    """How spellings are compared."""

    width: int = option(256, "Length of the vectors of a spelling.", least=1)

    def __post_init__(self) -> None:
        check_limits(self, "spelling")
