"""A fitted linear model as one JSON file, for readers in any language (docs/reference/shapes.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.encoder import BETWEEN, Encoder
from classify.learners.linear import LinearLearner
from classify.model.sureness import CONFIDENCE
from hin.arrays.types import Array
from hin.errors import BadUsage
from hin.files.atomic import atomic_file
from hin.text.segments import segmentation_of
from hin.text.tokenize import token_rules

if TYPE_CHECKING:
    from classify.model.fitted import FittedModel

#: For counts up to this, 1 + ln tf is stored in the file, as logarithms of float32 differ between libraries.
_COUNTS = 1000


def write_json(model: FittedModel, path: Path) -> None:
    """Write the model's terms, instances, coefficients and calibration; the same model gives the same bytes.

    Raises
    ------
    BadUsage
        For a model that is more than one linear classifier of one category per document.
    """
    learner = _linear(model)
    with atomic_file(path) as place, place.open("w", encoding="utf-8", newline="\n") as file:
        file.write("{\n")
        parts = [f"{json.dumps(name)}: {text}" for name, text in _head(model)]
        file.write(",\n".join(parts))
        for name, array in _arrays(model, learner).items():
            file.write(f",\n{json.dumps(name)}: [")
            for number, row in enumerate(array):
                file.write(("" if number == 0 else ",") + _number_text(row))
            file.write("]")
        file.write("\n}\n")


def check_kind(learner: str, vectors: bool, several: bool) -> None:
    """Raise unless a model of this kind can be written: a linear classifier of one category per document."""
    if learner != "linear":
        what = f"only the linear classifier can be written as JSON, not {learner!r}"
        raise BadUsage(what, hint="classify with --classifier linear (Python: classifier='linear')")
    if vectors:
        raise BadUsage("a model with vectors cannot be written as JSON", hint="classify without --vectors")
    if several:
        raise BadUsage(
            "a model with several categories per document cannot be written as JSON", hint="without --several"
        )


def _linear(model: FittedModel) -> LinearLearner:
    """Return the linear classifier; raise if the model's labels depend on anything else."""
    predictor, tables = model.predictor_, model.predictor_.encoder.tables
    check_kind(model.text_classifier_, predictor.own is not None, predictor.sets is not None)
    assert isinstance(predictor.learner, LinearLearner)
    if any(not fields and len(rows) for fields, rows in tables):
        what = "a pattern that passes through other documents cannot be written as JSON"
        raise BadUsage(what, hint="name other patterns with --pattern")
    cut = segmentation_of(
        word for fields, rows in tables if fields == ("term",) for row in rows for word in row[0].split(" ")
    )
    if cut is not None and cut[1]:
        what = f"{cut[0]} words of a segmenter cannot be written as JSON"
        raise BadUsage(what, hint="load the documents where none is installed")
    return predictor.learner


def _head(model: FittedModel) -> Iterator[tuple[str, str]]:
    """Yield name and JSON text of everything but the arrays."""
    from hin import __version__

    predictor, reading = model.predictor_, model.reading_
    encoder, sureness = predictor.encoder, predictor.sureness
    head: dict[str, Any] = {
        "format": "hin linear model",
        "version": 1,
        "made_by": f"hin {__version__}",
        "categories": model.classes_.tolist(),
        "text_fields": list(model.text_fields_),
        "html_fields": list(reading.get("html") or []),
        "joined_by": BETWEEN,
        **token_rules(),
        "tables": list(_tables(encoder)),
        "spellings": encoder.spellings,
        "offsets": None if predictor.offsets is None else predictor.offsets.tolist(),
        "temperature": predictor.temperature,
        "sureness": None
        if sureness is None
        else {
            "margin": list(sureness.margin),
            "views": list(sureness.views),
            "level": sureness.level,
            "slope": sureness.slope,
            **CONFIDENCE,
        },
    }
    for name, value in head.items():
        yield name, json.dumps(value)


def _tables(encoder: Encoder) -> Iterator[dict[str, Any]]:
    """Yield the fields of each table, its instances, and the number of the first; values of a field are sorted."""
    for (fields, rows), first, limit in zip(encoder.tables, encoder.starts.tolist(), encoder.limits, strict=False):
        if len(fields) > 1 and "term" in fields:
            continue  # a document's own text and metadata do not determine such an instance
        kinds = {name: fields.count(name) for name in fields}
        places = {kind: [column for column, name in enumerate(fields) if name == kind] for kind in kinds}
        keys = [[value for kind in kinds for value in sorted(row[c] for c in places[kind])] for row in rows]
        yield {"fields": kinds, "limit": limit if len(fields) > 1 else None, "first": first, "instances": keys}


def _arrays(model: FittedModel, learner: LinearLearner) -> dict[str, Array]:
    assert learner.model is not None
    sureness = model.predictor_.sureness
    found: dict[str, Array] = {
        "damping": 1 + np.log(np.arange(1, _COUNTS + 1, dtype=np.float32)),
        "idf": learner.idf,
        "intercepts": learner.model.intercepts,
        "coefficients": learner.model.coefficients,
    }
    if sureness is not None:
        assert np.array_equal(sureness.idf, learner.idf), "both are fitted to the same training set"
        found["sureness_coefficients"] = sureness.coefficients
    return found


def _number_text(row: Any) -> str:
    """Return numbers with the digits that give the same float32, or float64, back."""
    if isinstance(row, np.ndarray):
        return "\n[" + ",".join(map(_number_text, row)) + "]"
    return "%.9g" % row if row.dtype == np.float32 else repr(float(row))  # noqa: UP031  # much the quickest
