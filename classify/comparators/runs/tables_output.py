"""The paper's other tables for the graph at hand, as lines of a terminal, beside the paper's own figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.comparators.runs.output import decimal, score

if TYPE_CHECKING:
    from hin.console import Console


def show_tables(tables: dict[str, Any], console: Console) -> None:
    """Print the tables one below the other; the map is a list of places, for `--json` and `hin report`."""
    shares, published = list(tables["pattern_shares"]), tables["pattern_shares_paper"]
    patterns = list(shares[0]["shares"])
    if published.keys() & patterns:
        shares.append({"category": "paper (MAG-CS)", "shares": published})
    console.table(
        [[row["category"], *(decimal(row["shares"].get(name)) for name in patterns)] for row in shares],
        ["category", *patterns],
        title="Patterns of the selected instances (the paper's Table 3)",
    )
    console.line()
    console.table(
        [
            [row["category"], f"{row['kappa']:.2f}", *_level(row), ", ".join(row["instances"])]
            for row in tables["specificity_levels"]
        ],
        ["category", "kappa", "kappa of the instances", "selected", "nearest instances"],
        title="Instances by specificity (the paper's Table 4)",
    )
    console.line()
    pairs = zip(tables["retrieved"], tables["retrieved_single_fields"], strict=True)
    console.table(
        [
            [row["size"], *(part for each in (row, single) for part in (decimal(each["accuracy"]), each["documents"]))]
            for row, single in pairs
        ],
        ["per category", "right", "documents", "right, single fields", "documents"],
        title="Retrieved documents with and without higher order (the paper's Figure 4)",
    )
    console.line()
    console.table(
        [_variant(row) for row in tables["retrieved_generated"]],
        ["retrieved", "generated", "micro-F1", "macro-F1", "worse than the first", "paper, MAG-CS", "paper, Amazon"],
        title="Retrieved and generated documents (the paper's Table 6)",
    )
    console.line(f"The map (the paper's Figure 5): {len(tables['map'])} places with --json, drawn by `hin report`.")


def _level(row: dict[str, Any]) -> tuple[str, str]:
    span = f"{row['from']} times and more" if row["to"] is None else f"{row['from']} to {row['to']} times"
    return span, "yes" if row["selected"] else "no"


def _variant(row: dict[str, Any]) -> list[Any]:
    marks = " ".join(row[measure]["marks"] or "-" for measure in ("micro_f1", "macro_f1"))
    paper = [f"{value:.3f}" for value in row["paper"].values()]
    return [
        row["retrieved"], row["generated"], score(row["micro_f1"]), score(row["macro_f1"]),
        marks.replace("- -", ""), " ".join(paper[:2]), " ".join(paper[2:]),
    ]  # fmt: skip
