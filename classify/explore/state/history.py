"""The last classifications of the graph, from the workbench or the command line, to show what moved."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Bools
from hin.stores.past_classifications import PastClassification, PastClassifications

if TYPE_CHECKING:
    from hin.graph import Graph
    from hin.stores.base import Store


class History:
    """The stored classifications of the documents that the graph has now, the oldest first; read once."""

    def __init__(self, store: Store, graph: Graph) -> None:
        found = [past for past in PastClassifications(store).entries() if past.documents == len(graph)]
        self.past: dict[int, PastClassification] = {one.number: one for one in found if one.is_of(graph)}

    @property
    def numbers(self) -> list[int]:
        """The numbers of the classifications."""
        return list(self.past)

    def runs(self) -> list[dict[str, Any]]:
        """Return a summary of each: number, time, answers, and the documents of each category."""
        found = []
        for number, one in self.past.items():
            counts = Counter(name for name in self.named_labels(number).tolist() if name)
            summary = {"number": number, "at": one.at, "identity": one.identity, "names": list(one.names)}
            known = len(one.options.get("known") or ())
            found.append({**summary, "sizes": [counts.get(name, 0) for name in one.names], "known": known})
        return found

    def named_labels(self, number: int) -> npt.NDArray[np.object_]:
        """Return the category of each document, the surest of several; "" where it has none."""
        one = self.past[number]
        labels = np.full(one.documents, -1, dtype=np.int64)
        rows, codes, sure = (one.classified.column(name).to_numpy() for name in ("document", "category", "confidence"))
        order = np.argsort(np.nan_to_num(sure), kind="stable")  # the surest is written last
        labels[rows[order]] = codes[order]
        return np.asarray(np.array([*one.names, ""], dtype=object)[labels])

    def moved_last(self) -> Bools | None:
        """Return the mask of documents whose category the last run changed; None if it was the only one."""
        if len(self.past) < 2:
            return None
        before, after = (self.named_labels(number) for number in self.numbers[-2:])
        return np.asarray(before != after)
