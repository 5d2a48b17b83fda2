"""The errors of motif templates and their matching."""

from __future__ import annotations

from hin.errors import BadUsage, HinError


class BadPattern(BadUsage):
    """A template that cannot be parsed, or that names what the graph does not have.

    The message shows the template and the position of the fault.

    Examples
    --------
    >>> print(BadPattern.at("venue-yaer", 6, "no field 'yaer'").message)
    bad pattern 'venue-yaer', character 7: no field 'yaer'
    """

    @classmethod
    def at(cls, text: str, position: int, what: str, hint: str | None = None) -> BadPattern:
        """Make the error for a fault at one character of the template."""
        return cls(f"bad pattern {text!r}, character {position + 1}: {what}", hint=hint)


class BadInstanceName(BadUsage):
    """A motif instance name that is not of the form FIELD[value]-FIELD[value]."""


class TooManyInstances(HinError):
    """A template with more instances than the memory allows."""
