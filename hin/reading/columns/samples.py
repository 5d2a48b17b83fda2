"""Statistics of one column's sample: how much is filled, how often values repeat, their length and their kind."""

from __future__ import annotations

import re
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hin.reading.columns.cells import name_in, open_cell
from hin.reading.columns.html_text import has_html
from hin.reading.columns.kinds import are_numbers, find_separator
from hin.reading.dates import date_order
from hin.reading.na_words import NA_WORDS
from hin.reading.parsers.number_spelling import Spelled

#: A value of this many words is prose, not a name.
PROSE_WORDS = 8
#: One of several texts in a list may be shorter.
_SENTENCE_WORDS = 4
#: Texts measured per column: enough for a median.
MEASURED = 500
_HAN_KANA = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_MARKS = re.compile(r"[,;|]")
_SENTENCE_END = re.compile(r"[.!?。！？](?:\s|$)|[。！？]")


@dataclass(frozen=True)
class ColumnSample:
    """The statistics of a sample of one column.

    Attributes
    ----------
    rows : how many records were looked at.
    filled : how many of them have a value.
    distinct : how many different values there are; of lists, different members.
    mentions : how many values there are, each member of a list counted.
    words : the median number of words of a value.
    listed : whether it holds lists or objects.
    objects : whether it holds objects.
    nameless : whether some object in it holds no name.
    wrapped : whether it holds lists of one text each, as Crossref writes titles.
    prose : whether it holds sentences rather than names.
    html : whether some values have tags or entities.
    strings : whether most values are strings, empty ones included; a few others are bad records, not another kind.
    numbers : whether its values are numbers.
    dates : "dmy" or "mdy" if its values are dates: whether the day or the month comes first ("dmy" if neither does).
    prose_list : whether it holds lists of sentences.
    prose_parts : the keys of its objects, or of the objects in its lists, that hold texts.
    parts : the statistics of what its objects hold, by key, where that includes texts.
    separator : the mark between several values in one cell, if it is evident.
    members : the values, with lists flattened.
    """

    rows: int
    filled: int
    distinct: int
    mentions: int
    words: float
    listed: bool
    objects: bool
    nameless: bool
    wrapped: bool
    prose: bool
    html: bool
    strings: bool
    numbers: bool
    dates: str | None
    prose_list: bool
    prose_parts: tuple[str, ...]
    parts: Mapping[str, ColumnSample]
    separator: str | None
    members: tuple[str, ...]

    @property
    def all_differ(self) -> bool:
        """Whether no value occurs twice."""
        return self.distinct == self.mentions


def sample_column(values: Iterable[Any], missing: Collection[str] = NA_WORDS) -> ColumnSample:
    """Compute the statistics of a column's values; those in `missing` (lower case) are none.

    Examples
    --------
    >>> from hin.reading.parsers.number_spelling import Cell
    >>> sample = sample_column([Cell("['Drama', 'Crime']"), Cell("['Drama']")])
    >>> sample.listed, sample.distinct, sample.mentions
    (True, 2, 3)
    """
    rows = list(values)
    given = [value for value in rows if value is not None]
    present = (value for value in given if not (isinstance(value, str) and value.strip().lower() in missing))
    filled = [opened for value in present if (opened := open_cell(value)) not in ("", [], {})]
    lists = sum(type(value) in (list, dict) for value in filled)
    members = [member for value in filled for member in _members(value)]
    texts = [value for value in filled if isinstance(value, str) and not isinstance(value, Spelled)][:MEASURED]
    lengths = [words_in(text) for text in texts]
    words = statistics.median(lengths) if lengths else 0.0
    different = list(dict.fromkeys(members))
    distinct = len(different)
    listed = 2 * lists > len(filled)
    single = not listed and not any(type(value) in (list, dict) for value in filled)
    # A sentence or two may repeat; if most repeat, they are phrases that stand for a value.
    prose = 2 * len(texts) > min(len(filled), MEASURED) and words >= PROSE_WORDS and 2 * distinct > len(members)
    sentences = [item for value in filled if type(value) is list for item in value if isinstance(item, str)][:MEASURED]
    objects = 2 * sum(type(value) is dict for value in filled) > len(filled)
    prose_parts = _prose_parts(filled[:MEASURED])
    inner = [value for value in filled if type(value) is dict] if objects and prose_parts else []
    keys = dict.fromkeys(key for value in inner for key in value)
    return ColumnSample(
        rows=len(rows),
        filled=len(filled),
        distinct=distinct,
        mentions=len(members),
        words=words,
        listed=listed,
        objects=objects,
        nameless=any(type(item) is dict and name_in(item) is None for value in filled for item in _items(value)),
        wrapped=all(type(value) is list and len(value) == 1 and isinstance(value[0], str) for value in filled),
        prose=prose and not _enumerates(texts),
        html=20 * sum(map(has_html, texts)) >= len(texts) > 0,
        strings=2 * sum(isinstance(value, str) for value in given) > len(given),
        numbers=single and are_numbers(filled),
        dates=date_order(different[:MEASURED]) if single else None,
        prose_parts=prose_parts,
        parts={key: sample_column([value.get(key) for value in inner], missing) for key in keys},
        prose_list=listed and bool(sentences) and statistics.median(map(words_in, sentences)) >= PROSE_WORDS,
        separator=find_separator(different) if single else None,
        members=tuple(members),
    )


def words_in(text: str) -> float:
    """Count a text's words, roughly; two characters of Chinese or Japanese count as one word.

    >>> words_in("On large graphs"), words_in("数据挖掘")
    (3, 2.0)
    """
    start = text[:4000]
    if start.isascii() or not (signs := len(_HAN_KANA.findall(start))):
        return len(start.split())
    return len(_HAN_KANA.sub(" ", start).split()) + signs / 2


def _members(value: Any) -> list[str]:
    """Return the values of one cell as hashable strings."""
    return [str(name_in(item) or repr(item)) if type(item) is dict else str(item) for item in _items(value)]


def _items(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


def _prose_parts(values: Sequence[Any]) -> tuple[str, ...]:
    """Return the keys of objects, or of the objects in lists (the messages of a chat), that hold sentences.

    >>> _prose_parts([[{"role": "user", "content": "Where do I find the pears?"}, {"content": "Left of the plums."}]])
    ('content',)
    """
    found: dict[str, list[list[str]]] = {}
    for value in values:
        items = [item for item in (value if type(value) is list else [value]) if type(item) is dict]
        for key in dict.fromkeys(key for item in items for key in item):
            parts = [part for item in items for part in _listed(item.get(key)) if isinstance(part, str)]
            if parts:
                found.setdefault(key, []).append(parts)
    return tuple(
        key
        for key, texts in found.items()
        if 2 * len(texts) > len(values)
        and statistics.median(words_in(part) for parts in texts for part in parts) >= _SENTENCE_WORDS
        and statistics.median(sum(map(words_in, parts)) for parts in texts) >= PROSE_WORDS
        and 2 * len(set(map(tuple, texts))) > len(texts)
    )


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


def _enumerates(texts: Sequence[str]) -> bool:
    """Check whether long values are enumerations of short ones (a cast, keywords) rather than sentences."""
    parts = [_MARKS.split(text[:4000]) for text in texts]
    long_parts = sum(
        len(row) < 3 or words_in(text[:4000]) / len(row) > 4 for row, text in zip(parts, texts, strict=True)
    )
    sentences = sum(_SENTENCE_END.search(text) is not None for text in texts)
    return 2 * long_parts < len(texts) and 2 * sentences < len(texts)
