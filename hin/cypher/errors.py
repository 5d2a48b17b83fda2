"""What can be wrong with a query: its text, its meaning, a value it meets, or the time and memory it needs."""

from __future__ import annotations

from hin.errors import BadUsage, HinError

__all__ = ["CypherError", "CypherRefused", "CypherSyntaxError", "CypherValueError", "QueryTooLarge"]

ELSEWHERE = "reword it, or copy the graph to Neo4j with `hin copy` and ask there"


class CypherError(BadUsage):
    """A query that cannot be answered as it stands."""


class CypherSyntaxError(CypherError):
    """The text is not Cypher, or names something that is not there."""


class CypherValueError(CypherError):
    """A value has the wrong type or lies out of range: Neo4j fails here as well."""


class CypherRefused(CypherError):
    """What the embedded engine does not know how to answer exactly as Neo4j would.

    Examples
    --------
    >>> CypherRefused("no temporal values here").hint.startswith("reword it")
    True
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint or ELSEWHERE)


class QueryTooLarge(HinError):
    """The query would need more memory than it may have."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint or "filter with WHERE, add a LIMIT, or give it more with `memory=MEGABYTES`")
