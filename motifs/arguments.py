"""The arguments of `hin motifs`; a light module, because the command line builds its options from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hin.commands.arguments import CsvCells, EnginePlace, ModelPlace
from hin.option_fields import option
from motifs.options import MotifOptions


@dataclass(frozen=True)
class MotifsCommand(MotifOptions, CsvCells, EnginePlace, ModelPlace):
    """The arguments of `hin motifs`."""

    patterns: list[str] = option(
        [],
        "A template such as venue-year; may be repeated. Default: those matched before.",
        "--pattern",
        "-p",
        metavar="PATTERN",
    )
    discover: bool = option(False, "Propose patterns that are worth using; needs no labels.")
    max_size: int = option(3, "With --discover: the largest number of fields in a pattern.", least=1)
    as_edges: str | None = option(
        None,
        "Add edges of this type between the pattern's two ends, weighted by the number of documents.",
        metavar="NAME",
    )
    top: int | None = option(None, "Rows to show of each pattern; 0 for all.", least=0)
    sort: Literal["count", "name", "lift", "q"] = option(
        "count", "The order of the rows; lift is the observed number of documents over the expected one."
    )
    max_q: float | None = option(
        None, "Only instances more frequent than chance, at this false discovery rate, such as 0.05.", least=0, most=1
    )
    contains: str | None = option(None, "Only instances with this value, such as KDD.")
    document: str | None = option(None, "Only one document's instances.", metavar="ID")
    out: Path | None = option(None, "Write all rows to .parquet, .csv or .jsonl.", "--out", "-o", metavar="FILE")
    csv: bool = option(False, "Print the rows as CSV.")
