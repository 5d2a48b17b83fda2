"""All functions by name, and what to say when there is none."""

from __future__ import annotations

from hin.cypher.errors import CypherError, CypherRefused, CypherSyntaxError
from hin.cypher.functions.aggregates import AGGREGATES
from hin.cypher.functions.conversion import CONVERSION
from hin.cypher.functions.graph import GRAPH
from hin.cypher.functions.lists import LISTS
from hin.cypher.functions.numeric import NUMBERS
from hin.cypher.functions.registry import Function
from hin.cypher.functions.text import TEXT

__all__ = ["FUNCTIONS", "unknown_function"]

FUNCTIONS: dict[str, Function] = {**TEXT, **NUMBERS, **LISTS, **CONVERSION, **GRAPH}
_TEMPORAL = ("date", "datetime", "time", "localtime", "localdatetime", "duration", "timestamp", "point", "randomuuid")


def unknown_function(name: str) -> CypherError:
    """Return what to raise for a function that is not there.

    >>> str(unknown_function("dat"))
    'there is no function dat(); did you mean last()?'
    """
    import difflib

    if name.lower().split(".")[0] in _TEMPORAL:
        return CypherRefused(f"{name}(): no temporal and spatial values on a folder")
    near = difflib.get_close_matches(name.lower(), [*FUNCTIONS, *AGGREGATES], 1, 0.5)
    return CypherSyntaxError(
        f"there is no function {name}()", hint=f"did you mean {near[0]}()?" if near else "see the docs"
    )
