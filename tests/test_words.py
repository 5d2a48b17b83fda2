"""Docstrings and comments use the words of docs/explanation/glossary.md, not those that the glossary replaced."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(path for package in ("hin", "motifs", "embed", "classify") for path in (ROOT / package).rglob("*.py"))

#: What does not come back, and what stands in its place.
REPLACED = {
    r"circles? of garbage": "reference cycle",
    r"(?:let|lets|letting) go of": "release",
    r"hand(?:s|ed)? back": "release",
    r"shut up": "silence",
}

#: Names of the code that do not come back.
RENAMED = {
    "told": "explanation, message, watch, known",
    "let_go": "release_pages",
    "room_for": "mapped_zeros",
    "put_aside": "map_large",
    "lesson": "data",
    "turned": "transposed",
    "telling": "informative",
}


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of a module, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None:
                yield (
                    getattr(node, "lineno", 1),
                    "\n".join(x for x in text.splitlines() if not x.lstrip().startswith(">")),
                )
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("word", REPLACED)
def test_a_replaced_word_does_not_come_back(word: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in FILES
        for line, text in prose(path.read_text(encoding="utf-8"))
        if re.search(rf"\b{word}\b", text, re.IGNORECASE)
    ]
    assert not found, f"say {REPLACED[word]!r}"


@pytest.mark.parametrize("name", RENAMED)
def test_a_renamed_identifier_does_not_come_back(name: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{token.start[0]}"
        for path in FILES
        for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
        if token.type == tokenize.NAME and token.string.lower().strip("_") == name
    ]
    assert not found, f"say {RENAMED[name]!r}"
