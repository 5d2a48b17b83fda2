"""Distinguish numbers, codes, identifiers and lists in one cell by the values and, last, by the column's name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hin.reading.parsers.number_spelling import Cell, Spelled

#: A number with at most this many values is a grade, a rating or a flag, and so can be metadata.
FEW_NUMBERS = 12
#: From this number of values on, single words that all differ in the first column are keys.
MANY_KEYS = 50
_NUMBER = re.compile(
    r"[-+]?(?=[.,]?\d)(?:\d{1,3}(?:[,.' ]\d{3})+|\d+)?(?:[.,]\d+)?(?:[eE][-+]?\d+)?\s?[%$€£]?|[$€£]\s?[\d.,]+", re.ASCII
)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d|21\d\d", re.ASCII)
_CODE_NAME = re.compile(
    r"(?:^|[\W_])(?:code|codes|zip|zipcode|postcode|plz|key|sku|isbn|issn|ean|fips|naics|id|uid|year)$"
)
_ID_NAME = re.compile(
    r"(?:^|[\W_])(?:id|uid|uuid|guid|no|nr|num|number|key|ref|reference|identif\w*|index|numero|número|nummer|accession)(?:$|[\W_])"
    r"|^[a-z]{1,6}id$"
)
_MIXED = re.compile(r"(?=.*\d)(?!.*://)[\w.:/#-]+")


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def are_numbers(values: Sequence[Any]) -> bool:
    """Check whether the values are numbers; an integer written as a JSON string counts as a name.

    >>> are_numbers([Cell("3,5"), Cell("1.200,00"), 7]), are_numbers(["1", "2"]), are_numbers(["4.5", "3.0"])
    (True, False, True)
    """
    numbers = sum(
        (isinstance(value, (int, float)) and type(value) is not bool)
        or (isinstance(value, str) and bool(value.strip()) and _NUMBER.fullmatch(value.strip()) is not None)
        for value in values
    )
    if not values or numbers < 0.95 * len(values):
        return False
    return any(
        not isinstance(value, str) or isinstance(value, (Cell, Spelled)) or not value.isdigit() for value in values
    )


def are_codes(name: str, texts: Sequence[str]) -> bool:
    """Check whether numbers are codes: years, few distinct grades, leading zeros, or a name that says "code".

    >>> are_codes("age", [str(i) for i in range(90)]), are_codes("plant", ["007", "012"]), are_codes("y", ["2008"] * 9)
    (False, True, True)
    """
    if len(set(texts)) <= FEW_NUMBERS or _CODE_NAME.search(_words(name)):
        return True
    if all(_YEAR.fullmatch(text) for text in texts):
        return True
    return all(text.isdigit() for text in texts) and any(text[0] == "0" and len(text) > 1 for text in texts)


def share_a_pattern(texts: Sequence[str]) -> bool:
    """Check whether values begin with letters and differ in their figures alone, as file numbers do.

    >>> share_a_pattern([f"AZ {i:04}/23" for i in range(9)]), share_a_pattern([f"Ship {i}" for i in range(99)])
    (True, False)
    """
    patterns = {re.sub(r"\d", "0", text) for text in texts}
    return len(texts) >= 5 and len(patterns) == 1 and re.match(r"[^\W\d_].*0", patterns.pop(), re.DOTALL) is not None


def are_identifiers(name: str, texts: Sequence[str], first: bool = False) -> bool:
    """Check whether values that all differ look like identifiers of records, whatever the column's name.

    In the `first` column, single words and whole numbers do (the name of a package), if they are many.

    >>> are_identifiers("rcid", ["3", "4", "9"]), are_identifiers("award", [f"NSF-{i:05}" for i in range(40)])
    (True, True)
    >>> are_identifiers("population", [str(7 * i % 41 + 1000) for i in range(40)])
    False
    >>> are_identifiers("package", [f"lib{'abcdefgh'[i % 8]}{'abcdefgh'[i // 8]}" for i in range(64)], first=True)
    True
    """
    if any(len(text) > 64 or "://" in text for text in texts):
        return False
    if share_a_pattern(texts):
        return True
    if any(text != "".join(text.split()) for text in texts):
        return False
    if _ID_NAME.search(_words(name)):
        return all("." not in text or not _NUMBER.fullmatch(text) for text in texts)
    if first and len(texts) >= MANY_KEYS:
        return not any(_NUMBER.fullmatch(text) and not text.isdigit() for text in texts)
    if len(texts) < 20:
        return False
    if all(text.isdigit() for text in texts):
        numbers = [int(text) for text in texts]
        steps = [after - before for before, after in zip(numbers, numbers[1:], strict=False)]
        up = sum(step > 0 for step in steps)
        return max(up, len(steps) - up) >= 0.98 * len(steps)  # a few records may be out of order
    if sum(_NUMBER.fullmatch(text) is not None for text in texts) > 0.1 * len(texts):
        return False
    return sum(_MIXED.fullmatch(text) is not None for text in texts) >= 0.95 * len(texts)


def find_separator(values: Sequence[str]) -> str | None:
    """Find the separator of cells that hold several values each: most of their parts recur in other cells.

    In most cells of several all of them must; of short parts (tags) between `|` or `;`, which stand in little else,
    half of all are enough. Of several that fit, take the one that leaves the fewest different parts.

    >>> find_separator(["sky, night", "night, stars", "stars, sky", "sky, moon", "moon, night"])
    ','
    """
    fit = [mark for mark in ";|," if _is_separator(values, mark)]
    different = {mark: {part.strip() for value in values for part in value.split(mark)} for mark in fit}
    return min(fit, key=lambda mark: len(different[mark]), default=None)


def _is_separator(values: Sequence[str], mark: str) -> bool:
    parts = [[part.strip() for part in value.split(mark)] for value in values]
    several = [row for row in parts if len(row) > 1]
    if len(values) < 5 or 2 * len(several) < len(values):
        return False
    count = Counter(part for row in parts for part in row)
    if sum(all(count[part] > 1 for part in row) for row in several) * 2 > len(several):
        return True
    recurring = sum(number for number in count.values() if number > 1)
    short = sum(number for part, number in count.items() if len(part.split()) <= 2)
    return mark != "," and 2 * recurring >= count.total() and short >= 0.95 * count.total()
