r"""Read-only on a server, first wall: a query's words are read before it is sent.

A server's read mode stops what writes to the graph. It does not stop LOAD CSV, which can send what it has read to any
address, nor procedures and functions that reach out of the database, nor administration. Those are refused here;
the server's read mode stays as the second wall. Escapes (`\u0027`) that one version of Cypher reads before it looks
for quotes and another after are refused as well: the words would depend on the version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hin.errors import BadUsage

__all__ = ["NotReadOnly", "check_read_only"]

#: Procedures that only tell what is in the database.
PROCEDURES = (
    "db.labels", "db.relationshiptypes", "db.propertykeys", "db.info", "db.ping", "db.schema.visualization",
    "db.schema.nodetypeproperties", "db.schema.reltypeproperties", "db.index.fulltext.querynodes",
    "db.index.fulltext.queryrelationships", "dbms.components",
)  # fmt: skip
#: Namespaces whose functions compute and do nothing else.
FUNCTIONS = ("date", "datetime", "localdatetime", "localtime", "time", "duration", "point", "vector", "graph")
#: SHOW ... that tells of the graph, not of users, settings or what others ask.
SHOWN = ("INDEX", "INDEXES", "CONSTRAINT", "CONSTRAINTS", "FUNCTION", "FUNCTIONS", "PROCEDURE", "PROCEDURES")
_KINDS = ("ALL", "BUILT", "IN", "USER", "DEFINED", "FULLTEXT", "LOOKUP", "POINT", "RANGE", "TEXT", "VECTOR", "UNIQUE")
ADMINISTRATION = (
    "ALTER", "DEALLOCATE", "DENY", "DROP", "DRYRUN", "ENABLE", "GRANT", "REALLOCATE", "RENAME", "REVOKE", "START",
    "STOP",
)  # fmt: skip
_WORD = re.compile(
    r"""(?:\s|//[^\n\r]*|/\*.*?\*/)+ | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*") | (?P<quoted>`(?:[^`]|``)*`)
      | (?P<name>[^\W\d]\w*) | \d\w* | (?P<sign>.)""",
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
    hin.cypher.read_only.NotReadOnly: LOAD CSV reaches out of the database; add --write to allow it
    """
    if re.search(r"\\u(?:0022|0027|0060|005c|002f|002a)", text, re.IGNORECASE):
        raise _refused("an escaped quote, slash or backslash, which versions of Cypher read differently,")
    words = list(_words(text))
    upper = [word.upper() if kind == "name" else word for kind, word in words] + ["", "", ""]
    for i, (kind, word) in enumerate(words):
        if word == "\\":
            raise _refused("an escape outside of a string")
        if kind != "name":
            continue
        if upper[i] == "LOAD" and upper[i + 1] == "CSV":
            raise _refused("LOAD CSV reaches out of the database")
        if upper[i] == "TERMINATE" and upper[i + 1].startswith("TRANSACTION"):
            raise _refused("TERMINATE TRANSACTIONS ends the work of others")
        named = i > 0 and upper[i - 1] in ("AS", ".", ":", ",", "(")  # a column, property or label that is called so
        if upper[i] == "CALL" and not named and i + 1 < len(words) and words[i + 1][0] in ("name", "quoted"):
            _check_procedure(_dotted(words, i + 1))
    _check_functions(words)
    _check_first(upper)


def _refused(what: str) -> NotReadOnly:
    return NotReadOnly(what, hint="add --write to allow it")


def _words(text: str) -> Iterator[tuple[str, str]]:
    for match in _WORD.finditer(text):
        if match.lastgroup is not None:
            yield match.lastgroup, match.group()


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
    words = [word for word in upper if word]
    while words and words[0] in ("EXPLAIN", "PROFILE", "CYPHER"):
        words.pop(0)
        while len(words) > 2 and words[1] == "=":  # CYPHER runtime=...
            words = words[3:]
        if words and re.fullmatch(r"[\d.]+", words[0]):
            words.pop(0)
    if not words:
        return
    if words[0] in ADMINISTRATION:
        raise _refused(f"{words[0]} is administration")
    if words[0] == "SHOW" and not any(
        word in SHOWN for word in words[1 : 2 + len([w for w in words[1:5] if w in _KINDS])]
    ):
        raise _refused(f"SHOW {' '.join(words[1:2])} is administration")
