r"""Cypher's words: names, numbers, strings, signs, each with its place in the text.

Escapes are read here. Neo4j reads `\uXXXX` before anything else, so an escaped quote would end a string there: such
an escape is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hin.cypher.errors import CypherSyntaxError

#: The longest query that is tokenised.
MOST_CHARACTERS = 1_000_000

_D = r"[0-9](?:_?[0-9])*"
_PATTERN = re.compile(
    rf"""
    (?P<space>(?:\s|//[^\n\r]*|/\*.*?\*/)+)
  | (?P<float>(?:{_D}\.(?!\.){_D}|\.{_D})(?:[eE][+-]?{_D})?|{_D}[eE][+-]?{_D})
  | (?P<hex>0x(?:_?[0-9a-fA-F])+) | (?P<octal>0o(?:_?[0-7])+)
  | (?P<integer>{_D})
  | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<quoted>`(?:[^`]|``)*`)
  | (?P<name>[^\W\d][\w$]*)
  | (?P<parameter>\$(?:`(?:[^`]|``)*`|[\w$]+))
  | (?P<sign><>|<=|>=|=~|\.\.|->|\|\||::|/(?!\*)|[-+*%^=<>(){{}}\[\],.:;|&!$])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"\\": "\\", "'": "'", '"': '"', "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_QUOTES = "'\"`\\"


@dataclass(frozen=True)
class Token:
    """A word: its kind, its value, where it starts and ends."""

    kind: str
    value: Any
    start: int
    end: int

    @property
    def upper(self) -> str:
        """The word in upper case, as keywords are compared."""
        return self.value.upper() if self.kind == "name" else ""


def place(text: str, position: int) -> str:
    """Return the line and column of a position, counted from 1.

    >>> place("RETURN\\n1 +", 9)
    'line 2, column 3'
    """
    line = text.count("\n", 0, position)
    return f"line {line + 1}, column {position - (text.rfind(chr(10), 0, position) + 1) + 1}"


def tokens_of(text: str, spend: Callable[[], None] = lambda: None) -> list[Token]:
    """Split a query into words, ending with one of kind `end`; `spend` is called for each.

    Examples
    --------
    >>> [(t.kind, t.value) for t in tokens_of("RETURN 0x1F, 'it\\\\'s' // done")][:4]
    [('name', 'RETURN'), ('integer', 31), ('sign', ','), ('string', "it's")]
    """
    if len(text) > MOST_CHARACTERS:
        raise CypherSyntaxError(f"a query of {len(text):,} characters", hint="pass values as parameters")
    found: list[Token] = []
    position = 0
    while position < len(text):
        spend()
        match = _PATTERN.match(text, position)
        if match is None:
            said = "a string, name or comment without its end" if text[position] in "'\"`/" else repr(text[position])
            raise CypherSyntaxError(f"{said} at {place(text, position)}", hint="see docs/cookbook.md for examples")
        kind = match.lastgroup or ""
        if kind != "space":
            value = _value(kind, match.group(), text, position)
            kind = {"hex": "integer", "octal": "integer", "quoted": "quoted"}.get(kind, kind)
            found.append(Token(kind, value, position, match.end()))
            numeric = kind in ("integer", "float")
            if numeric and match.end() < len(text) and re.match(r"\w", text[match.end()]):
                raise CypherSyntaxError(f"a bad number at {place(text, position)}", hint="put a space after a number")
        position = match.end()
    found.append(Token("end", "", len(text), len(text)))
    return found


def _value(kind: str, written: str, text: str, position: int) -> Any:
    if kind == "integer":
        if len(written) > 1 and written[0] == "0":
            raise CypherSyntaxError(f"the number {written} at {place(text, position)}", hint="octal is written 0o17")
        return _whole(written, 10)
    if kind in ("hex", "octal"):
        return _whole(written[2:], 16 if kind == "hex" else 8)
    if kind == "float":
        number = float(written)
        if number == float("inf"):
            raise CypherSyntaxError(f"the number {written[:40]} is too large", hint="floats end at 1.8e308")
        return number
    if kind == "string":
        return _unescaped(written[1:-1], text, position)
    if kind == "quoted":
        return _named(written[1:-1], text, position)
    if kind == "parameter":
        return _named(written[2:-1], text, position) if written[1] == "`" else written[1:]
    return written


def _whole(digits: str, base: int) -> int:
    if len(digits) > 70:
        raise CypherSyntaxError("an integer that is too large", hint="integers end at 9223372036854775807")
    return int(digits.lstrip("_"), base)


def _unescaped(inner: str, text: str, position: int) -> str:
    """Return a string without its escapes; those that Cypher does not know stay as they are, as on a server."""

    def one(match: re.Match[str]) -> str:
        if match.group(1):
            return _unicode(match.group(1), text, position)
        if match.group(2) == "u":
            raise CypherSyntaxError(
                f"\\u without four digits at {place(text, position)}", hint="write \\\\ for a backslash"
            )
        return _ESCAPES.get(match.group(2), match.group())

    return re.sub(r"\\(?:((?:u[0-9a-fA-F]{4})(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?)|(.))", one, inner, flags=re.DOTALL)


def _named(inner: str, text: str, position: int) -> str:
    inner = re.sub(r"\\(u[0-9a-fA-F]{4})", lambda m: _unicode(m.group(1), text, position, "`"), inner)
    return inner.replace("``", "`")


def _unicode(escape: str, text: str, position: int, quotes: str = _QUOTES) -> str:
    """Return the character of `u0041`, or of two surrogates; a server would end a string at an escaped quote."""
    codes = [int(digits, 16) for digits in re.findall(r"u(.{4})", escape)]
    try:
        made = b"".join(code.to_bytes(2, "little") for code in codes).decode("utf-16-le")
    except UnicodeDecodeError:
        made = "\\"
    if set(made) & set(quotes):
        raise CypherSyntaxError(f"the escape \\{escape} at {place(text, position)}", hint="write the character itself")
    return made
