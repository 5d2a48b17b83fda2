"""Names that do not occur in the corpus: represented by terms of the same meaning or of the same word family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.finding import CategoryFinding
from classify.categories.term_lookup import TermIndex, only_spelled_alike, words_of
from embed.vectors import unit_rows
from hin.text.languages import language_of, stop_words
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.knowledge.base import KnowledgeModel
    from hin.graph import Graph

#: A term may stand for a name if its cosine is at least this share of the best one's.
NEAR_ENOUGH = 0.7

#: The number of stand-ins of a name before the views of the corpus are made.
_TERMS = 5
#: A slow model searches only this many of the most frequent terms.
_MOST = 5_000


def find_by_meaning(
    findings: Sequence[CategoryFinding],
    graph: Graph,
    model: KnowledgeModel | None,
    min_count: int = MotifOptions.min_count,
    described: Sequence[Category] = (),
) -> list[CategoryFinding]:
    """Find the terms nearest in meaning to missing names that the model knows.

    `described` are the categories whose descriptions are read with the names.

    Examples
    --------
    >>> from classify.knowledge.static import built_in_model
    >>> from motifs.samples import tiny_graph
    >>> missing = CategoryFinding("internet", "missing", None, 0)
    >>> found = find_by_meaning([missing], tiny_graph(), built_in_model(), 1)[0]
    >>> found.status, found.words[0]
    ('meaning', 'web')
    """
    descriptions = {category.name: category.description for category in described if category.description}
    missing = [f.category for f in findings if f.status == "missing"]
    # Terms are in lower case, and a model may cut a capitalised word into other pieces, with another vector.
    names = [name for name in missing if model is not None and (name in descriptions or model.knows(name.lower()))]
    if model is None or not names:
        return list(findings)
    spelled = graph.names("term").tolist()
    frequent = np.flatnonzero(np.asarray(graph.document_frequency) >= min_count).tolist()
    silent = stop_words(language_of(graph))  # these are not instances
    terms = [spelled[i] for i in frequent if spelled[i] not in silent and any(map(str.isalpha, spelled[i]))]
    if not model.quick:  # terms are numbered by falling frequency
        terms = terms[:_MOST]
    if not terms:
        return list(findings)
    vectors = model.encode(terms)
    centre = vectors.mean(axis=0) / 2  # half of the mean, as `MeaningOptions.centre` subtracts later
    lower_case = [name.lower() for name in names]
    described_as = [descriptions.get(name, name.lower()) for name in names]
    means = unit_rows(model.encode(lower_case) + model.encode(described_as))
    near = unit_rows(means - centre) @ unit_rows(vectors - centre).T
    words = {}
    for name, cosines in zip(names, near, strict=True):
        ranked = (i for i in np.argsort(-cosines, kind="stable").tolist() if not only_spelled_alike(name, terms[i]))
        best = list(islice(ranked, _TERMS))
        close = tuple(terms[i] for i in best if cosines[i] > max(NEAR_ENOUGH * cosines[best[0]], 0.0))
        if close:
            words[name] = close
    return [
        replace(finding, status="meaning", words=words[finding.category]) if finding.category in words else finding
        for finding in findings
    ]


def find_by_word_family(findings: Sequence[CategoryFinding], graph: Graph) -> list[CategoryFinding]:
    """Represent missing names by terms of the same word family, where there are any.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> found = find_by_word_family([CategoryFinding("minings", "missing", None, 0)], tiny_graph())[0]
    >>> found.status, found.words
    ('composed', ('mining',))
    """
    if all(finding.status != "missing" for finding in findings):
        return list(findings)
    index, found = TermIndex(graph), []
    for finding in findings:
        kin = [term for word in words_of(finding.category) for term in index.word_family(word)]
        if finding.status == "missing" and kin:
            words = tuple(dict.fromkeys(kin))
            finding = replace(finding, status="composed", term=" + ".join(words), words=words)
        found.append(finding)
    return found
