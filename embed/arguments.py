"""What `hin embed` can be asked to do; imported before anything heavy, to make the options of the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from embed.options import EmbedOptions
from hin.commands.arguments import EnginePlace, ModelPlace
from hin.option_fields import RARELY_NEEDED, nested, option
from motifs.options import MotifOptions

__all__ = ["PATTERNS_HELP", "CategoryCount", "EmbedCommand"]

#: Said wherever patterns can be named.
PATTERNS_HELP = "A motif pattern such as venue-year; may be repeated. Default: every field and pair of fields."


@dataclass(frozen=True, kw_only=True)
class CategoryCount:
    """How many categories there may be."""

    max_categories: int = option(1000, "The most categories that are taken.", least=2, heading=RARELY_NEEDED)


@dataclass(frozen=True)
class EmbedCommand(EnginePlace, CategoryCount, ModelPlace):
    """What a user asked `hin embed` to do."""

    patterns: list[str] = option([], PATTERNS_HELP, "--pattern", "-p", metavar="PATTERN")
    motifs: MotifOptions = nested(MotifOptions, "min_count")
    embed: EmbedOptions = nested(EmbedOptions)
    categories: Path | None = option(
        None,
        "Make these names terms where they are phrases, so that `hin classify` with them need not train again.",
        "--categories",
        "-c",
        metavar="FILE",
    )
    resume: bool = option(False, "Go on with a training that was stopped.")
    nearest: str | None = option(None, "Show what is near, such as 'TERM[data mining]'.", metavar="INSTANCE")
    pattern: str | None = option(None, "With --nearest: only this pattern.", "--of", metavar="PATTERN")
    min_kappa: float | None = option(None, "With --nearest: only so specific.")
    top: int = option(10, "With --nearest: how many.", least=1)
