"""The body of `hin evaluate`: the paper's tables and figures, where the graph has labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.category_file import Category
from classify.classification_stage import Prepared, StoredClassification, embedded, stored_classification
from classify.commands.arguments import EvaluateCommand
from classify.documents.encoder import Encoder
from classify.documents.graph_encoding import encode_documents
from classify.documents.sequences import Sequences
from classify.evaluation import true_codes
from classify.knowledge.opening import open_model
from classify.model.figures import figures_of, summary_of
from classify.paper.pipeline import PaperOptions, collect_pseudo_documents
from classify.paper.selection import SelectionOptions
from classify.paper.tables import PaperSelection, generated_accuracy
from embed.options import EmbedOptions
from hin.human import plural
from hin.progress import Progress
from hin.stores.base import Store, open_store

if TYPE_CHECKING:
    from hin.console import Console

__all__ = ["evaluation", "run_evaluate"]


def run_evaluate(command: EvaluateCommand, console: Console) -> None:
    """Compare the stored classification with the graph's labels."""
    store = open_store(command.graph, command.model)
    stored = stored_classification(store)
    with console.progress() as progress:
        figures = evaluation(store, stored, command.pseudo, progress)
    if console.as_json:
        console.json(figures)
        return
    rows = [[c["category"], c["precision"], c["recall"], c["f1"], c["documents"]] for c in figures["categories"]]
    console.table(rows, ["category", "precision", "recall", "f1", "documents"])
    console.line(f"\n{summary_of(figures)}")
    if command.confusion:
        names = [c["category"] for c in figures["categories"]]
        console.line()
        rows = [[name, *row] for name, row in zip(names, figures["confusion"], strict=True)]
        console.table(rows, ["true \\ predicted", *(str(i + 1) for i in range(len(names)))])
    if command.pseudo:
        _show_pseudo(figures, console)
    console.next("`hin report`")


def evaluation(store: Store, stored: StoredClassification, pseudo: bool, progress: Progress) -> dict[str, Any]:
    """Return the figures; with `pseudo` also the paper's Tables 3 and 4 and Figure 4, and the generated documents'."""
    graph = store.read_graph(progress)
    told = [graph.documents.index(document) for document in stored.known]  # what the user said is no achievement
    figures = figures_of(graph.labels, stored.categories, stored.probabilities, stored.decision, told)
    if not pseudo:
        return figures
    truth = true_codes(graph.labels, stored.categories)
    truth[told] = -1
    prepared = _prepared(store, stored, progress)
    options = stored.stage.options
    if options.get("preset") == "paper":  # it selects by the learned kappa, whatever the embedding shows
        prepared = replace(prepared, embedding=replace(prepared.embedding, specificity="learned"))
    chosen = SelectionOptions(**{name: options[name] for name in ("size", "eta", "higher_order", "specificity")})
    motif_set, vectors = prepared.motif_set, np.asarray(prepared.embedding.vectors)
    kappa = np.asarray(prepared.embedding.kappa_learned)
    found = PaperSelection(motif_set, vectors, kappa, prepared.findings, prepared.selected(chosen))
    blocks = encode_documents(Encoder.of(motif_set), prepared.graph, motif_set)
    sequences = Sequences.joined([block.sequences for block in blocks])
    made = collect_pseudo_documents(
        motif_set,
        sequences,
        vectors,
        found.names,
        found.selection,
        PaperOptions(chosen, options.get("retrieved", 50), options.get("generated", 50)),
        np.random.default_rng([options.get("seed", 0), 0x9A9E4]),
        stored.categories,
    )
    right = generated_accuracy(made.generated, made.generated_categories, sequences, truth, len(found.names))
    return {
        **figures,
        **found.tables(truth),
        "generated": {"documents": made.generated.n_documents, "accuracy": right},
    }


def _prepared(store: Store, stored: StoredClassification, progress: Progress) -> Prepared:
    """Return what the classification was made from, put together again; the embedding is the stored one."""
    stage = store.stage("embed")
    assert stage is not None, "a classification goes with its embedding"
    categories = [Category.of_record(c) for c in stored.stage.options["categories"]]
    patterns = [name for name in stage.options["patterns"] if name != "term"]
    return embedded(
        store,
        categories,
        patterns,
        EmbedOptions(**stage.options["embed"]),
        min_count=stored.stage.options["min_count"],
        allow_missing=True,
        progress=progress,
        knowledge=open_model(stored.stage.options.get("knowledge")),
    )


def _show_pseudo(figures: dict[str, Any], console: Console) -> None:
    console.line()
    rows = [[row["size"], row["documents"], row["accuracy"]] for row in figures["retrieved"]]
    console.table(rows, ["retrieved a category", "documents", "accuracy"])
    made = figures["generated"]
    console.line(f"\n{plural(made['documents'], 'generated document')}: accuracy {made['accuracy']:.3f}")
    overall = figures["pattern_shares"][-1]["shares"]
    console.line()
    console.table([[name, share] for name, share in overall.items()], ["pattern", "share of the selected"])
