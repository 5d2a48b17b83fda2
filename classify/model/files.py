"""A fitted model as a folder: arrays, an Arrow table, JSON; no pickle, and no graph needed to read it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from classify.documents.encoder import Encoder
from classify.learners.base import learners
from classify.model.explain import InstanceFacts
from classify.model.predictor import Predictor
from hin.errors import DamagedGraph, MissingStage, NewerFormat

__all__ = ["read_model", "write_model"]

#: 2: the learner is named, and writes its own files.
_FORMAT = 2


def write_model(folder: Path, predictor: Predictor, facts: InstanceFacts, head: dict[str, Any]) -> None:
    """Write everything that prediction and explanation need; the same model gives the same bytes."""
    import pyarrow as pa

    from hin.stores.graph_files import write_arrow

    folder.mkdir(parents=True, exist_ok=True)
    encoder = predictor.encoder
    table = pa.table(
        {
            "name": pa.array(list(facts.names), pa.large_string()),
            "values": pa.array([list(row) for _, rows in encoder.tables for row in rows], pa.list_(pa.string())),
        }
    )
    write_arrow(folder / "instances.arrow", table)
    arrays = {
        "starts": encoder.starts,
        "kappa": np.asarray(facts.kappa, dtype=np.float32),
        "vectors": np.asarray(facts.vectors, dtype=np.float32),
        "centre": facts.centre,
        "categories": facts.categories,
    }
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
    }
    text = json.dumps(described, indent=1, ensure_ascii=False, sort_keys=True)
    (folder / "model.json").write_text(text + "\n", encoding="utf-8")


def read_model(folder: Path) -> tuple[Predictor, InstanceFacts, dict[str, Any]]:
    """Read what `write_model` wrote."""
    from hin.stores.graph_files import read_arrow

    if not (folder / "model.json").exists():
        raise MissingStage(f"no model at {folder}", hint="run `hin classify` first, or name the model's folder")
    try:
        head = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        if head["format"] > _FORMAT:
            raise NewerFormat(f"{folder} has model format {head['format']}", hint="update this program")
        if head["format"] < _FORMAT:
            raise DamagedGraph(f"{folder} was written by an older version", hint="run `hin classify` again")

        def array(name: str) -> Any:
            return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)

        stored = read_arrow(folder / "instances.arrow")
        names, values = stored.column("name").to_pylist(), stored.column("values").to_pylist()
        starts = np.array(array("starts"))
        tables = tuple(
            (tuple(table["fields"]), tuple(tuple(row) for row in values[low:high]))
            for table, low, high in zip(head["tables"], starts[:-1], starts[1:], strict=True)
        )
        limits = tuple(int(table["limit"]) for table in head["tables"])
        encoder = Encoder(tuple(head["fields"]), tables, starts, limits)
        vectors = array("vectors")
        learner = learners.get(head["classifier"]).load(folder, np.asarray(vectors))
        predictor = Predictor(encoder, learner, int(head["length"]), float(head["temperature"]))
        patterns = [table["pattern"] for table in head["tables"]]
        facts = InstanceFacts(
            names, patterns, starts, array("kappa"), vectors, np.array(array("centre")), np.array(array("categories"))
        )
        if len(names) != starts[-1] or len(vectors) != len(names):
            raise ValueError("the parts do not fit together")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedGraph(f"{folder} holds no readable model ({error})", hint="run `hin classify` again") from error
    return predictor, facts, head
