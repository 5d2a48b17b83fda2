"""Thousands of categories: a limit that names its option, and a message that stays one that can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from classify.categories.category_file import Category, read_categories
from classify.categories.finding import CategoryFinding, require_found
from hin.errors import BadInput, UnknownName


def test_more_categories_than_the_limit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "labels.txt").write_text("".join(f"name {i}\n" for i in range(30)))
    with pytest.raises(BadInput, match="30 categories, the limit is 20") as reported:
        read_categories(tmp_path / "labels.txt", most=20)
    assert "max_categories=" in (reported.value.hint or "")
    assert len(read_categories(tmp_path / "labels.txt", most=30)) == 30


def test_a_message_lists_the_first_unknown_names() -> None:
    names = [Category(f"name {i}") for i in range(100_000)]
    missing = [CategoryFinding(category.name, "missing", None, 0, ()) for category in names]
    with pytest.raises(UnknownName) as reported:
        require_found(missing)
    assert len(reported.value.message) < 5000
    assert "and 99,980 more" in reported.value.message
