"""Category names in a graph: found among its terms, phrases made terms, and the motif instances that go with them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.adding_instances import drop_common_parts, drop_stop_words
from classify.categories.category_file import Category
from classify.categories.coined_terms import with_instances
from classify.categories.finding import CategoryFinding, find_categories, require_found
from classify.categories.meaning import find_by_meaning, find_by_word_family
from classify.categories.name_parts import part_names
from classify.categories.term_lookup import TermIndex, words_of
from hin.files.mapped import release_pages
from hin.text.languages import language_of
from motifs.language.pattern import Pattern
from motifs.matching import pattern_order
from motifs.motif_set import MotifSet
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
    from hin.graph import Graph

#: Matches patterns on a graph: in memory, or read from a store.
Matcher = Callable[["Graph", Sequence[Pattern]], MotifSet]


@dataclass(frozen=True, eq=False)
class Names:
    """How each category name was found in the corpus.

    Attributes
    ----------
    findings : one per category.
    graph : the graph in which a name that is a phrase is one term.
    terms : terms that must be motif instances, however rare they are.
    said : the content words of names, and the keywords; these stay instances even if they are stop words.
    """

    findings: list[CategoryFinding]
    graph: Graph
    terms: tuple[str, ...]
    said: frozenset[str]


def find_names(
    graph: Graph,
    categories: Sequence[Category],
    knowledge: KnowledgeModel | None = None,
    strict: bool = False,
    min_count: int = MotifOptions.min_count,
    index: TermIndex | None = None,
) -> Names:
    """Find the names in a graph as it was loaded; a name that occurs nowhere is placed by its meaning.

    A name about which nothing is known leaves its category empty; with `strict` it is an error.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> found = find_names(tiny_graph(), [Category("data mining"), Category("web")])
    >>> found.graph.names("term").get("data mining") is not None
    True
    """
    findings, grown = find_categories(graph, categories, index)
    # By meaning where the model knows it, else by a word of the same family. The instances do not depend on the model,
    # so that one embedding serves with and without it.
    kin = find_by_word_family(findings, grown)
    own_words = [word for finding in kin for word in finding.words]
    own_words += [part.term for finding in kin for part in finding.parts if part.term]
    placed = find_by_meaning(findings, grown, knowledge, min_count, described=categories)
    findings = [by_kin if one.status == "missing" else one for one, by_kin in zip(placed, kin, strict=True)]
    findings = require_found(findings, strict)
    spelled = [f.term for f in findings if f.term] + [k.term for f in findings for k in f.keywords if k.term]
    # Only single words of the keywords: a phrase with "of" in it must not make "of" an instance, or the embedding would
    # be trained anew.
    alone = [word for c in categories for word in (*c.keywords, *c.excluded) if not re.search(r"[\s\[]", word)]
    content = [word for parts in part_names([c.name for c in categories], language_of(graph)) for word in parts.words]
    said = {*content, *(word for text in alone for word in words_of(text))}
    return Names(findings, grown, (*spelled, *own_words), frozenset(said))


def motifs_of_names(
    names: Names, graph: Graph, patterns: Sequence[str], matcher: Matcher, in_memory: Matcher
) -> MotifSet:
    """Match the terms and the patterns, and give every name an instance.

    Parameters
    ----------
    graph : as it was loaded.
    matcher : matches on that graph; `in_memory` also on one that has grown.
    """
    wanted = sorted({Pattern("term"), *map(Pattern, patterns)}, key=pattern_order)
    if names.graph is graph:
        motif_set = matcher(graph, wanted)
    else:
        # A phrase that became a term changes instances with terms in them, and no others.
        by_terms = [pattern for pattern in wanted if "term" in pattern.fields]
        others = matcher(graph, [pattern for pattern in wanted if "term" not in pattern.fields])
        tables = [*(replace(table, graph=names.graph) for table in others), *in_memory(names.graph, by_terms)]
        motif_set = MotifSet(tuple(sorted(tables, key=lambda table: pattern_order(table.pattern))), names.graph)
    return informative_terms(names, motif_set)


def informative_terms(names: Names, motif_set: MotifSet) -> MotifSet:
    """Drop uninformative instances, and give every name an instance."""
    informative = drop_stop_words(drop_common_parts(motif_set), set(names.said))
    edges = names.graph.edges("term")
    release_pages(names.graph.tokens.targets, edges.targets, edges.counts)
    return with_instances(informative, list(names.terms))


def cache_key_parts(motif_set: MotifSet, loaded: Graph) -> list[object]:
    """Return the parts of a motif set's cache key, for one loaded graph: added terms, and the nodes of its instances.

    The documents of an instance follow from these. A further keyword mostly leaves them unchanged.
    """
    terms, coined = motif_set.graph.names("term"), range(len(loaded.names("term")), len(motif_set.graph.names("term")))
    tables = [
        [
            table.pattern.name,
            table.min_count,
            table.max_per_document,
            hashlib.blake2b(np.ascontiguousarray(table.parts).data, digest_size=12).hexdigest(),
        ]
        for table in motif_set.tables
    ]
    return [[terms[number] for number in coined], tables]
