"""The canonical text of a long-form template."""

from __future__ import annotations

from motifs.language.template import DOCUMENT, Edge, quote_name


def spell(types: tuple[str, ...], edges: tuple[Edge, ...]) -> str:
    """Write the long form: paths as long as they go, each node's type at its first mention.

    Examples
    --------
    >>> spell(("document", "document", "venue"), (Edge(0, 1, "cites"), Edge(1, 2, "venue")))
    '(d:document)-[:cites]->(d2:document)-[:venue]->(v1:venue)'
    """
    names = variable_names(types)
    left = list(edges)
    seen: set[int] = set()
    paths: list[str] = []

    def node(number: int) -> str:
        text = f"({names[number]})" if number in seen else f"({names[number]}:{quote_name(types[number])})"
        seen.add(number)
        return text

    while left:
        starts = [n for e in left for n in (e.source, e.target) if n in seen or not seen]
        here = min(starts)
        path = node(here)
        while touching := [e for e in left if here in (e.source, e.target)]:
            edge = touching[0]
            left.remove(edge)
            onward = edge.source == here
            there = edge.target if onward else edge.source
            before, after = (
                ("<" if edge.directed and not onward else ""),
                (">" if edge.directed and onward else ""),
            )
            path += f"{before}-[:{quote_name(edge.type)}]-{after}{node(there)}"
            here = there
        paths.append(path)
    return ", ".join(paths)


def variable_names(types: tuple[str, ...]) -> list[str]:
    """Return a short variable for each node: d for the anchor, d2, d3 for other documents, else a letter and a number.

    Examples
    --------
    >>> variable_names(("document", "document", "author", "venue"))
    ['d', 'd2', 'a1', 'v1']
    """
    names: list[str] = []
    seen: dict[str, int] = {}
    for number, kind in enumerate(types):
        letter = kind[0].lower()
        if kind == DOCUMENT:
            letter = "d"
        elif not ("a" <= letter <= "z") or letter == "d":
            letter = "x"
        seen[letter] = seen.get(letter, 0) + 1
        names.append("d" if number == 0 else f"{letter}{seen[letter]}")
    return names
