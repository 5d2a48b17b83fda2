"""The workbench in a real browser: by keys, by mouse, killed in the middle, with hostile content."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.classify.explore.explore_kit import (
    HOSTILE,
    NAMES,
    Bench,
    Served,
    serving,
    write_tickets,
)  # fmt: skip
from tests.conftest import ROOT

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_token_does_not_stay_in_the_address(bench: Bench, served: Served) -> None:
    assert served.token not in bench.page.url
    bench.page.reload()
    bench.page.locator("#documents table.list").wait_for()


def test_keys_answer_undo_select_and_search(bench: Bench, served: Served) -> None:
    page = bench.page
    bench.press("2", "Enter", "u")
    assert page.locator("tr.here button.title").inner_text() == f"{HOSTILE} title"
    assert served.ask("GET", "/api/v1/documents?queue=answered")[1]["documents"][0]["answer"] == "delivery"
    bench.press("u")
    assert served.state()["answers"] == 0
    bench.press("x", "j", "x", "j", "x", "3")
    bench.said("3 documents: login. 3 answers so far.")
    bench.press("/")
    page.keyboard.type("agent: Agent 0-0")
    page.keyboard.press("Enter")
    page.get_by_text("15 documents", exact=True).wait_for()
    page.get_by_label("Label all 15 found").select_option("delivery")
    bench.said("15 documents: delivery")
    assert served.state()["answers"] >= 15
    bench.press("u")
    assert served.state()["answers"] == 3
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


def test_from_nothing_to_exported_predictions_by_mouse(
    browser: Any, tmp_path: Path, hin_process: Callable[..., Any]
) -> None:
    hin_process(
        "load", write_tickets(tmp_path / "tickets.jsonl"), "--graph", tmp_path / "new.hin", "--text", "title,text"
    )
    with serving(tmp_path / "new.hin") as served:
        bench = Bench(browser, served.address)
        page = bench.page
        page.get_by_role("heading", name="Name your categories").wait_for()
        page.get_by_label("New category").fill(", ".join(NAMES))
        page.locator("#categories").get_by_role("button", name="Add").click()
        page.locator(".start").get_by_role("button", name="Run").click()
        page.get_by_text("Labels are up to date").wait_for(timeout=120_000)
        bench.said("The documents are classified.")
        page.get_by_role("button", name="Take away").click()
        with page.expect_download() as started:
            page.get_by_role("link", name="predictions.csv").click()
        given = Path(started.value.path()).read_bytes()
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Copy as commands").click()
        commands = page.locator("dialog pre").inner_text()
        bench.close()
    hin_process(
        "load", tmp_path / "tickets.jsonl", "--graph", tmp_path / "new.hin", "--text", "title,text", "--replace"
    )
    shell = commands.replace("hin classify", f"'{sys.executable}' -m hin classify")
    subprocess.run(["sh", "-ec", shell], check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (tmp_path / "predictions.csv").read_bytes() == given
    assert given.startswith(b"document,category,confidence\nt000,billing,")


def test_a_word_and_answers_by_keyboard_then_a_run_and_what_moved(bench: Bench, served: Served) -> None:
    page = bench.page
    for _ in range(10):
        bench.press("3")
    page.locator("#categories button.name").nth(1).focus()
    page.keyboard.press("Enter")
    page.locator("#categories .details input").first.focus()
    page.keyboard.type("parcel")
    page.get_by_text(re.compile(r"^in \d+ documents$")).wait_for()
    page.keyboard.press("Enter")
    bench.said("Parcel stands for delivery.")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+R")
    page.get_by_text("Labels are up to date").wait_for(timeout=120_000)
    bench.said("moved.")
    assert page.locator("#documents select").first.input_value() == "moved"
    page.locator("#documents table.list tbody tr").nth(5).wait_for()
    assert page.locator("#documents table.list tbody tr").count() >= 6
    assert (
        "was" in page.locator("#documents table.list tbody").inner_text()
        or "✓" in page.locator("#documents table.list tbody").inner_text()
    )
    assert served.state()["classified"]["current"] is True
    page.get_by_role("tab", name="Runs").click()
    page.get_by_text(re.compile(r"\d+ documents of 90 moved")).wait_for()
    page.get_by_role("button", name="Show them").click()
    page.locator("#documents table.list").wait_for()


def test_a_query_gives_rows_a_picture_and_documents_to_label(bench: Bench, served: Served) -> None:
    page = bench.page
    page.get_by_role("tab", name="Query").click()
    page.get_by_role("button", name=":HAS_AGENT").wait_for()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#query .rows td", has_text="billing").first.wait_for()
    page.get_by_label("Cypher").fill(
        "MATCH (d:Document)-[r:HAS_AGENT]->(a:Agent) WHERE a.name ENDS WITH '2-0' RETURN d, r, a"
    )
    page.keyboard.press("Control+Enter")
    page.locator("#query svg.picture circle").first.wait_for()
    assert page.locator("#query svg.picture circle").count() == 16
    page.get_by_role("button", name="Label these documents").click()
    page.get_by_text("15 documents", exact=True).wait_for()
    page.get_by_label("Label all 15 found").select_option("login")
    bench.said("15 documents: login")
    assert served.state()["answers"] == 15
    page.get_by_role("tab", name="Query").click()
    page.get_by_label("Cypher").fill("MATCH (n) DETACH DELETE n")
    page.keyboard.press("Control+Enter")
    page.locator("#query .failed").wait_for()
    assert ["400" in trouble for trouble in bench.troubles] == [True]  # the browser reports the refusal
    bench.troubles.clear()


def test_a_lasso_on_the_map_labels_at_once(bench: Bench, served: Served) -> None:
    page = bench.page
    page.get_by_role("tab", name="Map").click()
    page.locator("#map .chip").first.wait_for()
    page.locator("#map .wait").wait_for(state="detached")
    for colour in ("confidence", "answer", "moved", "agent", "category"):
        page.get_by_label("Colour by").select_option(colour)
        page.wait_for_function("() => !document.querySelector('#map .wait, #map .failed')")
    box = page.locator("canvas.map").bounding_box()
    corners = [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99), (0.01, 0.02)]
    spots = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners]
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot, steps=4)
    page.mouse.up()
    page.get_by_text("90 documents", exact=True).wait_for()
    page.get_by_label("Label all 90 found").select_option("delivery")
    bench.said("90 documents: delivery")
    bench.press("u")
    assert served.state()["answers"] == 0


def test_killed_at_any_moment_nothing_that_was_acknowledged_is_lost(browser: Any, place: Path) -> None:
    with serving(place) as served:
        bench = Bench(browser, served.address)
        bench.press("1", "3", "2", "u")
        bench.page.get_by_label("New category").fill("repairs")
        bench.page.keyboard.press("Enter")
        bench.said("Added repairs.")
        served.ask("POST", "/api/v1/run")
        served.kill()
        bench.page.get_by_text("does not answer").first.wait_for()
        bench.context.close()
    with serving(place) as served:
        state = served.state()
        assert state["answers"] == 2
        assert [one["name"] for one in state["categories"]] == [*NAMES, "repairs"]
        assert len(state["classified"]["names"]) in (3, 4)
        assert served.ask("POST", "/api/v1/undo")[1]["undone"] == "added repairs"


def test_hostile_content_stays_text_in_every_panel(bench: Bench, served: Served) -> None:
    page = bench.page
    page.get_by_label("New category").fill(f"{HOSTILE} category")
    page.keyboard.press("Enter")
    bench.said("category")
    page.locator("#categories button.name").last.click()
    page.locator("#categories .details input").first.fill(HOSTILE)
    page.keyboard.press("Enter")
    bench.said("stands for")
    page.locator("#documents button.title").nth(1).click()
    page.locator("#why .chip", has_text="onerror").first.wait_for()
    assert "<script>" in page.locator("#why").inner_text()
    page.locator("#why .near li").first.wait_for()
    page.locator("#why .chip", has_text="onerror").first.click()
    page.get_by_text("2 documents", exact=True).wait_for()
    page.get_by_role("button", name="Copy as commands").click()
    assert HOSTILE in page.locator("dialog pre").inner_text()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, #app script, [onerror]").count() == 0


def test_a_page_for_reading_offers_no_change(browser: Any, place: Path) -> None:
    with serving(place, "--read-only") as served:
        bench = Bench(browser, served.address)
        bench.page.keyboard.press("1")
        bench.page.get_by_text("for reading only").wait_for()
        assert bench.page.get_by_role("button", name="Run", exact=True).is_disabled()
        assert bench.page.get_by_label("New category").is_disabled()
        bench.close()
        assert served.ask("POST", "/api/v1/answers", {"documents": ["t000"], "category": "billing"})[0] == 403
        assert served.state()["answers"] == 0


def test_two_pages_see_each_other(browser: Any, served: Served, bench: Bench) -> None:
    other = Bench(browser, served.address)
    bench.press("1")
    other.page.get_by_text("90 documents, 1 answer").wait_for()
    other.close()


@pytest.mark.parametrize("width", [1280, 800])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_can_be_read(browser: Any, served: Served, width: int, scheme: str) -> None:
    bench = Bench(browser, served.address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = bench.page
    page.locator("#categories button.name").first.click()
    page.locator("#why .reasons").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input')].filter(one =>
        !one.textContent.trim() && !one.getAttribute('aria-label') && !(one.labels && one.labels.length))
        .map(one => one.outerHTML)"""
    )
    assert nameless == []
    axe = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(axe)
    for tab in ("Documents", "Map", "Motifs", "Fields", "Query", "Quality", "Runs"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_function("() => !document.querySelector('#middle .wait')")
        if tab == "Motifs":
            page.locator("#motifs button.link").first.click()
            page.get_by_role("button", name="picture of").first.click()
            page.locator("#motifs svg.picture").wait_for()
        faults = page.evaluate("axe.run().then(found => found.violations.map(v => [v.id, v.nodes.map(n => n.html)]))")
        assert faults == [], tab
        if shots := os.environ.get("HIN_SCREENSHOTS"):
            page.screenshot(path=f"{shots}/explore-{tab.lower()}-{width}-{scheme}.png")
    bench.close()
