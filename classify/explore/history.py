"""The labels of earlier runs, so that changes can be shown, also after a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.explore.journal import Journal
from classify.explore.snapshot import Snapshot
from hin.files.atomic import whole_file
from hin.files.checked import load_array, read_json

__all__ = ["History"]

_RUN = {"number": int, "at": str, "identity": str, "names": [str], "sizes": [int], "known": int}
#: The number of runs stored.
_MOST = 50


class History:
    """The stored runs: one file of labels each, and a summary."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "runs"

    def runs(self) -> list[dict[str, Any]]:
        """Return the stored runs, the oldest first."""
        return [read_json(path, _RUN) for path in sorted(self.folder.glob("*.json"))]

    @property
    def newest(self) -> str | None:
        """The identity of the last run."""
        last = sorted(self.folder.glob("*.json"))[-1:]
        return str(read_json(last[0], _RUN)["identity"]) if last else None

    def add(self, found: Snapshot, journal: Journal) -> None:
        """Store the labels of a run and record it in the journal; remove the oldest runs."""
        before, known = self.runs(), len(found.stored.known)
        number = before[-1]["number"] + 1 if before else 1
        entry = journal.append("run", number=number, identity=found.identity, known=known)
        head = {"number": number, "at": entry["at"], "identity": found.identity, "names": list(found.names),
                "sizes": [one["documents"] for one in found.sizes()], "known": known}  # fmt: skip
        self.folder.mkdir(parents=True, exist_ok=True)
        with whole_file(self._labels(number), own=True) as place, place.open("wb") as file:
            np.save(file, found.labels.astype(np.int32))
        with whole_file(self._labels(number).with_suffix(".json"), own=True) as place:
            place.write_text(json.dumps(head, ensure_ascii=False), encoding="utf-8")
        for old in before[: max(0, len(before) + 1 - _MOST)]:
            for ending in (".npy", ".json"):
                self._labels(old["number"]).with_suffix(ending).unlink(missing_ok=True)

    def _labels(self, number: int) -> Path:
        return self.folder / f"{number:06d}.npy"

    def named_labels(self, number: int, documents: int) -> npt.NDArray[np.object_]:
        """Return the category of each document in a run, "" where it has none."""
        head = read_json(self._labels(number).with_suffix(".json"), _RUN)
        return _named(load_array(self._labels(number), "int32", (documents,)), head["names"])

    def moved_last(self, documents: int) -> npt.NDArray[np.bool_]:
        """Return the mask of documents whose category the last run changed; none if it was the only run."""
        numbers = [run["number"] for run in self.runs()[-2:]]
        if len(numbers) < 2:
            return np.zeros(documents, dtype=np.bool_)
        before, after = (self.named_labels(number, documents) for number in numbers)
        return np.asarray(before != after)

    @staticmethod
    def moved(before: Snapshot, after: Snapshot) -> npt.NDArray[np.bool_]:
        """Return the mask of documents whose category's name changed."""
        return np.asarray(_named(before.labels, before.names) != _named(after.labels, after.names))


def _named(labels: npt.NDArray[Any], names: Any) -> npt.NDArray[np.object_]:
    return np.asarray(np.array([*names, ""], dtype=object)[labels])
