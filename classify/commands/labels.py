"""The bodies of `hin select`, `hin classify` and `hin predict`."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.category_file import Category, read_categories
from classify.categories.finding import CategoryFinding
from classify.categories.known_labels import read_known
from classify.classification_stage import Prepared, embedded, stored_classification, write_classification
from classify.commands.again import StoredLabels, classified_again
from classify.commands.arguments import (
    ClassifyCommand,
    ExplainCommand,
    LabelArguments,
    PredictCommand,
    SelectCommand,
)
from classify.documents.stored_rows import passing
from classify.documents.unknown import Unknown
from classify.knowledge.opening import open_model
from classify.knowledge.options import CACHE
from classify.model.confidence import decided
from classify.model.motif_model import MotifModel
from classify.paper.pipeline import PaperOptions
from classify.paper.selection import selection_rows
from classify.prediction_files import FORMATS, prediction_records, write_predictions
from hin.atomic import check_outputs, check_place
from hin.engines.base import closing_engine
from hin.errors import BadInput, BadUsage, MissingStage
from hin.human import duration, plural
from hin.reading.inputs.files import matching
from hin.stores.base import open_store

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
    from classify.model.on_engine import Labelled
    from classify.recipe.known import Known
    from hin.console import Console
    from hin.engines.base import Engine
    from hin.progress import Progress
    from hin.reading.documents import BatchReader
    from hin.reading.options import LoadOptions
    from hin.stores.base import Store

__all__ = ["asked_model", "read_alike", "run_classify", "run_predict", "run_select"]


def run_select(command: SelectCommand, console: Console) -> None:
    """Show the indicative motif instances of each category."""
    categories = read_categories(command.categories, True, command.max_categories)  # shares play no part here
    store = open_store(command.graph, command.model)
    with console.progress() as progress, closing_engine(command.engine) as engine:
        prepared = _prepared(command, categories, store, _opened(command, store), progress, engine)
        selection = prepared.selected(command.selection)
    names = [category.name for category in categories]
    rows = selection_rows(selection, names, prepared.motif_set, np.asarray(prepared.embedding.kappa))
    if command.top:
        rows = [row for row in rows if row["position"] <= command.top]
    for name, chosen in zip(names, selection, strict=True):
        if chosen.note:
            console.detail(f"{name}: {chosen.note}")
    if console.as_json:
        console.json(rows)
        return
    columns = ["position", "instance", "kappa", "cosine", "documents"]
    for finding in prepared.findings:
        mine = [[row[c] for c in columns] for row in rows if row["category"] == finding.category]
        console.table(mine, columns, title=f"{finding.category} ({_found_as(finding)})")
        console.line()
    console.next(f"`hin classify --categories {shlex.quote(str(command.categories))}`")


def run_classify(command: ClassifyCommand, console: Console) -> None:
    """From category names to labels: check the names, embed, classify, write, and evaluate where labels are known."""
    if command.out is not None and command.out.suffix.lower() not in FORMATS:
        raise BadUsage(f"cannot tell the format of {command.out}", hint=f"end its name in {', '.join(FORMATS)}")
    if command.abstain_below is not None and not 0 <= command.abstain_below <= 1:
        raise BadUsage(f"cannot abstain below {command.abstain_below}", hint="give a confidence between 0 and 1")
    check_outputs([command.out], [command.categories, *([command.known] if command.known else [])])
    if command.save_model is not None:
        check_place(command.save_model, "model")
    several = command.several.asked
    categories = read_categories(command.categories, several, command.max_categories)
    store = open_store(command.graph, command.model)
    start = time.monotonic()
    known = None
    if command.known is not None:  # a bad file is told before the work
        known = read_known(command.known, store.read_graph(), [category.name for category in categories], several)
        if known is None:
            console.note(f"{command.known} has no line with a category.")
    described = _described(command, categories, _named(known, categories, store, several))
    model: StoredLabels | MotifModel | None = classified_again(command, store, described)
    if model is None:
        model = _fitted(command, categories, store, known, described, console)
    else:
        console.detail("the same names, words, labels and options as the last time: nothing was trained again")
    if command.save_model is not None:
        model.save(command.save_model)
    if command.out is not None:
        write_predictions(
            command.out,
            model.graph_.documents.tolist(),
            model.classes_.tolist(),
            model.probabilities_,
            decision=model.decision(command.abstain_below),
            formulas=command.csv_formulas,
        )
    _tell_classified(command, model, time.monotonic() - start, console)


def _fitted(
    command: ClassifyCommand,
    categories: Sequence[Category],
    store: Store,
    known: Known | None,
    described: dict[str, Any],
    console: Console,
) -> MotifModel:
    """Fit a model and keep it in the store."""
    # The paper knows the corpus alone.
    knowledge = _opened(command, store) if command.preset == "default" else None
    with console.progress() as progress, closing_engine(command.engine) as engine:
        prepared = _prepared(command, categories, store, knowledge, progress, engine)
        _tell_findings(prepared.findings, console)
        paper = PaperOptions(selection=command.selection, retrieved=command.retrieved, generated=command.generated)
        model = MotifModel(
            categories,
            command.patterns or None,
            command.preset,
            classifier=command.classifier,
            min_count=command.motifs.min_count,
            allow_missing=command.allow_missing,
            knowledge=knowledge,
            knowledge_seconds=command.knowledge.knowledge_seconds,
            several=command.several,
            other=command.other,
            random_state=command.embed.seed,
            n_jobs=command.embed.threads,
            embed=command.embed,
            paper=paper,
        )
        prepared.fit(model, known, store, progress, engine)
        selection = model.paper_run_.selection if model.paper_run_ else prepared.selected(command.selection)
        progress("saving", 0, None)
        options = {**described, "used": model.used_}
        write_classification(store, model, prepared, selection, options, command.abstain_below)
    return model


def _named(known: Known | None, categories: Sequence[Category], store: Store, several: bool) -> dict[str, Any]:
    """Return the documents whose category the user gave, by name; a list of them where there may be several."""
    if known is None:
        return {}
    ids = store.read_graph().documents.take(known.rows)
    return known.named(ids, [category.name for category in categories], several)


def _opened(command: LabelArguments, store: Store) -> KnowledgeModel | None:
    """Return the model that knows what words mean; what an encoder reads is kept in the graph's folder."""
    return open_model(command.knowledge.knowledge, store.workspace / CACHE)


