"""Texts with HTML in them: the words without tags and entities."""

from __future__ import annotations

import re
from html.parser import HTMLParser

__all__ = ["has_html", "plain_text"]

_TAG = re.compile(
    r"</?(?:p|br|div|span|a|b|i|u|em|strong|ul|ol|li|h[1-6]|table|tbody|tr|t[dh]|img|pre|code|blockquote|font|section|"
    r"article|sup|sub|hr|html|body|head|script|style|small)(?:\s[^<>]*)?/?>|"
    r"&(?:[a-z]{2,8}|#[0-9]{1,6}|#x[0-9a-f]{1,5});",
    re.IGNORECASE,
)
#: Tags that end a line or a cell: what stands on both sides are two words.
_BLOCKS = frozenset(
    ("p", "br", "div", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "td", "th", "pre", "hr")
    + ("blockquote", "section", "article", "title", "option")
)
_SILENT = frozenset(("script", "style"))


def has_html(text: str) -> bool:
    """Return whether a text has a tag or an entity of HTML.

    >>> has_html("Fish &amp; chips"), has_html("a <b> c"), has_html("if a < b and c > d")
    (True, True, False)
    """
    return ("<" in text or "&" in text) and _TAG.search(text) is not None


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in _SILENT
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self.silent = max(0, self.silent - (tag in _SILENT))
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.parts.append(data)


def plain_text(text: str) -> str:
    """Return the words of a text with HTML in it; a text without stays as it is.

    Examples
    --------
    >>> plain_text("<p>Fish &amp; chips<br/>and <b>peas</b></p><script>x()</script>")
    'Fish & chips\\nand peas'
    """
    if not has_html(text):
        return text
    words = _Words()
    words.feed(text)
    words.close()
    return re.sub(r"\s*\n\s*", "\n", "".join(words.parts)).strip()
