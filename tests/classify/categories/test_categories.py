"""The labels file: every way to write it, every way to get it wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from classify.categories.category_file import (
    Category,
    as_categories,
    parse_categories,
    read_categories,
    shares_of,
    typed_names,
)
from hin.errors import BadInput


def test_names_keywords_and_shares_are_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.txt"
    path.write_text(
        "\ufeff# the archive\n\n  ham   radio \nc++: templates ,stl,, templates\nuse::games [12.5 %]: play\n",
        encoding="utf-8",
    )
    assert read_categories(path) == (
        Category("ham radio"),
        Category("c++", ("templates", "stl")),
        Category("use::games", ("play",), 0.125),
    )


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ('"nuts, nut products", seafood', ["nuts, nut products", "seafood"]),
        ('"a; b", c', ["a; b", "c"]),
        ('a,"b, c: d [9%]"', ["a", "b, c: d [9%]"]),
        ('"say ""hi"", x" [5%]: y, z; b', ['say "hi", x', "b"]),
        ('"a, b" > c; "a, b" > d', ["c", "d"]),
        ('the "a, b" files; c', ['the "a, b" files', "c"]),
        ('"a, b', ['"a', "b"]),
    ],
)
def test_double_quotes_hold_a_typed_name_together_as_in_csv(typed: str, names: list[str]) -> None:
    assert [category.name for category in read_categories(typed)] == names


def test_a_quoted_line_of_a_file_is_the_name_without_its_quotes(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text('"nuts, nut products": almond\n"seafood"\n', encoding="utf-8")
    found = read_categories(path)
    assert found == (Category("nuts, nut products", ("almond",)), Category("seafood"))
    assert typed_names((Category("nuts, nuts"), Category("b"))) == "'\"nuts, nuts\", b'"


def test_a_name_may_start_with_a_hash_behind_a_backslash() -> None:
    assert parse_categories(["\\#hashtags", "b"])[0].name == "#hashtags"


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (["a", "b", "A"], 3, "already named in line 1"),
        (["data mining", "", "Data-Mining"], 3, "already named in line 1"),
        (["a [200%]", "b"], 1, "not a share"),
        (["a", "b [0%]: x"], 2, "not a share"),
        (["a [many]", "b"], 1, "not a share"),
        (["a [.2]", "b"], 1, "not a share"),
        (["a", ": x, y"], 2, "no category name"),
        (["a", "???"], 2, "no category name"),
    ],
)
def test_a_bad_line_is_named_with_file_line_and_remedy(lines: list[str], line: int, words: str) -> None:
    with pytest.raises(BadInput) as error:
        parse_categories(lines, "labels.txt")
    assert error.value.message.startswith(f"labels.txt, line {line}: ")
    assert words in error.value.message
    assert error.value.hint
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("lines", [[], ["", "# nothing"], ["alone"]])
def test_fewer_than_two_categories_are_refused(lines: list[str]) -> None:
    with pytest.raises(BadInput, match="at least two"):
        parse_categories(lines, "labels.txt")


def test_shares_above_the_whole_are_refused() -> None:
    with pytest.raises(BadInput, match="add up to 120%"):
        parse_categories(["a [60%]", "b [60%]"])


def test_an_unreadable_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot read"):
        read_categories(tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes("mathématique\nweb\n".encode("latin-1"))
    with pytest.raises(BadInput, match="UTF-8"):
        read_categories(tmp_path / "latin.txt")


def test_python_users_may_give_names_lines_mappings_or_categories(tmp_path: Path) -> None:
    expected = (Category("games", ("arcade",)), Category("fonts"))
    (tmp_path / "labels.txt").write_text("games: arcade\nfonts\n")
    for given in (
        ["games: arcade", "fonts"],
        {"games": ["arcade"], "fonts": []},
        [Category("games", ("arcade",)), "fonts"],
        tmp_path / "labels.txt",
        str(tmp_path / "labels.txt"),
    ):
        assert as_categories(given) == expected


@pytest.mark.parametrize("given", [["a"], [], ["a", "A"], ["a", " "], ["a", 3]])
def test_python_users_get_the_same_refusals(given: list[str]) -> None:
    with pytest.raises(BadInput):
        as_categories(given)


def test_shares_fill_up_to_one() -> None:
    assert shares_of([Category("a"), Category("b")]) is None
    assert shares_of([Category("a", share=0.9), Category("b", share=0.3)]) == pytest.approx([0.75, 0.25])
    full = shares_of([Category("a", share=1.0), Category("b")])
    assert full is not None
    assert sum(full) == pytest.approx(1)
    assert full[1] > 0


def test_a_comma_that_may_separate_categories_or_keywords_is_an_error() -> None:
    with pytest.raises(BadInput, match="not clear which"):
        read_categories("fall: fell, roof, fire")
    assert [category.keywords for category in read_categories("fall: fell, fire: flame")] == [("fell",), ("flame",)]
