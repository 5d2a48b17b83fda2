"""Parse the text of JSON objects one by one, with the reason where one is invalid."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import orjson

from hin.reading.parsers.number_spelling import Spelled, SpelledInteger, kind_of, spelled
from hin.reading.parsers.python_values import python_value
from hin.reading.problems import SKIP, Problem

JSON_STRING = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
#: Strings, brackets and commas: enough to find the end of a value without parsing it.
IN_OTHER = re.compile(JSON_STRING + rb'|[\[\]{},"]', re.DOTALL)
#: The only integer whose spelling the fast parser changes silently.
_MINUS_ZERO = re.compile(rb"[\s:,\[]-0[\s,\]}]")
#: Not in the standard, but Python writes NaN where pandas has no value.
_CONSTANT = re.compile(rb"[:,\[]\s*-?(?:NaN|Infinity)\b")
_DICT = re.compile(rb"\s*\{\s*u?'")
_KEY_END = re.compile(rb'"[ \t\r\n]*:')
JSON_HINT = f"expected one JSON object per line, or one array of objects; fix it, {SKIP}"


def objects_of(
    items: Iterable[tuple[int, bytes] | Problem], blank_is_bad: bool = False
) -> Iterator[tuple[int, Any, bytes]]:
    """Parse numbered pieces of text into objects; an invalid one becomes a `Problem`.

    Blank lines are skipped, but an empty element of an array is a bad record.

    >>> [(line, value) for line, value, _ in objects_of([(1, b'{"a": 1}'), (2, b""), (3, b'{"a": 2}')])]
    [(1, {'a': 1}), (3, {'a': 2})]
    """
    loads = orjson.loads
    for item in items:
        if isinstance(item, Problem):
            yield item.line, item, item.raw or b""
            continue
        line, raw = item
        try:
            value = loads(raw)
        except orjson.JSONDecodeError as error:
            value = _loose(raw)
            if value is None:
                if raw.strip() or blank_is_bad:
                    yield line, _diagnose(line, raw, error), raw
                continue
        if type(value) is not dict:
            what = f"expected an object, found {kind_of(value)}"
            value = Problem(line, what, JSON_HINT, raw=raw)
        elif raw.count(b'":') != len(value) and (twice := _repeated_key(raw, value)) is not None:
            what = "the record has this field twice"
            value = Problem(line, what, f"keep one of them, {SKIP}", field=twice, raw=raw)
        elif b"-0" in raw and _MINUS_ZERO.search(raw):
            with suppress(RecursionError):  # nested more deeply than any field that is used
                value = spelled(raw)
        yield line, value, raw


def _loose(raw: bytes) -> dict[str, Any] | None:
    """Parse an object as Python writes it: with NaN for a missing number (read as null), or as a dict; else None.

    >>> _loose(b'{"price": NaN}'), _loose(b"{'asin': 'b1', 'verified': True}"), _loose(b'{"price": }')
    ({'price': None}, {'asin': 'b1', 'verified': True}, None)
    """
    try:
        if _CONSTANT.search(raw):
            value = json.loads(raw, parse_float=Spelled, parse_int=SpelledInteger, parse_constant=lambda name: None)
        else:
            value = python_value(raw.decode("utf-8").strip()) if _DICT.match(raw) else None
    except (ValueError, RecursionError):
        return None
    return value if type(value) is dict else None


def _repeated_key(raw: bytes, value: dict[str, Any]) -> str | None:
    """Return a key that an object has twice, or None: the fast parser silently takes the last one."""
    if len(_KEY_END.findall(raw)) <= _keys(value):
        return None
    twice: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                twice.append(name)
            seen.add(name)

    try:
        json.loads(raw, object_pairs_hook=collect)
    except (ValueError, RecursionError):
        return None
    return twice[0] if twice else None


def _keys(value: Any) -> int:
    """Count the keys of an object and of the objects in it."""
    count, left = 0, [value]
    while left:
        inner = left.pop()
        if type(inner) is dict:
            count += len(inner)
            left.extend(inner.values())
        elif type(inner) is list:
            left.extend(inner)
    return count


def _diagnose(line: int, raw: bytes, error: orjson.JSONDecodeError) -> Problem:
    """Find out what is wrong with a line that the fast parser rejected, and in which field if possible."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as bad:
        return Problem.bad_byte(line, raw, bad.start, _field_at(raw, bad.start))
    if "surrogate" in str(error):
        what = "half of a surrogate pair, which is not a character"
        hint = f"remove the lone \\ud800-\\udfff escape, {SKIP}"
        return Problem(line, what, hint, field=_field_at(raw, _lone_surrogate(text)), raw=raw)
    what = f"not valid JSON ({error.msg.split(': line')[0]} at column {error.pos + 1})"
    return Problem(line, what, JSON_HINT, raw=raw)


def _lone_surrogate(text: str) -> int:
    pair = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    for match in re.finditer(pair + r"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", text):
        if match[1]:
            return len(text[: match.start()].encode())
    return 0


def _field_at(raw: bytes, position: int) -> str | None:
    """Return the top-level key whose value contains a byte, without parsing."""
    depth, key, last = 0, None, None
    for match in IN_OTHER.finditer(raw):
        if match.end() > position and match[0] != b'"':
            break
        token = match[0]
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
        elif len(token) > 1 and depth == 1 and raw[match.end() :].lstrip()[:1] == b":":
            last = token
    if last is not None:
        try:
            key = json.loads(last)
        except (ValueError, UnicodeDecodeError):
            key = None
    return key if isinstance(key, str) else None
