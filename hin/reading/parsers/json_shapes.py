"""One JSON value that holds all records: keyed by id, by column, under one key, as features, as rows of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from hin.errors import BadInput
from hin.reading.options import ID_FIELDS, TEXT_FIELDS
from hin.reading.parsers.header import INDEX
from hin.reading.parsers.number_spelling import Spelled
from hin.reading.problems import Problem

_USUAL = frozenset((*ID_FIELDS, *TEXT_FIELDS, "label", "name"))
#: Keys that describe a whole collection as often as one record.
_DESCRIBING = frozenset(("title", "subject", "summary", "description", "name"))
#: A list of this many objects beside a description is a collection.
_MANY = 20
#: The field for the key under which an object stands.
_KEY = "id"


class _RepeatedKeyError(ValueError):
    """An object that has one key twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedKeyError(next(name for i, name in enumerate(names) if name in names[:i]))
    return made


class JsonText:
    """Text that may be one JSON value, or several one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def values(self) -> Iterator[Any]:
        """Parse value by value; decimal numbers stay as spelled. Raises ValueError if the text is not JSON."""
        decoder = json.JSONDecoder(
            parse_float=Spelled, parse_constant=lambda name: None, object_pairs_hook=_object, strict=False
        )
        while (start := self._next()) < len(self.text):
            value, self.at = decoder.raw_decode(self.text, start)
            yield value

    def _next(self) -> int:
        at = self.at
        while at < len(self.text) and self.text[at] in " \t\r\n":
            at += 1
        return at


def parse_values(raw: bytes, name: str) -> list[Any]:
    """Parse the JSON values of a text.

    >>> parse_values(b'{"a": 1.50}', "a.json")
    [{'a': '1.50'}]
    """
    try:
        return list(JsonText(raw.decode("utf-8")).values())
    except _RepeatedKeyError as twice:
        raise BadInput(f"{name}: an object has the key {str(twice)!r} twice", hint="keep one of them") from None
    except UnicodeDecodeError as bad:
        line, start = raw.count(b"\n", 0, bad.start) + 1, raw.rfind(b"\n", 0, bad.start) + 1
        raise Problem.bad_byte(line, raw[start:], bad.start - start).error(name) from None
    except json.JSONDecodeError as error:
        what = f"{name}, line {error.lineno}: not valid JSON ({error.msg} at column {error.colno})"
        raise BadInput(what, hint="expected one JSON object per line, one array of objects, or one object") from None
    except RecursionError:
        raise BadInput(f"{name}: nested too deeply", hint="write the records one per line") from None


def records_in(value: Any, name: str) -> list[dict[str, Any]]:
    """Return the records that one JSON value holds.

    Examples
    --------
    >>> records_in({"p1": {"text": "On graphs"}, "p2": {"text": "On words"}}, "a.json")
    [{'id': 'p1', 'text': 'On graphs'}, {'id': 'p2', 'text': 'On words'}]
    >>> records_in({"text": {"0": "On graphs"}, "year": {"0": 2008}}, "a.json")
    [{'index': '0', 'text': 'On graphs', 'year': 2008}]
    >>> records_in({f"word {i}": "what it means" for i in range(30)}, "a.json")[29]
    {'id': 'word 29', 'text': 'what it means'}
    >>> records_in({"count": 1, "results": [{"text": "On graphs"}]}, "a.json")
    [{'text': 'On graphs'}]
    """
    if type(value) is list:
        return _of_list(value, name)
    if type(value) is not dict:
        raise BadInput(f"{name}: one value, no records", hint="expected objects, or lists of them")
    if (table := _with_names(value)) is not None:
        return table
    if (collection := _collection_in(value)) is not None:
        return records_in(collection, name)
    if len(value) >= _MANY and _all(value.values(), str) and _USUAL.isdisjoint(map(str.lower, value)):
        return [{_KEY: key, "text": text} for key, text in value.items()]
    if any(key in _USUAL and type(part) in (str, int, Spelled) for key, part in value.items()):
        return [value]
    if {"columns", "data"} <= value.keys() and _all(value["data"], list):  # to_json(orient="split")
        index = value.get("index") or range(len(value["data"]))
        return [
            {INDEX: key, **dict(zip(map(str, value["columns"]), row, strict=False))}
            for key, row in zip(index, value["data"], strict=False)
        ]
    parts = list(value.values())
    if _all(parts, dict) and len(parts) > 1 and not set.intersection(*map(set, parts)) and len(_below(value)) == 1:
        return _under_a_key(value, name)
    if _all(parts, dict) and (len(parts) > 1 or not any(type(inner) in (list, dict) for inner in parts[0].values())):
        return _keyed(value)
    if _all(parts, list) and len({len(part) for part in parts}) == 1 and not _all(parts[0], dict):
        return [dict(zip(value, row, strict=True)) for row in zip(*parts, strict=True)]
    return _under_a_key(value, name)


def _all(values: Any, kind: type) -> bool:
    return isinstance(values, (list, type({}.values()))) and bool(values) and all(type(item) is kind for item in values)


def _of_list(items: list[Any], name: str) -> list[dict[str, Any]]:
    if all(type(item) is dict for item in items):
        return [_feature(item) for item in items]
    if _all(items, str):
        return [{"text": text} for text in items]
    if _all(items, list):
        return _rows(items)
    raise BadInput(f"{name}: a list of different kinds of values", hint="expected objects, rows or texts")


def _feature(item: dict[str, Any]) -> dict[str, Any]:
    """Return the id, the properties and the geometry of a GeoJSON feature as one record; other objects as they are."""
    if item.get("type") != "Feature" or type(item.get("properties")) is not dict:
        return item
    around = {name: item[name] for name in ("id", "geometry") if item.get(name) is not None}
    return {**around, **item["properties"]}


def _rows(rows: list[list[Any]]) -> list[dict[str, Any]]:
    """Convert rows to records, with the names in the first row, or with numbers if the first is like the others."""
    first, others = rows[0], rows[1:]
    named = _all(first, str) and len(set(first)) == len(first) and all(len(cell) < 60 for cell in first)
    if named and any(type(cell) is not str for row in others for cell in row):
        return [dict(zip(first, row, strict=False)) for row in others]
    names = [f"column {i}" for i in range(1, max(map(len, rows)) + 1)]
    return [dict(zip_longest(names, row)) for row in rows]  # a shorter row has no value in the last columns


def _keyed(value: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of an object of objects, keyed by record (an id) or by column (as `to_json()` writes)."""
    if _by_column(value):
        rows = dict.fromkeys(key for column in value.values() for key in column)
        name = INDEX if INDEX not in value else f"{INDEX}_2"
        return [{name: row, **{column: cells.get(row) for column, cells in value.items()}} for row in rows]
    return [{**({_KEY: key} if _KEY not in record else {}), **record} for key, record in value.items()]


