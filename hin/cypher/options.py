"""Options of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hin.option_fields import check_limits, option


@dataclass(frozen=True)
class QueryOptions:
    """How a query runs.

    Attributes
    ----------
    parameters : mapping
        The values of `$name` in the query.
    write : bool
        Whether it may change the graph (Neo4j only).
    timeout : float
        Seconds; 0 for no limit.
    limit : int
        The largest number of rows to return; 0 for all.
    memory : int
        Megabytes that a query on a folder may add to the process's memory; 0 for no limit.
    """

    parameters: Mapping[str, Any] = field(default_factory=dict)
    write: bool = option(False, "Let the query change a database.")
    timeout: float = option(60.0, "Stop after this many seconds; 0 for no limit.", least=0)
    limit: int = option(1000, "Return at most this many rows; 0 for all.", least=0)
    memory: int = option(
        1000, "Megabytes that a query on a folder may use, besides 180 for the program itself; 0 for no limit.", least=0
    )

    def __post_init__(self) -> None:
        check_limits(self)
