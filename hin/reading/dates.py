"""Parse dates as tables spell them into the parts that documents share: the year, the month, the weekday."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

#: The parts of a date, in the order in which fields are derived.
PARTS = ("year", "month", "weekday")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = {"janfebmaraprmayjunjulaugsepoctnovdec"[3 * i : 3 * i + 3]: i + 1 for i in range(12)}
_CLOCK = r"(?:[T\s,]+\d{1,2}:\d\d.*)?"
_ISO = re.compile(rf"(\d{{4}})([-/.]?)(\d\d?)\2(\d\d?){_CLOCK}", re.ASCII)
_NUMBERS = re.compile(rf"(\d\d?)([-/.])(\d\d?)\2(\d{{4}}|\d\d){_CLOCK}", re.ASCII)
_DAY_FIRST = re.compile(
    rf"(?:[a-z]+,?\s+)?(\d\d?)(?:st|nd|rd|th)?[\s-]+([a-z]{{3,9}})\.?,?[\s-]+(\d{{4}}|\d\d){_CLOCK}", re.I
)
_MONTH_FIRST = re.compile(rf"(?:[a-z]+,\s+)?([a-z]{{3,9}})\.?\s+(\d\d?)(?:st|nd|rd|th)?,?\s+(\d{{4}}){_CLOCK}", re.I)
_UNIX = re.compile(r"[a-z]{3}\s+([a-z]{3})\s+(\d\d?)\s+[\d:]+\s+(?:[+\w]+\s+)?(\d{4})", re.I)


def part_of_date(text: str, part: str, order: str = "dmy") -> str | None:
    """Return the year, month or weekday of a date, or None if the text is not a date.

    The month includes its year (2024-11): documents of one month share topics, those of all Novembers hardly do.

    >>> part_of_date("20/11/2024", "month"), part_of_date("Nov 20, 2024", "weekday"), part_of_date("soon", "year")
    ('2024-11', 'Wednesday', None)
    >>> part_of_date("24-Apr-82", "year")
    '1982'
    """
    date = _parse(text.strip(), order)
    if date is None:
        return None
    if part == "year":
        return f"{date.year}"
    return f"{date.year}-{date.month:02}" if part == "month" else _DAYS[date.weekday()]


def date_order(texts: Sequence[str]) -> str | None:
    """Return "mdy" if the values are dates with the month first, "dmy" for all other dates, None if they are not dates.

    >>> date_order(["3/14/2024", "5/1/2024"]), date_order(["2024-05-01", "2024-05-02T10:00:00Z"]), date_order(["x"])
    ('mdy', 'dmy', None)
    """
    found = {order: sum(_parse(text.strip(), order) is not None for text in texts) for order in ("dmy", "mdy")}
    best = max(found, key=lambda order: (found[order], order == "dmy" or _has_slashes(texts)))
    return best if texts and found[best] >= 0.9 * len(texts) else None


def _has_slashes(texts: Sequence[str]) -> bool:
    """Check whether all dates are written with slashes, as American ones are."""
    return all("/" in text[:3] for text in texts)


def _with_century(year: int) -> int:
    """Return a year of two digits with its century, as Excel reads it: few documents are from after 2029."""
    return year if year > 99 else year + (1900 if year > 29 else 2000)


def _parse(text: str, order: str) -> datetime.date | None:
    if not 6 <= len(text) <= 60:
        return None
    try:
        if found := _ISO.fullmatch(text):
            if not found[2] and len(text) != 8:
                return None
            return datetime.date(int(found[1]), int(found[3]), int(found[4])) if 1000 < int(found[1]) < 2200 else None
        if found := _NUMBERS.fullmatch(text):
            first, second, year = int(found[1]), int(found[3]), int(found[4])
            day, month = (first, second) if order == "dmy" else (second, first)
            return datetime.date(_with_century(year), month, day)
        if found := _DAY_FIRST.fullmatch(text):
            return datetime.date(_with_century(int(found[3])), _MONTHS[found[2][:3].lower()], int(found[1]))
        if found := _MONTH_FIRST.fullmatch(text) or _UNIX.fullmatch(text):
            return datetime.date(int(found[3]), _MONTHS[found[1][:3].lower()], int(found[2]))
    except (ValueError, KeyError):
        return None
    return None
