"""Recognise texts given to a model in Python as a list, an array or a column."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from hin.errors import BadInput


def texts_in(given: Any) -> dict[str, str] | None:
    """Return texts by their id, if `given` is a list, an array or a column of texts; else None.

    The id is a column's index where it is one, else the position.

    Examples
    --------
    >>> texts_in(["On graphs", None]), texts_in([{"text": "On graphs"}])
    ({'0': 'On graphs', '1': ''}, None)
    """
    values = _values(given)
    first = None if values is None else next((value for value in values if not _missing(value)), None)
    if values is None or isinstance(first, Mapping) or (first is None and not values):
        return None
    wrong = next((value for value in values if not isinstance(value, str) and not _missing(value)), None)
    if wrong is not None:
        raise BadInput(
            f"a document is a text or a mapping, not {type(wrong).__name__}",
            hint='give texts, a DataFrame, or mappings such as {"text": "...", "year": 2008}',
        )
    texts = ["" if _missing(value) else str(value) for value in values]
    index: Any = getattr(given, "index", None)  # a list has a method of that name
    keys = index if getattr(index, "is_unique", False) else range(len(texts))
    return dict(zip(map(str, keys), texts, strict=True))


def _values(given: Any) -> list[Any] | None:
    if isinstance(given, (str, os.PathLike, Mapping)) or hasattr(given, "columns") or hasattr(given, "column_names"):
        return None  # a path, or a table
    if getattr(given, "ndim", 1) == 2 and hasattr(given, "ravel"):
        if given.shape[1] != 1:
            raise BadInput(
                f"an array with {given.shape[1]} columns is not a list of texts",
                hint="give one column of texts, or a DataFrame whose columns have names",
            )
        given = given.ravel()
    for name in ("tolist", "to_list", "to_pylist"):  # numpy, pandas; polars; Arrow
        if hasattr(given, name):
            found = getattr(given, name)()
            return found if isinstance(found, list) else None
    return list(given) if isinstance(given, (list, tuple)) else None


def _missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ == "NAType"
