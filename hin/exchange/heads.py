"""Check the head of an export (`graph_head`), which is untrusted, before a graph is built from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any


def check_head(head: Any) -> str | None:
    """Return the fault of an export's head, in brackets; empty if there is no head, None if there is no fault.

    Examples
    --------
    >>> check_head({"format": 1, "fields": [], "links": [], "text": ["title"], "labels": False, "extra": [],
    ...             "dangling": {}, "schema": {}})
    >>> check_head({"format": 1, "fields": "author"})
    " (its 'fields' are not a list of names)"
    """
    if not isinstance(head, dict):
        return ""
    return next((f" ({what})" for what, good in _checks(head) if not good), None)


def _checks(head: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield each possible fault, and whether the head is free of it; a check may rely on those before it."""
    yield "its format is not a number", isinstance(head.get("format"), int)
    for key in ("fields", "links", "text"):
        names = head.get(key)
        yield f"its {key!r} are not a list of names", _are_names(names) and len(set(names or ())) == len(names or ())
    described = isinstance(head.get("labels"), bool) and isinstance(head.get("schema"), dict)
    yield "its labels or its schema are missing", described
    known = {"document", "term", *head["fields"]}
    edges = _are(head.get("extra"), lambda row: _are_names(row) and len(row) == 3 and known.issuperset(row[1:]))
    yield "its 'extra' are not edges between its types", edges
    links = head.get("dangling")
    yield "its 'dangling' are not links", isinstance(links, dict) and _are(list(links.values()), _are_links)
    weights = head.get("weights", {})
    weighted = isinstance(weights, dict) and _are(list(weights.values()), lambda row: _are(row, _is_row))
    yield "its 'weights' are not numbers", weighted
    several = _are(head.get("several_labels", []), lambda row: _is_pair(row) and _is_row(row[0]) and _are_names(row[1]))
    yield "its 'several_labels' are not labels", several
    yield "it has half of a surrogate pair, which is not a character", _is_text(head)


def _are(value: Any, good: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(good, value))


def _are_names(value: Any) -> bool:
    return _are(value, lambda name: isinstance(name, str))


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2


def _is_row(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**31


def _are_links(value: Any) -> bool:
    return _is_pair(value) and _are(value[0], _is_row) and _are_names(value[1]) and len(value[0]) == len(value[1])


def _is_text(head: dict[str, Any]) -> bool:
    try:
        json.dumps(head, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
