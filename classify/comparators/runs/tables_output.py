"""The paper's other tables for the graph at hand, as lines of a terminal, beside the paper's own figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.comparators.runs.output import score

if TYPE_CHECKING:
    from hin.console import Console

__all__ = ["show_tables"]


def show_tables(tables: dict[str, Any], console: Console) -> None:
    """Print the tables one below the other; the map is a list of places, for `--json` and `hin report`."""
    _shares(tables, console)
    console.table(
        [
            [
                row["category"],
                f"{row['kappa']:.2f}",
                row["level"],
                "yes" if row["selected"] else "no",
                ", ".join(row["instances"]),
            ]
            for row in tables["specificity_levels"]
        ],
        ["category", "kappa", "as specific as it", "selected", "nearest instances"],
        title="Instances by specificity (the paper's Table 4)",
    )
    console.line()
    console.table(
        [
            [
                row["size"],
                _share(row["with"]["accuracy"]),
                row["with"]["documents"],
                _share(row["without"]["accuracy"]),
                row["without"]["documents"],
            ]
            for row in tables["retrieval"]
        ],
        ["a category", "right", "documents", "right, single fields", "documents"],
        title="Retrieved documents with and without higher order (the paper's Figure 4)",
    )
    console.line()
    console.table(
        [_variant(row) for row in tables["retrieved_generated"]],
        ["retrieved", "generated", "micro-F1", "macro-F1", "worse than the first", "paper, MAG-CS", "paper, Amazon"],
        title="Retrieved and generated documents (the paper's Table 6)",
    )
    console.line(f"The map (the paper's Figure 5): {len(tables['map'])} places with --json, drawn by `hin report`.")


def _shares(tables: dict[str, Any], console: Console) -> None:
    rows = tables["pattern_shares"]
    patterns = [name for name in rows[0] if name != "category"]
    published = tables["pattern_shares_paper"]
    lines = [[row["category"], *(_share(row[name]) for name in patterns)] for row in rows]
    if any(name in published for name in patterns):
        lines.append(["paper (MAG-CS)", *(_share(published.get(name)) for name in patterns)])
    title = "Patterns of the selected instances (the paper's Table 3)"
    console.table(lines, ["category", *patterns], title=title)
    console.line()


def _variant(row: dict[str, Any]) -> list[Any]:
    marks = [row[measure]["marks"] or "-" for measure in ("micro_f1", "macro_f1")]
    paper = row["paper"]
    return [
        row["retrieved"], row["generated"], score(row["micro_f1"]), score(row["macro_f1"]),
        "" if marks == ["-", "-"] else " ".join(marks), f"{paper['mag_micro']:.3f} {paper['mag_macro']:.3f}",
        f"{paper['amazon_micro']:.3f} {paper['amazon_macro']:.3f}",
    ]  # fmt: skip


def _share(value: float | None) -> str:
    """Return a share with three digits, nothing where it is not known.

    >>> _share(0.25), _share(None)
    ('.250', '')
    """
    return "" if value is None else f"{value:.3f}".removeprefix("0")
