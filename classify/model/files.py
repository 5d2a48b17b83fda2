"""A fitted model as a folder: arrays, an Arrow table, JSON; no pickle, and no graph needed to read it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from classify.documents.encoder import Encoder
from classify.learners.base import LEARNERS
from classify.learners.vector_part import OWN, VectorPart
from classify.model.explain import InstanceFacts
from classify.model.predictor import Predictor
from classify.model.sureness import SURENESS, Sureness
from classify.several.rule import SETS, SetRule
from hin.arrays.arrow_columns import lists, texts
from hin.errors import DamagedGraph, MissingStage
from hin.files.checked import check_offsets, load_array, read_json, read_table
from hin.stores.manifest import CATEGORY

#: 2: the learner is named, and writes its own files.
_FORMAT = 2
#: The schema of `model.json` in this format; models of earlier versions may lack the optional entries.
_HEAD = {
    "format": int,
    "categories": [CATEGORY],
    "classifier": str,
    "preset": str,
    "random_state": int,
    "min_count": int,
    "fields": [str],
    "text_fields": [str],
    "notes": [str],
    "known?": (None, {str: (str, [str])}),
    "length": int,
    "temperature": float,
    "offsets?": (None, [float]),
    "sets?": (None, SETS),
    "sureness?": (None, SURENESS),
    "accuracy?": (None, float),
    "own?": (None, OWN),
    "tables": [{"pattern": str, "fields": [str], "limit": int}],
    "reading?": (
        None,
        {
            "id?": (None, str),
            "separator?": (None, str),
            "renames?": (None, {str: str}),
            "html?": (None, [str]),
        },
    ),
}


def write_model(folder: Path, predictor: Predictor, facts: InstanceFacts, head: dict[str, Any]) -> None:
    """Write everything that prediction and explanation need; the same model gives the same bytes."""
    import pyarrow as pa

    from hin.stores.graph_files import write_arrow

    folder.mkdir(parents=True, exist_ok=True)
    encoder = predictor.encoder
    rows = [row for _, rows in encoder.tables for row in rows]
    values = texts([value for row in rows for value in row]).cast(pa.string())
    held = lists(np.cumsum([0, *map(len, rows)]), values)
    table = pa.table({"name": texts(list(facts.names)), "values": held})
    write_arrow(folder / "instances.arrow", table)
    arrays = {
        "starts": encoder.starts,
        "kappa": np.asarray(facts.kappa, dtype=np.float32),
        "vectors": np.asarray(facts.vectors, dtype=np.float32),
        "centre": facts.centre,
        "categories": facts.categories,
    }
    if facts.meaning is not None:
        arrays["meaning"] = np.asarray(facts.meaning, dtype=np.float16)
    if facts.chance is not None:
        arrays["chance"] = facts.chance
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array), allow_pickle=False)
    predictor.learner.save(folder)
    described = {
        "format": _FORMAT,
        **head,
        "fields": list(encoder.fields),
        "tables": [
            {"pattern": pattern, "fields": list(fields), "limit": limit}
            for pattern, (fields, _), limit in zip(facts.patterns, encoder.tables, encoder.limits, strict=True)
        ],
        "length": predictor.length,
        "temperature": predictor.temperature,
        "offsets": None if predictor.offsets is None else predictor.offsets.tolist(),
        "sets": None if predictor.sets is None else asdict(predictor.sets),
        "sureness": None if predictor.sureness is None else predictor.sureness.save(folder),
        "accuracy": predictor.accuracy,
        **({} if predictor.own is None else {"own": predictor.own.save(folder)}),
    }
    text = json.dumps(described, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "model.json").write_text(text + "\n", encoding="utf-8")


def read_model(folder: Path) -> tuple[Predictor, InstanceFacts, dict[str, Any]]:
    """Read what `write_model` wrote."""
    if not (folder / "model.json").exists():
        raise MissingStage(f"no model at {folder}", hint="run `hin classify` first, or name the model's folder")
    try:
        if read_json(folder / "model.json", {"format": int}, _FORMAT)["format"] < _FORMAT:
            raise DamagedGraph(f"{folder} was written by an older version", hint="run `hin classify` again")
        head = read_json(folder / "model.json", _HEAD)
        predictor, facts = _read_parts(folder, head)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise DamagedGraph(f"{folder} holds no readable model ({error})", hint="run `hin classify` again") from error
    return predictor, facts, head


def _read_parts(folder: Path, head: dict[str, Any]) -> tuple[Predictor, InstanceFacts]:
    """Open the arrays of a model and check that their instances, categories and dimensions agree."""
    described = head["tables"]
    stored = read_table(folder / "instances.arrow", {"name": "large_string", "values": "list<string>"})
    names, values = stored.column("name").to_pylist(), stored.column("values").to_pylist()
    n, k = len(names), len(head["categories"])
    starts = load_array(folder / "starts.npy", "int64", (len(described) + 1,), mapped=False)
    check_offsets(folder / "starts.npy", starts, n)
    tables = tuple(
        (tuple(table["fields"]), tuple(tuple(row) for row in values[low:high]))
        for table, low, high in zip(described, starts[:-1], starts[1:], strict=True)
    )
    for fields, rows in tables:
        if any(len(row) != len(fields) for row in rows):
            raise ValueError("an instance has other parts than its pattern")
    encoder = Encoder(tuple(head["fields"]), tables, starts, tuple(int(table["limit"]) for table in described))
    vectors = load_array(folder / "vectors.npy", "float32", (n, None))
    dim = vectors.shape[1]
    learner = LEARNERS.get(str(head["classifier"])).load(folder, np.asarray(vectors))
    length, temperature = int(head["length"]), float(head["temperature"])
    if length < 1 or not temperature > 0:
        raise ValueError("its length or temperature is out of range")
    offsets = None if head.get("offsets") is None else np.array(head["offsets"], dtype=np.float64)
    if offsets is not None and offsets.shape != (len(head["categories"]),):
        raise ValueError("its offsets do not fit its categories")
    sets = None if head.get("sets") is None else SetRule(**head["sets"])
    stored_sureness = head.get("sureness")
    sureness = None if stored_sureness is None else Sureness.load(folder, stored_sureness, n)
    accuracy = head.get("accuracy")
    own = None if head.get("own") is None else VectorPart.load(folder, head["own"], k)
    predictor = Predictor(encoder, learner, length, temperature, offsets, sets, sureness, accuracy, own)
    kappa = load_array(folder / "kappa.npy", "float32", (n,))
    centre = load_array(folder / "centre.npy", "float32", (dim,), mapped=False)
    categories = load_array(folder / "categories.npy", "float32", (k, dim), mapped=False)
    patterns = [str(table["pattern"]) for table in described]
    meaning = load_array(folder / "meaning.npy", "float16", (n, k)) if (folder / "meaning.npy").exists() else None
    chance = load_array(folder / "chance.npy", "float32", (3, n)) if (folder / "chance.npy").exists() else None
    return predictor, InstanceFacts(names, patterns, starts, kappa, vectors, centre, categories, meaning, chance)
