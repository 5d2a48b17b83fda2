"""The body of `hin select`: the indicative motif instances of each category."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.category_file import read_categories
from classify.categories.finding import CategoryFinding
from classify.commands.arguments import SelectCommand
from classify.commands.opening import open_workspace
from classify.paper.selection import selection_rows
from classify.pipeline import Pipeline
from hin.human import plural

if TYPE_CHECKING:
    from hin.console import Console


def run_select(command: SelectCommand, console: Console) -> None:
    """Show the indicative motif instances of each category."""
    categories = read_categories(command.categories, several=True, most=command.max_categories)
    with open_workspace(command, console) as (workspace, run):
        pipeline = Pipeline(workspace.graph, categories, command.options, workspace=workspace, run=run)
        selection, findings = pipeline.selection, pipeline.findings
        names = [category.name for category in categories]
        rows = selection_rows(selection, names, pipeline.motifs, np.asarray(pipeline.embedding.kappa))
    if command.top:
        rows = [row for row in rows if row["position"] <= command.top]
    for name, chosen in zip(names, selection, strict=True):
        if chosen.note:
            console.detail(f"{name}: {chosen.note}")
    if console.as_json:
        console.json(rows)
        return
    columns = ["position", "instance", "kappa", "cosine", "documents"]
    for finding in findings:
        mine = [[row[c] for c in columns] for row in rows if row["category"] == finding.category]
        console.table(mine, columns, title=f"{finding.category} ({found_as(finding)})")
        console.line()
    console.next(f"`hin classify --categories {shlex.quote(str(command.categories))}`")


def found_as(finding: CategoryFinding) -> str:
    """Describe in words how a name was found."""
    kappa = f", kappa {finding.kappa:.1f}" if finding.kappa is not None else ""
    phrase = "a phrase made a term" if " " in (finding.term or "") else "counted inside phrases too"
    coined = f", {phrase}" if finding.status == "phrase" else ""
    held = f"in {plural(finding.documents, 'document')}" if finding.documents else ""
    return "; ".join(filter(None, (f"{held}{kappa}{coined}".removeprefix(", "), *finding.notes())))
