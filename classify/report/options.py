"""Options of the report."""

from __future__ import annotations

from dataclasses import dataclass

from hin.errors import BadUsage
from hin.option_fields import check_limits, option


@dataclass(frozen=True)
class ReportOptions:
    """Contents of the report.

    Attributes
    ----------
    title : str, optional
        The heading; left out, the names of the files.
    instances : int
        Indicative instances shown per category.
    map_instances : int
        How many of these the map shows (the paper's figure 5 has 7).
    examples : int
        Titles of example documents per instance.
    reasons : int
        Instances named per document.
    max_megabytes : float
        The largest size of the file; documents that do not fit are left out, which the page states.
    """

    title: str | None = option(None, "The heading of the page. Default: the name of the file.")
    instances: int = 50
    map_instances: int = 20
    examples: int = 3
    reasons: int = 3
    max_megabytes: float = option(10.0, "The largest size of the file.", least=1.5, most=1e6)
    seed: int = option(0, "The random seed: the same seed gives the same bytes.", common=True, least=0)

    def __post_init__(self) -> None:
        check_limits(self, "report")
        for name in ("instances", "map_instances", "examples", "reasons"):
            if getattr(self, name) < 0:
                raise BadUsage(f"{name} is {getattr(self, name)}", hint="give 0 or more")

    @property
    def max_bytes(self) -> int:
        """The largest size of the file, in bytes."""
        return int(self.max_megabytes * 1_000_000)
