"""Documents most worth labelling: uncertain, typical of many others, different from one another.

All three follow from one aim: every unsure document should have a labelled one near it. Each pick is the document that
adds most to the sum over all documents of √(1 - confidence) · (similarity to the nearest labelled one). A document
among many unsure ones adds much, an outlier little, and one beside a pick or a known document nothing. This greedy
choice reaches at least 1 - 1/e of the largest sum (which is submodular; Nemhauser et al. 1978).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.documents.features import inverse_frequency, normalised, weighted
from classify.model.confidence import gets_category
from classify.suggestions.grounds import Grounds
from embed.vectors import unit_rows
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Doubles, Floats, Int64


@dataclass(frozen=True)
class DocumentOptions:
    """How documents are chosen.

    Attributes
    ----------
    sample : the most documents that are considered; of a larger corpus a random sample.
    unsure : exponent of 1 - confidence in the weight of a document; at 1 noisy documents win.
    seed : of the sample.
    """

    sample: int = 5_000
    unsure: float = 0.5
    seed: int = 0


@dataclass(frozen=True)
class DocumentChoice:
    """A document worth labelling.

    Attributes
    ----------
    document : its id.
    guess, confidence : the label that the model gives it.
    runner_up : the second likeliest category.
    like : the number of documents (of the sample) that are nearer to it than to any other offered or known one.
    title : the beginning of its text.
    """

    document: str
    guess: str
    confidence: float
    runner_up: str
    like: int
    title: str

    def as_dict(self) -> dict[str, Any]:
        """Return the choice as a record for machines."""
        return {"document": self.document, "category": None, **vars(self), "confidence": round(self.confidence, 4)}


@one_blas_thread()
def documents_to_label(grounds: Grounds, number: int, options: DocumentOptions | None = None) -> list[DocumentChoice]:
    """Return the documents most worth labelling, the best first; known ones are not offered again."""
    options = options or DocumentOptions()
    probabilities = np.asarray(grounds.probabilities, dtype=np.float64)
    rows = np.flatnonzero(gets_category(probabilities))  # nothing can be learned from a document without a known word
    if len(rows) > options.sample:
        rows = np.sort(np.random.default_rng([options.seed, 0xA5C]).choice(rows, options.sample, replace=False))
    vectors = document_vectors(grounds)
    known = np.array(sorted(grounds.graph.documents.index(name) for name in grounds.known), dtype=np.int64)
    weights = np.maximum(1.0 - probabilities[rows].max(axis=1), 0.0) ** options.unsure
    own = vectors[rows]
    nearness = np.maximum(own @ own.T, 0.0)
    covered = np.maximum(own @ vectors[known].T, 0.0).max(axis=1, initial=0.0)
    free = np.flatnonzero(~np.isin(rows, known))
    picks, nearest = _pick_greedily(nearness, covered, weights, free, number)
    like = np.bincount(nearest[nearest >= 0], minlength=len(picks))
    return [_choice(grounds, int(rows[at]), int(count)) for at, count in zip(picks, like, strict=True)]


def _pick_greedily(
    nearness: Floats, covered: Floats, weights: Doubles, free: Int64, number: int
) -> tuple[list[int], Int64]:
    """Pick rows greedily, each the one that adds most; return them, and for each row the number of its nearest pick.

    Parameters
    ----------
    nearness : symmetric.
    """
    weights = weights.astype(np.float32)
    coverage = covered.astype(np.float32).copy()
    nearest = np.full(len(coverage), -1, dtype=np.int64)
    picks: list[int] = []
    # A row's gain never rises, so its old gain is a bound: most rows need not be evaluated again.
    gains = np.full(len(nearness), -1.0)
    gains[free] = [(weights * np.maximum(nearness[row] - coverage, 0)).sum() for row in free.tolist()]
    while len(picks) < min(number, len(free)):
        while True:
            best = int(gains.argmax())
            fresh = float((weights * np.maximum(nearness[best] - coverage, 0)).sum())
            if fresh >= gains[best] - 1e-6 * max(fresh, 1.0):
                break
            gains[best] = fresh
        gains[best] = -1.0
        closer = nearness[best] > coverage
        nearest[closer] = len(picks)
        coverage = np.maximum(coverage, nearness[best])
        picks.append(best)
    return picks, nearest


def document_vectors(grounds: Grounds) -> Floats:
    """Return the documents' vectors in the joint embedding: the tf-idf mean of their instances, centred."""
    idf = inverse_frequency(grounds.documents, grounds.counts.shape[0])
    vectors = unit_rows(np.asarray(grounds.facts.vectors, dtype=np.float32))
    placed = unit_rows(normalised(weighted(grounds.counts, idf)) @ vectors)
    return unit_rows(placed - placed.mean(axis=0, dtype=np.float64).astype(np.float32))


def _choice(grounds: Grounds, row: int, like: int) -> DocumentChoice:
    given = np.asarray(grounds.probabilities[row], dtype=np.float64)
    order = np.argsort(-given, kind="stable")
    return DocumentChoice(
        grounds.graph.documents[row],
        grounds.classes[int(order[0])],
        float(given[order[0]]),
        grounds.classes[int(order[1])],
        like,
        grounds.graph.texts.title(row, 100),
    )


def as_csv(choices: Sequence[DocumentChoice]) -> str:
    """Return documents as CSV with an empty column `category`, which `hin classify --known` reads once it is filled.

    >>> print(as_csv([DocumentChoice("d1", "web", 0.4, "data mining", 7, "Mining, then graphs")]), end="")
    document,category,guess,confidence,runner_up,title
    d1,,web,0.40,data mining,"Mining, then graphs"
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["document", "category", "guess", "confidence", "runner_up", "title"])
    for one in choices:
        writer.writerow([one.document, "", one.guess, f"{one.confidence:.2f}", one.runner_up, one.title])
    return out.getvalue()
