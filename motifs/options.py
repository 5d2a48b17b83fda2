"""The options of matching and counting, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass

from hin.errors import BadUsage
from hin.option_fields import THREADS_HELP, check_limits, option


@dataclass(frozen=True)
class MotifOptions:
    """Matching of motif patterns.

    Parameters
    ----------
    min_count : int
        Instances in fewer documents are dropped (the paper's 5, section 4.1).
    max_per_document : int
        A document with more candidate instances of a pattern than this is left out of that pattern and
        reported; candidates are counted after nodes in fewer than `min_count` documents are dropped.
    max_memory : int
        Bytes that the instances of one pattern may take.
    threads : int, optional
        Default: the cores available to this process. The result does not depend on it.

    Examples
    --------
    >>> MotifOptions().min_count
    5
    """

    min_count: int = option(5, "Leave out instances in fewer documents than this.", least=1)
    max_per_document: int = option(
        1_000_000, "Leave out documents in which a pattern has more candidate instances than this.", least=1
    )
    max_memory: int = 4 << 30
    threads: int | None = option(None, THREADS_HELP, least=1, common=True)

    def __post_init__(self) -> None:
        check_limits(self)
        if self.max_memory < 1:
            raise BadUsage(f"max_memory is {self.max_memory!r}", hint="give a number of bytes")
