r"""Check that a query on a server only reads: by its words, and by the plan that the server makes of it.

A server's read mode stops what writes to the graph. It does not stop LOAD CSV, which can send what it has read to any
address, nor procedures and functions that reach out of the database, nor administration. `check_words` refuses those
before anything is sent, and whatever the server might tokenise in another way than we do: control characters and
separators outside of strings, and escapes (`\u000a`), which a server replaces before it tokenises. `check_plan` then
checks the plan that the server made of the query (EXPLAIN runs nothing), before the query is run.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from hin.cypher.errors import CypherSyntaxError
from hin.cypher.syntax.lexer import Token, tokens_of
from hin.errors import BadUsage


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Procedures that only describe the database.
PROCEDURES = _words(
    """db.labels db.relationshiptypes db.propertykeys db.info db.ping db.schema.visualization dbms.components
    db.schema.nodetypeproperties db.schema.reltypeproperties
    db.index.fulltext.querynodes db.index.fulltext.queryrelationships"""
)
#: Namespaces whose functions compute and do nothing else.
FUNCTIONS = _words("date datetime localdatetime localtime time duration point vector graph")
#: SHOW ... that describes the graph, not users, settings or others' queries.
SHOWN = _words("INDEX INDEXES CONSTRAINT CONSTRAINTS FUNCTION FUNCTIONS PROCEDURE PROCEDURES")
_KINDS = _words("ALL BUILT IN USER DEFINED FULLTEXT LOOKUP POINT RANGE TEXT VECTOR UNIQUE")
#: Words that come after a value or a column; no procedure has such a name.
FOLLOWING = _words(
    """AND AS ASC ASCENDING CONTAINS DESC DESCENDING ELSE END ENDS IN IS LIMIT MATCH OPTIONAL OR ORDER RETURN SKIP
    STARTS THEN UNION UNWIND WHEN WHERE WITH XOR"""
)
#: First words of queries that read, or that the server's read mode refuses.
STARTS = _words("CALL CREATE DELETE DETACH FINISH FOREACH MATCH MERGE OPTIONAL REMOVE RETURN SET SHOW UNWIND WITH")
#: Prefixes of the operators of a plan that reach beyond the graph.
_REACHING = ("Load", "Terminate", "Administration", "System")
_NAMED = ("name", "quoted")


class NotReadOnly(BadUsage):
    """A query that may do more than read, and was not allowed to."""


def check_words(text: str) -> None:
    """Raise when a query could do more than read the graph, or a server could tokenise it in another way.

    Examples
    --------
    >>> check_words("MATCH (n) RETURN n.name AS call")
    >>> check_words("LOAD CSV FROM 'http://example.org/' AS row RETURN row")
    Traceback (most recent call last):
    hin.stores.neo4j.read_only.NotReadOnly: LOAD CSV reaches out of the database; add `write=True` to allow it
    """
    if re.search(r"\\u+00[0-9][0-9a-f]|\\u+202[89]", text, re.IGNORECASE):
        raise _refused("an escaped character that could end a string, a name or a comment")
    tokens = _unambiguous_tokens(text)
    upper = [token.upper or text[token.start : token.end] for token in tokens] + ["", "", ""]
    for i, token in enumerate(tokens):
        if token.kind not in _NAMED:
            continue
        if upper[i] == "LOAD" and upper[i + 1] == "CSV":
            raise _refused("LOAD CSV reaches out of the database")
        if upper[i] == "TERMINATE" and upper[i + 1].startswith("TRANSACTION"):
            raise _refused("TERMINATE TRANSACTIONS ends the work of others")
        if upper[i] == "CALL" and tokens[i + 1].kind in _NAMED:
            if upper[i + 1] not in FOLLOWING or upper[i + 2] in (".", "("):
                _check_procedure(_dotted(tokens, i + 1))
        elif upper[i + 1] == "(":
            _check_function(tokens, i)
    _check_first(upper)


def check_plan(kind: str, plan: Mapping[str, Any] | None) -> None:
    """Raise when the server would do more than read the graph, according to a query's type and plan.

    Examples
    --------
    >>> check_plan("r", {"operatorType": "LoadCSV@neo4j", "args": {"Details": "line"}})
    Traceback (most recent call last):
    hin.stores.neo4j.read_only.NotReadOnly: the server would run LoadCSV; add `write=True` to allow it
    """
    if plan is None:
        raise _refused("the server does not say what the query would do")
    steps = [plan]
    while steps:
        step = steps.pop()
        steps += step.get("children") or ()
        name = str(step.get("operatorType", "")).partition("@")[0]
        details = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", str(step.get("args", {}).get("Details", "")))
        shown = name.removeprefix("Show").upper()
        if name.startswith(_REACHING) or (shown != name.upper() and shown not in SHOWN):
            raise _refused(f"the server would run {name}")
        if "ProcedureCall" in name:
            _check_procedure(details.partition("(")[0].strip().replace("`", "").lower())
            details = details.partition("(")[2]
        for called in re.findall(r"(?:(?<=\.\.)|(?<![\w.`]))((?:\w+|`[^`]*`)(?:\.(?:\w+|`[^`]*`))+)\(", details):
            if called.replace("`", "").partition(".")[0].lower() not in FUNCTIONS:
                raise _refused(f"the function {called!r} is not known to only compute")
    if kind not in ("r", "w", "rw"):  # the read mode refuses what writes, with its own message
        raise _refused("the query changes more than the graph")


def explain_query(text: str) -> str:
    """Return the query that asks for the plan of a query.

    >>> explain_query("PROFILE MATCH (n) RETURN n")
    'EXPLAIN\\n        MATCH (n) RETURN n'
    """
    for token in tokens_of(text):
        if token.upper == "PROFILE":
            return f"EXPLAIN\n{text[: token.start]}{' ' * len('PROFILE')}{text[token.end :]}"
        if token.upper not in ("CYPHER", "EXPLAIN", "") and not _is_option(text, token):
            break
    return f"EXPLAIN\n{text}"


def _is_option(text: str, token: Token) -> bool:
    """Check whether a word is a part of CYPHER's options: `runtime=slotted`."""
    return re.match(r"\s*=", text[token.end :]) is not None or re.search(r"=\s*$", text[: token.start]) is not None


