"""Schemas of stored JSON: one small language of shapes, checked before anything is read.

A shape is a type (`float` takes whole numbers too), None, a list with the shape of its members, a tuple of shapes of
which one must fit, or a dict: with the key `str`, the shape of every value; else the shape of each key, where `key?`
may be missing and other keys may be there. `object` is anything.
"""

from __future__ import annotations

import math
from typing import Any

Shape = Any
_NAMES = {
    str: "text", int: "a whole number", float: "a number", bool: "true or false",
    list: "a list", dict: "an object", type(None): "null",
}  # fmt: skip


def mismatch(value: Any, shape: Shape, place: str = "it") -> str | None:
    """Return the first place where JSON does not match a shape, and what was expected there; None where it matches.

    Examples
    --------
    >>> mismatch({"fields": ["venue", 7]}, {"fields": [str], "labels?": (None, [str])})
    'fields[1] is a whole number, not text'
    >>> mismatch({"fields": [], "labels": None}, {"fields": [str], "labels?": (None, [str])})
    """
    if isinstance(shape, tuple):
        faults = [mismatch(value, one, place) for one in shape]
        # The alternative of the value's own type gives the most useful message.
        return None if None in faults else next((fault for fault in faults if " is " not in str(fault)), faults[-1])
    if not _is_kind(value, shape):
        return f"{place} is {_NAMES.get(type(value), 'odd')}, not {_NAMES[_kind(shape)]}"
    inside = "" if place == "it" else place
    if isinstance(shape, list):
        parts = ((part, shape[0], f"{place}[{number}]") for number, part in enumerate(value))
    elif isinstance(shape, dict) and str in shape:
        parts = ((part, shape[str], f"{inside}.{key}".lstrip(".")) for key, part in value.items())
    elif isinstance(shape, dict):
        lacking = next((key for key in shape if not key.endswith("?") and key not in value), None)
        if lacking is not None:
            return f"{place} has no {lacking}"
        named = {key.removesuffix("?"): part for key, part in shape.items()}
        parts = ((value[key], part, f"{inside}.{key}".lstrip(".")) for key, part in named.items() if key in value)
    else:
        return None
    return next((fault for fault in (mismatch(*part) for part in parts) if fault is not None), None)


def _kind(shape: Shape) -> type:
    return shape if isinstance(shape, type) else type(shape)


def _is_kind(value: Any, shape: Shape) -> bool:
    kind = _kind(shape)
    if kind is object:
        return True
    if kind in (int, float):
        whole = type(value) is int and -(2**63) <= value < 2**63
        return whole or (kind is float and type(value) is float and math.isfinite(value))
    if kind is str:
        return type(value) is str and _is_text(value)
    return type(value) is kind


def _is_text(value: str) -> bool:
    """Check whether a string has no half of a surrogate pair, which no file can hold."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)
