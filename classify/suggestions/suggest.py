"""What would make labels better, of a fitted model: `suggest(model)`, and what `hin suggest` prints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from classify.suggestions.category_lines import category_line
from classify.suggestions.checks import NameCheck, check_names
from classify.suggestions.documents import DocumentChoice, DocumentOptions, documents_to_label
from classify.suggestions.grounds import Grounds, counts_in
from classify.suggestions.missing import Missing, MissingOptions, find_missing
from classify.suggestions.options import SuggestOptions
from classify.suggestions.words import Suggestion, suggest_words
from hin.arrays.score_rows import best_two
from hin.errors import BadUsage

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.model.estimator import MotifClassifier

__all__ = ["CategoryHelp", "help_for", "suggest", "suggest_documents", "suggest_missing"]


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
        return {
            **self.check.as_dict(),
            "words": [word.as_dict() for word in self.words],
            "line": category_line(self.with_words(len(self.words))),
        }

    def with_words(self, number: int) -> Category:
        """Return the category with the first words that are offered as keywords."""
        words = tuple(word.keyword for word in self.words[:number])
        return replace(self.given, keywords=(*self.given.keywords, *words))


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
    return help_for(_fitted(model), SuggestOptions(**options))


def suggest_documents(model: MotifClassifier, number: int = 20) -> list[DocumentChoice]:
    """Return the documents whose labels would teach a fitted model most, the best first.

    Parameters
    ----------
    model : a fitted `MotifClassifier`; what was known to it is not offered again.
    number : how many.

    Examples
    --------
    >>> import classify
    >>> classify.suggest_documents(classify.MotifClassifier(["web", "data mining"]))
    Traceback (most recent call last):
    hin.errors.BadUsage: the model has not been fitted; call fit first
    """
    return documents_to_label(_fitted(model), number, DocumentOptions(seed=model.random_state))


def suggest_missing(model: MotifClassifier, **options: Any) -> Missing:
    """Return the documents that belong to none of a fitted model's categories, in groups with words for each.

    Parameters
    ----------
    model : a fitted `MotifClassifier`.
    options : those of `MissingOptions`: `share`, `groups`, `words`.

    Examples
    --------
    >>> import classify
    >>> classify.suggest_missing(classify.MotifClassifier(["web", "data mining"]))
    Traceback (most recent call last):
    hin.errors.BadUsage: the model has not been fitted; call fit first
    """
    return find_missing(_fitted(model), MissingOptions(**options))


def _fitted(model: MotifClassifier) -> Grounds:
    if not hasattr(model, "graph_"):
        raise BadUsage("the model has not been fitted", hint="call fit first")
    soft = model.soft_labels_
    return Grounds(
        model.graph_,
        model.categories_,
        model.probabilities_,
        counts_in(model.graph_, model.predictor_),
        model.facts_,
        [finding.as_dict() for finding in model.findings_],
        model.known_,
        None if soft is None else best_two(soft.start),
    )


def help_for(grounds: Grounds, options: SuggestOptions | None = None) -> list[CategoryHelp]:
    """Return the checks of the names and the words that would help, category by category."""
    words = suggest_words(grounds, options)
    checks = check_names(grounds)
    return [
        CategoryHelp(category, check, tuple(some))
        for category, check, some in zip(grounds.categories, checks, words, strict=True)
    ]