def _by_column(value: dict[str, dict[str, Any]]) -> bool:
    """Check whether the outer keys are columns: the inner keys are the same numbers in all, or they are many."""
    columns = list(value.values())
    if any(column.keys() != columns[0].keys() for column in columns):
        return False
    outer, inner = (all(key.isdigit() for key in keys) for keys in (value, columns[0]))
    if outer != inner:
        return inner
    outer, inner = (not _USUAL.isdisjoint(map(str.lower, keys)) for keys in (value, columns[0]))
    return outer if outer != inner else len(columns[0]) > len(value)


def _with_names(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of an object that has them beside the names of their columns, as open data portals write it.

    >>> _with_names({"fields": [{"id": "nr"}, {"id": "text"}], "records": [[1, "On graphs"], [2, "On words"]]})
    [{'nr': 1, 'text': 'On graphs'}, {'nr': 2, 'text': 'On words'}]
    """
    tables = [part for part in value.values() if _all(part, list)]
    if len(tables) != 1 or {"columns", "data"} <= value.keys() or not (_USUAL - _DESCRIBING).isdisjoint(value):
        return None
    widths = set(map(len, tables[0]))
    for names in _lists_of_names(value):
        if widths == {len(names)} and len(names) == len(set(names)) > 1:
            return [dict(zip(names, row, strict=True)) for row in tables[0]]
    return None


def _lists_of_names(value: dict[str, Any], depth: int = 4) -> Iterator[list[str]]:
    """Yield the lists of texts, or of objects with a name, inside an object."""
    for part in value.values():
        if type(part) is dict and depth:
            yield from _lists_of_names(part, depth - 1)
        elif type(part) is list:
            names = [item.get("name", item.get("id")) if type(item) is dict else item for item in part]
            texts = [name for name in names if type(name) is str]
            if len(texts) == len(part):
                yield texts


def _collection_in(value: dict[str, Any]) -> list[Any] | dict[str, Any] | None:
    """Return the one collection of an object that has itself at most a name or description.

    It is a long list (of objects, texts, rows), or an object of many texts or of many objects with a common key.
    """
    keyed = [part for part in value.values() if type(part) is dict and len(part) >= _MANY]
    if len(keyed) == 1 and all(type(part) is str for part in value.values() if part is not keyed[0]):
        inner = keyed[0].values()
        if _all(inner, str) or (_all(inner, dict) and set.intersection(*map(set, inner))):
            return keyed[0] if len(value) > 1 else None
    lists = sorted((part for part in value.values() if _all(part, dict)), key=len)
    others = [part for part in value.values() if type(part) in (list, dict)]
    lists = lists or [part for part in others if len(others) == 1 and (_all(part, str) or _all(part, list))]
    if not lists or len(lists[-1]) < _MANY or any(_MANY * len(part) > len(lists[-1]) * 5 for part in lists[:-1]):
        return None
    return lists[-1] if (_USUAL - _DESCRIBING).isdisjoint(value) else None


def _under_a_key(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the only list of records below some key; an object without one is a record itself."""
    lists = {key: part for key, part in value.items() if type(part) is list and part and type(part[0]) in (dict, list)}
    if len(lists) == 1:
        key, found = next(iter(lists.items()))
        return _of_list(found, f"{name}, {key!r}")
    if len(lists) > 1:
        hint = "take one out, for example with jq"
        raise BadInput(f"{name}: several lists of records: {', '.join(map(repr, lists))}", hint=hint)
    inner = [part for part in value.values() if type(part) is dict and part]
    if len(inner) == 1:
        return records_in(inner[0], name)
    below = _below(value)
    return _of_list(below[0], name) if len(below) == 1 else [value]


def _below(value: dict[str, Any], depth: int = 4) -> list[list[Any]]:
    """Find the lists of at least two objects inside an object, a few levels deep.

    >>> _below({"meta": {"page": 1}, "data": {"items": [{"a": 1}, {"a": 2}]}})
    [[{'a': 1}, {'a': 2}]]
    """
    found = []
    for part in value.values():
        if type(part) is list and len(part) > 1 and _all(part, dict):
            found.append(part)
        elif type(part) is dict and depth:
            found += _below(part, depth - 1)
    return found
