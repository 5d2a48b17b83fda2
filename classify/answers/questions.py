"""Make questions from documents: a teacher sees the title, the text, the metadata and the label so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from classify.answers.task import Question

if TYPE_CHECKING:
    import numpy.typing as npt

    from hin.graph import Graph


def questions_about(
    graph: Graph, rows: Sequence[int], classes: Sequence[str], probabilities: npt.NDArray[np.floating]
) -> list[Question]:
    """Return the documents in these rows as questions; the guess is the likeliest category."""
    found = []
    for row, texts in zip(rows, graph.texts.of_documents(np.array(rows, dtype=np.int64)) if rows else [], strict=True):
        metadata = {}
        for name in graph.fields:
            edges = graph.edges(name)
            first, last = edges.offsets[row : row + 2].tolist()
            metadata[name] = list(graph.names(name).take(np.asarray(edges.targets[first:last])))
        given = np.asarray(probabilities[row])
        best = int(given.argmax())
        parts = [part for part in texts if part and part.strip()]
        found.append(
            Question(
                document=graph.documents[row],
                title=graph.texts.title(row, 200),
                text="\n".join(parts),
                metadata={name: values for name, values in metadata.items() if values},
                guess=classes[best],
                confidence=float(given[best]),
            )
        )
    return found
