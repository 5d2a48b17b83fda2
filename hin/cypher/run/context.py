"""The context of a run: the graph, the parameters, the budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hin.cypher.errors import CypherSyntaxError, CypherValueError
from hin.cypher.run.budget import Budget
from hin.cypher.values.arithmetic import LARGEST, SMALLEST
from hin.cypher.values.elements import ReadableGraph

Row = dict[str, Any]
Evaluate = Callable[[Row], Any]


@dataclass
class Context:
    """One run of one query."""

    graph: ReadableGraph
    parameters: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)

    def parameter(self, name: str) -> Any:
        """Return the value of `$name`."""
        if name not in self.parameters:
            raise CypherSyntaxError(f"the parameter ${name} has no value", hint=f"give it with --param {name}=VALUE")
        return checked_parameter(name, self.parameters[name])


def checked_parameter(name: str, value: Any) -> Any:
    """Convert a parameter to a Cypher value; raise for integers of more than 64 bits and other objects.

    >>> checked_parameter("x", (1, 2))
    [1, 2]
    """
    if value is None or isinstance(value, (bool, str, float)):
        return value
    if isinstance(value, int):
        if not SMALLEST <= value <= LARGEST:
            raise CypherValueError(f"the parameter ${name} is too large an integer", hint=f"integers end at {LARGEST}")
        return value
    if isinstance(value, (list, tuple)):
        return [checked_parameter(name, item) for item in value]
    if isinstance(value, dict):
        return {str(key): checked_parameter(name, item) for key, item in value.items()}
    if hasattr(value, "item"):  # numpy's numbers
        return checked_parameter(name, value.item())
    raise CypherValueError(
        f"the parameter ${name} is a {type(value).__name__}", hint="give numbers, strings, lists or maps"
    )
