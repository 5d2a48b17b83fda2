"""The panels of the workbench in a real browser: preview, fields, quality, motifs, and a file from end to end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.classify.explore.explore_kit import HOSTILE, NAMES, Bench, Served, serving, serving_file, write_tickets

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
    page.get_by_text("7 instances of agent").wait_for()
    assert page.locator("#motifs td", has_text=HOSTILE).count() == 1  # it is in two documents, enough in a small corpus
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


def test_examples_of_what_can_be_typed_are_of_this_graph(bench: Bench) -> None:
    page = bench.page
    assert "agent: a value" in page.get_by_role("searchbox").get_attribute("placeholder")
    page.locator("#categories button.name").first.click()
    page.get_by_text("AGENT[a value]").wait_for()
    bench.search("nothing like it")
    page.get_by_text("agent: a value finds a value").wait_for()
    page.get_by_role("tab", name="Motifs").click()
    example = page.get_by_label("Try a pattern").get_attribute("placeholder").split(" or ")[1]
    assert example == "(d:document)-[:agent]->(v:agent)"
    page.get_by_label("Try a pattern").fill(example)
    page.keyboard.press("Enter")
    page.get_by_text(re.compile("^7 instances of")).wait_for()
    page.get_by_role("tab", name="Query").click()
    page.get_by_role("button", name=":HAS_AGENT").wait_for()
    assert page.get_by_role("button", name=":HinGraph").count() == 0


def test_the_page_names_the_next_step(bench: Bench) -> None:
    page = bench.page
    bench.search("/case (7|8)$/")
    page.get_by_text("2 documents", exact=True).wait_for()
    bench.press("1")
    bench.said("1 answer so far.")
    assert "run to learn" not in page.locator(".message").inner_text()
    bench.press("1")
    bench.said("2 answers so far. The whole list is answered: run to learn from it.")
    page.get_by_label("Show").select_option("moved")
    page.get_by_text("No document moved between the last two runs.").wait_for()


def test_a_word_is_not_added_twice(bench: Bench, served: Served) -> None:
    page = bench.page
    page.locator("#categories button.name").first.click()
    for said in ("Parcel stands for billing.", "Parcel stands for billing already."):
        page.locator("#categories .details input").first.fill("parcel")
        page.keyboard.press("Enter")
        bench.said(said)
    assert served.ask("POST", "/api/v1/undo")[1]["undone"] == "parcel stands for billing"
    assert served.state()["undo"] is None


def test_why_not_the_runner_up(bench: Bench) -> None:
    page = bench.page
    other = page.locator("#why .verdict button.link")
    name = other.inner_text()
    other.click()
    page.locator("#why .verdict", has_text=f"Why not {name}, ").wait_for()
    assert "else" not in page.locator("#why .verdict").inner_text()
    page.get_by_role("button", name="back to its own category").click()
    page.locator("#why .verdict", has_text=f"else {name}").wait_for()


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


def test_columns_that_are_right_lead_on(browser: Any, tmp_path: Path) -> None:
    file = write_tickets(tmp_path / "tickets.jsonl")
    with serving_file(file, "--categories", ", ".join(NAMES)) as served:
        bench = Bench(browser, served.address)
        way = bench.page.get_by_role("button", name="They are right: go on")
        assert "primary" in way.get_attribute("class")
        way.click()
        bench.page.locator(".start").get_by_role("button", name="Run").wait_for()
        bench.close()


def test_a_dropped_file_is_opened_in_place_of_the_graph(bench: Bench, served: Served, tmp_path: Path) -> None:
    page, text = bench.page, write_tickets(tmp_path / "away.jsonl", 30).read_text(encoding="utf-8")
    page.locator("#why .near li").first.wait_for()
    page.wait_for_load_state("networkidle")  # what is asked about this graph must not meet the other one
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


def test_before_the_first_run_every_panel_shows_what_it_has(
    browser: Any, tmp_path: Path, hin_process: Callable[..., Any]
) -> None:
    file = write_tickets(tmp_path / "tickets.jsonl")
    hin_process("load", file, "--graph", tmp_path / "new.hin", "--text", "title,text")
    with serving(tmp_path / "new.hin") as served:
        bench = Bench(browser, served.address)
        page = bench.page
        page.get_by_role("button", name=re.compile(r"^show \d+ of")).first.click()
        page.get_by_text(re.compile(r"^\d+ documents$"), exact=True).wait_for()
        assert _in_sight(bench, "#documents tbody tr.here")
        for tab, said in (("Map", "#map, .empty"), ("Motifs", "#motifs"), ("Query", "#query"), ("Runs", ".empty")):
            page.get_by_role("tab", name=tab).click()
            page.locator(f"[role=tabpanel] :is({said})").first.wait_for()
            assert _in_sight(bench, f"[role=tabpanel] :is({said})"), tab
            assert page.locator(".start").count() == 0
            if tab == "Query":  # the first example is one that this graph can answer
                page.get_by_role("button", name="Ask", exact=True).click()
                page.get_by_role("region", name="Rows").wait_for()
        assert page.evaluate("window.hacked") is None and page.locator("img, #app script").count() == 0
        page.get_by_role("button", name="Take away").click()
        assert page.locator("dialog a").all_inner_texts() == ["labels.txt", "answers.csv", "log.jsonl"]
        with page.expect_download() as started:
            page.get_by_role("link", name="answers.csv").click()
        assert started.value.suggested_filename == "answers.csv"
        assert Path(started.value.path()).read_bytes() == b"document,category\n"
        bench.close()


def _in_sight(bench: Bench, selector: str) -> bool:
    """Whether the top of an element is within the window."""
    box = bench.page.locator(selector).first.bounding_box()
    return box is not None and 0 <= box["y"] < bench.page.viewport_size["height"]


def test_an_open_category_leaves_the_others_in_sight(bench: Bench) -> None:
    page = bench.page
    page.locator("#categories button.name").first.click()
    page.locator("#categories .offer").first.wait_for()
    assert _in_sight(bench, "#categories li:last-child button.name")
    page.get_by_text("Name, tree, share, split, merge, remove").click()
    page.get_by_label("Merge into").wait_for()


def test_categories_are_renamed_split_merged_described_and_removed(bench: Bench, served: Served) -> None:
    page = bench.page

    def unfold(name: str) -> None:
        opened = page.locator("#categories button.name", has_text=name)
        if opened.get_attribute("aria-expanded") == "false":
            opened.click()
        if not page.get_by_label("Merge into").is_visible():
            page.get_by_text("Name, tree, share, split, merge, remove").click()

    def fill(name: str, field: str, text: str) -> None:
        unfold(name)
        page.locator("#categories").get_by_label(field, exact=True).fill(text)
        page.keyboard.press("Enter")

    fill("billing", "Expected share, per cent", "40")
    bench.said("Set the share of billing.")
    fill("billing", "Description", "invoices and refunds")
    bench.said("Described billing.")
    fill("billing", "Under (for a tree)", "money")
    bench.said("Moved billing in the tree.")
    fill("billing", "Name", "invoices")
    bench.said("Renamed billing to invoices.")
    fill("login", "Split into (names with commas)", "password, account")
    bench.said("Split login into password and account.")
    fill("delivery", "Name", "parcels")
    bench.said("Renamed delivery to parcels.")
    unfold("parcels")
    page.get_by_label("Merge into").select_option("account")
    bench.said("Merged parcels into account.")
    unfold("password")
    page.get_by_role("button", name="Remove", exact=True).click()
    bench.said("Removed password.")
    found = {one["name"]: one for one in served.state()["categories"]}
    assert found.keys() == {"invoices", "account"}
    invoices = found["invoices"]
    assert (invoices["share"], invoices["description"], invoices["path"]) == (0.4, "invoices and refunds", ["money"])
    assert found["account"]["keywords"] == ["parcels"]
    for _ in range(8):
        page.get_by_role("button", name="Undo").click()
        bench.settled()
    page.get_by_text("0 answers").wait_for()
    assert [one["name"] for one in served.state()["categories"]] == NAMES


def test_what_takes_longer_shows_that_it_works(bench: Bench) -> None:
    page = bench.page
    held: list[Any] = []
    page.route("**/api/v1/answers", lambda route: held.append(route))
    page.keyboard.press("1")
    page.locator(".busy", has_text="Working").wait_for()
    held[0].continue_()
    bench.said("1 answer so far.")
    page.locator(".busy .late").wait_for(state="detached")
    page.unroute("**/api/v1/answers")
    page.route("**/api/v1/file?name=report.html", lambda route: held.append(route))
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("link", name="report.html").click()
    page.get_by_text("Making it").wait_for()
    held[1].fulfill(status=500, content_type="application/json",
                    body='{"error": {"kind": "x", "message": "the disk is full", "hint": "free some"}}')  # fmt: skip
    page.get_by_text("the disk is full; free some").wait_for()
    assert ["500" in trouble for trouble in bench.troubles] == [True]  # the browser reports the refusal
    bench.troubles.clear()


def test_every_example_of_a_query_is_answered(bench: Bench, served: Served) -> None:
    page = bench.page
    page.get_by_role("tab", name="Query").click()
    page.get_by_role("button", name=":HAS_AGENT").wait_for()
    queries = page.get_by_label("Examples").locator("option").evaluate_all("all => all.map((one) => one.value)")[1:]
    assert len(queries) >= 14
    for query in queries:
        status, found = served.ask("POST", "/api/v1/query", {"query": query})
        assert status == 200, (query, found)
    page.get_by_label("Examples").select_option("Documents of each category")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("region", name="Rows").wait_for()
    page.get_by_label("History").wait_for()
    assert page.locator("#middle").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    cited = {"labels": [{"label": "Document"}, {"label": "Category"}],
             "relationships": [{"type": "CITES", "from": "Document", "to": "Document"},
                               {"type": "CLASSIFIED_AS", "from": "Document", "to": "Category"}]}  # fmt: skip
    read = "async (schema) => (await import('/page/cookbook.js')).cookbook(schema)"
    titles = [title for title, _ in page.evaluate(read, cited)]
    assert "Categories joined by CITES" in titles and "Documents in doubt" in titles
    assert not any(title.startswith(("Values of", "What indicates")) for title in titles)
