"""Options for documents with several categories; without heavy imports, for the command line."""

from __future__ import annotations

from dataclasses import dataclass, fields

from hin.errors import BadUsage
from hin.option_fields import check_limits, flag_of, option


@dataclass(frozen=True)
class SeveralOptions:
    """Several categories per document.

    Examples
    --------
    >>> SeveralOptions(several=True, at_most=3).enabled
    True
    """

    several: bool = option(False, "A document may have several categories, or none.")
    threshold: float | None = option(
        None, "With --several: give every category with at least this probability.", least=0, most=1
    )
    at_most: int | None = option(None, "With --several: give no document more categories than this.", least=1)
    expected_number: float | None = option(
        None,
        "With --several: the mean number of categories of a document. Default: estimated without labels.",
        least=0.01,
    )

    @property
    def enabled(self) -> bool:
        """Whether documents may have several categories; raises if options of it are set without `several`."""
        check_limits(self)
        if not self.several:
            for entry in fields(self):
                if entry.name != "several" and getattr(self, entry.name) is not None:
                    flag = flag_of(entry.name, None)
                    raise BadUsage(f"{flag} is about several categories per document", hint="add --several")
        return self.several
