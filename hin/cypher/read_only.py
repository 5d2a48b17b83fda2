r"""Read-only on a server, first wall: a query's words are read before it is sent.

A server's read mode stops what writes to the graph. It does not stop LOAD CSV, which can send what it has read to any
address, nor procedures and functions that reach out of the database, nor administration. Those are refused here;
the server's read mode stays as the second wall. A server reads escapes (`\u000a`) before it looks for words, quotes and
comments, so those of ASCII characters are refused: a comment could end where it does not seem to.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from hin.errors import BadUsage

__all__ = ["NotReadOnly", "check_read_only"]

#: Procedures that only tell what is in the database.
PROCEDURES = (
    "db.labels",
    "db.relationshiptypes",
    "db.propertykeys",
    "db.info",
    "db.ping",
    "db.schema.visualization",
    "db.schema.nodetypeproperties",
    "db.schema.reltypeproperties",
    "db.index.fulltext.querynodes",
    "db.index.fulltext.queryrelationships",
    "dbms.components",
)
#: Namespaces whose functions compute and do nothing else.
FUNCTIONS = ("date", "datetime", "localdatetime", "localtime", "time", "duration", "point", "vector", "graph")
#: SHOW ... that tells of the graph, not of users, settings or what others ask.
SHOWN = ("INDEX", "INDEXES", "CONSTRAINT", "CONSTRAINTS", "FUNCTION", "FUNCTIONS", "PROCEDURE", "PROCEDURES")
_KINDS = ("ALL", "BUILT", "IN", "USER", "DEFINED", "FULLTEXT", "LOOKUP", "POINT", "RANGE", "TEXT", "VECTOR", "UNIQUE")
#: Words that come after a value or a column; no procedure is named so.
FOLLOWING = (
    "AND",
    "AS",
    "ASC",
    "ASCENDING",
    "CONTAINS",
    "DESC",
    "DESCENDING",
    "ELSE",
    "END",
    "ENDS",
    "IN",
    "IS",
    "LIMIT",
    "MATCH",
    "OPTIONAL",
    "OR",
    "ORDER",
    "RETURN",
    "SKIP",
    "STARTS",
    "THEN",
    "UNION",
    "UNWIND",
    "WHEN",
    "WHERE",
    "WITH",
    "XOR",
)
#: Words that a query which reads, or which the server's read mode stops, begins with.
STARTS = (
    "CALL",
    "CREATE",
    "DELETE",
    "DETACH",
    "FINISH",
    "FOREACH",
    "MATCH",
    "MERGE",
    "OPTIONAL",
    "REMOVE",
    "RETURN",
    "SET",
    "SHOW",
    "UNWIND",
    "WITH",
)
_WORD = re.compile(
    r"""(?:\s|//[^\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]*|/\*.*?\*/)+
      | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*") | (?P<quoted>`(?:[^`]|``)*`)
      | (?P<name>[^\W\d]\w*) | (?P<number>0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?) | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)


class NotReadOnly(BadUsage):
    """A query that may do more than read, and was not allowed to."""


def check_read_only(text: str) -> None:
    """Raise when a query could do more than read the graph.

    Examples
    --------
    >>> check_read_only("MATCH (n) RETURN n.name AS call")
    >>> check_read_only("LOAD CSV FROM 'http://example.org/' AS row RETURN row")
    Traceback (most recent call last):
    hin.cypher.read_only.NotReadOnly: LOAD CSV reaches out of the database; add `write=True` to allow it
    """
    if re.search(r"\\u+00[0-9][0-9a-f]|\\u+202[89]", text, re.IGNORECASE):
        raise _refused("an escaped character that could end a string, a name or a comment")
    words = list(_words(text))
    upper = [word.upper() if kind == "name" else word for kind, word in words] + ["", "", ""]
    for i, (kind, word) in enumerate(words):
        if word == "\\":
            raise _refused("an escape outside of a string")
        if kind == "sign" and not (word.isascii() and word.isprintable()):
            raise _refused(f"the character {word!r} outside of a string")
        if kind != "name":
            continue
        if upper[i] == "LOAD" and upper[i + 1] == "CSV":
            raise _refused("LOAD CSV reaches out of the database")
        if upper[i] == "TERMINATE" and upper[i + 1].startswith("TRANSACTION"):
            raise _refused("TERMINATE TRANSACTIONS ends the work of others")
        if upper[i] == "CALL" and _calls(words, i):
            _check_procedure(_dotted(words, i + 1))
    _check_functions(words)
    _check_first(upper)


