"""The formats a graph can be exported to: one file each, which registers itself here.

Other packages offer theirs through the entry points `hin.exports`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.progress import Progress, silent
from hin.registry import Registry

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stores.findings import Findings


@dataclass(frozen=True)
class ExportSource:
    """The input of an export: the graph, the findings of its stages, and the options it was loaded with.

    `vectors` are the rows of the embedding by node type (`document`, `motif`), where there is one.
    """

    graph: Graph
    findings: Findings | None = None
    options: dict[str, Any] = field(default_factory=dict)
    progress: Progress = silent
    #: Do not escape the cells of CSV files that a spreadsheet would take for formulas.
    csv_formulas: bool = False
    vectors: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ExportFormat:
    """One format.

    Attributes
    ----------
    write : callable
        Writes the source to a path: a file, or with `folder` an empty folder. It is moved to the user's path once
        everything is written.
    ending : str
        Appended to the graph's name when the user does not name a path.
    """

    name: str
    ending: str
    write: Callable[[ExportSource, Path], None]
    folder: bool = False


EXPORTS: Registry[ExportFormat] = Registry("export format", package="hin.exchange", group="hin.exports")


def export_format(
    name: str, ending: str, *, folder: bool = False
) -> Callable[[Callable[[ExportSource, Path], None]], Callable[[ExportSource, Path], None]]:
    """Register the decorated function as the writer of a format.

    Examples
    --------
    >>> @export_format("ids", ".txt")
    ... def write_ids(source, path):
    ...     path.write_text("".join(f"{name}\\n" for name in source.graph.documents))
    >>> EXPORTS.get("ids").ending
    '.txt'
    >>> EXPORTS.forget("ids")
    """

    def register(
        write: Callable[[ExportSource, Path], None],
    ) -> Callable[[ExportSource, Path], None]:
        EXPORTS.register(name)(ExportFormat(name, ending, write, folder))
        return write

    return register
