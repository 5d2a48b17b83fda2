"""Keywords that a teacher proposed: only those that occur in the corpus are offered, with counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.suggestions.category_lines import category_line
from hin.files.atomic import atomic_file

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.suggestions.grounds import Grounds


@dataclass(frozen=True)
class OfferedWord:
    """A word for a category: how many documents hold it, and the share of these that the category has now.

    `clashes` is another category for which it was proposed too, or whose documents hold it far more often.
    """

    category: str
    word: str
    documents: int
    share: float
    clashes: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the offer as a record for machines."""
        return {
            "category": self.category,
            "word": self.word,
            "documents": self.documents,
            "share": round(self.share, 4),
            "clashes": self.clashes or None,
        }


def offered_words(words: Mapping[str, Sequence[str]], grounds: Grounds) -> list[OfferedWord]:
    """Return the words that occur in the corpus, category by category, with the categories they clash with."""
    named: dict[str, list[str]] = {}
    for name, given in words.items():
        for word in dict.fromkeys(word.lower() for word in given):
            named.setdefault(word, []).append(name)
    found = []
    for category in grounds.categories:
        said = {word.lower() for word in (category.name, *category.keywords, *category.excluded)}
        for word in dict.fromkeys(word.lower() for word in words.get(category.name, ())):
            instance = grounds.number.get(f"TERM[{word}]")
            if instance is None or word in said:
                continue
            documents, inside = int(grounds.documents[instance]), grounds.inside[instance]
            number = grounds.classes.index(category.name)
            others = [other for other in named[word] if other != category.name]
            most = int(np.argmax(inside))
            if not others and most != number and inside[most] > 4 * inside[number]:
                others = [grounds.classes[most]]
            share = float(inside[number] / max(1, documents))
            found.append(OfferedWord(category.name, word, documents, share, ", ".join(others)))
    return found


def write_words(path: Path, categories: Sequence[Category], offers: Sequence[OfferedWord]) -> None:
    """Write a labels file in which the offered words that clash with nothing are keywords."""
    lines = ["# Category names with the words that `hin ask --names` was given. Edit it, then classify with it."]
    for category in categories:
        mine = [offer for offer in offers if offer.category == category.name]
        if clashing := [f"{offer.word} ({offer.clashes})" for offer in mine if offer.clashes]:
            lines.append(f"# left out, clashes: {', '.join(clashing)}")
        words = tuple(offer.word for offer in mine if not offer.clashes)
        lines.append(category_line(replace(category, keywords=(*category.keywords, *words))))
    with atomic_file(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
