"""Everything before the embedding, for every preset: the names found, phrases made terms, the motifs matched."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from classify.categories.adding_instances import without_common_parts, without_stop_words
from classify.categories.category_file import Category
from classify.categories.coined_terms import with_instances
from classify.categories.finding import CategoryFinding, find_categories, require_found
from classify.categories.meaning import find_by_meaning
from classify.categories.term_lookup import words_of
from hin.engines.mapped import let_go
from hin.progress import Progress, silent
from motifs import MotifOptions, MotifSet, Pattern, match_all
from motifs.matching import pattern_order

if TYPE_CHECKING:
    from classify.knowledge.base import KnowledgeModel
    from hin.graph import Graph

__all__ = ["Matcher", "prepare"]

#: How patterns are matched on the graph as it was loaded: in memory, or read from a store.
Matcher = Callable[["Graph", Sequence[Pattern]], MotifSet]


def prepare(
    graph: Graph,
    categories: Sequence[Category],
    patterns: Sequence[str],
    allow_missing: bool = False,
    options: MotifOptions | None = None,
    progress: Progress = silent,
    matcher: Matcher | None = None,
    knowledge: KnowledgeModel | None = None,
) -> tuple[Graph, MotifSet, list[CategoryFinding]]:
    """Find the names, make those that are phrases terms, match the patterns, and give every name an instance.

    Parameters
    ----------
    graph : the graph as it was loaded.
    patterns : besides the terms.
    matcher : matches patterns on `graph`; by default in memory.
    knowledge : places names that occur nowhere by what they mean.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> names = [Category("data mining"), Category("web")]
    >>> graph, motifs, findings = prepare(tiny_graph(), names, ["venue"], options=MotifOptions(min_count=2))
    >>> motifs.find("TERM[data mining]") is not None
    True
    """
    options = options or MotifOptions()
    matcher = matcher or partial(match_all, options=options, progress=progress)
    findings, grown = find_categories(graph, categories)
    own_words = [word for finding in findings for word in finding.words]
    findings = find_by_meaning(findings, grown, knowledge, options.min_count)
    findings = require_found(findings, allow_missing)
    wanted = sorted({Pattern("term"), *map(Pattern, patterns)}, key=pattern_order)
    if grown is graph:
        motif_set = matcher(graph, wanted)
    else:
        # A phrase that became a term changes instances with terms in them, and no others.
        by_terms = [pattern for pattern in wanted if "term" in pattern.fields]
        others = matcher(graph, [pattern for pattern in wanted if "term" not in pattern.fields])
        tables = [
            *(replace(table, graph=grown) for table in others),
            *match_all(grown, by_terms, options=options, progress=progress),
        ]
        motif_set = MotifSet(tuple(sorted(tables, key=lambda table: pattern_order(table.pattern))), grown)
    spelled = [f.term for f in findings if f.term] + [k.term for f in findings for k in f.keywords if k.term]
    # Of keywords only single words: a value or phrase with "of" in it shall not bring "of" back and train all anew.
    alone = [word for c in categories for word in (*c.keywords, *c.excluded) if not re.search(r"[\s\[]", word)]
    said = {word for text in (*(c.name for c in categories), *alone) for word in words_of(text)}
    telling = without_stop_words(without_common_parts(motif_set), said)
    edges = grown.edges("term")
    let_go(grown.tokens.targets, edges.targets, edges.counts)
    # The same instances with and without knowledge, so that one embedding serves both.
    return grown, with_instances(telling, [*spelled, *own_words]), findings
