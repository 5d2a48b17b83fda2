"""The panels of the workbench in a real browser: preview, fields, quality, motifs, and a file from end to end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.classify.explore.explore_kit import HOSTILE, NAMES, Bench, Served, serving_file, write_tickets

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_word_shows_who_would_move_before_the_run(bench: Bench, served: Served) -> None:
    page = bench.page
    page.locator("#categories button.name").first.click()
    for word in ("password", "account", "login page"):
        page.locator("#categories .details input").first.fill(word)
        page.keyboard.press("Enter")
        bench.said(f"{word.capitalize()} stands for billing.")
    page.locator(".preview", has_text=re.compile(r"about [1-9]\d* documents of 90 would move")).wait_for()
    page.get_by_role("button", name="Show who").click()
    page.locator("#documents small", has_text="would be billing").first.wait_for()
    assert served.state()["classified"]["current"] is False
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    page.locator(".preview").wait_for(state="detached")


def test_a_field_is_switched_off_and_on(bench: Bench, served: Served) -> None:
    page = bench.page
    page.get_by_role("tab", name="Fields").click()
    page.get_by_role("button", name="Preview switching agent").click()
    page.locator("#fields [role=status]", has_text="about").wait_for()
    page.get_by_role("switch", name="use agent").click()
    bench.said("agent is switched off for the next run.")
    page.get_by_role("button", name="Copy as commands").click()
    assert "--pattern term" in page.locator("dialog pre").inner_text()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("switch", name="use agent", checked=False).click()
    bench.said("agent is switched on for the next run.")
    assert served.state()["switched"] == {"agent": True}


def test_twelve_answers_measure_the_labels(bench: Bench, served: Served) -> None:
    page = bench.page
    page.get_by_role("tab", name="Quality").click()
    page.get_by_text("Not measured yet").wait_for()
    page.get_by_role("button", name="Answer 50 to measure").click()
    page.get_by_text("which are not shown here").wait_for()
    assert page.locator("#why .reasons, #why .verdict").count() == 0
    for _ in range(12):
        bench.press("1")
    page.get_by_role("button", name="Back to the quality").click()
    page.get_by_text("from 12 answers to a random draw").wait_for()
    page.get_by_role("region", name="Answers against labels").wait_for()
    assert served.state()["answers"] == 0


def test_a_pattern_is_tried_and_an_instance_opens_its_documents(bench: Bench) -> None:
    page = bench.page
    page.get_by_role("tab", name="Motifs").click()
    page.get_by_label("Try a pattern").fill("agent")
    page.keyboard.press("Enter")
    page.get_by_text("6 instances of agent").wait_for()
    assert page.locator("#motifs td", has_text=HOSTILE).count() == 0  # it is in two documents, and five are needed
    page.get_by_role("button", name="picture of AGENT[Agent 2-0]").click()
    page.locator("#motifs svg.picture circle").first.wait_for()
    page.get_by_role("button", name="AGENT[Agent 2-0]", exact=True).click()
    page.get_by_text("15 documents", exact=True).wait_for()
    page.get_by_label("Label all 15 found").wait_for()


def test_the_tabs_stand_in_one_line_and_the_schema_names_a_relationship_once(bench: Bench) -> None:
    tabs = bench.page.get_by_role("tab")
    assert len({round(box["y"]) for tab in tabs.all() if (box := tab.bounding_box())}) == 1
    bench.page.get_by_role("tab", name="Query").click()
    lines = bench.page.locator(".schema li")
    lines.first.wait_for()
    names = lines.locator("button").all_inner_texts()
    assert len(names) == len(set(names)) > 5
    assert "Motif → " in lines.filter(has_text=":PART").inner_text()


def test_a_file_begins_with_its_columns_and_ends_with_categories(browser: Any, tmp_path: Path) -> None:
    file = write_tickets(tmp_path / "tickets.jsonl")
    with serving_file(file) as served:
        bench = Bench(browser, served.address)
        page = bench.page
        page.get_by_label("what agent is").select_option("left out")
        page.get_by_role("button", name="Load again with 1 correction").click()
        bench.said("The file is loaded again.")
        page.get_by_role("heading", name="Topics found in the documents").wait_for()
        page.get_by_label("New category").fill(", ".join(NAMES))
        page.locator("#categories").get_by_role("button", name="Add").click()
        page.locator(".start").get_by_role("button", name="Run").click()
        page.get_by_text("Labels are up to date").wait_for(timeout=120_000)
        page.get_by_role("button", name="Take away").click()
        with page.expect_download() as started:
            page.get_by_role("link", name="tickets.jsonl with categories").click()
        assert started.value.suggested_filename == "tickets-categories.jsonl"
        lines = Path(started.value.path()).read_text(encoding="utf-8").splitlines()
        assert len(lines) == 90 and '"category":"billing"' in lines[0] and '"agent": "Agent 0-0"' in lines[0]
        bench.close()


def test_a_dropped_file_is_opened_in_place_of_the_graph(bench: Bench, served: Served, tmp_path: Path) -> None:
    page, text = bench.page, write_tickets(tmp_path / "away.jsonl", 30).read_text(encoding="utf-8")
    page.evaluate(
        """(text) => { const data = new DataTransfer(); data.items.add(new File([text], "other.jsonl"));
        dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true })); }""",
        text,
    )
    page.get_by_role("button", name="Open it").click()
    page.get_by_role("heading", name="Columns of other.jsonl").wait_for()
    page.get_by_role("button", name="They are right").click()
    page.get_by_text("30 documents, 0 answers").wait_for()
    page.get_by_role("heading", name="Name your categories").wait_for()
    assert served.state()["categories"] == []
