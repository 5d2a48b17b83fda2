"""Expressions: every operator typed, checked, and reworded for the embedded engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from hin.cypher.quoting import quote
from hin.cypher.reworded.functions import Typed, call, fail_when, index_of, slice_of
from hin.cypher.reworded.parse import source_of
from hin.cypher.reworded.types import (
    BOOL,
    FLOAT,
    INT,
    NODE,
    NULL,
    REL,
    STRING,
    CypherDiffers,
    Type,
    ViewSchema,
    list_of,
)
from hin.errors import BadUsage

__all__ = ["Expressions", "Variable", "identifier"]

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", "'": "'", '"': '"'}
_LARGEST = 2**63 - 1


class Variable:
    """A name in scope: its text for the engine, its type, and for nodes and relationships what they may be."""

    def __init__(self, text: str, kind: Type, labels: frozenset[str] | None = None, optional: bool = False) -> None:
        self.text = text
        self.type = kind
        self.labels = labels
        self.optional = optional  # may be null, from an OPTIONAL MATCH


def identifier(tree: Any) -> str:
    """The name that a symbol stands for, without its quotes.

    >>> from hin.cypher.reworded.parse import parse
    >>> clause = parse("RETURN 1 AS `a b`")[0].clauses[0]
    >>> identifier(clause.projectionBody().projectionItems().projectionItem(0).symbol())
    'a b'
    """
    text = str(tree.getText())
    return text[1:-1].replace("``", "`") if text.startswith("`") else text


class Expressions:
    """Rewrites expressions over the variables in scope.

    Parameters
    ----------
    schema : ViewSchema
    given : mapping
        The user's parameters.
    subquery : callable
        Rewrites an EXISTS or COUNT pattern: keyword, pattern, condition.
    """

    def __init__(self, schema: ViewSchema, given: Mapping[str, Any], subquery: Callable[[str, Any, Any], str]) -> None:
        self.schema = schema
        self.given = given
        self.subquery = subquery
        self.scope: dict[str, Variable] = {}
        self.parameters: dict[str, Any] = {}

    def value(self, value: Any) -> str:
        """Hand a value over as a parameter of our own: values are never put into the text."""
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    # Each method below is named after the grammar's rule.

    def expression(self, tree: Any) -> Typed:
        """Rewrite any expression."""
        return self._logic(tree, tree.xorExpression(), "OR", self.xor)

    def condition(self, tree: Any) -> str:
        """Rewrite an expression that must be true or false."""
        made = self.expression(tree)
        self._need_bool(made, tree)
        if made.aggregate:
            raise BadUsage(f"an aggregate in WHERE: {source_of(tree)}", hint="use WITH first")
        return made.text

    def conjuncts(self, tree: Any) -> list[Typed]:
        """The conditions that a WHERE joins by AND, one by one."""
        while len(tree.xorExpression()) == 1 and len(tree.xorExpression(0).andExpression()) == 1:
            parts = tree.xorExpression(0).andExpression(0).notExpression()
            inner = _bracketed(parts[0]) if len(parts) == 1 else None
            if inner is None:
                made = [self.negation(part) for part in parts]
                break
            tree = inner
        else:
            made = [self.expression(tree)]
        for typed in made:
            self._need_bool(typed, tree)
            if typed.aggregate:
                raise BadUsage(f"an aggregate in WHERE: {source_of(tree)}", hint="use WITH first")
        return made

    def xor(self, tree: Any) -> Typed:
        """`a XOR b`."""
        return self._logic(tree, tree.andExpression(), "XOR", self.conjunction)

    def conjunction(self, tree: Any) -> Typed:
        """`a AND b`."""
        return self._logic(tree, tree.notExpression(), "AND", self.negation)

    def _logic(self, tree: Any, parts: list[Any], word: str, each: Callable[[Any], Typed]) -> Typed:
        made = [each(part) for part in parts]
        if len(made) == 1:
            return made[0]
        for typed, part in zip(made, parts, strict=True):
            self._need_bool(typed, part)
        return self._joined(f" {word} ".join(typed.text for typed in made), BOOL, made)

    def negation(self, tree: Any) -> Typed:
        """`NOT a`."""
        made = self.comparison(tree.comparisonExpression())
        for _ in tree.NOT() or []:
            self._need_bool(made, tree)
            made = self._joined(f"NOT {made.text}", BOOL, [made])
        return made

    def comparison(self, tree: Any) -> Typed:
        """`a < b`."""
        parts = [self.sum(part) for part in tree.addSubExpression()]
        if len(parts) == 1:
            return parts[0]
        if len(parts) > 2:
            raise CypherDiffers(f"a chain of comparisons: {source_of(tree)}", hint="join two comparisons with AND")
        left, right = parts
        sign = tree.comparisonSigns(0).getText()
        if NULL in (left.type, right.type):
            raise CypherDiffers(f"a comparison with null: {source_of(tree)}", hint="write IS NULL or IS NOT NULL")
        self._comparable(left, right, tree, equality=sign in ("=", "<>"))
        if left.type in (NODE, REL):
            return self._joined(f"id({left.text}) {sign} id({right.text})", BOOL, parts)
        return self._joined(f"{left.text} {sign} {right.text}", BOOL, parts)

    def _comparable(self, left: Typed, right: Typed, tree: Any, equality: bool) -> None:
        same = left.type == right.type or (left.type.numeric and right.type.numeric)
        allowed = (INT, FLOAT, STRING, BOOL, NODE, REL) if equality else (INT, FLOAT, STRING)
        if not same or left.type not in allowed:
            raise CypherDiffers(
                f"{source_of(tree)} compares a {left.type.name} with a {right.type.name}",
                hint="compare values of one type, e.g. with toInteger() or toString()",
            )

    def sum(self, tree: Any) -> Typed:
        """`a + b - c`."""
        made = self.product(tree.multDivExpression(0))
        for sign, part in zip(self._signs(tree, "+-"), tree.multDivExpression()[1:], strict=True):
            right = self.product(part)
            if made.type == right.type == STRING and sign == "+":
                # The engine skips a null here, Neo4j's result is null; so is the length of the two.
                text = f"left({made.text} + {right.text}, size({made.text}) + size({right.text}))"
                made = self._joined(text, STRING, [made, right])
            else:
                made = self._arithmetic(sign, made, right, tree)
        return made

    def product(self, tree: Any) -> Typed:
        """`a * b / c % d`."""
        made = self.power(tree.powerExpression(0))
        for sign, part in zip(self._signs(tree, "*/%"), tree.powerExpression()[1:], strict=True):
            made = self._arithmetic(sign, made, self.power(part), tree)
        return made

    def power(self, tree: Any) -> Typed:
        """`a ^ b`."""
        made = [self.sign(part) for part in tree.unaryAddSubExpression()]
        if len(made) == 1:
            return made[0]
        raise CypherDiffers(f"a power: {source_of(tree)}", hint="multiply, or use sqrt()")

    def sign(self, tree: Any) -> Typed:
        """`-a`."""
        made = self.atomic(tree.atomicExpression())
        if tree.SUB() or tree.PLUS():
            if not made.type.numeric:
                raise CypherDiffers(f"a sign before a {made.type.name}: {source_of(tree)}", hint="use brackets")
            if tree.SUB():
                return self._joined(f"(-{made.text})", made.type, [made])
        return made

    def _signs(self, tree: Any, signs: str) -> list[str]:
        return [child.getText() for child in tree.getChildren() if child.getText() in signs and child.getText()]

    def _arithmetic(self, sign: str, left: Typed, right: Typed, tree: Any) -> Typed:
        if not (left.type.numeric and right.type.numeric):
            raise CypherDiffers(
                f"{source_of(tree)} joins a {left.type.name} and a {right.type.name} by {sign}",
                hint="use values of one type, e.g. with toString() or toInteger()",
            )
        kind = INT if left.type == right.type == INT else FLOAT
        divisor = right.text
        if sign in "/%" and kind == FLOAT and not (right.constant and re.search(r"[1-9]", right.text)):
            # Neo4j makes infinities and NaN here, which the embedded engine sorts differently.
            divisor = f"({right.text} * {fail_when(f'{right.text} = 0')})"
        return self._joined(f"{left.text} {sign} {divisor}", kind, [left, right])

    def atomic(self, tree: Any) -> Typed:
        """A value with what follows it: STARTS WITH, IN, [0], IS NULL."""
        made = self.property_or_label(tree.propertyOrLabelExpression())
        for child in list(tree.getChildren())[1:]:
            kind = type(child).__name__
            if kind == "StringExpressionContext":
                made = self._string_test(made, child)
            elif kind == "ListExpressionContext":
                made = self._in(made, child) if child.IN() else self._index(made, child)
            elif kind == "NullExpressionContext":
                word = "IS NOT NULL" if child.NOT() else "IS NULL"
                if made.type == NULL:
                    raise CypherDiffers(f"null {word}", hint="leave it out")
                made = self._joined(f"{made.text} {word}", BOOL, [made])
        return made

    def _string_test(self, left: Typed, tree: Any) -> Typed:
        right = self.property_or_label(tree.propertyOrLabelExpression())
        if left.type != STRING or right.type != STRING:
            raise CypherDiffers(
                f"{source_of(tree)} asks a {left.type.name} and a {right.type.name}", hint="it takes two strings"
            )
        word = " ".join(tree.stringExpPrefix().getText().upper().replace("WITH", " WITH").split())
        text = f"{left.text} {word} {right.text}"
        if word == "CONTAINS" and not (right.constant and self.parameters.get(right.text[1:])):
            text = f"{text} OR ({right.text} = '' AND {left.text} IS NOT NULL)"  # the engine finds no empty text
        return self._joined(text, BOOL, [left, right])

    def _in(self, left: Typed, tree: Any) -> Typed:
        right = self.property_or_label(tree.propertyOrLabelExpression())
        if right.type.kind != "LIST":
            raise CypherDiffers(f"IN a {right.type.name}", hint="give a list")
        if right.type.item is None:
            return Typed("false", BOOL, constant=True)
        if left.type == NULL or right.type.item not in (INT, FLOAT, STRING, BOOL):
            raise CypherDiffers(f"a {left.type.name} IN a {right.type.name}", hint="use plain values")
        if left.type != right.type.item:
            raise CypherDiffers(
                f"a {left.type.name} is never IN a {right.type.name}", hint="make them one type, e.g. with toString()"
            )
        return self._joined(f"{left.text} IN {right.text}", BOOL, [left, right])

    def _index(self, target: Typed, tree: Any) -> Typed:
        bounds: list[int | None] = [None]
        for child in tree.getChildren():
            if type(child).__name__ == "ExpressionContext":
                number = self.expression(child).text
                if not number.isdigit():
                    raise CypherDiffers(
                        f"a list's element at {source_of(child)}", hint="write a plain number from 0, or use UNWIND"
                    )
                bounds[-1] = int(number)
            elif child.getText() == "..":
                bounds.append(None)
        if len(bounds) == 1:
            made = index_of(target, int(bounds[0] or 0))
        else:
            made = slice_of(target, bounds[0] or 0, bounds[1])
        return self._joined(*made, [target], brackets=False)

    def property_or_label(self, tree: Any) -> Typed:
        """`n.name`, or `n:Label`."""
        inner = tree.propertyExpression()
        if tree.nodeLabels() is None:
            return self.property(inner)
        labels = [identifier(name) for name in tree.nodeLabels().name()]
        symbol = inner.atom().symbol()
        if symbol is None or inner.name() or len(labels) != 1:
            raise CypherDiffers(f"the test {source_of(tree)}", hint="test one label of one node")
        self.known_label(labels[0])
        node = self.sure(identifier(symbol), NODE, source_of(tree))
        if node.labels is not None and (labels[0] not in node.labels or len(node.labels) == 1):
            return Typed("(1 = 1)" if labels[0] in node.labels else "(1 = 0)", BOOL)
        return Typed(f"(label({node.text}) = {self.value(labels[0])})", BOOL)

    def sure(self, name: str, kind: Type, source: str) -> Variable:
        """A node or relationship that is never null: the engine gives a null one the label of another."""
        variable = self.variable(name)
        if variable.type != kind or variable.optional:
            why = f"of a {variable.type.name}" if variable.type != kind else "of what an OPTIONAL MATCH may not find"
            raise CypherDiffers(f"{source}: the label or type {why}", hint="ask for a property, or for IS NULL")
        return variable

    def known_label(self, label: str) -> None:
        """Refuse a label that the view does not have, or spells differently."""
        if label not in self.schema.nodes:
            raise BadUsage(f"no label {label!r}", hint=f"there are {', '.join(sorted(self.schema.nodes))}")

    def property(self, tree: Any) -> Typed:
        """`n.name`."""
        names = [identifier(name) for name in tree.name() or []]
        atom = tree.atom()
        if not names:
            return self.atom(atom)
        if atom.getText().isdigit():  # the grammar takes `1.0` for a property of 1
            return _number(source_of(tree))
        if len(names) > 1 or atom.symbol() is None:
            raise CypherDiffers(f"{source_of(tree)} is not a node's property", hint="return the property on its own")
        variable = self.variable(identifier(atom.symbol()))
        kind = self.property_type(variable, names[0])
        return Typed(f"{variable.text}.{quote(names[0])}", kind, late=variable.type == REL)

    def property_type(self, variable: Variable, name: str) -> Type:
        """The type of a node's or relationship's property."""
        if variable.type not in (NODE, REL):
            raise CypherDiffers(f"the property {name!r} of a {variable.type.name}", hint="ask a node or relationship")
        tables = self.schema.nodes if variable.type == NODE else self.schema.relationships
        possible = {
            label: properties for label, properties in tables.items() if not variable.labels or label in variable.labels
        }
        kinds = {properties[name] for properties in possible.values() if name in properties}
        if not kinds:
            known = sorted({known for properties in possible.values() for known in properties})
            raise BadUsage(f"no property {name!r} there", hint=f"there are {', '.join(known) or 'none'}")
        if len(kinds) > 1:
            raise CypherDiffers(f"{name!r} has several types", hint="name the label or relationship type")
        return kinds.pop()

    def variable(self, name: str) -> Variable:
        """A variable in scope."""
        if name not in self.scope:
            raise BadUsage(f"the variable `{name}` is not defined", hint="match it, or take it along in WITH")
        return self.scope[name]

    def atom(self, tree: Any) -> Typed:
        """The smallest expressions."""
        if tree.literal() is not None:
            return self.literal(tree.literal())
        if tree.parameter() is not None:
            return self.parameter(tree.parameter())
        if tree.symbol() is not None:
            if tree.getText()[0].isdigit():  # the grammar takes a whole number for a name
                return _number(tree.getText())
            variable = self.variable(identifier(tree.symbol()))
            return Typed(variable.text, variable.type, late=variable.type == REL)
        if tree.parenthesizedExpression() is not None:
            return self.expression(tree.parenthesizedExpression().expression())
        if tree.countAll() is not None:
            return Typed("count(*)", INT, aggregate=True)
        if tree.functionInvocation() is not None:
            return self.function(tree.functionInvocation())
        if tree.caseExpression() is not None:
            return self.case(tree.caseExpression())
        if tree.relationshipsChainPattern() is not None:
            return Typed(self.subquery("EXISTS", tree.relationshipsChainPattern(), None), BOOL)
        if tree.subqueryExist() is not None:
            inner = tree.subqueryExist()
            if inner.patternWhere() is None:
                raise CypherDiffers("a whole query inside EXISTS or COUNT", hint="leave a pattern and its WHERE in it")
            word = inner.EXISTS().getText().upper()
            made = self.subquery(word, inner.patternWhere().pattern(), inner.patternWhere().where())
            return Typed(made, INT if word == "COUNT" else BOOL)
        raise CypherDiffers(
            f"{source_of(tree)} is not known to the embedded engine", hint="use UNWIND and collect(), or Neo4j"
        )

    def function(self, tree: Any) -> Typed:
        """A function call."""
        name = ".".join(identifier(part) for part in tree.invocationName().symbol())
        if name.lower() in ("labels", "type"):
            return self._kind_of(name.lower(), tree)
        chain, inner = tree.expressionChain(), tree.patternElem()
        arguments = [self.expression(part) for part in chain.expression()] if chain is not None else []
        if inner is not None:  # the grammar takes a call inside a call for a path
            if inner.functionInvocation() is None:
                raise CypherDiffers(f"{source_of(tree)}", hint="paths need Neo4j")
            arguments = [self.function(inner.functionInvocation())]
        return call(name, arguments, bool(tree.DISTINCT()))

    def _kind_of(self, name: str, tree: Any) -> Typed:
        """`labels(n)` and `type(r)`."""
        argument = source_of(tree.expressionChain()) if tree.expressionChain() is not None else ""
        wanted = NODE if name == "labels" else REL
        variable = self.sure(argument.strip("`"), wanted, source_of(tree))
        if variable.labels is not None and len(variable.labels) == 1:
            text = self.value(next(iter(variable.labels)))
        else:
            text = f"label({variable.text})"
        if name == "labels":
            return Typed(f"[{text}]", list_of(STRING))
        return Typed(text, STRING, late=True)

    def case(self, tree: Any) -> Typed:
        """`CASE WHEN a THEN b ELSE c END`."""
        expressions = [self.expression(part) for part in tree.expression()]
        whens = len(tree.WHEN())
        rest = expressions
        subject = None
        if len(expressions) > 2 * whens + (1 if tree.ELSE() else 0):
            subject, rest = expressions[0], expressions[1:]
        branches = rest[1 : 2 * whens : 2] + ([rest[-1]] if tree.ELSE() else [])
        kinds = {branch.type for branch in branches if branch.type != NULL}
        if len(kinds) != 1:
            raise CypherDiffers(f"{source_of(tree)} has several types", hint="give every branch the same type")
        text = ["CASE"]
        for when, then in zip(rest[0 : 2 * whens : 2], rest[1 : 2 * whens : 2], strict=True):
            if subject is not None:
                self._comparable(subject, when, tree, equality=True)
                text.append(f"WHEN {subject.text} = {when.text} THEN {then.text}")
            else:
                self._need_bool(when, tree)
                text.append(f"WHEN {when.text} THEN {then.text}")
        text.append(f"ELSE {rest[-1].text} END" if tree.ELSE() else "END")
        return self._joined(" ".join(text), kinds.pop(), expressions)

    def parameter(self, tree: Any) -> Typed:
        """`$name`."""
        name = identifier(tree.symbol() or tree.numLit())
        if name not in self.given:
            raise BadUsage(f"the parameter ${name} has no value", hint=f"give it with --param {name}=VALUE")
        return self.constant(self.given[name], f"${name}")

    def constant(self, value: Any, what: str) -> Typed:
        """A value from outside, typed."""
        kind = _type_of(value, what)
        if kind == NULL:
            return Typed("NULL", NULL, constant=True)
        if kind.kind == "LIST" and kind.item is None:
            return Typed("[]", kind, constant=True)
        text = self.value(value)
        if kind.kind in ("INT", "LIST", "FLOAT"):
            text = f"CAST({text} AS {kind.engine})"
        return Typed(text, kind, constant=True)

    def literal(self, tree: Any) -> Typed:
        """Numbers, strings, lists."""
        text = tree.getText()
        if tree.NULL_W() is not None:
            return Typed("NULL", NULL, constant=True)
        if tree.boolLit() is not None:
            return Typed(text.lower(), BOOL, constant=True)
        if tree.numLit() is not None:
            return _number(text)
        if tree.stringLit() is not None or tree.charLit() is not None:
            return self.constant(_unescaped(text[1:-1]), text)
        if tree.listLit() is not None:
            return self._list(tree.listLit())
        raise CypherDiffers(f"the map {text}", hint="return the values as columns")

    def _list(self, tree: Any) -> Typed:
        chain = tree.expressionChain()
        items = [self.expression(part) for part in chain.expression()] if chain is not None else []
        kinds = {item.type for item in items}
        if not items:
            return Typed("[]", list_of(None), constant=True)
        if len(kinds) > 1 or NULL in kinds or next(iter(kinds)).kind == "LIST":
            raise CypherDiffers(f"the list {source_of(tree)}", hint="use values of one type, without null")
        return self._joined(f"[{', '.join(item.text for item in items)}]", list_of(kinds.pop()), items, brackets=False)

    def _joined(self, text: str, kind: Type, parts: list[Typed], brackets: bool = True) -> Typed:
        # Brackets keep the tree's meaning whatever the engine's own precedence is.
        text = f"({text})" if brackets else text
        return Typed(
            text,
            kind,
            constant=all(part.constant for part in parts),
            aggregate=any(part.aggregate for part in parts),
            late=any(part.late for part in parts) or "CASE " in text,
        )

    def _need_bool(self, made: Typed, tree: Any) -> None:
        if made.type not in (BOOL, NULL):
            raise CypherDiffers(f"{source_of(tree)} is a {made.type.name}, not true or false", hint="compare it")


def _bracketed(tree: Any) -> Any:
    """The expression inside brackets, if the tree is nothing but that."""
    while tree.getChildCount() == 1:
        tree = tree.getChild(0)
        if type(tree).__name__ == "ParenthesizedExpressionContext":
            return tree.expression()
    return None


def _number(text: str) -> Typed:
    if re.fullmatch(r"-?(0|[1-9]\d*)", text):
        if abs(int(text)) > _LARGEST:
            raise BadUsage(f"the number {text} is too large", hint="integers have 64 bits")
        return Typed(text, INT, constant=True)
    if re.fullmatch(r"-?(\d*\.\d+|\d+)([eE][+-]?\d+)?", text) and ("." in text or "e" in text.lower()):
        value = float(text)
        return Typed(f"CAST({value!r} AS DOUBLE)", FLOAT, constant=True)
    raise CypherDiffers(f"the number {text}", hint="write it in decimals")


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        found = match[1]
        if found[0] in "uU" and len(found) > 1:
            return chr(int(found[1:], 16))
        if found not in _ESCAPES:
            raise BadUsage(f"the escape \\{found} in a string", hint="write \\\\ for a backslash")
        return _ESCAPES[found]

    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", one, text, flags=re.DOTALL)


def _type_of(value: Any, what: str) -> Type:
    if value is None:
        return NULL
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        if abs(value) > _LARGEST:
            raise BadUsage(f"{what} is too large", hint="integers have 64 bits")
        return INT
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, str):
        return STRING
    if isinstance(value, (list, tuple)):
        kinds = {_type_of(item, what) for item in value}
        if len(kinds) <= 1 and NULL not in kinds and not any(kind.kind == "LIST" for kind in kinds):
            return list_of(kinds.pop() if kinds else None)
        raise CypherDiffers(f"{what} is a list of several types", hint="give values of one type, without null")
    raise CypherDiffers(f"{what} is a {type(value).__name__}", hint="give numbers, strings or lists of them")
