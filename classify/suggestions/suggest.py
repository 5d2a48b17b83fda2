"""What would make labels better, of a fitted model: `suggest(model)`, and what `hin suggest` prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from classify.suggestions.checks import NameCheck, check_names
from classify.suggestions.grounds import Grounds, grounds_of
from classify.suggestions.options import SuggestOptions
from classify.suggestions.words import Suggestion, suggest_words

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.model.estimator import MotifClassifier

__all__ = ["CategoryHelp", "help_for", "suggest"]


@dataclass(frozen=True)
class CategoryHelp:
    """What is wrong with a category's name, and what would help it."""

    given: Category
    check: NameCheck
    words: tuple[Suggestion, ...]

    @property
    def category(self) -> str:
        """The name."""
        return self.given.name

    def as_dict(self) -> dict[str, Any]:
        """Return the help as a record for machines."""
        return {**self.check.as_dict(), "words": [word.as_dict() for word in self.words]}


def suggest(model: MotifClassifier, **options: Any) -> list[CategoryHelp]:
    """Return what would help each category of a fitted model.

    Parameters
    ----------
    model : a fitted `MotifClassifier`.
    options : those of `SuggestOptions`: `words`, `least`.

    Examples
    --------
    >>> import classify
    >>> classify.suggest(classify.MotifClassifier(["web", "data mining"]))
    Traceback (most recent call last):
    hin.errors.BadUsage: the model has not been fitted; call fit first
    """
    from hin.errors import BadUsage

    if not hasattr(model, "graph_"):
        raise BadUsage("the model has not been fitted", hint="call fit first")
    return help_for(grounds_of(model), SuggestOptions(**options))


def help_for(grounds: Grounds, options: SuggestOptions | None = None) -> list[CategoryHelp]:
    """Return the checks of the names and the words that would help, category by category."""
    words = suggest_words(grounds, options)
    checks = check_names(grounds)
    return [
        CategoryHelp(category, check, tuple(some))
        for category, check, some in zip(grounds.categories, checks, words, strict=True)
    ]
