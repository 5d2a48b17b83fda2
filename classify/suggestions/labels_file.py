"""A labels file with the suggestions in it, to be edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from classify.categories.category_file import Category
from classify.suggestions.suggest import CategoryHelp
from hin.atomic import whole_file

__all__ = ["category_line", "with_suggestions", "write_labels"]


def category_line(category: Category) -> str:
    r"""Write a category as a line of a labels file, as `parse_categories` reads it.

    >>> category_line(Category("games", ("arcade", "VENUE[CHI]"), 0.12, ("cat",)))
    'games [12%]: arcade, VENUE[CHI], -cat'
    >>> category_line(Category("#hash"))
    '\\#hash'
    """
    name = f"\\{category.name}" if category.name.startswith(("#", "\\")) else category.name
    share = "" if category.share is None else f" [{100 * category.share:.6g}%]"
    words = [f"\\{word}" if word.startswith("-") else word for word in category.keywords]
    words += [f"-{word}" for word in category.excluded]
    return f"{name}{share}{': ' if words else ''}{', '.join(words)}"


def with_suggestions(one: CategoryHelp, accepted: int) -> Category:
    """Return the category with the first suggestions as keywords, where it is weak; else as it is."""
    if not one.check.weak:
        return one.given
    words = tuple(word.keyword for word in one.words[:accepted])
    return replace(one.given, keywords=(*one.given.keywords, *words))


def write_labels(path: str | Path, found: Sequence[CategoryHelp], accepted: int = 3) -> None:
    """Write a labels file: weak categories with the first suggestions, and all that was found as remarks."""
    lines = ["# Category names with the words that `hin suggest` offers. Edit it, then classify with it."]
    for one in found:
        lines.append("")
        lines += [f"# {problem}" for problem in one.check.problems]
        offered = one.words[accepted:] if one.check.weak else one.words
        if offered:
            also = ", ".join(f"{word.keyword} ({word.documents:,})" for word in offered)
            lines.append(f"# {'also' if one.check.weak else 'if you like'}: {also}")
        lines.append(category_line(with_suggestions(one, accepted)))
    with whole_file(Path(path)) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
