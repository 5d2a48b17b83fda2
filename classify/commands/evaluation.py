"""The body of `hin evaluate`: the paper's tables and figures, where the graph has labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.answers.measured import measured_accuracy
from classify.answers.measured_f1 import PER_CATEGORY
from classify.answers.measuring import MeasuredShare
from classify.commands.arguments import EvaluateCommand
from classify.commands.opening import open_workspace
from classify.evaluation import has_true_categories, true_codes
from classify.figures import figures_of, summary_of
from classify.options import ClassifyOptions
from classify.paper.tables import PaperSelection, generated_accuracy
from classify.pipeline import Pipeline
from classify.stored_classification import StoredClassification, stored_classification
from hin.human import plural
from hin.stores.base import Store

if TYPE_CHECKING:
    from hin.console import Console


def run_evaluate(command: EvaluateCommand, console: Console) -> None:
    """Compare the stored classification with the graph's labels."""
    with open_workspace(command, console) as (workspace, run):
        assert workspace.store is not None
        stored = stored_classification(workspace.store)
        options = _as_classified(stored, workspace.store)
        pipeline = Pipeline(workspace.graph, stored.given_categories, options, workspace=workspace, run=run)
        found = measured_accuracy(workspace.store, workspace.graph, stored)
        if found is None or has_true_categories(workspace.graph.labels, stored.categories):
            figures = evaluation(pipeline, stored, pseudo=command.pseudo)
        else:
            figures = None
    measured = {} if found is None else {"measured": found.as_dict()}
    if figures is None:
        if console.as_json:
            console.json(measured)
        elif found is not None:
            console.line(accuracy_line(found))
        return
    figures = {**figures, **measured}
    if console.as_json:
        console.json(figures)
        return
    rows = [[c["category"], c["precision"], c["recall"], c["f1"], c["documents"]] for c in figures["categories"]]
    console.table(rows, ["category", "precision", "recall", "f1", "documents"])
    console.line(f"\n{summary_of(figures)}")
    if found is not None:
        console.line(accuracy_line(found))
    if command.confusion:
        names = [c["category"] for c in figures["categories"]]
        console.line()
        rows = [[name, *row] for name, row in zip(names, figures["confusion"], strict=True)]
        console.table(rows, ["true \\ predicted", *(str(i + 1) for i in range(len(names)))])
    if command.pseudo:
        _show_pseudo(figures, console)
    console.next("`hin report`")


def accuracy_line(found: MeasuredShare) -> str:
    """Return the measured accuracy in a line."""
    more = found.needed()
    ahead = f"; {plural(more, 'more answer')} would narrow it to ± .03" if more else ""
    f1 = "".join(
        f", {name.replace('_f1', '-F1')} {figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"
        for name, figure in found.f1.items()
    )
    if f1 and "macro_f1" not in found.f1:
        f1 += f" (macro-F1 needs {PER_CATEGORY} answers per category)"
    return f"accuracy {found.share:.2f} ({found.low:.2f} to {found.high:.2f}){f1} from {found.answers} answers{ahead}"


def evaluation(pipeline: Pipeline, stored: StoredClassification, *, pseudo: bool) -> dict[str, Any]:
    """Evaluate a classification; with `pseudo` also the paper's Tables 3 and 4, Figure 4, the generated documents."""
    graph = pipeline.graph
    # The user labelled these, so they say nothing about the model.
    known_rows = [graph.documents.index(document) for document in stored.known]
    figures = figures_of(graph.labels, stored.categories, stored.probabilities, stored.decision, known_rows)
    if not pseudo:
        return figures
    truth = true_codes(graph.labels, stored.categories)
    truth[known_rows] = -1
    vectors, kappa = np.asarray(pipeline.embedding.vectors), np.asarray(pipeline.embedding.kappa_learned)
    found = PaperSelection(pipeline.motifs, vectors, kappa, pipeline.findings, pipeline.selection)
    made, sequences = pipeline.pseudo_documents, pipeline.documents.sequences
    right = generated_accuracy(made.generated, made.generated_categories, sequences, truth, len(found.names))
    return {
        **figures,
        **found.tables(truth),
        "generated": {"documents": made.generated.n_documents, "accuracy": right},
    }


def _as_classified(stored: StoredClassification, store: Store) -> ClassifyOptions:
    """Return the options of the classification, with its patterns named: the defaults might be chosen anew."""
    embedded = store.stage("embed")
    assert embedded is not None
    patterns = [name for name in embedded.option("patterns") if name != "term"] or ["term"]
    return replace(stored.options(store), patterns=patterns)


def _show_pseudo(figures: dict[str, Any], console: Console) -> None:
    console.line()
    rows = [[row["size"], row["documents"], row["accuracy"]] for row in figures["retrieved"]]
    console.table(rows, ["retrieved per category", "documents", "accuracy"])
    made = figures["generated"]
    console.line(f"\n{plural(made['documents'], 'generated document')}: accuracy {made['accuracy']:.3f}")
    overall = figures["pattern_shares"][-1]["shares"]
    console.line()
    console.table([[name, share] for name, share in overall.items()], ["pattern", "share of the selected instances"])
