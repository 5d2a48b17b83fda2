"""Hypothesis strategies: small typed graphs, templates over their types, and values that break naive names."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from hin.graph import Graph
from motifs.samples import make_graph

FIELDS = ("author", "venue")
#: (source type, edge type, target type) of everything a template may use.
EDGES = (
    ("document", "author", "author"),
    ("document", "venue", "venue"),
    ("document", "term", "term"),
    ("document", "cites", "document"),
    ("author", "knows", "author"),
    ("author", "based", "venue"),
)
VALUES = {"author": ["Ann", "Bob", "Cy", "Dee"], "venue": ["KDD", "WWW", "ACL"], "term": ["data", "web", "graph"]}


@st.composite
def graphs(draw: st.DrawFn, max_documents: int = 5) -> Graph:
    """Documents with authors, venues and terms that cite each other, authors that know each other and sit at venues."""
    n = draw(st.integers(1, max_documents))

    def rows(values: list[str], most: int) -> list[list[str]]:
        return draw(st.lists(st.lists(st.sampled_from(values), max_size=most, unique=True), min_size=n, max_size=n))

    fields = {name: rows(VALUES[name], 4) for name in FIELDS}
    terms = draw(st.lists(st.lists(st.sampled_from(VALUES["term"]), max_size=5), min_size=n, max_size=n))
    cites = draw(st.lists(st.lists(st.integers(0, n - 1), max_size=3, unique=True), min_size=n, max_size=n))
    seen = {name: sorted({v for row in fields[name] for v in row}) for name in FIELDS}
    extra = {}
    for name, source, target in (("knows", "author", "author"), ("based", "author", "venue")):
        pairs = [(a, b) for a in seen[source] for b in seen[target]]
        chosen = draw(st.lists(st.sampled_from(pairs), max_size=6)) if pairs else []
        extra[name] = (source, target, chosen)
    return make_graph(fields, terms, links={"cites": cites}, extra=extra)


@dataclass(frozen=True)
class Drawn:
    """A template with its text: types, edges (source, target, type, directed), node 0 the anchor."""

    text: str
    types: tuple[str, ...]
    edges: tuple[tuple[int, int, str, bool], ...]


def _edges_between(types: list[str], a: int, b: int) -> list[tuple[int, int, str]]:
    ways = [(a, b, e) for s, e, t in EDGES if (s, t) == (types[a], types[b])]
    return ways + [(b, a, e) for s, e, t in EDGES if (s, t) == (types[b], types[a])]


@st.composite
def templates(draw: st.DrawFn, max_documents: int = 3, max_parts: int = 3) -> Drawn:
    """A connected template with one or more documents, written with random variables, order and arrows."""
    documents = draw(st.integers(1, max_documents))
    parts = draw(st.lists(st.sampled_from(["author", "author", "venue", "term"]), min_size=1, max_size=max_parts))
    types = ["document"] * documents + parts
    joined, left, edges = [0], list(range(1, len(types))), set()

    def add(a: int, b: int) -> None:
        source, target, kind = draw(st.sampled_from(_edges_between(types, a, b)))
        either = kind in ("cites", "knows", "based") and draw(st.booleans())
        edges.add((source, target, kind, not either))

    while left:
        here = draw(st.sampled_from([n for n in left if any(_edges_between(types, n, m) for m in joined)]))
        add(here, draw(st.sampled_from([m for m in joined if _edges_between(types, here, m)])))
        joined.append(here)
        left.remove(here)
    for _ in range(draw(st.integers(0, 2))):
        pairs = [(a, b) for a in joined for b in joined if a < b and _edges_between(types, a, b)]
        add(*draw(st.sampled_from(pairs)))
    chosen = tuple(sorted(edges))
    return Drawn(draw(spellings(tuple(types), chosen)), tuple(types), chosen)


@st.composite
def spellings(draw: st.DrawFn, types: tuple[str, ...], edges: tuple[tuple[int, int, str, bool], ...]) -> str:
    """One of the many ways to write a template."""
    marked = draw(st.booleans()) or None
    names = draw(st.permutations([f"n{i}" for i in range(len(types))]))
    names[0] = "p" if marked else "d"
    seen: set[int] = set()

    def node(n: int) -> str:
        first = n not in seen
        seen.add(n)
        kind = f":{types[n]}" if first or draw(st.booleans()) else ""
        return f"({names[n]}{kind}{'!' if marked and n == 0 and first else ''})"

    text, end = "", None
    for source, target, kind, directed in draw(st.permutations(edges)):
        a, b, out = (source, target, True) if draw(st.booleans()) else (target, source, False)
        edge = f"{'<' if directed and not out else ''}-[:{kind}]-{'>' if directed and out else ''}"
        if end == a:
            text += edge + node(b)
        else:
            text += (", " if text else "") + node(a) + edge + node(b)
        end = b
    return text


@st.composite
def short_templates(draw: st.DrawFn, max_parts: int = 4) -> str:
    """A short form over the fields and terms."""
    return "-".join(draw(st.lists(st.sampled_from([*FIELDS, "term"]), min_size=1, max_size=max_parts)))


#: Values that have broken other tools: separators, brackets, quotes, escapes, line ends, nothing at all.
hostile_values = st.one_of(
    st.text(alphabet=st.sampled_from(list("a,-[]\"'`\\{}:;|\n\r\t \x00\x1b\u2028é漢😀")), max_size=8),
    st.text(max_size=10),
    st.sampled_from(
        ["", "]", "[", "]-YEAR[", "\\", "\\]", "\\n", "a, b", "O'Brien", "x'); DROP TABLE--", "VENUE[KDD]"]
    ),
)
