"""Small pieces of HTML for notebooks: every name escaped, no colours of their own, so that they fit light and dark."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from hin.visible import visible

#: Names longer than this are cut: a card is to be seen at a glance.
LONGEST = 80
_CELL = "text-align:{};vertical-align:top;padding:.15em .8em .15em 0"


def escaped(text: Any, longest: int = LONGEST) -> str:
    r"""Return untrusted text as HTML: escaped, on one line, not too long.

    Examples
    --------
    >>> escaped("<b>KDD</b>\u202e")
    '<bdi>&lt;b&gt;KDD&lt;/b&gt;\\u202e</bdi>'
    """
    shown = visible(str(text), one_line=True)
    if len(shown) > longest:
        shown = shown[: longest - 1] + "…"
    return f"<bdi>{html.escape(shown)}</bdi>"


def card(title: str, *parts: str) -> str:
    """Return a title with a line under it; both are HTML."""
    return f'<div style="overflow-x:auto"><div><b>{title}</b></div>{"".join(parts)}</div>'


def lines(rows: Iterable[str]) -> str:
    """Return pieces of HTML, each on a line of its own."""
    return "".join(f"<div>{row}</div>" for row in rows)


def details(summary: str, inside: str) -> str:
    """Return HTML that is shown after a click."""
    return f'<details><summary style="cursor:pointer">{summary}</summary>{inside}</details>'


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table: numbers to the right, text taken as HTML.

    Examples
    --------
    >>> print(table(["city", "documents"], [[escaped("Ulm"), 1200]]).replace("</tr>", "</tr>\\n"))  # doctest: +ELLIPSIS
    <table ...<th ...>city</th><th ...>documents</th></tr>
    ...<td ...><bdi>Ulm</bdi></td><td ...right...>1,200</td></tr>
    ...
    """
    body = [list(row) for row in rows]
    sides = ["right" if any(isinstance(row[i], (int, float)) for row in body) else "left" for i in range(len(columns))]
    head = "".join(_cell("th", column, side) for column, side in zip(columns, sides, strict=True))
    inside = "".join(
        "<tr>" + "".join(_cell("td", _spelled(value), side) for value, side in zip(row, sides, strict=True)) + "</tr>"
        for row in body
    )
    style = "border-collapse:collapse;margin:.3em 0"
    return f'<table style="{style}"><thead><tr>{head}</tr></thead><tbody>{inside}</tbody></table>'


def share_bar(share: float) -> str:
    """Return a bar as long as a share; negative ones are drawn paler."""
    width, strength = min(abs(share), 1.0) * 6, 0.6 if share >= 0 else 0.25
    style = f"display:inline-block;height:.6em;width:{width:.2f}em;background:currentColor;opacity:{strength}"
    return f'<span style="{style}"></span>'


def _cell(tag: str, inside: str, side: str) -> str:
    return f'<{tag} style="{_CELL.format(side)}">{inside}</{tag}>'


def _spelled(value: str | int | float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