def _prepared(
    command: LabelArguments,
    categories: Sequence[Category],
    store: Store,
    knowledge: KnowledgeModel | None,
    progress: Progress,
    engine: Engine,
) -> Prepared:
    """Return everything up to the embedding, as the options ask for it."""
    return embedded(
        store,
        categories,
        _patterns(command, store),
        command.embed,
        min_count=command.motifs.min_count,
        allow_missing=command.allow_missing,
        knowledge=knowledge,
        progress=progress,
        engine=engine,
    )


def _patterns(command: LabelArguments, store: Any) -> list[str] | None:
    if command.patterns and not command.selection.higher_order:
        from motifs import Pattern

        return [text for text in command.patterns if len(Pattern(text).fields) == 1]
    if not command.selection.higher_order:
        from motifs.language.template import quote_name

        return [quote_name(name) for name in store.read_graph().fields]
    return command.patterns or None


def _described(command: ClassifyCommand, categories: Sequence[Category], known: dict[str, Any]) -> dict[str, Any]:
    """Return the options as they go into the manifest: nothing that does not shape the result."""
    from hin import __version__

    return {
        "version": __version__,
        "patterns": command.patterns,
        "preset": command.preset,
        "classifier": command.classifier,
        "min_count": command.motifs.min_count,
        **asdict(command.selection),
        "retrieved": command.retrieved,
        "generated": command.generated,
        "allow_missing": command.allow_missing,
        "abstain_below": command.abstain_below,
        **(asdict(command.several) if command.several.several else {}),
        **({"other": True} if command.other else {}),
        "knowledge": command.knowledge.knowledge if command.preset == "default" else "none",
        "knowledge_seconds": command.knowledge.knowledge_seconds,
        "seed": command.embed.seed,
        "known": known,
        "categories": [asdict(category) for category in categories],
    }


def _found_as(finding: CategoryFinding) -> str:
    kappa = f", kappa {finding.kappa:.1f}" if finding.kappa is not None else ""
    coined = ", a phrase made a term" if finding.status == "phrase" else ""
    notes = "".join(f"; {note}" for note in finding.notes())
    return f"in {plural(finding.documents, 'document')}{kappa}{coined}{notes}"


def _tell_findings(findings: list[CategoryFinding], console: Console) -> None:
    for finding in findings:
        for note in finding.notes():
            console.note(f"{finding.category}: {note}")
        if not finding.notes():
            console.detail(f"{finding.category}: {_found_as(finding)}")


