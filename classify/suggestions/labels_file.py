"""A labels file with the suggestions in it, to be edited."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from classify.categories.category_file import Category
from classify.suggestions.category_lines import category_line
from classify.suggestions.suggest import CategoryHelp
from hin.files.atomic import atomic_file


def with_suggestions(one: CategoryHelp, accepted: int) -> Category:
    """Return a weak category with the first suggestions as keywords, any other category unchanged."""
    return one.with_words(accepted) if one.check.weak else one.given


def write_labels(path: str | Path, found: Sequence[CategoryHelp], accepted: int = 3) -> None:
    """Write a labels file: weak categories with the first suggestions, and all problems and suggestions as comments."""
    lines = ["# Category names with the words that `hin suggest` offers. Edit it, then classify with it."]
    for one in found:
        lines.append("")
        lines += [f"# {problem}" for problem in one.check.problems]
        offered = one.words[accepted:] if one.check.weak else one.words
        if offered:
            also = ", ".join(f"{word.keyword} ({word.documents:,})" for word in offered)
            lines.append(f"# {'also' if one.check.weak else 'if you like'}: {also}")
        lines.append(category_line(with_suggestions(one, accepted)))
    with atomic_file(Path(path)) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