def _refused(what: str) -> NotReadOnly:
    return NotReadOnly(what, hint="add `write=True` to allow it")


def _unambiguous_tokens(text: str) -> list[Token]:
    """Return the tokens of a query; raise if a server could find others."""
    try:
        tokens = tokens_of(text)
    except CypherSyntaxError as error:
        raise _refused(f"{error.message}, which a server may parse in another way") from None
    outside, end = "", 0
    for token in tokens:
        outside += text[end : token.start] + (text[token.start : token.end] if token.kind in ("name", "sign") else "")
        end = token.end
        if token.kind == "string" and re.search(r"\\(?![\\'\"bfnrtu])", re.sub(r"\\\\", "", text[token.start : end])):
            raise _refused("an unknown escape in a string")
    for character in outside:
        if character not in " \t\n\r" and unicodedata.category(character)[0] in "CZ":
            raise _refused(f"the character U+{ord(character):04X} outside of a string")
    return tokens


def _dotted(tokens: list[Token], at: int) -> str:
    """Return the dotted name that begins at a token, unquoted and in lower case."""
    name = str(tokens[at].value)
    while tokens[at + 1].value == "." and tokens[at + 2].kind in _NAMED:
        at += 2
        name += f".{tokens[at].value}"
    return name.lower()


def _check_procedure(name: str) -> None:
    if name not in PROCEDURES:
        raise _refused(f"the procedure {name!r} is not known to only read")


def _check_function(tokens: list[Token], at: int) -> None:
    """Raise for a namespace that is not known: it comes from a plugin, which may use the network."""
    first = at
    while first > 1 and tokens[first - 1].value == "." and tokens[first - 2].kind in _NAMED:
        first -= 2
    if first and tokens[first - 1].upper == "CALL":
        return  # a procedure, and checked as one
    dotted = first < at or "." in str(tokens[at].value) or (first > 0 and tokens[first - 1].value == ".")
    if dotted and str(tokens[first].value).lower() not in FUNCTIONS:
        raise _refused(f"the function {_dotted(tokens, first)!r} is not known to only compute")


def _check_first(upper: list[str]) -> None:
    words = _strip_prefix([word for word in upper if word])
    if not words:
        return
    if words[0] not in STARTS:
        near = difflib.get_close_matches(words[0], sorted(STARTS), 1)
        hint = (
            f"did you mean {near[0]}? If not, add `write=True`" if near else "begin it with MATCH, or add `write=True`"
        )
        raise NotReadOnly(f"a query that begins with {words[0]} is not known to only read", hint=hint)
    kinds = [word for word in words[1:5] if word in _KINDS]
    if words[0] == "SHOW" and not any(word in SHOWN for word in words[1 : 2 + len(kinds)]):
        raise _refused(f"SHOW {' '.join(words[1:2])} is administration")


def _strip_prefix(words: list[str]) -> list[str]:
    """Strip the words that may precede a query: EXPLAIN, CYPHER 5 runtime=slotted, USE graph."""
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
