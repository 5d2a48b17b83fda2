"""Find values in two spellings and columns that repeat one another: checks that need the whole graph."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from hin.arrays.types import Array, Int32
from hin.graph import Csr, Graph
from hin.human import shortened
from hin.node_names import NameTable

#: With fewer documents than this, two columns are not compared.
MIN_DOCUMENTS = 20
#: The tolerated surplus of value pairs over values: a few slips do not make two columns different.
TOLERANCE = 1.05
#: The number of fields that a note gives an example of.
_SHOWN = 5
#: Values that say nothing to a reader: numbers and URLs.
_CODE = re.compile(r"[-+]?[\d.,]*\d|\w+://\S+", re.ASCII)


def merge_spellings(graph: Graph) -> tuple[Graph, list[str]]:
    """Merge values that differ only in case or spaces, under the more frequent spelling; also return notes.

    Examples
    --------
    >>> import hin
    >>> rows = [{"id": str(i), "text": "x", "tag": tag} for i, tag in enumerate(["Sea", "sea", "sea", "Sky"])]
    >>> graph, notes = merge_spellings(hin.load(rows, keep_case=True))
    >>> graph.names("tag").tolist(), notes[0].partition(": ")[2][:28]
    (['sea', 'Sky'], "1 of tag ('Sea' into 'sea') ")
    """
    nodes, adjacency, extra, notes = dict(graph.nodes), dict(graph.adjacency), dict(graph.extra), []
    for name in graph.fields:
        names = graph.names(name).tolist()
        keys: dict[str, int] = {}
        number = np.array([keys.setdefault(folded(value), len(keys)) for value in names], dtype=np.int32)
        if len(keys) == len(names):
            continue
        edges = graph.edges(name)
        count = np.bincount(edges.targets, minlength=len(names))
        best: dict[int, int] = {}
        for old, new in enumerate(number.tolist()):
            if new not in best or count[old] > count[best[new]]:
                best[new] = old
        nodes[name] = NameTable.of([names[best[new]] for new in range(len(keys))], name)
        adjacency[name] = _renumbered(edges, number)
        for kind, more in extra.items():
            sources = number[more.sources] if more.source_type == name else more.sources
            targets = number[more.targets] if more.target_type == name else more.targets
            extra[kind] = replace(more, sources=sources, targets=targets)
        rarer = next(old for old, new in enumerate(number.tolist()) if best[new] != old)
        usual, less = names[best[int(number[rarer])]], len(names) - len(keys)
        example = f"{shortened(names[rarer], 40)!r} into {shortened(usual, 40)!r}"
        notes.append(f"{less:,} of {shortened(name, 40)} ({example})")
    if notes:
        others = f" and {len(notes) - _SHOWN:,} fields more" if len(notes) > _SHOWN else ""
        what = f"merged values that differ only in case or spaces: {', '.join(notes[:_SHOWN])}{others}"
        notes = [f"{what} (`keep_case=True` of `hin load` keeps them apart)"]
    return replace(graph, nodes=nodes, adjacency=adjacency, extra=extra), notes


def folded(value: str) -> str:
    """Normalise a value's case and spaces; values that are equal then are merged.

    >>> folded(" New  York") == folded("new york")
    True
    """
    return re.sub(r"\s+", " ", value).strip().casefold()


def _renumbered(edges: Csr, number: Int32) -> Csr:
    """Return the edges with renumbered targets, without duplicates in a row."""
    rows, targets = edges.rows(), number[edges.targets]
    pairs = rows.astype(np.int64) * (int(number.max()) + 1) + targets
    first = np.sort(np.unique(pairs, return_index=True)[1])
    return Csr.from_lengths(np.bincount(rows[first], minlength=len(edges)), targets[first].astype(np.int32))


def find_repeated_fields(graph: Graph, guessed: Collection[str]) -> dict[str, str]:
    """Find the fields, among those the user did not name, whose values map one to one to another field or the label.

    Of a code or an address and a name the name stays, otherwise the first of the two.
    """
    singles = {name: codes for name in graph.fields if (codes := _single(graph, name)) is not None}
    redundant: dict[str, str] = {}
    label = None if graph.labels is None else np.asarray(graph.labels.codes)
    for name, codes in singles.items():
        if name in guessed and label is not None and _one_to_one(codes, label):
            redundant[name] = "it says the same as the label"
    for name, codes in singles.items():
        for other, others in singles.items():
            if other == name or other in redundant or name in redundant or name not in guessed:
                continue
            if _one_to_one(codes, others) and _is_redundant(graph, name, other, other in guessed):
                redundant[name] = f"it says the same as {other}"
    return redundant


def _is_redundant(graph: Graph, name: str, other: str, other_guessed: bool) -> bool:
    """Check whether `name` is dropped for `other`: fields that the user named stay, then names, then the first."""
    if not other_guessed:
        return True
    codes, others = (all(map(_CODE.fullmatch, graph.names(field)[:200])) for field in (name, other))
    return codes if codes != others else graph.fields.index(name) > graph.fields.index(other)


def _single(graph: Graph, name: str) -> Array | None:
    edges = graph.edges(name)
    degrees = edges.degrees()
    if not len(degrees) or degrees.max() != 1 or len(graph.names(name)) < 2:
        return None
    codes = np.full(len(degrees), -1, dtype=np.int64)
    codes[degrees > 0] = edges.targets
    return codes


def _one_to_one(first: Array, second: Array) -> bool:
    both = (first >= 0) & (second >= 0)
    if both.sum() < MIN_DOCUMENTS or both.sum() < 0.9 * ((first >= 0) | (second >= 0)).sum():
        return False
    a, b = first[both], second[both]
    sizes = [len(np.unique(a)), len(np.unique(b))]
    if min(sizes) < 2 or 2 * max(sizes) > len(a):
        return False
    pairs = len(np.unique(a.astype(np.int64) * (int(b.max()) + 1) + b))
    return pairs <= TOLERANCE * min(sizes)
