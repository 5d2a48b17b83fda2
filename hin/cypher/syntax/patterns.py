"""Patterns: nodes, relationships, paths, and the labels they ask for."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hin.cypher.errors import CypherRefused, CypherSyntaxError
from hin.cypher.syntax import tree
from hin.cypher.syntax.expressions import LARGEST, Expressions


class Patterns(Expressions):
    """Reads patterns."""

    def paths(self) -> tuple[tree.PathPattern, ...]:
        """Read the comma-separated paths of a MATCH."""
        found = [self.pattern_path(named=True, shortest=True)]
        while self.take(","):
            found.append(self.pattern_path(named=True, shortest=True))
            self.check_count(len(found), 100, "paths in one MATCH")
        return tuple(found)

    def pattern_path(self, *, named: bool = False, shortest: bool = False) -> tree.PathPattern:
        """Read one path, with its name and `shortestPath` where these may stand."""
        variable = None
        if named and self.token.kind in ("name", "quoted") and self.ahead().value == "=":
            variable = self.name()
            self.need("=")
        for word, kind in (("SHORTESTPATH", "one"), ("ALLSHORTESTPATHS", "all")):
            if shortest and self.sees_word(word):
                return self._shortest(variable, kind)
        wanted = self._selector() if shortest else None
        nodes = [tree.NodePattern(None) if self._at_group() else self._node()]
        relationships = []
        while self.sees("-", "<") or (shortest and self._at_group()):
            grouped = self._at_group()
            relationships.append(self._group() if grouped else self._relationship())
            self.check_count(len(relationships), 100, "relationships in one path")
            alone = grouped and (not self.sees("(") or self._at_group())
            nodes.append(tree.NodePattern(None) if alone else self._node())
        if wanted is not None and (len(relationships) != 1 or relationships[0].length is None):
            raise CypherRefused("SHORTEST of more than one relationship", hint="write SHORTEST 1 (a)-[:TYPE]-+(b)")
        return tree.PathPattern(variable, tuple(nodes), tuple(relationships), wanted)

    def _selector(self) -> str | None:
        """Read `SHORTEST 1`, `ANY SHORTEST` and `ALL SHORTEST` before a path."""
        if self.take_word("ALL", "SHORTEST"):
            return "all"
        if self.sees_word("ALL"):
            raise CypherRefused(f"ALL before a path at {self.where()}", hint="leave it away")
        if self.take_word("ANY", "SHORTEST"):
            return "one"
        if not self.sees_word("SHORTEST") and not self.sees_word("ANY"):
            return None
        one = self.take_word("SHORTEST") and self.token.kind == "integer" and self.advance().value == 1
        if not one or self.token.kind == "name":
            raise CypherRefused(f"several shortest paths at {self.where()}", hint="write SHORTEST 1 or ALL SHORTEST")
        return "one"

    def _at_group(self) -> bool:
        return self.sees("(") and self.ahead().kind == "sign" and self.ahead().value == "("

    def _group(self) -> tree.RelationshipPattern:
        """Read `((x)-[:TYPE]->(y)){1,3}`, which is a relationship of variable length."""
        where = self.where()
        self.need("(")
        path = self.pattern_path()
        plain = all(node == tree.NodePattern(node.variable) for node in path.nodes)
        if len(path.relationships) != 1 or not plain or self.sees_word("WHERE"):
            raise CypherRefused(f"a path pattern in brackets at {where}", hint="write [:TYPE*1..3]")
        self.need(")")
        names = [node.variable for node in path.nodes if node.variable is not None]
        words = [str(token.value).upper() for token in self.tokens]
        starred = any(star == "*" and word in ("RETURN", "WITH", "DISTINCT") for word, star in pairwise(words))
        if any(starred or sum(token.value == name for token in self.tokens) > 1 for name in names):
            raise CypherRefused(f"the nodes inside a quantified path at {where}", hint="ask for nodes(p) of the path")
        step, length = path.relationships[0], self._quantifier_length()
        if length is None or step.length is not None:
            raise CypherRefused(f"a path pattern in brackets at {where}", hint="write [:TYPE*1..3]")
        return replace(step, length=length, quantified=True)

    def _quantifier_length(self) -> tuple[int, int | None] | None:
        """Read `+`, `*`, `{2}`, `{1,3}`, `{,3}` or `{1,}` after a relationship or a path in brackets."""
        if self.take("+"):
            return 1, None
        if self.take("*"):
            return 0, None
        if not self.take("{"):
            return None
        low = self._bound() if self.token.kind == "integer" else 0
        high: int | None = low
        if self.take(","):
            high = self._bound() if self.token.kind == "integer" else None
        self.need("}")
        return low, high

    def _shortest(self, variable: str | None, kind: str) -> tree.PathPattern:
        word = self.advance().value
        self.need("(")
        path = self.pattern_path()
        self.need(")")
        if len(path.relationships) != 1:
            raise CypherSyntaxError(f"{word} needs one relationship", hint="write shortestPath((a)-[*]-(b))")
        return tree.PathPattern(variable, path.nodes, path.relationships, kind)

    def _node(self) -> tree.NodePattern:
        self.need("(")
        variable = self._variable()
        labels = self._labels(relationship=False)
        properties = self._properties()
        test = self.expression() if self.take_word("WHERE") else None
        self.need(")")
        return tree.NodePattern(variable, labels, properties, test)

    def _variable(self) -> str | None:
        if self.sees_word("WHERE") and not (self.ahead().kind == "sign" and self.ahead().value in (")", ":", "{", "]")):
            return None
        if self.sees_word("IS") and self.ahead().kind in ("name", "quoted"):
            return None
        return self.name() if self.token.kind in ("name", "quoted") else None

    def _labels(self, *, relationship: bool) -> tree.LabelExpression | None:
        if self.take(":") or self.take_word("IS"):
            return self.label_expression(relationship=relationship)
        return None

    def _properties(self) -> tree.Expression | None:
        if self.sees("{"):
            return tree.MapOf(self.map_entries())
        if self.token.kind == "parameter":
            return tree.Parameter(self.advance().value)
        return None

    def _relationship(self) -> tree.RelationshipPattern:
        left = self.take("<")
        self.need("-")
        variable, types, length, properties, test = None, None, None, None, None
        if self.take("["):
            variable = self._variable()
            types = self._labels(relationship=True)
            length = self._length()
            properties = self._properties()
            test = self.expression() if self.take_word("WHERE") else None
            self.need("]")
        right = False
        if self.take("->"):
            right = True
        else:
            self.need("-")
            right = self.take(">")
        if (times := self._quantifier_length()) is not None:
            if length is not None:
                raise CypherSyntaxError(f"two lengths before {self.where()}", hint="give one")
            length = times
        direction = 0 if left == right else 1 if right else -1
        return tree.RelationshipPattern(variable, types, direction, length, properties, test, times is not None)

    def _length(self) -> tuple[int, int | None] | None:
        if not self.take("*"):
            return None
        low, high = 1, None
        if self.token.kind == "integer":
            low = self._bound()
            if not self.take(".."):
                return low, low
        elif not self.take(".."):
            return 1, None
        if self.token.kind == "integer":
            high = self._bound()
        elif self.sees("-"):
            raise self.unexpected("a length of 0 or more")
        return low, high

    def _bound(self) -> int:
        value = int(self.advance().value)
        if value > LARGEST:
            raise CypherSyntaxError("a length that is too large", hint="give smaller bounds")
        return value

    def label_expression(self, *, relationship: bool = False) -> tree.LabelExpression:
        """Read `A`, `A:B`, `A&B`, `A|B`, `!A`, `%` and brackets; `A|:B` is an old spelling for types."""
        self.deeper()
        items = [self._labels_and(relationship)]
        while self.sees("|") and (relationship or not self.ends_test()):
            self.advance()
            if relationship:
                self.take(":")
            items.append(self._labels_and(relationship))
        self.depth -= 1
        return items[0] if len(items) == 1 else ("|", *items)

    def _labels_and(self, relationship: bool) -> tree.LabelExpression:
        items = [self._label()]
        while self.sees("&") or (self.sees(":") and not relationship):
            self.advance()
            items.append(self._label())
        return items[0] if len(items) == 1 else ("&", *items)

    def _label(self) -> tree.LabelExpression:
        if self.sees("$") or self.token.kind == "parameter":
            raise CypherRefused(f"labels that are computed, at {self.where()}", hint="write the label itself")
        if self.take("!"):
            return ("!", self._label())
        if self.take("%"):
            return ("%",)
        if self.take("("):
            found = self.label_expression()
            self.need(")")
            return found
        return self.name("a label")
