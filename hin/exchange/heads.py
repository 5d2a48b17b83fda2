"""The head of an export (`graph_head`), which may come from anybody: checked before a graph is built by it."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["check_head"]


def check_head(head: Any) -> str | None:
    """Return what is wrong with the head of an export, in brackets; empty if there is no head, None if all is well.

    Examples
    --------
    >>> check_head({"format": 1, "fields": [], "links": [], "text": ["title"], "labels": False, "extra": [],
    ...             "dangling": {}, "schema": {}})
    >>> check_head({"format": 1, "fields": "author"})
    " (its 'fields' are no list of names)"
    """
    if not isinstance(head, dict):
        return ""
    fault = _fault(head)
    return None if fault is None else f" ({fault})"


def _fault(head: dict[str, Any]) -> str | None:
    if not isinstance(head.get("format"), int):
        return "its format is no number"
    for key in ("fields", "links", "text"):
        names: Any = head.get(key)
        if not _are_names(names) or len(set(names)) != len(names):
            return f"its {key!r} are no list of names"
    if not isinstance(head.get("labels"), bool) or not isinstance(head.get("schema"), dict):
        return "its labels or its schema are missing"
    known = {"document", "term", *head["fields"]}
    if not _are_rows(head.get("extra"), 3) or not all(
        _are_names(row) and row[1] in known and row[2] in known for row in head["extra"]
    ):
        return "its 'extra' are no edges between its types"
    if not _are_dangling(head.get("dangling")):
        return "its 'dangling' are no links"
    if not _are_rows(head.get("several_labels", []), 2) or not all(
        _is_row(row) and _are_names(labels) for row, labels in head.get("several_labels", [])
    ):
        return "its 'several_labels' are no labels"
    try:
        json.dumps(head, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "it has half of a surrogate pair, which is no character"
    return None


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _are_rows(value: Any, length: int) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) and len(row) == length for row in value)


def _is_row(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _are_dangling(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(links, list)
        and len(links) == 2
        and isinstance(links[0], list)
        and all(map(_is_row, links[0]))
        and _are_names(links[1])
        and len(links[0]) == len(links[1])
        for links in value.values()
    )
