"""A tree of categories: reading it, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from classify.categories.category_file import Category, as_categories, parse_categories
from classify.categories.tree import CategoryTree
from classify.model.decision import Decision
from hin.errors import BadInput

ARROWS = ["science > space", "science > medicine: doctor, patient", "for sale", "sports > ball > hockey [10%]"]
INDENTED = ["science", "  space", "  medicine: doctor, patient", "for sale", "sports", "\tball", "\t\thockey [10%]"]


@pytest.mark.parametrize("lines", [ARROWS, INDENTED, ["", "# a tree", *ARROWS]])
def test_both_ways_of_writing_mean_the_same(lines: list[str]) -> None:
    found = parse_categories(lines)
    assert [(category.path, category.name) for category in found] == [
        (("science",), "space"), (("science",), "medicine"), ((), "for sale"), (("sports", "ball"), "hockey"),
    ]  # fmt: skip
    assert found[1].keywords == ("doctor", "patient")
    assert found[3].share == 0.1
    assert as_categories(ARROWS) == found
    assert [Category.of_record({**vars(category)}) for category in found] == list(found)


def test_a_child_may_be_called_like_its_parent() -> None:
    found = parse_categories(["religion > atheism", "religion > religion"])
    tree = CategoryTree.of(found)
    assert tree is not None
    assert tree.names == ("atheism", "religion", "religion (all)")
    assert tree.path(1) == ["religion (all)", "religion"]


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (["a > b", "b > a"], 2, "cycle"),
        (["a > b > a", "c"], 1, "cycle"),
        (["a > b", "b > c", "c > a"], 3, "cycle"),
        (["a > x", "b > x"], 2, "under 'b', but under 'a' in line 1"),
        (["a > x", "a > x"], 2, "already named in line 1"),
        (["a > x", "a > y", "x"], 3, "already named in line 1"),
        (["a: word", "  x", "  y"], 1, "has categories under it"),
        (["a [10%]", "  x", "  y"], 1, "has categories under it"),
        (["a", "    x", "  y"], 3, "indented unlike every line above"),
        (["a > > b", "c"], 1, "name is missing"),
    ],
)
def test_what_is_no_tree_is_reported_with_its_line(lines: list[str], line: int, words: str) -> None:
    with pytest.raises(BadInput) as error:
        parse_categories(lines, "labels.txt")
    assert error.value.message.startswith(f"labels.txt, line {line}: ")
    assert words in error.value.message
    assert error.value.hint


def test_an_unsure_leaf_climbs_to_the_parent_that_is_sure() -> None:
    tree = CategoryTree.of(parse_categories(["science > space", "science > medicine", "for sale"]))
    probabilities = np.array([[0.45, 0.45, 0.1], [0.9, 0.05, 0.05], [0.3, 0.3, 0.4], [0.1, 0.1, 0.8]])
    given = Decision(0.7, tree=tree).given(probabilities)
    assert given.first().tolist() == [3, 0, -1, 2]
    assert given.confidence.tolist() == [0.9, 0.9, 0.8]
    assert Decision(tree=tree).given(probabilities).first().tolist() == [0, 0, 2, 2]
    again = Decision.of_record(Decision(0.7, tree=tree).as_record())
    assert again.given(probabilities).first().tolist() == [3, 0, -1, 2]
