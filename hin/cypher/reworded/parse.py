"""Cypher text into a parse tree, by the public openCypher grammar."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hin.errors import BadUsage

__all__ = ["SingleQuery", "parse", "source_of"]


@dataclass
class SingleQuery:
    """The clauses of one query, in order; `joined` is how it hangs on the one before: '', 'UNION' or 'UNION ALL'."""

    joined: str = ""
    clauses: list[Any] = field(default_factory=list)


def parse(query: str) -> list[SingleQuery]:
    """Parse a query into the clauses of its parts; what is not understood is refused with the place.

    The order of the clauses is read here, because the grammar allows too few (only one MATCH after a WITH). The
    clauses themselves are the grammar's. `EXISTS { MATCH ... }` and `COUNT { ... }` are newer than it: the first loses
    its MATCH, the second is read as the first and told apart by its spelling.

    Examples
    --------
    >>> [type(clause).__name__ for clause in parse("MATCH (d:Document) RETURN d.id")[0].clauses]
    ['ReadingStatementContext', 'ReturnStContext']
    >>> parse("MATCH (d RETURN d")
    Traceback (most recent call last):
    ...
    hin.errors.BadUsage: the query is not understood at line 1, column 10, near 'RETURN'; ...
    """
    from antlr4 import CommonTokenStream, InputStream
    from antlr4.error.ErrorListener import ErrorListener
    from antlr4.ListTokenSource import ListTokenSource
    from antlr4_cypher import CypherLexer, CypherParser

    class Complaint(ErrorListener):  # type: ignore[misc]
        def syntaxError(self, recognizer: Any, symbol: Any, line: int, column: int, message: str, e: Any) -> None:  # noqa: N802
            rest = query.splitlines()[line - 1][column:] if line <= len(query.splitlines()) else ""
            near = symbol.text if symbol is not None and symbol.type != -1 else rest[:1]
            raise _not_understood(line, column, near)

    lexer = CypherLexer(InputStream(query))
    lexer.removeErrorListeners()
    lexer.addErrorListener(Complaint())
    tokens = _without_new_words(lexer.getAllTokens(), CypherLexer)
    stream = CommonTokenStream(ListTokenSource(tokens))
    parser = CypherParser(stream)
    parser.removeErrorListeners()
    parser.addErrorListener(Complaint())
    return _clauses(parser, stream)


def _clauses(parser: Any, stream: Any) -> list[SingleQuery]:
    rules = {
        **dict.fromkeys((parser.MATCH, parser.OPTIONAL, parser.UNWIND, parser.CALL), parser.readingStatement),
        **dict.fromkeys((parser.CREATE, parser.MERGE, parser.DELETE, parser.DETACH), parser.updatingStatement),
        **dict.fromkeys((parser.SET, parser.REMOVE), parser.updatingStatement),
        parser.WITH: parser.withSt,
        parser.RETURN: parser.returnSt,
    }
    parts = [SingleQuery()]
    while True:
        kind = _next(stream, parser)
        if kind == -1:
            return parts
        if kind == parser.SEMI:
            stream.consume()
            if _next(stream, parser) == -1:
                return parts
        elif kind == parser.UNION and parts[-1].clauses:
            stream.consume()
            every = _next(stream, parser) == parser.ALL
            if every:
                stream.consume()
            parts.append(SingleQuery("UNION ALL" if every else "UNION"))
            continue
        elif kind in rules and not _ended(parts[-1]):
            parts[-1].clauses.append(rules[kind]())
            continue
        token = stream.LT(1)
        raise _not_understood(token.line, token.column, token.text)


def _next(stream: Any, parser: Any) -> int:
    while stream.LA(1) == parser.SP:
        stream.consume()
    return int(stream.LA(1))


def _ended(part: SingleQuery) -> bool:
    return bool(part.clauses) and type(part.clauses[-1]).__name__ == "ReturnStContext"


def _not_understood(line: int, column: int, near: str) -> BadUsage:
    return BadUsage(
        f"the query is not understood at line {line}, column {column + 1}"
        + (f", near {near!r}" if near else ": it ends too early"),
        hint="check the spelling; Cypher newer than openCypher 9 needs Neo4j (`hin copy` takes a graph there)",
    )


def _without_new_words(tokens: list[Any], lexer: Any) -> list[Any]:
    kept: list[Any] = []
    solid: list[Any] = []  # the tokens before, without spaces
    operands = (lexer.ID, lexer.DIGIT, lexer.Integer, lexer.RPAREN, lexer.RBRACK, lexer.ESC_LITERAL)
    for token in tokens:
        if token.type == lexer.SP and kept and kept[-1].type == lexer.SP:
            continue
        if token.type == lexer.LBRACE and solid and solid[-1].type == lexer.COUNT:
            solid[-1].type = lexer.EXISTS
        inside = len(solid) > 1 and solid[-1].type == lexer.LBRACE and solid[-2].type == lexer.EXISTS
        if inside and token.type == lexer.MATCH:
            continue
        negative = token.type in (lexer.DIGIT, lexer.Integer) and token.text.startswith("-")
        if negative and solid and solid[-1].type in operands:
            # `a -1` is a difference; the lexer takes the sign for a part of the number.
            minus = token.clone()
            minus.type, minus.stop, minus.text = lexer.SUB, token.start, "-"
            kept.append(minus)
            token = token.clone()
            token.start, token.text = token.start + 1, token.text[1:]
        kept.append(token)
        if token.type != lexer.SP:
            solid.append(token)
    return kept


def source_of(tree: Any) -> str:
    """The text that a part of the tree was parsed from.

    >>> source_of(parse("RETURN 1 +  2")[0].clauses[0])
    'RETURN 1 +  2'
    """
    stream = tree.start.getInputStream()
    return str(stream.getText(tree.start.start, tree.stop.stop)).strip()
