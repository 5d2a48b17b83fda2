"""`hin classify` a second time: where only `--abstain-below` or the output changed, nothing is trained again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.classification_stage import StoredClassification, stored_classification
from classify.knowledge.options import BUILT_IN
from hin.checked_files import read_json
from hin.stores.findings import Findings

if TYPE_CHECKING:
    from classify.commands.arguments import ClassifyCommand
    from classify.model.decision import Decision
    from hin.graph import Graph
    from hin.stores.base import Store

__all__ = ["StoredLabels", "classified_again"]

#: What may differ without another fit, and what a fit adds by itself.
_LATER = ("abstain_below", "used")


@dataclass(frozen=True, eq=False)
class StoredLabels:
    """What a fitted model would tell of its documents, from the store: neither the model nor what trains it is read."""

    graph_: Graph
    classes_: npt.NDArray[np.object_]
    probabilities_: npt.NDArray[np.float64]
    known_: dict[str, Any]
    used_: dict[str, Any]
    rule: Decision
    store: Store

    def decision(self, abstain_below: float | None = None) -> Decision:
        """Return how probabilities become categories."""
        return replace(self.rule, abstain_below=abstain_below)

    def save(self, path: str | Path) -> None:
        """Write the model into a folder."""
        from classify.model.motif_model import MotifModel

        MotifModel.load(stored_classification(self.store).model).save(path)


def classified_again(command: ClassifyCommand, store: Store, options: Mapping[str, Any]) -> StoredLabels | None:
    """Return the stored labels if they are the ones asked for, with the new abstentions stored; else None.

    Parameters
    ----------
    options : as `hin classify` writes them into the manifest.
    """
    stage, embedded = store.stage("classify"), store.stage("embed")
    if stage is None or embedded is None or not _same(stage.options, options):
        return None
    if not _same(embedded.options.get("embed", {}), command.embed.shaping):
        return None
    if options.get("knowledge") not in (BUILT_IN, "none"):  # a folder may hold another model by now
        return None
    stored = stored_classification(store)
    probabilities = np.asarray(stored.probabilities, dtype=np.float64).round(6)
    if stored.abstain_below != command.abstain_below:
        _abstain(store, stored, probabilities, command.abstain_below)
    classes, used = np.array(stored.categories, dtype=np.object_), dict(stage.options.get("used") or {})
    return StoredLabels(store.read_graph(), classes, probabilities, stored.known, used, stored.decision, store)


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two sets of options ask for the same fit; a manifest has lists where Python has tuples."""
    texts = [
        json.dumps({name: value for name, value in given.items() if name not in _LATER}, sort_keys=True)
        for given in (one, other)
    ]
    return texts[0] == texts[1]


def _abstain(
    store: Store, stored: StoredClassification, probabilities: npt.NDArray[np.float64], below: float | None
) -> None:
    """Store the same classification with other documents left without a category."""
    decision = replace(stored.decision, abstain_below=below)
    given = decision.given(probabilities)
    found = Findings(classified=Findings.labels(given.documents, given.categories, given.confidence))
    head = {**read_json(stored.stage.path / "classification.json"), "decision": decision.as_record()}

    def write(folder: Path) -> None:
        shutil.copytree(stored.stage.path, folder, dirs_exist_ok=True, copy_function=_link)
        for changed in (folder / "classification.json", folder / "findings" / "classified.arrow"):
            changed.unlink(missing_ok=True)  # a link: the old one stays as it is
        text = json.dumps(head, indent=1, ensure_ascii=False, sort_keys=True)
        (folder / "classification.json").write_text(text + "\n", encoding="utf-8")
        found.save(folder)

    store.write_stage("classify", write, {**stored.stage.options, "abstain_below": below})


def _link(source: str, target: str) -> None:
    """Let a file be in two folders, or copy it where that cannot be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