def _refused(what: str) -> NotReadOnly:
    return NotReadOnly(what, hint="add `write=True` to allow it")


def _words(text: str) -> Iterator[tuple[str, str]]:
    for match in _WORD.finditer(text):
        if match.lastgroup is not None:
            yield match.lastgroup, match.group()


def _calls(words: list[tuple[str, str]], at: int) -> bool:
    """Return whether a CALL is one, and not a variable, column, property or label of that name."""
    if at + 1 >= len(words) or words[at + 1][0] not in ("name", "quoted"):
        return False
    goes_on = words[at + 2][1] if at + 2 < len(words) else ""
    return words[at + 1][1].upper() not in FOLLOWING or goes_on in (".", "(")


def _dotted(words: list[tuple[str, str]], at: int) -> str:
    """A name with dots, its quotes off, in lower case."""
    name = ""
    while at < len(words) and words[at][0] in ("name", "quoted"):
        name += words[at][1].strip("`")
        if at + 1 >= len(words) or words[at + 1][1] != ".":
            break
        name += "."
        at += 2
    return name.lower()


def _check_procedure(name: str) -> None:
    if name not in PROCEDURES:
        raise _refused(f"the procedure {name!r} is not known to only read")


def _check_functions(words: list[tuple[str, str]]) -> None:
    """Functions with a namespace come from plugins, and some of those talk to the network."""
    for i, (kind, word) in enumerate(words[:-1]):
        if kind == "quoted" and "." in word and words[i + 1][1] == "(":
            raise _refused(f"the function {word} is not known to only compute")
    for i in range(len(words) - 3):
        starts = words[i][0] in ("name", "quoted") and words[i + 1][1] == "." and (i == 0 or words[i - 1][1] != ".")
        if not starts:
            continue
        at = i
        while at + 2 < len(words) and words[at + 1][1] == "." and words[at + 2][0] in ("name", "quoted"):
            at += 2
        called = at + 1 < len(words) and words[at + 1][1] == "("
        if called and words[i][1].strip("`").lower() not in FUNCTIONS and (i == 0 or words[i - 1][1].upper() != "CALL"):
            raise _refused(f"the function {_dotted(words, i)!r} is not known to only compute")


def _check_first(upper: list[str]) -> None:
    words = _begun([word for word in upper if word])
    if not words:
        return
    if words[0] not in STARTS:
        near = difflib.get_close_matches(words[0], STARTS, 1)
        hint = (
            f"did you mean {near[0]}? If not, add `write=True`" if near else "begin it with MATCH, or add `write=True`"
        )
        raise NotReadOnly(f"a query that begins with {words[0]} is not known to only read", hint=hint)
    kinds = [word for word in words[1:5] if word in _KINDS]
    if words[0] == "SHOW" and not any(word in SHOWN for word in words[1 : 2 + len(kinds)]):
        raise _refused(f"SHOW {' '.join(words[1:2])} is administration")


def _begun(words: list[str]) -> list[str]:
    """Return the words without what may stand before a query: EXPLAIN, CYPHER 5 runtime=slotted, USE graph."""
    while words and words[0] in ("EXPLAIN", "PROFILE", "CYPHER"):
        words = words[1:]
        if words and re.fullmatch(r"[\d.]+", words[0]):
            words = words[1:]
        while len(words) > 2 and words[1] == "=":
            words = words[3:]
    if words and words[0] == "USE":
        words = words[2:]
        while words and words[0] == ".":
            words = words[2:]
        if words and words[0] == "(":
            words = words[words.index(")") + 1 :] if ")" in words else []
    return words
