"""The kit's tables: values as they are written there, compared with those of a run."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

from hin.cypher.values.elements import Node, Path, Relationship

_TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^'\\]|\\.)*')|(?P<number>-?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|-?Inf(?:inity)?|NaN)"
    r"|(?P<word>[A-Za-z_]\w*)|(?P<quoted>`[^`]*`)|(?P<sign><-|->|[-\[\]{}():,<>]))"
)


def value_of(text: str) -> Any:
    """A value of the kit in a form that can be compared and hashed."""
    reader = _Reader(text)
    found = reader.value()
    assert reader.text[reader.at :].strip() == "", text
    return found


def plain(value: Any, *, loose: bool = False) -> Any:
    """A value of a run in the same form; `loose` forgets the order of lists."""
    if value is None or isinstance(value, (bool, str)):
        return (type(value).__name__, value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, list):
        items = [plain(item, loose=loose) for item in value]
        return ("list", frozenset(Counter(items).items())) if loose else ("list", *items)
    if isinstance(value, dict):
        return ("map", frozenset((key, plain(item, loose=loose)) for key, item in value.items()))
    if isinstance(value, Node):
        return ("node", frozenset(value.labels), plain(value.properties(), loose=loose))
    if isinstance(value, Relationship):
        return ("relationship", value.type, plain(value.properties(), loose=loose))
    assert isinstance(value, Path)
    steps = []
    for i, relationship in enumerate(value.relationships):
        forward = relationship.start == value.nodes[i] and relationship.end == value.nodes[i + 1]
        steps.append((plain(relationship, loose=loose), forward))
    return ("path", tuple(plain(node, loose=loose) for node in value.nodes), tuple(steps))


def _number(value: float) -> Any:
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else float(f"{value:.12g}"))
    return ("int", value)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        return "" if match is None else match.group().strip()

    def take(self, wanted: str | None = None) -> str:
        match = _TOKEN.match(self.text, self.at)
        assert match is not None, self.text[self.at :]
        found = match.group().strip()
        assert wanted is None or found == wanted, (self.text, found, wanted)
        self.at = match.end()
        return found

    def value(self) -> Any:
        token = self.peek()
        if token == "[":
            return self._list_or_relationship()
        if token == "{":
            return self._map()
        if token == "(":
            return self._node()
        if token == "<":
            return self._path()
        self.take()
        if token.startswith("'"):
            return ("str", re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), token[1:-1]))
        if token in ("true", "false", "null"):
            return plain({"true": True, "false": False, "null": None}[token])
        return plain(float(token) if re.search(r"[.eEN]|Inf", token) else int(token))

    def _list_or_relationship(self) -> Any:
        self.take("[")
        if self.peek() == ":":
            self.take(":")
            kind = self.take().strip("`")
            properties = self._map() if self.peek() == "{" else ("map", frozenset())
            self.take("]")
            return ("relationship", kind, properties)
        items = []
        while self.peek() != "]":
            items.append(self.value())
            if self.peek() == ",":
                self.take(",")
        self.take("]")
        return ("list", *items)

    def _map(self) -> Any:
        self.take("{")
        entries = set()
        while self.peek() != "}":
            key = self.take().strip("`")
            self.take(":")
            entries.add((key, self.value()))
            if self.peek() == ",":
                self.take(",")
        self.take("}")
        return ("map", frozenset(entries))

    def _node(self) -> Any:
        self.take("(")
        labels = set()
        while self.peek() == ":":
            self.take(":")
            labels.add(self.take().strip("`"))
        properties = self._map() if self.peek() == "{" else ("map", frozenset())
        self.take(")")
        return ("node", frozenset(labels), properties)

    def _path(self) -> Any:
        self.take("<")
        nodes, steps = [self._node()], []
        while self.peek() != ">":
            backward = self.peek() == "<-"
            self.take()
            relationship = self._list_or_relationship()
            self.take()
            nodes.append(self._node())
            steps.append((relationship, not backward))
        self.take(">")
        return ("path", tuple(nodes), tuple(steps))


def loosened(value: Any) -> Any:
    """The same without the order of lists."""
    if isinstance(value, tuple) and value and value[0] == "list":
        return ("list", frozenset(Counter(map(loosened, value[1:])).items()))
    return value
