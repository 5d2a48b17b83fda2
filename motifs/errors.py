"""What can go wrong with a motif template or its matching."""

from __future__ import annotations

import unicodedata

from hin.errors import BadUsage, HinError

__all__ = ["BadInstanceName", "BadPattern", "TooManyInstances"]


class BadPattern(BadUsage):
    """A template that cannot be read, or that names what the graph does not have.

    The message shows the template with a caret under the fault.

    Examples
    --------
    >>> print(BadPattern.at("venue-yaer", 6, "no field 'yaer'").message)
    bad pattern
      venue-yaer
            ^ no field 'yaer'
    """

    @classmethod
    def at(cls, text: str, position: int, what: str, hint: str | None = None) -> BadPattern:
        """Make the error for a fault at one character of the template."""
        shown = "".join(c if c.isprintable() else " " for c in text)
        wide = sum(unicodedata.east_asian_width(c) in "WF" for c in shown[:position])
        return cls(f"bad pattern\n  {shown}\n  {' ' * (position + wide)}^ {what}", hint=hint)


class BadInstanceName(BadUsage):
    """A motif instance name that is not of the form FIELD[value]-FIELD[value]."""


class TooManyInstances(HinError):
    """A template with more instances than the memory allows."""
