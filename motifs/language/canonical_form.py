"""One numbering for all spellings of a template: refinement of colours, then the smallest edge list.

Templates have at most a handful of nodes, so trying every node of a tied class is affordable; nodes that are
twins (same neighbours over the same edges) are interchangeable and only the first is tried.
"""

from __future__ import annotations

from collections.abc import Sequence

_Colours = tuple[int, ...]


def canonical_order(kinds: Sequence[tuple[int, str]], arrows: Sequence[tuple[int, int, str]]) -> list[int]:
    """Order the nodes of a template independently of how it was written.

    The anchor comes first, then other documents, then the other nodes by type.

    Parameters
    ----------
    kinds : rank and type of each node; the anchor's rank is the lowest.
    arrows : from node, to node, type.

    Examples
    --------
    >>> canonical_order([(2, "year"), (0, "document")], [(1, 0, "year")])
    [1, 0]
    """
    nodes = list(range(len(kinds)))
    signs = {n: _neighbours(arrows, n) for n in nodes}
    _, order = _search(nodes, signs, _refine(nodes, signs, _rank(kinds)))
    return order


def _neighbours(arrows: Sequence[tuple[int, int, str]], node: int) -> list[tuple[str, bool, int]]:
    out = [(kind, True, target) for source, target, kind in arrows if source == node]
    return out + [(kind, False, source) for source, target, kind in arrows if target == node]


def _rank(keys: Sequence[object]) -> _Colours:
    order = {key: i for i, key in enumerate(sorted(set(keys)))}  # type: ignore[type-var]
    return tuple(order[key] for key in keys)


def _refine(nodes: list[int], signs: dict[int, list[tuple[str, bool, int]]], colours: _Colours) -> _Colours:
    place = {n: i for i, n in enumerate(nodes)}
    while True:
        keys = [
            (colours[i], tuple(sorted((kind, out, colours[place[other]]) for kind, out, other in signs[n])))
            for i, n in enumerate(nodes)
        ]
        finer = _rank(keys)
        if finer == colours:
            return colours
        colours = finer


def _search(
    nodes: list[int], signs: dict[int, list[tuple[str, bool, int]]], colours: _Colours
) -> tuple[list[tuple[int, int, str]], list[int]]:
    """Find the smallest edge list over the numberings that the colours still allow, with its numbering."""
    cells: dict[int, list[int]] = {}
    for i, colour in enumerate(colours):
        cells.setdefault(colour, []).append(i)
    tied = next((cells[c] for c in sorted(cells) if len(cells[c]) > 1), None)
    if tied is None:
        order = [nodes[cells[c][0]] for c in sorted(cells)]
        number = {n: i for i, n in enumerate(order)}
        edges = sorted((number[n], number[other], kind) for n in nodes for kind, out, other in signs[n] if out)
        return edges, order
    tried: list[int] = []
    best: tuple[list[tuple[int, int, str]], list[int]] | None = None
    for i in tied:
        if any(_twins(nodes[i], nodes[j], signs) for j in tried):
            continue
        tried.append(i)
        split = tuple(2 * c + (j != i and c == colours[i]) for j, c in enumerate(colours))
        found = _search(nodes, signs, _refine(nodes, signs, _rank(split)))
        if best is None or found[0] < best[0]:
            best = found
    assert best is not None
    return best


def _twins(a: int, b: int, signs: dict[int, list[tuple[str, bool, int]]]) -> bool:
    """Check whether swapping the two nodes leaves the template unchanged."""
    swap = {a: b, b: a}
    return sorted(signs[a]) == sorted((kind, out, swap.get(other, other)) for kind, out, other in signs[b])
