"""Docstrings, comments and names use the words of docs/explanation/glossary.md, not those that it replaced."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("hin", "motifs", "embed", "classify", "tests", "benchmarks", "docker", "examples")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if path != Path(__file__))
#: The scripts of the report and of the workbench; not those of others.
SCRIPTS = [path for path in sorted((ROOT / "classify").rglob("*.js")) if path.parent.name not in ("echarts", "vendor")]

#: What does not come back, and what stands in its place.
REPLACED = {
    r"circles? of garbage": "reference cycle",
    r"(?:let|lets|letting) go of": "release",
    r"hand(?:s|ed|ing)?(?: \w+){0,3} back": "release, return",
    r"shut up": "silence",
    r"told|(?<!cannot )tells?": "show, report, distinguish",
    r"gone on with": "continued",
    r"but for (?:some|a|the|its|these|those)": "except for",
    r"(?:at (?:least|most)|of|for|after) so many": "this many",
    r"one (?:row|record|label|category|column|vector|list|file|object|level|class) an? (?:\w+)": "one … per …",
    r"categories a document": "categories per document",
    r"put(?:s|ting)? aside": "map into a file",
    r"spea(?:k|ks|king) of": "predict, be about",
    r"what it speaks of": "its subject",
}

#: Openings of docstrings that make a riddle of what a function does.
RIDDLES = re.compile(r"Return (?:what|where|how|which|whether)\b")

#: Names of the code that do not come back.
RENAMED = {
    "told": "explanation, message, watch, known",
    "let_go": "release_pages",
    "room_for": "mapped_zeros",
    "put_aside": "map_large",
    "lesson": "data",
    "turned": "transposed",
    "telling": "informative",
    "whole_file": "atomic_file",
    "whole_folder": "atomic_folder",
    "without_leaflets": "data_members",
    "said_by_another": "find_repeated_fields",
    "refuse_what_is_no_text": "refuse_binary",
    "how_cut": "segmentation_of",
    "mark_of": "cache_key_of",
    "slip_in": "correction_for",
    "mapped_to_change": "map_writable",
    "shut_up": "silence",
    "speaks_of_words": "is_text",
    "without_useless": "drop_useless_fields",
    "without_stop_words": "drop_stop_words",
    "without_common_parts": "drop_common_parts",
    "without_outliers": "unlabel_outliers",
    "without_chance": "move_chance_to_parts",
    "look_at": "sample_column",
    "near_twins": "find_respellings",
    "say_the_same": "repeats_texts",
    "how_read": "reading_settings",
    "what_shapes": "cache_key_parts",
    "kept_rows": "rows_of_documents",
    "stored_again": "reuse_stored",
    "load_again": "reload_file",
    "asked_for": "resolve_settings",
    "as_many_each": "repeat_to_equal_size",
    "carried_edges": "renumber_extra_edges",
    "read_like": "inherit_options",
    "held_only": "by_persons",
    "is_beside": "nuisance_share",
    "fields_beside": "nuisance_fields",
    "trained_there": "train_network",
    "limits_in_words": "spell_limits",
    "was_of": "is_made_from",
    "was_read": "record_input",
    "must_have": "require_field",
    "unlike": "drop_near_duplicates",
    "without_alike": "drop_spelled_alike",
    "least_drowned": "choose_smoothing",
    "take_out": "remove_nuisances",
    "takenout": "NuisanceRemoval",
    "asked_terms": "terms_to_read",
    "tame": "finite",
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


@cache
def prose_of(path: Path) -> tuple[tuple[int, str], ...]:
    """Return the docstrings and comments of a file, read once."""
    return tuple(prose(path.read_text(encoding="utf-8")))


@cache
def names_of(path: Path) -> dict[str, int]:
    """Return the identifiers of a file, without underscores around them, each with a line."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return {one.string.lower().strip("_"): one.start[0] for one in tokens if one.type == tokenize.NAME}


@pytest.mark.parametrize("word", REPLACED)
def test_a_replaced_word_does_not_come_back(word: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in FILES
        for line, text in prose_of(path)
        if re.search(rf"\b(?:{word})\b", text, re.IGNORECASE)
    ]
    assert not found, f"say {REPLACED[word]!r}"


def test_docstrings_begin_with_what_the_function_does() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}" for path in FILES for line, text in prose_of(path) if RIDDLES.match(text)
    ]
    assert not found, "begin with a verb: Check whether, Count, Describe, Find"


@pytest.mark.parametrize("name", RENAMED)
def test_a_renamed_identifier_does_not_come_back(name: str) -> None:
    found = [f"{path.relative_to(ROOT)}:{names_of(path)[name]}" for path in FILES if name in names_of(path)]
    assert not found, f"say {RENAMED[name]!r}"


#: Words that are no part of a name either, as in `is_told`.
PARTS = {"told", "tells", "telling", "lesson", "leaflet", "leaflets"}


def test_no_name_has_a_replaced_word_in_it() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in FILES
        for name, line in names_of(path).items()
        if PARTS & set(name.split("_"))
    ]
    assert not found, "say report, show, explain, distinguish"


def test_scripts_of_the_pages_use_the_same_words() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {word[0]}"
        for path in SCRIPTS
        for word in re.finditer(r"\b(?:told|(?<!cannot )tells?|lesson)\b", path.read_text(encoding="utf-8"))
    ]
    assert len(SCRIPTS) > 20 and not found, "say report, show"
