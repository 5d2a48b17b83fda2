"""Draw the nodes and relationships that a query returned: one page, no script, nothing fetched."""

from __future__ import annotations

import html
import math

import numpy as np

from hin.cypher.result import QueryResult
from hin.errors import BadUsage

#: More nodes than this are unreadable.
MOST = 400
_COLOURS = (
    "#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b", "#ff9da6", "#79706e",
)  # fmt: skip
_WIDTH, _HEIGHT = 1200, 800


def picture(result: QueryResult, title: str) -> str:
    """Draw a result as an HTML page.

    Examples
    --------
    >>> from hin.cypher.result import Subgraph
    >>> graph = Subgraph({"1": (("Author",), {"name": "<Ann>"})}, {})
    >>> page = picture(QueryResult(("a",), [], graph=graph), "one author")
    >>> "&lt;Ann&gt;" in page, "<script" in page
    (True, False)
    """
    graph = result.graph
    if not graph.nodes:
        raise BadUsage(
            "the query returned no nodes to draw", hint="return nodes, relationships or paths: RETURN d, r, a"
        )
    if len(graph.nodes) > MOST:
        raise BadUsage(
            f"{len(graph.nodes)} nodes are too many for a picture", hint=f"add LIMIT; {MOST} nodes can be drawn"
        )
    places = {name: (60 + x * (_WIDTH - 120), 40 + y * (_HEIGHT - 80)) for name, (x, y) in place_nodes(result).items()}
    labels = sorted({label for kinds, _ in graph.nodes.values() for label in kinds})
    colour = {label: _COLOURS[i % len(_COLOURS)] for i, label in enumerate(labels)}
    parts = [_line(kind, places[source], places[target]) for kind, source, target, _ in graph.relationships.values()]
    for name, (kinds, properties) in graph.nodes.items():
        parts.append(_dot(places[name], kinds, properties, colour.get(kinds[0] if kinds else "", "#888")))
    legend = "".join(f'<span style="color:{colour[label]}">&#9679;</span> {html.escape(label)} ' for label in labels)
    return (
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        "<style>body{font:14px sans-serif;margin:1em}svg{width:100%;height:auto;border:1px solid #ddd}"
        "text{font-size:11px}line{stroke:#999}</style>"
        f'<p>{legend}</p><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(title)}">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="15" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="#999"/></marker></defs>{"".join(parts)}</svg></html>\n'
    )


def place_nodes(result: QueryResult) -> dict[str, tuple[float, float]]:
    """Compute node positions, from 0 to 1: a spring layout from fixed positions, the same for the same rows."""
    names = list(result.graph.nodes)
    index = {name: i for i, name in enumerate(names)}
    n = len(names)
    turns = np.arange(n) * 2.399963  # the golden angle spreads the start evenly
    spots = np.sqrt(np.arange(1, n + 1))[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    pairs = np.array(
        [(index[s], index[t]) for _, s, t, _ in result.graph.relationships.values() if s != t], dtype=int
    ).reshape(-1, 2)
    for step in range(150):
        apart = spots[:, None] - spots[None]
        squared = (apart**2).sum(-1) + 1e-3
        push = (apart / squared[:, :, None]).sum(1)
        along = spots[pairs[:, 1]] - spots[pairs[:, 0]]
        np.add.at(push, pairs[:, 0], 0.5 * along)
        np.add.at(push, pairs[:, 1], -0.5 * along)
        push -= 0.5 * spots  # holds parts that nothing joins near one another
        length = np.linalg.norm(push, axis=1, keepdims=True) + 1e-9
        spots = spots + push / length * np.minimum(length, 1.0 - step / 150)
    low, high = spots.min(0), spots.max(0)
    scaled = (spots - low) / np.where(high > low, high - low, 1.0)
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, scaled, strict=True)}


def _line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    if math.dist(start, end) < 1e-6:
        ring = f'<circle cx="{start[0]:.1f}" cy="{start[1] - 12:.1f}" r="10" fill="none" stroke="#999">'
        return f"{ring}<title>{html.escape(kind)}</title></circle>"
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" marker-end="url(#tip)"/>'
        f'<text x="{middle[0]:.1f}" y="{middle[1]:.1f}" fill="#888">{html.escape(kind)}</text>'
    )


def _dot(place: tuple[float, float], labels: tuple[str, ...], properties: dict[str, object], colour: str) -> str:
    name = str(properties.get("name", properties.get("id", "")))
    more = "\n".join(f"{key}: {str(value)[:200]}" for key, value in properties.items())
    title = html.escape(":".join(labels) + "\n" + more)
    return (
        f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="8" fill="{colour}"><title>{title}</title></circle>'
        f'<text x="{place[0] + 10:.1f}" y="{place[1] + 4:.1f}">{html.escape(name[:40])}</text>'
    )
