"""The body of `hin classify`: open the graph, classify, write the labels, show a summary."""

from __future__ import annotations

import os
import shlex
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classify.answers.collecting import collect_known
from classify.answers.teachers.endpoint import Endpoint
from classify.categories.category_file import Category, read_categories
from classify.categories.finding import CategoryFinding
from classify.commands.arguments import ClassifyCommand
from classify.commands.opening import open_workspace
from classify.commands.select import found_as
from classify.documents.own_vectors import vectors_of
from classify.fields.judging import FieldWorth, Judgement
from classify.figures import figures_of, summary_of
from classify.knowledge.auto import encoder_advice
from classify.knowledge.options import AUTO, BUILT_IN
from classify.model.confidence import gets_category
from classify.model.fitted import FittedModel
from classify.model.prediction_files import check_format
from classify.pipeline import Pipeline
from hin.errors import BadInput
from hin.files.atomic import check_outputs, check_place
from hin.human import duration, plural
from hin.text.languages import language_of
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.stored_classification import StoredClassification
    from hin.arrays.types import Bools
    from hin.console import Console
    from hin.graph import Graph


def run_classify(command: ClassifyCommand, console: Console) -> None:
    """Label every document of the graph, store the labels, and show how many documents each category got."""
    if command.out is not None:
        _check_ending(command.out, command.plain)
    inputs = [
        given for given in (command.categories, command.known, command.vectors, command.file) if given is not None
    ]
    as_json = command.save_model is not None and command.save_model.suffix == ".json"
    check_outputs([None if command.to_stdout else command.out, command.save_model if as_json else None], inputs)
    several = command.options.sets is not None
    if as_json:
        from classify.model.json_model import check_kind

        check_kind(command.options.learner, command.vectors is not None, several)
    elif command.save_model is not None:
        check_place(command.save_model, "model")
    categories = read_categories(command.categories, several, command.max_categories)
    if command.file is None:
        _classify(command, categories, console)
        return
    from classify.commands.own_graph import with_own_graph

    with with_own_graph(command, console) as loaded:
        _classify(loaded, categories, console)


def _check_ending(out: Path, plain: bool) -> None:
    if plain:
        check_format(out)
        return
    from classify.labelled.writing import ending_of

    ending_of(out)


def _classify(command: ClassifyCommand, categories: Sequence[Category], console: Console) -> None:
    several = command.options.sets is not None

    def report_names(findings: Sequence[CategoryFinding]) -> None:
        for finding in sorted(findings, key=lambda finding: finding.status != "missing"):  # empty categories first
            for note in finding.notes():
                console.note(f"{finding.category}: {note}")
            if not finding.notes():
                console.detail(f"{finding.category}: {found_as(finding)}")

    start = time.monotonic()
    with open_workspace(command, console, report_names) as (workspace, run):
        graph = workspace.graph
        names = [category.name for category in categories]
        known, notes = collect_known(workspace.store, graph, names, several, command.known)
        for note in notes:
            console.note(note)
        vectors = vectors_of(command.vectors, graph.documents.tolist()) if command.vectors is not None else None
        if command.options.preset == "paper" and command.known is None:
            known = None  # which learns from names alone
        given: Any = {"known": known, "vectors": vectors}
        stored = Pipeline(graph, categories, command.options, **given, workspace=workspace, run=run).stored
    if not stored.fresh:
        console.detail("the same names, words, labels and options as the last time: nothing was trained again")
    if command.save_model is not None:
        model = FittedModel.load(stored.model)
        (model.export if command.save_model.suffix == ".json" else model.save)(command.save_model)
    rows = None
    if command.out is not None:
        from classify.commands.writing import write_out

        rows = write_out(command, graph, stored, console)
    _show(command, graph, stored, (time.monotonic() - start, rows), console)


