"""The body of `hin predict`, and the choice of model and reading options that it shares with `hin explain`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from classify.commands.arguments import ExplainCommand, PredictCommand
from classify.documents.unknown import Unknown
from classify.model.fitted import FittedModel
from classify.model.prediction_files import check_format, prediction_records, write_predictions
from classify.stored_classification import stored_classification
from hin.engines.base import closing_engine
from hin.errors import BadUsage, MissingStage
from hin.files.atomic import check_outputs
from hin.human import duration, plural
from hin.reading.inputs.files import expand_pattern
from hin.stores.base import open_store

if TYPE_CHECKING:
    from classify.documents.own_vectors import GivenVectors
    from classify.model.on_engine import Labelled
    from hin.console import Console
    from hin.reading.documents import BatchReader
    from hin.reading.options import LoadOptions


def run_predict(command: PredictCommand, console: Console) -> None:
    """Label documents that were not in the graph."""
    from hin.reading.documents import BatchReader

    check_format(command.out)
    check_outputs([command.out, command.rejected], [path for file in command.files for path in expand_pattern(file)])
    folder = model_folder(command)
    model = FittedModel.load(folder)
    model.n_jobs = command.threads
    reading = reading_options(command, model)
    own = model.given_vectors(command.vectors)
    if own is None and model.predictor_.own is not None:
        console.note("The model was fitted with vectors: without --vectors it labels by words and metadata alone.")
    start = time.monotonic()
    ids: list[str] = []
    parts = []
    unknown = Unknown()
    side_file = command.rejected
    with console.progress() as progress:
        # New documents need not have every field that those of the graph had, only what this command names.
        reader = BatchReader(command.files, reading, side_file, progress=progress, required=command.options)
        for part in _label(reader, model, folder, command, own):
            ids += part.ids
            parts.append(part.probabilities)
            unknown.add(part.unknown)
    if own is not None:
        own.check_number(len(ids))
    probabilities = np.concatenate(parts)
    seconds = time.monotonic() - start
    if reader.rejected:
        console.note(f"{plural(reader.rejected, 'bad record')} skipped{f', see {side_file}' if side_file else ''}.")
    if summary := unknown.summary():
        console.note(summary)
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


def model_folder(command: PredictCommand | ExplainCommand) -> Path:
    """Return the folder of the model that --model names; by default that of the graph's last classification."""
    if command.model is not None:
        if (Path(command.model) / "model.json").exists():
            return Path(command.model)
        if not Path(command.model).is_dir():
            raise MissingStage(f"no model at {command.model}", hint="name a folder that `hin classify` wrote")
    return stored_classification(open_store(command.graph, command.model)).model


def _label(
    reader: BatchReader, model: FittedModel, folder: Path, command: PredictCommand, own: GivenVectors | None
) -> Iterator[Labelled]:
    """Yield labelled documents, batch by batch, computed here or on the workers of an engine."""
    from classify.model.on_engine import label_batch, label_blocks

    with closing_engine(command.options.engine) as engine:
        if own is not None and not engine.here:
            raise BadUsage("--vectors are read on this machine", hint="leave out --engine, or --vectors")
        if engine.here:
            done = 0
            for batch in reader:
                yield label_batch(model, batch, None if own is None else own.of(batch.ids, done))
                done += len(batch.ids)
        else:
            yield from label_blocks(reader, engine, folder)


def reading_options(command: PredictCommand | ExplainCommand, model: FittedModel) -> LoadOptions:
    """Return the user's options for reading; options that are not given are those of the fit."""
    from classify.model.inputs import options_of_fit

    return options_of_fit(command.options, model.reading_, model.text_fields_)
