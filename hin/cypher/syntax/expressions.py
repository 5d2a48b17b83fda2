"""Expressions, by precedence: OR, XOR, AND, NOT, comparisons, tests, + -, * / %, ^, signs, and what follows a value."""

from __future__ import annotations

import math

from hin.cypher.errors import CypherRefused, CypherSyntaxError
from hin.cypher.syntax import tree
from hin.cypher.syntax.stream import Stream
from hin.cypher.syntax.tree import Expression

LARGEST = 2**63 - 1
_COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")
_NOT, _COMPARISON, _TEST = 3, 4, 5
_SIGNS = {6: ("+", "-", "||"), 7: ("*", "/", "%"), 8: ("^",)}
#: How tightly operators bind, loosest first; 3 is NOT, which stands before its operand.
_LEVELS = {
    "OR": 0, "XOR": 1, "AND": 2, **dict.fromkeys(_COMPARISONS, _COMPARISON),
    **dict.fromkeys(("CONTAINS", "IN", "IS", "=~", "::"), _TEST),
    **{sign: level for level, signs in _SIGNS.items() for sign in signs},
}  # fmt: skip
_QUANTIFIERS = ("ALL", "ANY", "NONE", "SINGLE")
_CONSTANTS = {
    "TRUE": True, "FALSE": False, "NULL": None, "INF": math.inf, "INFINITY": math.inf, "NAN": math.nan,
}  # fmt: skip


