"""Documents on which remarks can be counted again."""

from __future__ import annotations

import re
from typing import Any

from embed import EmbedOptions

SMALL = EmbedOptions(dim=16, epochs=4)


def documents() -> list[dict[str, Any]]:
    """Webs in the plural only, one dragon, car racing, rockets and engines, apples; 80 documents."""
    rows = []
    for i in range(80):
        words = ["apples. orchard. cider. juice", "rocket. orbit. launch. fuel", "webs. spider. silk. thread",
                 "car. racing. wheel. engine"][i % 4]  # fmt: skip
        extra = "dragon" if i == 0 else "yew tree" if i % 20 == 1 else f"word{i % 5}"
        rows.append(
            {"id": f"d{i}", "text": f"{words}. {extra}", "city": f"c{i % 3}", "team": [f"t{i % 7}", f"t{i % 5}"]}
        )
    return rows


ROWS = documents()


def held(word: str) -> int:
    """In how many documents a word or phrase is written."""
    return sum(re.search(rf"\b{re.escape(word)}\b", row["text"]) is not None for row in ROWS)
