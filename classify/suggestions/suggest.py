"""Suggestions for the categories: `model.suggest()`, and what `hin suggest` prints."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from classify.suggestions.category_lines import category_line
from classify.suggestions.checks import NameCheck, check_names
from classify.suggestions.grounds import Grounds
from classify.suggestions.options import SuggestOptions
from classify.suggestions.words import Suggestion, most_moving, ranked_words

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.suggestions.documents import DocumentChoice
    from classify.suggestions.missing import Missing


@dataclass(frozen=True)
class CategoryHelp:
    """The problems of a category's name, and the words suggested for it.

    Attributes
    ----------
    moving : the one word that would probably move most documents in doubt; None where there is none.
    """

    given: Category
    check: NameCheck
    words: tuple[Suggestion, ...]
    moving: Suggestion | None = None

    @property
    def category(self) -> str:
        """The name."""
        return self.given.name

    def as_dict(self) -> dict[str, Any]:
        """Return problems and words as a record for machines."""
        return {
            **self.check.as_dict(),
            "words": [word.as_dict() for word in self.words],
            "moving": None if self.moving is None else self.moving.as_dict(),
            "line": category_line(self.with_words(len(self.words))),
        }

    def with_words(self, number: int) -> Category:
        """Return the category with the first of the suggested words as keywords."""
        words = tuple(word.keyword for word in self.words[:number])
        return replace(self.given, keywords=(*self.given.keywords, *words))


def suggest(model: Any, **options: Any) -> list[CategoryHelp]:
    """Suggest words for each category; deprecated: call `model.suggest()`."""
    _warn("suggest")
    found: list[CategoryHelp] = model.suggest(**options)
    return found


def suggest_documents(model: Any, number: int = 20) -> list[DocumentChoice]:
    """Choose documents worth labelling; deprecated: call `model.suggest_documents()`."""
    _warn("suggest_documents")
    found: list[DocumentChoice] = model.suggest_documents(number)
    return found


def suggest_missing(model: Any, **options: Any) -> Missing:
    """Find documents that fit no category; deprecated: call `model.suggest_missing()`."""
    _warn("suggest_missing")
    found: Missing = model.suggest_missing(**options)
    return found


def _warn(name: str) -> None:
    warnings.warn(f"{name}(model) becomes model.{name}()", DeprecationWarning, stacklevel=3)


def help_for(grounds: Grounds, options: SuggestOptions | None = None) -> list[CategoryHelp]:
    """Check the names and suggest words, category by category."""
    options = options or SuggestOptions()
    ranked = ranked_words(grounds, options)
    checks = check_names(grounds)
    return [
        CategoryHelp(category, check, tuple(words[: options.words]), most_moving(words))
        for category, check, words in zip(grounds.categories, checks, ranked, strict=True)
    ]