class Expressions(Stream):
    """Parses expressions; patterns and subqueries are parsed by subclasses."""

    def pattern_path(self, *, named: bool = False) -> tree.PathPattern:
        """Read a path (given by `Patterns`)."""
        raise NotImplementedError

    def label_expression(self, *, relationship: bool = False) -> tree.LabelExpression:
        """Read labels (given by `Patterns`)."""
        raise NotImplementedError

    def subquery(self, kind: str) -> Expression:
        """Read `{ ... }` (given by `Clauses`)."""
        raise NotImplementedError

    def expression(self) -> Expression:
        """Read one expression."""
        self.deeper()
        found = self._climb(0)
        self.depth -= 1
        return found

    def _climb(self, least: int) -> Expression:
        """Parse operands joined by operators of at least a given precedence.

        One function for all levels: a function each would take ten times the stack for every bracket.
        """
        found = self._negation() if least <= _NOT and self._at_not() else self._signed()
        while (level := self._level()) is not None and level >= least:
            if level < _NOT:
                found = self._logic(("OR", "XOR", "AND")[level], level, found)
            elif level == _COMPARISON:
                found = self._compared(found)
            elif level == _TEST:
                found = self._tested(found)
            else:
                found = self._chain(_SIGNS[level], level, found)
        return found

    def _level(self) -> int | None:
        """Return the precedence of the next operator, if there is one."""
        token = self.token
        if token.kind == "sign":
            return _LEVELS.get(token.value)
        if token.kind != "name":
            return None
        word = token.upper
        if word in ("STARTS", "ENDS"):
            return _TEST if self.ahead().upper == "WITH" else None
        return _LEVELS.get(word)

    def _at_not(self) -> bool:
        after = self.ahead()
        return self.sees_word("NOT") and not (after.kind == "sign" and after.value in (",", ")", "."))

    def _negation(self) -> Expression:
        count = 0
        while self._at_not():
            self.advance()
            count += 1
        found = self._climb(_COMPARISON)
        for _ in range(count if count < 3 else 2 + count % 2):  # NOT is its own inverse on true, false and null
            found = tree.Not(found)
        return found

    def _logic(self, word: str, level: int, first: Expression) -> Expression:
        items = [first]
        while self.take_word(word):
            items.append(self._climb(level + 1))
        return tree.Logic(word, tuple(items))

    def _compared(self, first: Expression) -> Expression:
        rest = []
        while self.sees(*_COMPARISONS):
            operator = self.advance().value
            rest.append((operator, self._climb(_TEST)))
        return tree.Compare(first, tuple(rest))

    def _tested(self, found: Expression) -> Expression:
        count = 0
        while self._level() == _TEST:
            found, count = self._one_test(found), count + 1
            if count > 20:
                raise CypherSyntaxError(f"a chain of tests at {self.where()}", hint="join conditions with AND")
        return found

    def _one_test(self, left: Expression) -> Expression:
        for words in (("STARTS", "WITH"), ("ENDS", "WITH"), ("CONTAINS",), ("IN",)):
            if self.take_word(*words):
                return tree.Test(" ".join(words), left, self._climb(_TEST + 1))
        if self.take("=~"):
            return tree.Test("=~", left, self._climb(_TEST + 1))
        if self.take_word("IS", "NULL"):
            return tree.IsNull(left, False)
        if self.take_word("IS", "NOT", "NULL"):
            return tree.IsNull(left, True)
        raise CypherRefused(f"tests of types and normal forms at {self.where()}")

    def _chain(self, signs: tuple[str, ...], level: int, first: Expression) -> Expression:
        rest = []
        while self.sees(*signs):
            operator = self.advance().value
            rest.append((operator, self._climb(level + 1)))
        return tree.Arithmetic(first, tuple(rest))

    def _signed(self) -> Expression:
        signs = []
        while self.sees("-", "+"):
            signs.append(self.advance().value)
            if len(signs) > 50:
                raise CypherSyntaxError(f"too many signs at {self.where()}", hint="write one")
        if signs and signs[-1] == "-" and self.token.kind == "integer" and self.token.value == LARGEST + 1:
            self.advance()
            found: Expression = tree.Literal(-LARGEST - 1)
            signs.pop()
        elif signs and signs[-1] == "-" and self.token.kind == "float" and self.token.value == 0:
            self.advance()
            found = tree.Literal(-0.0)
            signs.pop()
        else:
            found = self._postfix()
        for sign in reversed(signs):
            found = tree.Negate(found) if sign == "-" else tree.Plus(found)
        return found

    def _postfix(self) -> Expression:
        found, steps = self._atom(), 0
        while True:
            steps += 1
            if steps > 100:
                raise CypherSyntaxError(f"too many steps at {self.where()}", hint="split the query with WITH")
            if self.sees(".") and self.ahead().kind in ("name", "quoted"):
                self.advance()
                found = tree.Property(found, self.name())
            elif self.sees("["):
                found = self._indexed(found)
            elif isinstance(found, tree.Variable) and self.sees("{"):
                found = self._projection(found)
            elif self.take(":"):
                found = tree.HasLabels(found, self.label_expression())
            else:
                return found

    def _indexed(self, base: Expression) -> Expression:
        self.need("[")
        low = None if self.sees("..") else self.expression()
        if not self.take(".."):
            self.need("]")
            assert low is not None
            return tree.Index(base, low)
        high = None if self.sees("]") else self.expression()
        self.need("]")
        if low is None and high is None:
            raise CypherSyntaxError(f"a slice without bounds at {self.where()}", hint="write [0..]")
        return tree.Slice(base, low, high)

    def _projection(self, base: Expression) -> Expression:
        def entry() -> tuple[str | None, Expression | None]:
            if not self.take("."):
                key = self.name("a key")
                return key, self.expression() if self.take(":") else tree.Variable(key)
            if self.take("*"):
                return None, None
            key = self.name("a property")
            return key, tree.Property(base, key)

        return tree.MapProjection(base, self.enclosed("{", entry, "}"))

    def _atom(self) -> Expression:
        token = self.token
        if token.kind == "integer":
            if token.value > LARGEST:
                raise CypherSyntaxError(
                    f"the integer at {self.where()} is too large", hint=f"integers end at {LARGEST}"
                )
            return tree.Literal(self.advance().value)
        if token.kind in ("float", "string"):
            return tree.Literal(self.advance().value)
        if token.kind == "parameter":
            return tree.Parameter(self.advance().value)
        if self.sees("["):
            return self._bracketed()
        if self.sees("{"):
            return tree.MapOf(self.map_entries())
        if self.sees("("):
            return self._parenthesised()
        if token.kind == "name":
            return self._word()
        if token.kind == "quoted":
            return tree.Variable(self.name())
        raise self.unexpected("an expression")

    def map_entries(self) -> tuple[tuple[str, Expression], ...]:
        """Read `{key: value, ...}`."""

        def entry() -> tuple[str, Expression]:
            key = self.name("a key")
            self.need(":")
            return key, self.expression()

        return self.enclosed("{", entry, "}")

    def _parenthesised(self) -> Expression:
        if self._opens_pattern(self.at):
            path = self._path_of_several()
            tests = [node.test for node in path.nodes] + [step.test for step in path.relationships]
            if any(test is not None for test in tests):
                raise CypherSyntaxError("WHERE in a pattern that is a condition", hint="write EXISTS { ... WHERE ... }")
            return tree.PatternTest(path)
        self.need("(")
        found = self.expression()
        self.need(")")
        return found

    def _opens_pattern(self, at: int) -> bool:
        """Check whether the bracket at a position is a node with a relationship after it: `(a)-[`, `(a)--(`,
        `(a)<-[`.
        """
        end = self.closing.get(at)
        if end is None:
            return False
        inner = self.tokens[at + 1]
        inner = self.tokens[at + 2] if inner.kind in ("name", "quoted") and inner.upper != "WHERE" else inner
        if inner.value not in (")", ":", "{") and inner.upper not in ("WHERE", "IS"):  # (a.x) - -(b.x)
            return False
        signs = [t.value if t.kind == "sign" else "" for t in self.tokens[end + 1 : end + 5]] + [""] * 4
        after = signs[1:] if signs[0] == "<" else signs
        return after[0] == "-" and (after[1] == "[" or (after[1] in ("-", "->") and after[2] == "("))

    def _path_of_several(self, *, named: bool = False) -> tree.PathPattern:
        path = self.pattern_path(named=named)
        if not path.relationships:
            raise self.unexpected("a pattern")
        return path

    def _bracketed(self) -> Expression:
        found = None
        if self.ahead().kind in ("name", "quoted") and self.ahead(2).upper == "IN":
            found = self.trying("list comprehension", self._list_comprehension)
        elif self._opens_pattern(self.at + 1) or (self.ahead(2).value == "=" and self._opens_pattern(self.at + 3)):
            found = self.trying("pattern comprehension", self._pattern_comprehension)
        return tree.ListOf(self.enclosed("[", self.expression, "]")) if found is None else found

    def ends_test(self) -> bool:
        """Check whether the next `|` ends the WHERE of a comprehension: the last one joins no labels."""
        depth = 0
        for token in self.tokens[self.at + 1 :] if self.in_test else ():
            if token.kind == "sign" and token.value in "([{":
                depth += 1
            elif token.kind == "sign" and token.value in ")]}":
                if depth == 0:
                    return str(token.value) == "]"
                depth -= 1
            elif token.kind == "sign" and token.value == "|" and depth == 0:
                return False
        return False

    def _test(self) -> Expression | None:
        """Read the WHERE of a comprehension."""
        if not self.take_word("WHERE"):
            return None
        before, self.in_test = self.in_test, True
        found = self.expression()
        self.in_test = before
        return found

    def _list_comprehension(self) -> Expression:
        self.need("[")
        variable = self.name()
        self.need_word("IN")
        source = self.expression()
        test = self._test()
        value = self.expression() if self.take("|") else None
        self.need("]")
        return tree.ListComprehension(variable, source, test, value)

    def _pattern_comprehension(self) -> Expression:
        self.need("[")
        path = self._path_of_several(named=True)
        test = self._test()
        self.need("|")
        value = self.expression()
        self.need("]")
        return tree.PatternComprehension(path, test, value)

    def _word(self) -> Expression:
        word, after = self.token.upper, self.ahead()
        opens = after.kind == "sign" and after.value == "("
        braces = after.kind == "sign" and after.value == "{"
        if word == "CASE" and not (after.kind == "sign" and after.value in (".", ")", ",", "]")):
            return self._case()
        if word in ("EXISTS", "COUNT", "COLLECT") and braces:
            self.advance()
            return self.subquery(word)
        if word in _CONSTANTS and not opens:
            self.advance()
            return tree.Literal(_CONSTANTS[word])
        if opens and word in _QUANTIFIERS and self.ahead(3).upper == "IN":
            return self._quantifier()
        if opens and word == "REDUCE":
            return self._reduce()
        if opens and word in ("SHORTESTPATH", "ALLSHORTESTPATHS"):
            raise CypherRefused("shortestPath in an expression", hint="write MATCH p = shortestPath(...) instead")
        if opens or self._dotted_call():
            return self._call()
        return tree.Variable(self.name())

    def _dotted_call(self) -> bool:
        steps = 1
        while (
            self.ahead(steps).kind == "sign" and self.ahead(steps).value == "." and self.ahead(steps + 1).kind == "name"
        ):
            steps += 2
        return steps > 1 and self.ahead(steps).kind == "sign" and self.ahead(steps).value == "("

    def _call(self) -> Expression:
        name = self.name("a function")
        while self.take("."):
            name += "." + self.name("a function")
        self.need("(")
        if name.lower() == "count" and self.take("*"):
            self.need(")")
            return tree.CountAll()
        distinct = self.take_word("DISTINCT")
        if self.sees_word("ALL") and not (self.ahead().kind == "sign" and self.ahead().value in ",).("):
            self.advance()
        if name.lower() == "trim" and (found := self._trim()) is not None:
            return found
        arguments: list[Expression] = []
        while not self.sees(")"):
            if name.lower() == "normalize" and arguments and self.token.upper in ("NFC", "NFD", "NFKC", "NFKD"):
                arguments.append(tree.Literal(self.advance().upper))
            else:
                arguments.append(self.expression())
            if not self.another(")"):
                break
        self.need(")")
        if name.lower() == "exists" and len(arguments) == 1 and isinstance(arguments[0], tree.PatternTest):
            return tree.PatternTest(arguments[0].path, called=True)
        return tree.Call(name.lower(), tuple(arguments), distinct, name)

    def _trim(self) -> Expression | None:
        """Parse `BOTH 'x' FROM text)` after `trim(`; for a plain call return None without consuming anything."""
        at, depth = self.at, self.depth
        side = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(self.token.upper, "btrim")
        stated = self.token.upper in ("LEADING", "TRAILING", "BOTH") and self.advance() is not None
        letter = None if self.sees_word("FROM") else self.expression()
        if not self.take_word("FROM"):
            if stated:
                raise self.unexpected("FROM")
            self.at, self.depth = at, depth
            return None
        if isinstance(letter, tree.Literal) and isinstance(letter.value, str) and len(letter.value) != 1:
            raise CypherSyntaxError(f"trim() of several letters at {self.where()}", hint="use btrim()")
        arguments = (self.expression(), *(() if letter is None else (letter,)))
        self.need(")")
        return tree.Call(side, arguments, False, side)

    def _quantifier(self) -> Expression:
        kind = self.advance().upper
        self.need("(")
        variable = self.name()
        self.need_word("IN")
        source = self.expression()
        if not self.take_word("WHERE"):
            raise CypherSyntaxError(f"{kind.lower()}() without WHERE at {self.where()}", hint="add WHERE")
        test = self.expression()
        self.need(")")
        return tree.Quantifier(kind, variable, source, test)

    def _reduce(self) -> Expression:
        self.advance()
        self.need("(")
        total = self.name()
        self.need("=")
        start = self.expression()
        self.need(",")
        variable = self.name()
        self.need_word("IN")
        source = self.expression()
        self.need("|")
        value = self.expression()
        self.need(")")
        return tree.Reduce(total, start, variable, source, value)

    def _case(self) -> Expression:
        self.need_word("CASE")
        operand = None if self.sees_word("WHEN") else self.expression()
        branches = []
        while self.take_word("WHEN"):
            tests = [self.expression() if operand is None else self._when(operand)]
            while operand is not None and self.take(","):
                tests.append(self._when(operand))
            self.need_word("THEN")
            value = self.expression()
            branches += [(test, value) for test in tests]
        if not branches:
            raise self.unexpected("WHEN")
        default = self.expression() if self.take_word("ELSE") else None
        self.need_word("END")
        return tree.Case(None, tuple(branches), default)

    def _when(self, operand: Expression) -> Expression:
        """Read what CASE compares its value with: another one, or an operator and another one (`> 3`, `IS NULL`)."""
        after = self.ahead().upper
        if self.sees(*_COMPARISONS):
            return tree.Compare(operand, ((self.advance().value, self._climb(_TEST)),))
        if self.sees("=~") or (self.sees_word("IS") and after in ("NULL", "NOT")) or after == "WITH":
            return self._one_test(operand)
        return tree.Compare(operand, (("=", self.expression()),))
