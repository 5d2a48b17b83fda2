"""Names that occur nowhere in the corpus but are known: they stand where words of the same meaning do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.finding import CategoryFinding
from embed.vectors import unit_rows
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
    from hin.graph import Graph

__all__ = ["find_by_meaning"]

#: So many terms stand for a name until the corpus has been read.
_TERMS = 5
#: A slow model looks for them among so many of the most frequent terms.
_MOST = 5_000


def find_by_meaning(
    findings: Sequence[CategoryFinding],
    graph: Graph,
    model: KnowledgeModel | None,
    min_count: int = MotifOptions.min_count,
    threads: int = 1,
) -> list[CategoryFinding]:
    """Missing names that the model knows, found as the terms nearest to them in meaning.

    Examples
    --------
    >>> from classify.knowledge.static import built_in_model
    >>> from motifs.samples import tiny_graph
    >>> missing = CategoryFinding("internet", "missing", None, 0)
    >>> found = find_by_meaning([missing], tiny_graph(), built_in_model(), 1)[0]
    >>> found.status, found.words[0]
    ('meaning', 'web')
    """
    names = [f.category for f in findings if f.status == "missing" and model is not None and model.knows(f.category)]
    if model is None or not names:
        return list(findings)
    spelled = graph.names("term").tolist()
    frequent = np.flatnonzero(np.asarray(graph.document_frequency) >= min_count).tolist()
    terms = [spelled[i] for i in frequent if any(letter.isalpha() for letter in spelled[i])]
    if not model.quick:  # terms are numbered by falling frequency
        terms = terms[:_MOST]
    if not terms:
        return list(findings)
    vectors = model.encode(terms, threads)
    away = vectors.mean(axis=0) / 2  # as names and documents are compared later
    near = unit_rows(model.encode(names, threads) - away) @ unit_rows(vectors - away).T
    words = {}
    for name, cosines in zip(names, near, strict=True):
        best = np.argsort(-cosines, kind="stable")[:_TERMS]
        close = tuple(terms[i] for i in best if cosines[i] > max(cosines[best[0]] / 2, 0.0))
        if close:
            words[name] = close
    return [
        replace(finding, status="meaning", words=words[finding.category]) if finding.category in words else finding
        for finding in findings
    ]
