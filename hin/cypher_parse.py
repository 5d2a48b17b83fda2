"""Cypher text into a parse tree, by the public openCypher grammar."""

from __future__ import annotations

from typing import Any

from hin.cypher_types import CypherDiffers
from hin.errors import BadUsage

__all__ = ["parse", "source_of"]


def parse(query: str) -> Any:
    """Parse a query; a query that is not understood is refused with the place.

    `EXISTS { MATCH ... }` and `COUNT { ... }` are newer than the grammar: the first loses its MATCH, the second is read
    as the first and told apart by its spelling.

    Examples
    --------
    >>> type(parse("MATCH (d:Document) RETURN d.id")).__name__
    'RegularQueryContext'
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
            raise BadUsage(
                f"the query is not understood at line {line}, column {column + 1}"
                + (f", near {near!r}" if near else ": it ends too early"),
                hint="check the spelling; Cypher newer than openCypher 9 needs Neo4j (`hin copy` takes a graph there)",
            )

    lexer = CypherLexer(InputStream(query))
    lexer.removeErrorListeners()
    lexer.addErrorListener(Complaint())
    tokens = _without_new_words(lexer.getAllTokens(), CypherLexer)
    parser = CypherParser(CommonTokenStream(ListTokenSource(tokens)))
    parser.removeErrorListeners()
    parser.addErrorListener(Complaint())
    tree = parser.script().query()
    if tree.regularQuery() is None:
        raise CypherDiffers("CALL is not known to the embedded engine", hint="procedures need Neo4j")
    return tree.regularQuery()


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
        if token.type == lexer.UNION and kept and kept[-1].type == lexer.SP:
            kept.pop()  # the grammar leaves no room for it
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

    >>> source_of(parse("RETURN 1 +  2").singleQuery())
    'RETURN 1 +  2'
    """
    stream = tree.start.getInputStream()
    return str(stream.getText(tree.start.start, tree.stop.stop)).strip()
