"""The parts of a template: typed nodes, typed edges, an anchor."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: The type of the document nodes.
DOCUMENT = "document"
_PLAIN = re.compile(r"\w+\Z")


@dataclass(frozen=True)
class TemplateNode:
    """One node of a template; `position` is the position of its type in the text."""

    type: str
    position: int = 0


@dataclass(frozen=True)
class Edge:
    """One edge of a template between node numbers; `directed` is False for `-[:cites]-`."""

    source: int
    target: int
    type: str
    directed: bool = True
    position: int = 0


@dataclass(frozen=True)
class Template:
    """A parsed template: nodes, edges, and the number of the anchor."""

    text: str
    nodes: tuple[TemplateNode, ...]
    edges: tuple[Edge, ...]
    anchor: int


def quote_name(name: str) -> str:
    """Quote a name for the template language.

    Examples
    --------
    >>> quote_name("venue"), quote_name("sub-field")
    ('venue', '`sub-field`')
    """
    return name if _PLAIN.match(name) else "`" + name.replace("`", "``") + "`"
