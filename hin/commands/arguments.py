"""The arguments of `hin load`, `info`, `export`, `query` and `copy`.

The command line builds its options from these dataclasses at start-up, so this module must import nothing heavy.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hin.cypher.options import QueryOptions
from hin.option_fields import ENGINE_HELP, RARELY_NEEDED, nested, option, shown
from hin.reading.options import LoadOptions


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where the graph lives."""

    graph: str | None = option(
        None,
        "A folder, or a database such as neo4j://localhost:7687. Default: $HIN_GRAPH, or ./graph.hin.",
        metavar="PLACE",
        common=True,
    )


@dataclass(frozen=True, kw_only=True)
class ModelPlace(Place):
    """Where the graph lives, and the vectors of a graph in a database."""

    model: str | None = option(
        None,
        "For a database: the local folder of its vectors. Default: $HIN_MODEL, or one in the user's data folder.",
        metavar="FOLDER",
        common=True,
        heading="Where the work runs",
    )


@dataclass(frozen=True, kw_only=True)
class CsvCells:
    """The handling of CSV cells that a spreadsheet would take for formulas."""

    csv_formulas: bool = option(
        False, "Write CSV cells that a spreadsheet would take for formulas as they are.", heading=RARELY_NEEDED
    )


@dataclass(frozen=True, kw_only=True)
class EnginePlace:
    """Where the work runs."""

    engine: str | None = option(None, ENGINE_HELP, metavar="ENGINE", common=True, heading="Where the work runs")


@dataclass(frozen=True)
class LoadCommand(Place):
    """The arguments of `hin load`."""

    files: list[str] = field(
        metadata=shown("Files, glob patterns or folders; `-` is the standard input.", argument=True, metavar="FILE")
    )
    options: LoadOptions = nested(LoadOptions, heading="")
    dry_run: bool = option(
        False, "Show the planned use of each column, without loading; with --columns FILE.toml, write that plan."
    )


@dataclass(frozen=True)
class InfoCommand(Place):
    """The arguments of `hin info`."""

    top: int = option(5, "How many of the most frequent values of each field to show.", least=0)
    check: bool = option(False, "First verify every file: compare it with the manifest, then read it.")
    model: str | None = option(None, "With --check: also verify this saved model.", metavar="FOLDER", common=True)
    schema: bool = option(
        False,
        "Show node labels, relationship types with the labels that they join, and properties, as queries see them.",
    )


@dataclass(frozen=True)
class ExportCommand(CsvCells, Place):
    """The arguments of `hin export`."""

    kind: str | None = option(
        None,
        "The format to write. Default: graphml.",
        argument=True,
        metavar="FORMAT",
        choices="hin.exchange.formats:EXPORTS",
    )
    format: str | None = option(
        None, "The format to write, instead of the argument.", "--format", "-f", metavar="FORMAT"
    )
    out: Path | None = option(
        None, "The file or folder to write. Default: named after the graph.", "--out", "-o", metavar="FILE"
    )

    @property
    def chosen(self) -> str:
        """The format to write, given by the option or the argument."""
        return self.format or self.kind or "graphml"


@dataclass(frozen=True)
class QueryCommand(CsvCells, Place):
    """The arguments of `hin query`."""

    text: str = field(
        metadata=shown("The query; `-` reads it from the standard input.", argument=True, metavar="CYPHER")
    )
    parameters: list[str] = option([], "A value for $NAME; may be repeated.", "--param", metavar="NAME=VALUE")
    format: Literal["table", "json", "csv", "arrow", "parquet", "graph", "html"] = option(
        "table", "How rows are shown; graph and html show the nodes and relationships in them.", "--format", "-f"
    )
    out: str | None = option(None, "Write to this file instead of the standard output.", metavar="FILE")
    options: QueryOptions = nested(QueryOptions)


@dataclass(frozen=True)
class CopyCommand:
    """The arguments of `hin copy`."""

    source: str = field(metadata=shown("A folder or a database.", argument=True, metavar="FROM"))
    target: str = field(metadata=shown("A folder or a database.", argument=True, metavar="TO"))
    replace: bool = option(False, "Replace the graph that TO already has.")
    model: str | None = option(
        None,
        "For a database: the local folder of its vectors. Default: $HIN_MODEL, or one in the user's data folder.",
        metavar="FOLDER",
        common=True,
    )