def _tell_classified(
    command: ClassifyCommand, model: StoredLabels | MotifModel, seconds: float, console: Console
) -> None:
    from classify.model.figures import figures_of, summary_of

    sure = np.concatenate([model.probabilities_[here].max(axis=1) for here in passing(model.probabilities_)]).round(6)
    known = decided(model.probabilities_)
    decision = model.decision(command.abstain_below)
    given = decision.given(model.probabilities_)
    labels = given.first()
    if not known.all():
        why = "far from every category, or without" if command.other else "without"
        left = plural(int((~known).sum()), "document")
        console.note(f"{left} {why} a known word or value: nothing to go on, no category")
    sizes, names = Counter(given.categories.tolist()), decision.names(model.classes_.tolist())
    without = int((labels < 0).sum())
    figures = None
    labelled = model.graph_.labels
    if labelled is not None and labelled.several is not None and decision.sets is None:
        console.note("Documents have several labels each: `--several` gives several, only the first is compared here.")
    if labelled is not None:
        try:
            # What the user said is no achievement.
            told = [model.graph_.documents.index(document) for document in model.known_]
            figures = figures_of(labelled, model.classes_.tolist(), model.probabilities_, decision, told)
        except BadInput as error:  # labels that are other than the categories tell nothing
            console.note(f"Not evaluated: {error}")
    if console.as_json:
        console.json(
            {
                "documents": len(labels),
                "categories": {name: sizes.get(i, 0) for i, name in enumerate(names)},
                "abstained": without,
                **({} if decision.sets is None else {"given_number": round(len(given.documents) / len(labels), 4)}),
                "mean_confidence": round(float(sure.mean()), 4),
                "used": model.used_,
                "seconds": round(seconds, 3),
                "out": None if command.out is None else str(command.out),
                "evaluation": figures,
            }
        )
        return
    rows = [
        [name, sizes.get(i, 0), float(given.confidence[given.categories == i].mean()) if sizes.get(i) else None]
        for i, name in enumerate(names)
        if i < len(model.classes_) or sizes.get(i)
    ]
    console.table(rows, ["category", "documents", "confidence"])
    if model.used_:
        console.detail("views: " + ", ".join(f"{name} {share:.0%}" for name, share in model.used_["views"].items()))
    if unsure := without - int((~known).sum()):  # the others were told above
        console.line(f"{plural(unsure, 'document')} without a category ({_why_unsure(command.abstain_below)})")
    where = f", written to {command.out}" if command.out else ""
    console.line(f"\n{plural(len(labels), 'document')} classified in {duration(seconds)}{where}")
    if figures is not None:
        console.line(
            f"{summary_of(figures)}, against the graph's labels"
            + (f", without {plural(len(model.known_), 'document')} labelled by you" if model.known_ else "")
        )
    first = shlex.quote(model.graph_.documents[0])
    console.next(
        f"`hin explain {first}`, `hin report`, or `hin evaluate`" if figures else f"`hin explain {first}`, `hin report`"
    )


def _why_unsure(limit: float | None) -> str:
    return "no category is likely enough" if limit is None else f"confidence below {limit}"


def run_predict(command: PredictCommand, console: Console) -> None:
    """Label documents that were not in the graph."""
    from hin.reading.documents import BatchReader

    if command.out is not None and command.out.suffix.lower() not in FORMATS:
        raise BadUsage(f"cannot tell the format of {command.out}", hint=f"end its name in {', '.join(FORMATS)}")
    check_outputs([command.out, command.rejected], [path for file in command.files for path in matching(file)])
    folder = asked_model(command)
    model = MotifModel.load(folder)
    model.n_jobs = command.threads
    reading = read_alike(command, model)
    start = time.monotonic()
    ids: list[str] = []
    parts = []
    unknown = Unknown()
    side_file = command.rejected
    with console.progress() as progress:
        # New documents need not have every field that those of the graph had, only what this command names.
        reader = BatchReader(command.files, reading, side_file, progress=progress, required=command.options)
        for part in _labelled(reader, model, folder, command):
            ids += part.ids
            parts.append(part.probabilities)
            unknown.add(part.unknown)
    probabilities = np.concatenate(parts)
    seconds = time.monotonic() - start
    if reader.rejected:
        console.note(f"{plural(reader.rejected, 'bad record')} skipped{f', see {side_file}' if side_file else ''}.")
    if told := unknown.told():
        console.note(told)
    decision = model.decision(command.abstain_below)
    if command.out is not None:
        names, formulas = model.classes_.tolist(), command.csv_formulas
        write_predictions(command.out, ids, names, probabilities, decision=decision, formulas=formulas)
        console.note(f"{plural(len(ids), 'document')} labelled in {duration(seconds)}, written to {command.out}.")
        return
    records = prediction_records(ids, model.classes_.tolist(), probabilities, decision=decision)
    if console.as_json:
        console.json(list(records))
        return
    for record in records:
        console.json(record, indent=False)
    console.note(f"{plural(len(ids), 'document')} labelled in {duration(seconds)}.")


def asked_model(command: PredictCommand | ExplainCommand) -> Path:
    """Return the folder of the model that was named, a saved one or that of a database; else of the graph's own."""
    if command.model is not None:
        if (Path(command.model) / "model.json").exists():
            return Path(command.model)
        if not Path(command.model).is_dir():
            raise MissingStage(f"no model at {command.model}", hint="name a folder that `hin classify` wrote")
    return stored_classification(open_store(command.graph, command.model)).model


def _labelled(reader: BatchReader, model: MotifModel, folder: Path, command: PredictCommand) -> Iterator[Labelled]:
    """Yield what is labelled, batch by batch, here or on the workers of an engine."""
    from classify.model.on_engine import label_blocks, labelled

    with closing_engine(command.options.engine) as engine:
        if engine.here:
            yield from (labelled(model, batch) for batch in reader)
        else:
            yield from label_blocks(reader, engine, folder)


def read_alike(command: PredictCommand | ExplainCommand, model: MotifModel) -> LoadOptions:
    """New documents are read as those of the fit were, where the user does not say otherwise."""
    from classify.model.inputs import read_like_fit

    return read_like_fit(command.options, model.reading_, model.text_fields_)
