"""How instances are matched and counted, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass

from hin.errors import BadUsage

__all__ = ["MotifOptions"]


@dataclass(frozen=True)
class MotifOptions:
    """Options of matching.

    Parameters
    ----------
    min_count : int
        Instances in fewer documents are dropped (the paper's 5, section 4.1).
    max_per_document : int
        A document that alone would give more candidate instances of a pattern is left out of that pattern and
        reported; candidates are counted after nodes in fewer than `min_count` documents are dropped.
    max_memory : int
        Bytes that the instances of one pattern may take.
    threads : int, optional
        Default: the cores this process may use. The result does not depend on it.

    Examples
    --------
    >>> MotifOptions().min_count
    5
    """

    min_count: int = 5
    max_per_document: int = 1_000_000
    max_memory: int = 4 << 30
    threads: int | None = None

    def __post_init__(self) -> None:
        for name in ("min_count", "max_per_document", "max_memory"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadUsage(f"{name} is {value!r}", hint="give a whole number of at least 1")
        if self.threads is not None and self.threads < 1:
            raise BadUsage(f"threads is {self.threads!r}", hint="give a whole number of at least 1")
