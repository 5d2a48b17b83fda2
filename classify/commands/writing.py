"""Write the file of `hin classify --out`: the user's own rows with the labels, or one record per document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from classify.commands.arguments import ClassifyCommand
from classify.labelled.added import added_columns
from classify.labelled.rows import SourceRows, rows_of_documents, rows_of_files, rows_of_graph
from classify.labelled.writing import LabelledTable
from classify.model.prediction_files import write_predictions
from hin.human import plural
from hin.stores.base import open_store

if TYPE_CHECKING:
    from classify.stored_classification import StoredClassification
    from hin.console import Console
    from hin.graph import Graph


def write_out(command: ClassifyCommand, graph: Graph, stored: StoredClassification, console: Console) -> str:
    """Write the labels to the file of `--out`; return a description of its rows."""
    assert command.out is not None
    if command.plain:
        write_predictions(
            command.out,
            graph.documents.tolist(),
            stored.categories,
            stored.probabilities,
            decision=stored.decision,
            formulas=command.csv_formulas,
            all_scores=command.scores,
        )
        return "one record per document"
    model = stored.open_model()
    with console.progress() as progress:
        added = added_columns(model, graph, stored.probabilities, stored.decision, command.scores, progress)
        progress("writing", 0, None)
        source, what = _rows(command, graph)
        table = LabelledTable(source, added, command.csv_formulas)
        table.write(command.out)
    for wish, name in table.names.items():
        if name != wish:
            own = next(column for column in source.columns if column.casefold() == wish)
            console.note(f"The table has a column {own}: ours is called {name}.")
    if table.was_in is not None:
        console.note(f"Your file is in {table.was_in}, {command.out} in UTF-8.")
    if without := sum(row.document < 0 for row in source.rows):
        console.note(f"{plural(without, 'row')} became no document: nothing is added to them.")
    if source.unread:
        console.note(f"{plural(source.unread, 'bad record')} could not be read: not in {command.out}.")
    return what


def _rows(command: ClassifyCommand, graph: Graph) -> tuple[SourceRows, str]:
    """Return the rows of the command's file, else of the graph's files, else of the graph itself."""
    if command.file is not None:
        return rows_of_files([command.file], command.reading, graph), "your rows"
    rows = rows_of_graph(open_store(command.graph, command.model), graph)
    if rows is None:  # the files have moved or changed
        return rows_of_documents(graph), "the documents as the graph keeps them"
    return rows, f"the rows of {Path(rows.file).name if rows.file else 'the files that were loaded'}"
