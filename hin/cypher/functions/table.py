"""All functions by name, and the error for unknown ones."""

from __future__ import annotations

from hin.cypher.errors import CypherError, CypherRefused, CypherSyntaxError
from hin.cypher.functions import aggregates, conversion, graph, lists, numeric, text
from hin.cypher.functions.registry import FUNCTIONS, Function

__all__ = ["FUNCTIONS", "Function", "unknown_function"]

FAMILIES = (aggregates, conversion, graph, lists, numeric, text)  # each declares its functions
#: Functions that Neo4j has and a folder does not.
_ELSEWHERE = (
    "date", "datetime", "time", "localtime", "localdatetime", "duration", "timestamp", "point", "randomuuid",
    "vector", "file", "linenumber",
)  # fmt: skip


def unknown_function(name: str) -> CypherError:
    """Return the error for an unknown function.

    >>> str(unknown_function("dat"))
    'there is no function dat(); did you mean last()?'
    """
    import difflib

    if name.lower().split(".")[0] in _ELSEWHERE:
        return CypherRefused(f"{name}(): no temporal, spatial or random values on a folder")
    near = difflib.get_close_matches(name.lower(), list(FUNCTIONS), 1, 0.5)
    return CypherSyntaxError(
        f"there is no function {name}()", hint=f"did you mean {near[0]}()?" if near else "see the docs"
    )
