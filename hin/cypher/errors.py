"""The errors of a query: in its text, its meaning or a value, or by the time and memory it needs."""

from __future__ import annotations

from hin.errors import BadUsage, HinError

ELSEWHERE = "reword it, or copy the graph to Neo4j with `hin copy` and ask there"


class CypherError(BadUsage):
    """A query that cannot be answered."""


class CypherSyntaxError(CypherError):
    """The text is not Cypher, or names something that does not exist."""


class CypherValueError(CypherError):
    """A value has the wrong type or is out of range: Neo4j fails here as well."""


class CypherRefused(CypherError):
    """A query that the embedded engine cannot answer exactly as Neo4j would.

    Examples
    --------
    >>> CypherRefused("no temporal values here").hint.startswith("reword it")
    True
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint or ELSEWHERE)


class QueryTooLarge(HinError):
    """The query would exceed its memory limit."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint or "filter with WHERE, add a LIMIT, or give it more with `memory=MEGABYTES`")
