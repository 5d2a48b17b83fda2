"""Recognise columns that name or describe their record in words: titles, the names of dishes, ingredients."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hin.reading.columns.samples import PROSE_WORDS, ColumnSample

#: From this share of different values on, in at least this many records, a column joins no documents.
NAMES_DIFFER = 0.9
UNIQUE_FROM = 20
#: The names of columns with titles of two words; longer ones need no such name.
_TITLE_NAME = re.compile(
    r"(?:^| )(?:title|name|headline|heading|subject|titel|titre|título|titulo|titolo)(?: [a-z]{2})?$"  # title_en
    r"|(?:^| )(?:title|titel|titre|título|titulo|titolo) (?:of|des?|der|du|del|do|della) "  # titre du projet
)
#: The names of columns with people's names.
_PERSON_NAME = re.compile(
    r"(?:^| )(?:agent|artist|author|client|contact|customer|director|doctor|employee|family|first|full|given|guest|last"
    r"|maiden|manager|member|middle|officer|owner|patient|person|player|recipient|reviewer|sender|sir|speaker|student"
    r"|teacher|user|voter|writer) name$"
)
_MARKS = re.compile(r"[,;|]")
#: Words without figures: no address, no measure, no page of the web.
_WORDS = re.compile(r"[^\d@]*", re.DOTALL)


def are_titles(name: str, sample: ColumnSample) -> bool:
    """Check whether a column's values are words that differ in nearly every record.

    >>> from hin.reading.columns.samples import sample_column
    >>> foods = ("leek", "kale", "fish", "corn", "rice")
    >>> dishes = sample_column([f"Soup of {a} and {b}" for a in foods for b in "wxyz"])
    >>> people = sample_column([f"{a} {b}" for a in ("Ann", "Bob", "Cleo", "Dan", "Eve") for b in "WXYZ"])
    >>> are_titles("dish", dishes), are_titles("cook", people), are_titles("event_name", people)
    (True, False, True)
    >>> are_titles("reviewerName", people), are_titles("title_en", people), are_titles("titre du projet", people)
    (False, True, True)
    """
    differ = sample.filled >= UNIQUE_FROM and sample.distinct >= NAMES_DIFFER * sample.mentions
    if not (differ and sample.strings) or sample.listed or sample.dates or sample.separator:
        return False
    if 2 * sum(map(_lists_names, sample.members)) > len(sample.members):
        return False
    if sample.words >= PROSE_WORDS:  # ingredients, contents
        return True
    if _PERSON_NAME.search(name_in_words(name)):
        return False
    if _TITLE_NAME.search(name_in_words(name)):
        return sample.words >= 2
    return sample.words >= 3 and are_worded(sample)


def are_worded(sample: ColumnSample) -> bool:
    """Check whether most values are words without figures."""
    return 2 * sum(_WORDS.fullmatch(member) is not None for member in sample.members) > len(sample.members)


def _lists_names(value: str) -> bool:
    """Check whether a value enumerates names, such as a cast."""
    parts = [part.strip() for part in _MARKS.split(value) if part.strip()]
    return len(parts) > 2 and 2 * sum(part[0].isupper() for part in parts) > len(parts)


def name_in_words(name: str) -> str:
    """Return a column's name in lower case with spaces between its words.

    >>> name_in_words("artTitle"), name_in_words("INCIDENT_DATE")
    ('art title', 'incident date')
    """
    return re.sub(r"[\W_]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)).strip().lower()


def repeats_texts(first: Sequence[str], second: Sequence[str]) -> bool:
    """Check whether most texts of the second column also occur in the first.

    >>> repeats_texts(["a", "b"], ["a", "b"]), repeats_texts(["a", "b"], ["a", "c"])
    (True, False)
    """
    if first == second:
        return True
    others = set(second)
    return len(first) >= UNIQUE_FROM and 2 * len(others & set(first)) > len(others)
