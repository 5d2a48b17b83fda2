"""The template language: text to typed nodes and edges, with the position of every fault.

Short form: `venue-year`, field names joined by `-`; one document joined to each.
Long form: Cypher-like paths, `(d:document)-[:cites]->(e:document), (d)-[:author]->(a:author)<-[:author]-(e)`.
A name with other characters than letters, digits and `_` stands in backticks: `` `sub-field`-year ``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from motifs.errors import BadPattern
from motifs.language.template import DOCUMENT, Edge, Template, TemplateNode

_TOKEN = re.compile(r"\s*(?:(?P<name>\w+)|(?P<quoted>`(?:[^`]|``)*`)|(?P<sign>[():\-\[\]<>,!])|(?P<bad>\S))")


def parse(text: str) -> Template:
    """Parse a template in either form.

    Examples
    --------
    >>> [node.type for node in parse("venue-year").nodes]
    ['document', 'venue', 'year']
    >>> len(parse("(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)").edges)
    2
    """
    if not isinstance(text, str):
        raise BadPattern(f"a pattern is a text such as 'venue-year', not {type(text).__name__}")
    return _Reader(text).read() if text.lstrip().startswith("(") else _parse_short(text)


def _parse_short(text: str) -> Template:
    nodes, edges = [TemplateNode(DOCUMENT)], []
    for start, piece in _split_short(text):
        position = start + len(piece) - len(piece.lstrip())
        name = piece.strip()
        if not name:
            raise BadPattern.at(
                text,
                min(position, len(text)),
                "a field name is missing here",
                hint="join field names with '-', as in venue-year",
            )
        if name.startswith("`"):
            if not re.fullmatch(r"`(?:[^`]|``)+`", name):
                raise BadPattern.at(
                    text,
                    position,
                    "a backtick is not closed or the name is empty",
                    hint="write `name` with a backtick on both sides",
                )
            name = name[1:-1].replace("``", "`")
        elif bad := re.search(r"[`()\[\]<>:,!]", name):
            raise BadPattern.at(
                text,
                position + bad.start(),
                f"{bad.group()!r} does not belong in a field name",
                hint="put odd names in backticks; the long form starts with '('",
            )
        if name == DOCUMENT:
            raise BadPattern.at(
                text,
                position,
                "the document is always there in the short form",
                hint="leave it out, or use the long form for several documents",
            )
        edges.append(Edge(0, len(nodes), name, directed=True, position=position))
        nodes.append(TemplateNode(name, position))
    return Template(text, tuple(nodes), tuple(edges), 0)


def _split_short(text: str) -> list[tuple[int, str]]:
    """Split at the hyphens that are not inside backticks."""
    pieces, start, quoted = [], 0, False
    for i, c in enumerate(text):
        quoted ^= c == "`"
        if c == "-" and not quoted:
            pieces.append((start, text[start:i]))
            start = i + 1
    return [*pieces, (start, text[start:])]


class _Token(NamedTuple):
    kind: str
    value: str
    position: int


class _Reader:
    """A recursive-descent parser of the long form."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        for found in _TOKEN.finditer(text):
            kind = found.lastgroup or "bad"
            if kind == "bad":
                what = (
                    "a backtick is not closed"
                    if found["bad"] == "`"
                    else f"{found['bad']!r} is not part of the template language"
                )
                raise BadPattern.at(text, found.start("bad"), what, hint="put odd names in backticks")
            value = found[kind]
            if kind == "quoted":
                value = value[1:-1].replace("``", "`")
                if not value:
                    raise BadPattern.at(text, found.start(kind), "an empty name")
            self.tokens.append(_Token("name" if kind == "quoted" else kind, value, found.start(kind)))
        self.tokens.append(_Token("end", "", len(text.rstrip())))
        self.at = 0
        self.variables: dict[str, int] = {}
        self.types: list[str | None] = []
        self.positions: list[int] = []
        self.named: list[str | None] = []
        self.edges: list[Edge] = []
        self.marked: list[int] = []

    def fail(self, what: str, position: int | None = None, hint: str | None = None) -> BadPattern:
        return BadPattern.at(self.text, self.tokens[self.at].position if position is None else position, what, hint)

    def peek(self, sign: str) -> bool:
        kind, value, _ = self.tokens[self.at]
        return kind == "sign" and value == sign

    def take(self, sign: str) -> bool:
        if self.peek(sign):
            self.at += 1
            return True
        return False

    def need(self, sign: str, where: str) -> None:
        if not self.take(sign):
            raise self.fail(f"expected {sign!r} {where}")

    def name(self) -> _Token | None:
        token = self.tokens[self.at]
        if token.kind != "name":
            return None
        self.at += 1
        return token

    def read(self) -> Template:
        while True:
            here = self.node()
            while self.peek("-") or self.peek("<"):
                here = self.edge(here)
            if self.tokens[self.at].kind == "end":
                break
            self.need(",", "or an edge such as -[:venue]-> after this node")
        return self.finish()

    def node(self) -> int:
        self.need("(", "to start a node, as in (v:venue)")
        start = self.tokens[self.at].position
        variable = self.name()
        written: _Token | None = None
        if self.take(":"):
            written = self.name()
            if written is None:
                raise self.fail("a node type is missing after ':'")
        number = self.variables.get(variable.value) if variable else None
        if number is None:
            number = len(self.types)
            self.types.append(None)
            self.positions.append(start)
            self.named.append(variable.value if variable else None)
            if variable:
                self.variables[variable.value] = number
        if written:
            if self.types[number] not in (None, written.value):
                raise self.fail(f"{self.named[number]!r} already is a {self.types[number]}", written.position)
            self.types[number], self.positions[number] = written.value, written.position
        if self.peek("!"):
            self.marked.append(number)
            if len(set(self.marked)) > 1:
                raise self.fail("a second anchor", hint="mark one document with '!'")
            self.at += 1
        self.need(")", "to close the node")
        return number

    def edge(self, left: int) -> int:
        start = self.tokens[self.at].position
        backward = self.take("<")
        self.need("-", "in the edge")
        kind, position = None, start
        if self.take("["):
            self.name()  # a relationship's variable has no meaning here, but is valid Cypher
            if self.take(":"):
                found = self.name()
                if found is None:
                    raise self.fail("an edge type is missing after ':'")
                kind, position = found.value, found.position
            self.need("]", "to close the edge")
        self.need("-", "in the edge")
        forward = self.take(">")
        if forward and backward:
            raise self.fail("an edge has one direction", start, hint="write -[:cites]- for either direction")
        right = self.node()
        if left == right:
            raise self.fail("a node cannot be joined to itself", start)
        source, target = (right, left) if backward else (left, right)
        self.edges.append(Edge(source, target, kind or "", forward or backward, position))
        return right

    def finish(self) -> Template:
        self._infer_types()
        types = [kind or "" for kind in self.types]
        edges: list[Edge] = []
        for edge in self.edges:
            fixed = self._settle(edge, types)
            if not any(
                (fixed.source, fixed.target, fixed.type, fixed.directed) == (e.source, e.target, e.type, e.directed)
                for e in edges
            ):
                edges.append(fixed)
        nodes = tuple(TemplateNode(kind, position) for kind, position in zip(types, self.positions, strict=True))
        return Template(self.text, nodes, tuple(edges), self._anchor(types))

    def _infer_types(self) -> None:
        """Infer types: an untyped `d` or start of an arrow is a document; an untyped end has its edge's type."""
        for number, variable in enumerate(self.named):
            if self.types[number] is None and (variable == "d" or number in self.marked):
                self.types[number] = DOCUMENT
        for number, kind in enumerate(self.types):
            if kind is None and any(e.source == number and e.directed for e in self.edges):
                self.types[number] = DOCUMENT
        for edge in self.edges:
            for here, there in ((edge.target, edge.source), (edge.source, edge.target)):
                if self.types[here] is None and self.types[there] == DOCUMENT and edge.type:
                    self.types[here] = edge.type
        for number, kind in enumerate(self.types):
            if kind is None:
                raise self.fail(
                    "the type of this node is not clear",
                    self.positions[number],
                    hint="write it, as in (v:venue)",
                )

    def _settle(self, edge: Edge, types: list[str]) -> Edge:
        """Set the type and direction of an edge: field edges go from the document to the field's node."""
        source, target = types[edge.source], types[edge.target]
        documents = (source == DOCUMENT) + (target == DOCUMENT)
        kind = edge.type
        if not kind:
            if documents != 1:
                raise self.fail("the type of this edge is not clear", edge.position, hint="write it, as in -[:cites]->")
            kind = target if source == DOCUMENT else source
        if documents == 1:
            other = target if source == DOCUMENT else source
            if kind == other:
                if edge.directed and source != DOCUMENT:
                    raise self.fail(
                        f"{kind!r} edges go from a document to a {kind}", edge.position, hint="turn the arrow"
                    )
                ends = (edge.source, edge.target) if source == DOCUMENT else (edge.target, edge.source)
                return Edge(*ends, kind, directed=True, position=edge.position)
        if not edge.directed and edge.source > edge.target:
            return Edge(edge.target, edge.source, kind, directed=False, position=edge.position)
        return Edge(edge.source, edge.target, kind, edge.directed, edge.position)

    def _anchor(self, types: list[str]) -> int:
        documents = [number for number, kind in enumerate(types) if kind == DOCUMENT]
        if self.marked:
            if self.marked[0] not in documents:
                raise self.fail("the anchor has to be a document", self.positions[self.marked[0]])
            return self.marked[0]
        if not documents:
            raise self.fail("there is no document to count instances in", 0, hint="add a node such as (d:document)")
        if len(documents) == 1:
            return documents[0]
        if self.variables.get("d") not in documents:
            raise self.fail(
                "which document is the anchor?",
                self.positions[documents[0]],
                hint="call it d, or mark it as in (p:document!)",
            )
        return self.variables["d"]
