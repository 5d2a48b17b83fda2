"""What is said about category names is so: how often they are written, and what they were placed by."""

from __future__ import annotations

import pytest

import hin
from classify.categories.category_file import Category
from classify.categories.finding import CategoryFinding, find_categories
from classify.categories.naming import find_names
from classify.commands.select import found_as
from classify.knowledge.static import built_in_model


def notes_of(texts: list[str], name: str) -> tuple[CategoryFinding, list[str]]:
    graph = hin.load([{"id": str(i), "text": text} for i, text in enumerate(texts)])
    finding = find_categories(graph, [Category(name)])[0][0]
    return finding, finding.notes()


def test_a_name_inside_longer_phrases_is_counted_there() -> None:
    kinds = ["old sailing ship of oak", "dutch sailing ship of iron", "tall sailing ship of steel"]
    texts = [f"{kinds[i % 3]} lost near rock {i}" for i in range(11)] + [f"a boat number {i}" for i in range(30)]
    finding, notes = notes_of(texts, "sailing ship")
    assert finding.document_count == 11
    assert notes == []


def test_one_word_is_no_phrase() -> None:
    texts = [f"cargo of coal number {i}" for i in range(20)] + ["the sea", "the sky"]
    finding, _ = notes_of(texts, "coal")
    assert finding.status == "phrase" and finding.term == "coal"
    assert "phrase made" not in found_as(finding) and "counted inside phrases too" in found_as(finding)


@pytest.mark.parametrize("status", ["composed", "meaning", "missing"])
def test_a_name_that_occurs_nowhere_is_not_in_some_documents_too(status: str) -> None:
    finding = CategoryFinding("polar programs", status, None, 0, words=("ice",))  # type: ignore[arg-type]
    assert found_as(finding).startswith("occurs nowhere")
    assert "in 0 documents" not in found_as(finding)


def test_what_is_only_spelled_alike_is_not_said_to_be_meant() -> None:
    words = ["pollution", "polarization", "election", "voters", "polymer", "polls", "doctor", "hospital"]
    rows = [{"id": str(i), "text": " ".join(words[(i + k) % 8] for k in range(3))} for i in range(40)]
    graph = hin.load(rows, phrases=False)
    wanted = [Category("Polar Programs"), Category("physician")]
    polar, medicine = find_names(graph, wanted, built_in_model(), min_count=1).findings
    assert "pollution" not in polar.words  # a capital letter made it another word
    assert polar.notes() == [
        "occurs nowhere; placed near polarization, which may only be spelled alike; keywords would help"
    ]
    assert medicine.notes() == ["occurs nowhere; placed by what it means, near doctor"]
    spelled = CategoryFinding("Kultur", "meaning", None, 0, words=("k", "kunde", "wien"))
    assert spelled.notes() == ["occurs nowhere; placed by what it means, near wien"]


def test_a_word_of_the_same_stem_is_no_other_spelling_of_a_name() -> None:
    stem = CategoryFinding("deportes", "variant", "deportación", 9)
    assert stem.notes() == ["found as 'deportación', which has the same stem"]
    assert CategoryFinding("libraries", "variant", "library", 9).notes() == ["found as 'library'"]