def _show(
    command: ClassifyCommand,
    graph: Graph,
    stored: StoredClassification,
    done: tuple[float, str | None],
    console: Console,
) -> None:
    """Show the result; `done` holds the time it took and a description of the file's rows."""
    seconds, rows_written = done
    probabilities = stored.exact
    classes, decision, given = list(stored.categories), stored.decision, stored.given
    known, labels = gets_category(probabilities), given.first()
    for line in Judgement(tuple(FieldWorth(**record) for record in stored.used.get("fields", ()))).lines():
        console.note(line)
    _show_evidence(command, graph, known, console)
    sizes, names = Counter(given.categories.tolist()), decision.names(classes)
    without = int((labels < 0).sum())
    figures = _figures(graph, stored, console)
    summary = f"{plural(len(labels), 'document')} classified in {duration(seconds)}"
    if without:
        summary = f"{len(labels) - without:,} of {summary}"
    if command.to_stdout:  # the table is the result
        console.note(summary)
        return
    if console.as_json:
        console.json(
            {
                "documents": len(labels),
                "categories": {name: sizes.get(i, 0) for i, name in enumerate(names)},
                "abstained": without,
                **({} if decision.sets is None else {"given_number": round(len(given.documents) / len(labels), 4)}),
                "mean_confidence": round(float(probabilities.max(axis=1).mean()), 4),
                **stored.reliability.as_record(),
                "used": stored.used,
                "seconds": round(seconds, 3),
                "out": None if command.out is None else str(command.out),
                "rows": rows_written,
                "evaluation": figures,
            }
        )
        return
    _show_categories(stored, sizes, console)
    if command.options.knowledge.knowledge == AUTO:
        _show_knowledge(graph, stored, console)
    if unsure := without - int((~known).sum()):  # the others were shown above
        console.line(f"{plural(unsure, 'document')} without a category ({_why_unsure(decision.abstain_below)})")
    where = f", written to {command.out}: {rows_written}" if command.out else ""
    console.line(f"\n{summary}{where}")
    if figures is not None:
        console.line(f"{summary_of(figures)}, against {_labels_compared(figures, stored, len(labels))}")
    if command.file is not None and console.graph is None:
        return  # the graph of the standard input is gone
    teacher = os.environ.get("HIN_TEACHER", "").strip()
    if Endpoint.takes(teacher) and not any(one.keywords for one in stored.given_categories):
        words = "Your teacher can name words of each category: `hin ask --names --write better.txt`."
        console.note(console.pasteable(words))
    first = shlex.quote(graph.documents[0])
    console.next(
        f"`hin explain {first}`, `hin report`, or `hin evaluate`" if figures else f"`hin explain {first}`, `hin report`"
    )


def _show_categories(stored: StoredClassification, sizes: Counter[int], console: Console) -> None:
    """Show the documents of each category, whether the labels are poor, and which views and knowledge were used."""
    if stored.reliability.warning is not None:
        console.line(stored.reliability.warning)
    given, names = stored.given, stored.decision.names(stored.categories)
    rows = [
        [name, sizes.get(i, 0), float(given.confidence[given.categories == i].mean()) if sizes.get(i) else None]
        for i, name in enumerate(names)
        if i < len(stored.categories) or sizes.get(i)
    ]
    console.table(rows, ["category", "documents", "confidence"])
    for source, about in stored.used.get("sources", {}).items():
        right = (
            f"estimated {about['right']:.0%} right"
            if about["teaches"]
            else "hardly better than chance: teaches nothing"
        )
        console.note(f"{plural(about['answers'], 'answer')} of {source}: {right}")
    for category in stored.reliability.weak:
        console.line(str(category))
    if stored.used:
        console.detail("views: " + ", ".join(f"{name} {share:.0%}" for name, share in stored.used["views"].items()))


def _show_knowledge(graph: Graph, stored: StoredClassification, console: Console) -> None:
    """Say which model `auto` chose; where labels are doubtful, what an encoder would need."""
    used = stored.used.get("knowledge", {})
    if "beside" in used:
        console.note(f"knowledge: {used['model']}, which is on this machine (--knowledge {BUILT_IN} does not use it)")
    elif used.get("model") == BUILT_IN:
        (console.note if stored.reliability.warning is not None else console.detail)(
            f"knowledge: {used['model']}, built in; {encoder_advice(language_of(graph))}"
        )


def _show_evidence(command: ClassifyCommand, graph: Graph, known: Bools, console: Console) -> None:
    """Say which words and values are used, and how many documents have none of them."""
    least = command.options.for_graph(graph).motifs.min_count
    if least < MotifOptions.min_count and command.options.min_count is None:
        console.note(f"The corpus is small: words and values in {least} documents are used, too (--min-count)")
    if not known.all():
        why = "far from every category, or without" if command.options.other else "without"
        left = plural(int((~known).sum()), "document")
        common = f"a word or value that is in {plural(least, 'document')} or more" if least > 1 else "any word or value"
        rarer = " (--min-count 2 takes rarer ones)" if least > 2 else ""
        console.note(f"{left} {why} {common}, stop words aside: no evidence, so no category{rarer}")


def _figures(graph: Graph, stored: StoredClassification, console: Console) -> dict[str, Any] | None:
    """Compare the labels with the graph's own, where it has some; documents that the user labelled are left out."""
    labelled = graph.labels
    if labelled is None:
        return None
    if labelled.several is not None and stored.decision.sets is None:
        console.note("Documents have several labels each: `--several` gives several, only the first is compared here.")
    try:
        known_rows = [graph.documents.index(document) for document in stored.known]
        return figures_of(labelled, stored.categories, stored.exact, stored.decision, known_rows)
    except BadInput as error:  # no true label is one of the categories
        console.note(f"Not evaluated: {error}")
        return None


def _labels_compared(figures: dict[str, Any], stored: StoredClassification, documents: int) -> str:
    """Say which labels the figures are measured with: those of some documents may be none of the categories."""
    known, several = len(stored.known), stored.decision.sets is not None
    compared = sum(row["documents"] for row in figures["categories"])
    some = not several and compared + known < documents
    of_some = f" of the {plural(compared, 'document')} that have one of these categories" if some else ""
    without = f", without {plural(known, 'document')} labelled by you" if known else ""
    return f"the graph's labels{of_some}{without}"


def _why_unsure(limit: float | None) -> str:
    return "no category is likely enough" if limit is None else f"confidence below {limit}"
