"""Format a value for a table: nodes with their label, relationships with their type, null distinct from ''."""

from __future__ import annotations

import json
import math
from typing import Any

_WORDS = ("", "null", "true", "false", "NaN", "Infinity", "-Infinity")


def format_value(value: Any, *, inside: bool = False) -> Any:
    """Format a value for a table: a text, or a number unchanged.

    Examples
    --------
    >>> [format_value(value) for value in (None, "", " ", True, [1, None, "a"], "a", float("nan"))]
    ['null', "''", "' '", 'true', '[1, null, "a"]', 'a', 'NaN']
    """
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, (int, float)):
        return json.dumps(value) if inside else value
    if isinstance(value, str):
        if inside:
            return json.dumps(value, ensure_ascii=False)
        return f"'{value}'" if value in _WORDS or value.isspace() else value
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(format_value(item, inside=True) for item in value)}]"
    if isinstance(value, dict):
        return _map(value, '"')
    return _element(value)


def _map(value: Any, quote: str = "") -> str:
    items = (f"{quote}{key}{quote}: {format_value(item, inside=True)}" for key, item in value.items())
    return "{" + ", ".join(items) + "}"


def _element(value: Any) -> str:
    """Format a node, relationship or path of a folder or of the driver."""
    if hasattr(value, "nodes") and hasattr(value, "relationships"):
        text = _node(value.nodes[0])
        for node, step in zip(value.nodes[1:], value.relationships, strict=True):
            forward = _ends(step)[1] == node
            text += f"{'-' if forward else '<-'}{_step(step)}{'->' if forward else '-'}{_node(node)}"
        return text
    if hasattr(value, "labels"):
        return _node(value)
    if hasattr(value, "type"):
        return _step(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _ends(step: Any) -> Any:
    return (step.start, step.end) if hasattr(step, "end") else step.nodes


def _node(node: Any) -> str:
    return f"({''.join(f':{label}' for label in sorted(node.labels))} {_properties(node)})".replace(" )", ")")


def _step(step: Any) -> str:
    return f"[:{step.type} {_properties(step)}]".replace(" ]", "]")


def _properties(element: Any) -> str:
    found = element.properties() if hasattr(element, "properties") else dict(element.items())
    return _map(dict(sorted(found.items()))) if found else ""
