"""Options of loading: how records become a graph."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class PhraseOptions:
    """How phrases are mined."""

    min_count: int = 5
    threshold: float = 0.45
    max_words: int = 4
    passes: int = 3


@dataclass(frozen=True)
class BuildOptions:
    """How records become a graph.

    >>> BuildOptions(min_count=2).phrases
    True
    """

    phrases: bool = True
    min_count: int = 1
    mining: PhraseOptions = field(default_factory=PhraseOptions)

    def as_dict(self) -> dict[str, Any]:
        """Return the options as they go into the manifest."""
        return asdict(self)
