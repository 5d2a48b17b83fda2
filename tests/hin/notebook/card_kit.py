"""Hostile names, and a reader that finds nothing in a card but what we write."""

from __future__ import annotations

import re
from html.parser import HTMLParser

HOSTILE = [
    "<script>window.acted = 1</script>",
    '"><img src=x onerror="window.acted=1">',
    "'; window.acted=1; //",
    "</div></table><style>*{display:none}</style>",
    "turned \u202e around \x1b[31m",
    "`backquoted` \\ {0} %s &lt;b&gt;",
    "line\nbreak\u2028other",
    "half \ud800 a pair",
    "x" * 5000,
]
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2066-\u2069\ud800-\udfff]")
TAGS = {"div", "b", "bdi", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "span"}


class Seen(HTMLParser):
    """The tags, attributes and words of a card."""

    def __init__(self, card: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(card)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {key for key, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.text += data


def check(card: str) -> Seen:
    """Read a card and find nothing in it but what we write."""
    seen = Seen(card)
    assert set(seen.tags) <= TAGS | {f"/{tag}" for tag in TAGS}
    assert seen.attributes <= {"style"}
    assert not ACTING.search(card)
    assert len(card) < 30_000
    opened = [tag for tag in seen.tags if not tag.startswith("/")]
    assert len(opened) * 2 == len(seen.tags), "every tag is closed"
    return seen
