"""Measure a stored classification by the answers that were given for measuring."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from classify.answers.measured_f1 import estimate_f1
from classify.answers.measuring import Draw, MeasuredShare, draw_documents, estimate_share, read_draws, write_draw
from hin.errors import BadUsage
from hin.files.graph_folder import ANSWERS
from hin.stores.answers import AnswerLog

if TYPE_CHECKING:
    from classify.stored_classification import StoredClassification
    from hin.graph import Graph
    from hin.stores.base import Store

#: With fewer answers, no share is estimated.
_FEWEST = 10


def draw_for_measuring(store: Store, graph: Graph, stored: StoredClassification, number: int, seed: int) -> list[int]:
    """Return the rows to ask about: those of the last draw that have no answer yet, else a new draw."""
    folder, current = store.workspace / ANSWERS, AnswerLog(store).current(graph)
    answered = {answer.document for answer in current if answer.purpose == "measure"}
    if draws := read_draws(folder):
        there = [name for name in draws[-1].documents if graph.documents.get(name) is not None]
        if left := [name for name in there if name not in answered]:
            return [graph.documents.index(name) for name in left]
    free = np.ones(len(graph), dtype=np.bool_)
    free[[graph.documents.index(answer.document) for answer in current]] = False
    if not free.any():
        raise BadUsage("every document has an answer", hint="see `hin evaluate`")
    confidence = stored.exact.max(axis=1)
    rng = np.random.default_rng([seed, len(draws), 0x3EA])
    rows, strata, sizes = draw_documents(confidence, np.asarray(stored.labels), free, number, rng)
    documents = tuple(graph.documents[int(row)] for row in rows)
    write_draw(folder, Draw(documents, tuple(strata.tolist()), tuple(sizes)))
    return [int(row) for row in rows]


def measured_accuracy(store: Store, graph: Graph, stored: StoredClassification) -> MeasuredShare | None:
    """Estimate the share of documents with the right label from ten or more answers about a draw; None with fewer.

    If documents have one label each, micro- and macro-F1 are estimated too.

    A label is right where it is among the answered categories; where no category fits, the absence of a label is right.
    Documents answered by "cannot tell" are left out, as are those that have been answered for training since.
    """
    draws, current = read_draws(store.workspace / ANSWERS), AnswerLog(store).current(graph)
    taught = {answer.document for answer in current if answer.purpose == "teach"}
    measuring = {answer.document: answer for answer in current if answer.purpose == "measure"}
    for draw in reversed(draws):
        right, strata, sure, rows, truth = [], [], [], [], []
        for document, stratum in zip(draw.documents, draw.strata, strict=True):
            answer = measuring.get(document)
            if answer is None or answer.verdict == "cannot tell" or document in taught:
                continue
            row = graph.documents.index(document)
            label = int(stored.labels[row])
            given = "" if label < 0 else stored.categories[label]
            right.append(given in answer.categories if answer.categories else not given)
            strata.append(stratum)
            sure.append(float(stored.exact[row].max()))
            rows.append(row)
            truth.append(
                next((stored.categories.index(one) for one in answer.categories if one in stored.categories), -1)
            )
        if len(right) >= _FEWEST:
            found = estimate_share(right, strata, draw.sizes, sure)
            if stored.decision.sets is not None:  # F1 of sets of categories is not estimated
                return found
            f1 = estimate_f1(stored.labels, stored.exact, np.array(rows), np.array(truth), strata, draw.sizes)
            return replace(found, f1=f1)
    return None
