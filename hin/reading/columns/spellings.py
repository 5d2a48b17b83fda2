"""Find values that differ only in case, accents or spaces: often one thing written in two ways."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

#: Combining marks above, below and attached; others, such as those of Japanese or Hindi, make another letter.
_ACCENTS = frozenset((202, 216, 220, 230))


def fold(name: str) -> str:
    """Normalise a name: without case, accents and spaces.

    >>> fold(" Dramas") == fold("dramas"), fold("Müller") == fold("Muller")
    (True, True)
    """
    if not name.isascii():
        parts = unicodedata.normalize("NFKD", name)
        name = "".join(sign for sign in parts if unicodedata.combining(sign) not in _ACCENTS)
    return re.sub(r"\s+", " ", name).strip().casefold()


def find_respellings(names: Iterable[str]) -> tuple[int, tuple[str, str] | None]:
    """Count the names that differ from another one only in spelling, and return the first such pair.

    >>> find_respellings(["Dramas", "Crime", " Dramas"])
    (1, ('Dramas', ' Dramas'))
    """
    first: dict[str, str] = {}
    count, pair = 0, None
    for name in names:
        key = fold(name)
        other = first.setdefault(key, name)
        if other is not name and key:
            count += 1
            pair = pair or (other, name)
    return count, pair
