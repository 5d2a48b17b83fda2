"""The tokens of a query one after the other, and the error for an unexpected one."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import TypeVar

from hin.cypher.errors import CypherError, CypherRefused, CypherSyntaxError
from hin.cypher.syntax.lexer import Token, place, tokens_of
from hin.cypher.syntax.tree import Expression

T = TypeVar("T")

#: Hints by unexpected word.
SLIPS = {
    "GROUP": "leave GROUP BY away: rows are grouped by the columns without an aggregate",
    "HAVING": "filter with WITH ... WHERE",
    "LIKE": "use CONTAINS, STARTS WITH, ENDS WITH or =~",
    "BETWEEN": "write 1 <= x <= 9",
    "JOIN": "join by a pattern: (a)-[:TYPE]->(b)",
    "SELECT": "this is Cypher: MATCH (d:Document) RETURN d.id LIMIT 5",
    "FROM": "this is Cypher: MATCH (d:Document) RETURN d.id LIMIT 5",
}
CLAUSES = ("MATCH", "OPTIONAL", "RETURN", "WHERE", "WITH", "UNWIND", "ORDER", "LIMIT", "UNION", "CALL")
#: The deepest nesting of brackets; each level takes about eight calls, and Python allows a thousand.
DEEPEST = 90


class Stream:
    """A position in a query's words."""

    def __init__(self, text: str, spend: Callable[[], None] = lambda: None) -> None:
        self.text = text
        self.spend = spend
        self.tokens = tokens_of(text, spend)
        self.at = 0
        self.depth = 0
        #: Whether the WHERE of a comprehension is being read.
        self.in_test = False
        self.closing = _closing(self.tokens)
        self.failed: set[tuple[str, int]] = set()

    @property
    def token(self) -> Token:
        """The word that comes next."""
        return self.tokens[self.at]

    def ahead(self, steps: int = 1) -> Token:
        """Return the word that comes `steps` later."""
        return self.tokens[min(self.at + steps, len(self.tokens) - 1)]

    def advance(self) -> Token:
        """Take the next word."""
        self.spend()
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def sees(self, *signs: str) -> bool:
        """Check whether the next token is one of these signs."""
        return self.token.kind == "sign" and self.token.value in signs

    def sees_word(self, *words: str) -> bool:
        """Check whether the next words are these keywords, in this order."""
        return all(self.ahead(i).upper == word for i, word in enumerate(words))

    def take(self, sign: str) -> bool:
        """Take a sign when it comes next."""
        if self.sees(sign):
            self.advance()
            return True
        return False

    def take_word(self, *words: str) -> bool:
        """Take keywords when they come next."""
        if self.sees_word(*words):
            self.at += len(words)
            return True
        return False

    def need(self, sign: str) -> None:
        """Take a sign, which must come next."""
        if not self.take(sign):
            raise self.unexpected(f"`{sign}`")

    def another(self, closing: str) -> bool:
        """Take a comma, which must be followed by another item, not by the closing bracket."""
        if not self.take(","):
            return False
        if self.sees(closing):
            raise self.unexpected("another one after the comma")
        return True

    def enclosed(self, opening: str, read: Callable[[], T], closing: str) -> tuple[T, ...]:
        """Read what stands between two brackets, separated by commas."""
        self.need(opening)
        found = []
        while not self.sees(closing):
            found.append(read())
            if not self.another(closing):
                break
        self.need(closing)
        return tuple(found)

    def need_word(self, word: str) -> None:
        """Take a keyword, which must come next."""
        if not self.take_word(word):
            raise self.unexpected(word)

    def name(self, what: str = "a name") -> str:
        """Take a name, quoted or not."""
        if self.token.kind not in ("name", "quoted"):
            raise self.unexpected(what)
        if self.token.value == "":
            raise CypherSyntaxError(f"an empty name at {self.where()}", hint="give it a name")
        return str(self.advance().value)

    def where(self, token: Token | None = None) -> str:
        """Return the place of a word, for messages."""
        return place(self.text, (token or self.token).start)

    def unexpected(self, wanted: str) -> CypherSyntaxError:
        """Return the error for an unexpected token."""
        token = self.token
        hint = self._slip() or f"expected {wanted}"
        near = "the end of the query" if token.kind == "end" else repr(self.text[token.start : token.end][:40])
        return CypherSyntaxError(
            f"the query is not valid at {self.where()}, near {near}",
            hint=hint,
        )

    def _slip(self) -> str | None:
        """Return a hint for syntax from SQL and other languages."""
        here, after = self.token, self.ahead()
        pair = f"{here.value}{after.value}" if here.kind == after.kind == "sign" else ""
        before = self.tokens[self.at - 1].value if self.at else ""
        if here.upper == "NOT" and after.upper == "IN":
            return "write NOT x IN list"
        if pair.startswith("!=") or (here.kind == "sign" and here.value == before == "="):
            return "write <> for unequal and a single = for equal"
        if here.upper in SLIPS or here.kind != "name":
            return SLIPS.get(here.upper)
        near = difflib.get_close_matches(here.upper, CLAUSES, 1, 0.75)
        return f"did you mean {near[0]}?" if near and near[0] != here.upper else None

    def deeper(self) -> None:
        """Count one level of nesting."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise CypherSyntaxError(f"more than {DEEPEST} levels of nesting", hint="split the query with WITH")

    def check_count(self, count: int, most: int, what: str) -> None:
        """Raise when there are more of something than a query may have."""
        if count > most:
            raise CypherSyntaxError(f"more than {most} {what}", hint="ask in several queries")

    def source(self, start: Token) -> str:
        """Return the text from a word to the last one taken."""
        return self.text[start.start : self.tokens[self.at - 1].end]

    def trying(self, what: str, read: Callable[[], Expression]) -> Expression | None:
        """Call `read`, or return None without consuming anything if it fails; no position is tried twice for the
        same construct.
        """
        at, depth, in_test = self.at, self.depth, self.in_test
        if (what, at) in self.failed:
            return None
        try:
            return read()
        except CypherRefused:
            raise  # understood, and refused in any other reading, too
        except CypherError:
            self.failed.add((what, at))
            self.at, self.depth, self.in_test = at, depth, in_test
            return None


def _closing(tokens: list[Token]) -> dict[int, int]:
    """Return the position of the closing bracket of each round bracket."""
    found, open_ = {}, []
    for i, token in enumerate(tokens):
        if token.kind == "sign" and token.value == "(":
            open_.append(i)
        elif token.kind == "sign" and token.value == ")" and open_:
            found[open_.pop()] = i
    return found
