"""Numbers as people write them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def count(n: float) -> str:
    """Return a count with separators.

    >>> count(115806)
    '115,806'
    """
    return f"{n:,.0f}"


def plural(n: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> plural(1, "document"), plural(2, "category", "categories")
    ('1 document', '2 categories')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def shortened(text: str, width: int) -> str:
    """Cut a text to a number of characters; an ellipsis stands for the rest.

    >>> shortened("The harvest comes in", 12), shortened("The harvest", 12)
    ('The harvest…', 'The harvest')
    """
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the start of a hint with the name that is spelled most similarly, ignoring case; empty if there is none.

    >>> did_you_mean("Titel", ["title", "state"]), did_you_mean("title", ["state", "date"])
    ("did you mean 'title'? ", '')
    """
    known = {other.casefold(): other for other in names}
    near = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=0.7)
    return f"did you mean {known[near[0]]!r}? " if near else ""


def duration(seconds: float) -> str:
    """Return a time span in the unit that fits.

    >>> duration(0.25), duration(7.31), duration(75), duration(7300)
    ('0.25 s', '7.3 s', '1 min 15 s', '2 h 2 min')
    """
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60) if seconds >= 3600 else int(seconds // 60)
    if seconds < 3600:
        return f"{minutes} min {int(seconds % 60)} s"
    return f"{minutes // 60} h {minutes % 60} min"


def size(n: float) -> str:
    """Return a number of bytes.

    >>> size(999), size(33_399_928)
    ('999 B', '33.4 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if n < 1000 or unit == "GB":
            return f"{n:.0f} B" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1000
    raise AssertionError("unreachable")
