"""`hin classify` a second time: where only `--abstain-below` or the output changed, nothing is trained again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.classification_stage import StoredClassification, stored_classification
from classify.knowledge.options import BUILT_IN
from classify.model.motif_model import MotifModel
from hin.checked_files import read_json
from hin.stores.findings import Findings

if TYPE_CHECKING:
    from classify.commands.arguments import ClassifyCommand
    from hin.stores.base import Store

__all__ = ["classified_again"]

#: What may differ without another fit, and what a fit adds by itself.
_LATER = ("abstain_below", "used")


def classified_again(command: ClassifyCommand, store: Store, options: Mapping[str, Any]) -> MotifModel | None:
    """Return the stored model with its labels if it is the one asked for, with the new abstentions stored; else None.

    Parameters
    ----------
    options : as `hin classify` writes them into the manifest.
    """
    stage, embedded = store.stage("classify"), store.stage("embed")
    if stage is None or embedded is None or not _same(stage.options, options):
        return None
    trained = {name: value for name, value in asdict(command.embed).items() if name != "threads"}
    if not _same(embedded.options.get("embed", {}), trained):
        return None
    if options.get("knowledge") not in (BUILT_IN, "none"):  # a folder may hold another model by now
        return None
    stored = stored_classification(store)
    if stored.abstain_below != command.abstain_below:
        _abstain(store, stored, command.abstain_below)
        stored = stored_classification(store)
    model = MotifModel.load(stored.model)
    model.graph_ = store.read_graph()
    model.probabilities_ = np.asarray(stored.probabilities, dtype=np.float64).round(6)
    model.labels_ = model.probabilities_.argmax(axis=1)
    if model.predictor_.sets is not None:
        model.sets_ = stored.given.sets(len(model.classes_))
    model.used_ = dict(stage.options.get("used") or {})
    return model


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two sets of options ask for the same fit; a manifest has lists where Python has tuples."""
    texts = [
        json.dumps({name: value for name, value in given.items() if name not in _LATER}, sort_keys=True)
        for given in (one, other)
    ]
    return texts[0] == texts[1]


def _abstain(store: Store, stored: StoredClassification, below: float | None) -> None:
    """Store the same classification with other documents left without a category."""
    probabilities = np.asarray(stored.probabilities, dtype=np.float64).round(6)
    decision = replace(stored.decision, abstain_below=below)
    classified = Findings.of(classified=decision.given(probabilities).entries()).classified
    head = {**read_json(stored.stage.path / "classification.json"), "decision": decision.as_record()}
    found = replace(Findings.open([stored.stage.path]), classified=classified)

    def write(folder: Path) -> None:
        shutil.copytree(stored.stage.path, folder, dirs_exist_ok=True, copy_function=_link)
        (folder / "classification.json").unlink()  # a link: the old one stays as it is
        text = json.dumps(head, indent=1, ensure_ascii=False, sort_keys=True)
        (folder / "classification.json").write_text(text + "\n", encoding="utf-8")
        for file in (folder / "findings").glob("*.arrow"):
            file.unlink()
        found.save(folder)

    store.write_stage("classify", write, {**stored.stage.options, "abstain_below": below})


def _link(source: str, target: str) -> None:
    """Let a file be in two folders, or copy it where that cannot be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
