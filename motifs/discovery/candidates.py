"""The patterns that discovery tries: combinations of fields, and fields of linked documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from motifs.language.pattern import Pattern
from motifs.language.template import quote_name

if TYPE_CHECKING:
    from hin.graph import Graph


@dataclass(frozen=True)
class Candidate:
    """A pattern to try, and its parts: smaller patterns with the columns of this one that they have."""

    pattern: Pattern
    parts: tuple[tuple[Pattern, tuple[int, ...]], ...] = ()


def candidates(graph: Graph, fields: Sequence[str], max_size: int) -> Iterator[Candidate]:
    """Yield every combination of fields up to a size and the templates over one link, parts before the whole.

    A link counts as a part: `(d)-[:cites]->(e)-[:venue]->(v)` has two, with a field of d it has three.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> [found.pattern.name for found in candidates(tiny_graph(), ["venue", "year"], 2)][:4]
    ['venue', 'year', 'venue-venue', 'venue-year']
    >>> [found.pattern.name for found in candidates(tiny_graph(), ["venue"], 2)][2]
    '(d:document)-[:cites]->(d2:document)-[:venue]->(v1:venue)'
    """
    for size in range(1, max_size + 1):
        for names in combinations_with_replacement(sorted(fields), size):
            rest = [tuple(c for c in range(size) if c != without) for without in range(size)]
            parts = tuple((_star([names[c] for c in columns]), columns) for columns in rest) if size > 1 else ()
            yield Candidate(_star(names), parts)
    for link in graph.links if max_size > 1 else ():
        for field in sorted(fields):
            yield Candidate(_linked(link, field))
            yield Candidate(_linked(link, field, "<-[:{}]-"))
    for link in graph.links if max_size > 2 else ():
        for field in sorted(fields):
            for own in sorted(fields):
                yield _with_own_field(_linked(link, field), own)


def _star(names: Sequence[str]) -> Pattern:
    return Pattern("-".join(quote_name(name) for name in names))


def _linked(link: str, field: str, arrow: str = "-[:{}]->") -> Pattern:
    across = arrow.format(quote_name(link))
    name = quote_name(field)
    return Pattern(f"(d:document){across}(e:document)-[:{name}]->(v:{name})")


def _with_own_field(linked: Pattern, own: str) -> Candidate:
    name = quote_name(own)
    pattern = Pattern(f"{linked.text}, (d)-[:{name}]->(w:{name})")
    own_columns = {edge.target - pattern.n_documents for edge in pattern.edges if edge.source == 0 and edge.target > 1}
    column = next(iter(own_columns))
    return Candidate(pattern, ((_star([own]), (column,)), (linked, (1 - column,))))
