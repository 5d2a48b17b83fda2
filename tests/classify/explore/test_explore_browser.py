"""The workbench in a real browser: by keys, by mouse, killed in the middle, with hostile content."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hin
from classify.explore.session import Session
from hin.files.graph_folder import ANSWERS
from tests.classify.explore.explore_kit import (
    HOSTILE,
    HOSTILE_FIELD,
    NAMES,
    Bench,
    Served,
    classified_graph,
    serving,
    write_tickets,
)  # fmt: skip
from tests.conftest import ROOT

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def run_commands(commands: str, folder: Path) -> None:
    """Run the commands that the page gave, in a folder."""
    shell = commands.replace("hin classify", f"'{sys.executable}' -m hin classify")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(["sh", "-ec", shell], check=True, capture_output=True, env=environment, cwd=folder)


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


def test_a_key_is_for_the_next_document_while_an_answer_is_on_its_way(bench: Bench, served: Served) -> None:
    page, held = bench.page, list[Any]()
    page.route("**/api/v1/answers", lambda route: held.append(route))
    for key in ("1", "3", "2"):
        page.keyboard.press(key)
    page.wait_for_function("document.querySelectorAll('#documents tbody tr')[3].matches('.here')")
    while served.state()["answers"] < 3:
        page.wait_for_timeout(20)  # routes are held until the page's events are handled
        while held:
            held.pop().continue_()
    bench.said("3 answers so far.")
    page.unroute("**/api/v1/answers")
    listed = served.ask("GET", "/api/v1/documents?queue=answered")[1]["documents"]
    assert [(one["document"], one["answer"]) for one in listed] == [
        ("t002", "delivery"), ("t001", "login"), ("t000", "billing"),
    ]  # fmt: skip
    bench.press("u")
    assert served.state()["undo"].startswith("t001")


def test_slow_previews_and_neighbours_leave_the_connections_to_the_answers(bench: Bench, served: Served) -> None:
    page, waiting = bench.page, set[Any]()
    page.locator("#why .near li").first.wait_for()
    for path in ("preview", "near*", "why*"):
        page.route(f"**/api/v1/{path}", lambda route: waiting.add(route.request))  # never answered
    page.on("requestfailed", lambda request: waiting.discard(request))
    for number in range(8):
        page.keyboard.press("1")
        bench.said(f"{number + 1} answer")
        page.wait_for_timeout(400)
    assert served.state()["answers"] == 8
    asked = sorted(request.url.rsplit("/", 1)[1].split("?")[0] for request in waiting)
    assert asked in (["near", "preview", "why"], ["preview", "why"]), "a browser sends six requests at a time"
    page.unroute_all(behavior="ignoreErrors")


def test_a_category_with_answers_and_a_preview_keeps_its_name_in_one_line(bench: Bench) -> None:
    page = bench.page
    name = page.locator("#categories button.name").first
    height = name.bounding_box()["height"]
    for key in ("1", "2", "1", "3", "1"):
        page.keyboard.press(key)
    bench.said("5 answers so far.")
    page.locator(".preview b").wait_for()
    page.locator("#categories .looks small", has_text="3 answers").wait_for()
    assert name.bounding_box()["height"] == height


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
        page.get_by_text("Topics found in the documents").wait_for()
        assert bench.axe() == []
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
    hin_process("load", tmp_path / "tickets.jsonl", "--graph", tmp_path / "again.hin", "--text", "title,text")
    run_commands(commands.replace("new.hin", "again.hin"), tmp_path)
    assert (tmp_path / "predictions.csv").read_bytes() == given
    assert given.startswith(b"document,category,confidence\nt000,billing,")


def test_by_keys_alone_forty_answers_a_word_a_run_and_what_moved(
    bench: Bench, served: Served, place: Path, tmp_path: Path
) -> None:
    page = bench.page
    bench.press(*["3"] * 40)
    bench.tab_to("delivery")
    page.keyboard.press("Enter")
    bench.tab_to("Word or value, with a minus against it")
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
    assert page.locator("#documents small", has_text="was ").count() + page.locator("td.answered").count() >= 6
    assert served.state()["answers"] == 40 and served.state()["classified"]["current"] is True
    bench.tab_to("Runs")
    page.keyboard.press("Enter")
    page.get_by_text(re.compile(r"\d+ documents of 90 moved")).wait_for()
    bench.tab_to("Show them")
    page.keyboard.press("Enter")
    page.locator("#documents table.list").wait_for()
    given = served.ask("GET", "/api/v1/file?name=predictions.csv")[1].encode()
    commands = served.ask("GET", "/api/v1/commands")[1]["commands"]
    # On a graph without a classification: on this one the command would find the page's labels, and make none.
    again = tmp_path / "again.hin"
    hin.load(write_tickets(tmp_path / "tickets.jsonl"), text=["title", "text"], metadata=["agent"], graph=again)
    shutil.copytree(place / ANSWERS, again / ANSWERS)
    assert str(place) in commands and hin.open_store(again).stage("classify") is None
    run_commands(commands.replace(str(place), str(again)), tmp_path)
    assert (tmp_path / "predictions.csv").read_bytes() == given


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
    page.get_by_role("button", name="Agent: Agent 2-0", exact=True).press("Enter")
    page.get_by_role("button", name="Open its neighbours").click()
    page.get_by_text("Its first neighbours are in the picture already.").wait_for()
    page.get_by_role("button", name="Document: Ticket 2", exact=True).press("Enter")
    page.get_by_role("button", name="Open its neighbours").click()
    page.get_by_role("button", name="Category: login").wait_for()
    assert page.locator("#query svg.picture circle").count() == 17  # its agent was there
    page.locator("#query").get_by_role("button", name="Back").click()
    assert page.locator("#query svg.picture circle").count() == 16
    page.get_by_role("button", name="Label these documents").click()
    page.get_by_text("15 documents", exact=True).wait_for()
    page.get_by_label("Label all 15 found").select_option("login")
    bench.said("15 documents: login")
    assert served.state()["answers"] == 15
    page.get_by_role("tab", name="Query").click()
    assert page.locator("#query svg.picture circle").count() == 16  # the rows are still there
    page.get_by_label("Cypher").fill("MATCH (n) DETACH DELETE n")
    page.keyboard.press("Control+Enter")
    page.locator("#query .failed").wait_for()
    assert ["400" in trouble for trouble in bench.troubles] == [True]  # the browser reports the refusal
    bench.troubles.clear()


def test_names_are_completed_in_a_query(bench: Bench) -> None:
    page = bench.page
    page.get_by_role("tab", name="Query").click()
    page.get_by_role("button", name=":HAS_AGENT").wait_for()
    page.get_by_label("Cypher").fill("")
    for typed, offered in (
        ("MATCH (a:Ag", "Agent"), (")<-[:HAS_AG", "HAS_AGENT"), ("]-(d) WHERE a.na", "name"),
    ):  # fmt: skip
        page.keyboard.type(typed)
        page.locator(".complete button").get_by_text(offered, exact=True).wait_for()
        page.keyboard.press("Tab")
    page.keyboard.type(" ENDS WITH ':T' RETURN d")
    assert (
        page.get_by_label("Cypher").input_value()
        == "MATCH (a:Agent)<-[:HAS_AGENT]-(d) WHERE a.name ENDS WITH ':T' RETURN d"
    )
    assert page.locator(".complete button").count() == 0
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "BUTTON", "the focus is not trapped"


def test_a_lasso_on_the_map_labels_at_once(bench: Bench, served: Served) -> None:
    page = bench.page
    page.get_by_role("tab", name="Map").click()
    page.locator("#map .chip").first.wait_for()
    page.locator("#map .wait").wait_for(state="detached")
    for colour in ("confidence", "answer", "moved", "list", "agent", "category"):
        page.get_by_label("Colour by").select_option(colour)
        page.wait_for_function("() => !document.querySelector('#map .wait, #map .failed')")
    lasso(bench, [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99), (0.01, 0.02)])
    page.get_by_text("90 documents", exact=True).wait_for()
    # The points are in the middle square of the canvas; cut it where there are none.
    xy = page.evaluate("async () => [...new Uint16Array(await (await fetch('/api/v1/map/points')).arrayBuffer())]")
    x = np.array(xy[:90])
    ordered = np.sort(x)
    place = 20 + int(np.diff(ordered[20:70]).argmax())
    cut = float(ordered[place : place + 2].mean()) / 65535
    page.get_by_role("tab", name="Map").click()
    width, height = page.locator("canvas.map").evaluate("(one) => [one.width, one.height]")
    right = 0.5 + (cut - 0.5) * (min(width, height) - 20) / width
    page.wait_for_function("() => !document.querySelector('#map .wait')")
    lasso(bench, [(0.01, 0.01), (right, 0.01), (right, 0.99), (0.01, 0.99), (0.01, 0.02)])
    page.get_by_label(f"Label all {place + 1} found").select_option("delivery")
    bench.said(f"{place + 1} documents: delivery")
    listed = served.ask("GET", "/api/v1/documents?queue=answered&limit=500")[1]["documents"]
    assert {one["document"] for one in listed} == {f"t{row:03}" for row in np.flatnonzero(x / 65535 < cut)}
    bench.press("u")
    assert served.state()["answers"] == 0


def lasso(bench: Bench, corners: list[tuple[float, float]]) -> None:
    """Draw around a part of the map, by shares of its width and height."""
    box = bench.page.locator("canvas.map").bounding_box()
    spots = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners]
    bench.page.mouse.move(*spots[0])
    bench.page.mouse.down()
    for spot in spots[1:]:
        bench.page.mouse.move(*spot, steps=4)
    bench.page.mouse.up()


def test_killed_in_the_middle_of_each_nothing_that_was_acknowledged_is_lost(browser: Any, place: Path) -> None:
    def name_a_category(bench: Bench) -> None:
        bench.page.get_by_label("New category").fill("repairs")
        bench.page.keyboard.press("Enter")
        bench.said("Added repairs.")

    def answer_by_keys(bench: Bench) -> None:
        bench.press("1", "3", "2", "u")

    def label_a_search(bench: Bench) -> None:
        bench.search("MATCH (d:Document)-[:HAS_AGENT]->(a) WHERE a.name ENDS WITH '2-0' RETURN d")
        bench.page.get_by_label("Label all 15 found").select_option("login")
        bench.said("15 documents: login")

    def label_a_lasso(bench: Bench) -> None:
        bench.page.get_by_role("tab", name="Map").click()
        bench.page.locator("#map .chip").first.wait_for()
        bench.page.wait_for_function("() => !document.querySelector('#map .wait')")
        lasso(bench, [(0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99), (0.01, 0.02)])
        bench.page.get_by_label("Label all 90 found").select_option("delivery")
        bench.said("90 documents: delivery")

    def add_a_word(bench: Bench) -> None:
        bench.page.locator("#categories button.name").first.click()
        bench.page.locator("#categories .details input").first.fill("refund")
        bench.page.keyboard.press("Enter")
        bench.said("Refund stands for billing.")

    def run(bench: Bench) -> None:
        bench.page.get_by_role("button", name="Run", exact=True).click()
        bench.page.get_by_role("button", name="Stop").wait_for()

    after: list[tuple[Callable[[Bench], None], int, list[str]]] = [
        (name_a_category, 0, [*NAMES, "repairs"]), (answer_by_keys, 2, [*NAMES, "repairs"]),
        (label_a_search, 17, [*NAMES, "repairs"]), (label_a_lasso, 90, [*NAMES, "repairs"]),
        (add_a_word, 90, [*NAMES, "repairs"]), (run, 90, [*NAMES, "repairs"]),
    ]  # fmt: skip
    for step, answers, names in after:
        with serving(place) as served:
            bench = Bench(browser, served.address)
            step(bench)
            served.kill()
            bench.page.get_by_text("does not answer").first.wait_for()
            bench.context.close()
            assert all("net::ERR" in trouble for trouble in bench.troubles), bench.troubles
        with serving(place, "--read-only") as served:
            state = served.state()
            assert state["answers"] == answers, step
            assert [one["name"] for one in state["categories"]] == names, step
            assert state["categories"][0]["keywords"] == (["refund"] if step in (add_a_word, run) else []), step
            assert len(state["classified"]["names"]) in (3, 4)
            assert served.ask("GET", "/api/v1/file?name=predictions.csv")[0] == 200
    with serving(place) as served:
        assert served.ask("POST", "/api/v1/undo")[1]["state"]["categories"][0]["keywords"] == []
        assert served.ask("POST", "/api/v1/undo")[1]["state"]["answers"] == 17
        assert served.ask("POST", "/api/v1/undo")[1]["state"]["answers"] == 2
        for _ in range(2):
            served.ask("POST", "/api/v1/undo")
        assert served.ask("POST", "/api/v1/undo")[1]["undone"] == "added repairs"


def test_killed_among_answers_all_that_were_acknowledged_are_there(place: Path) -> None:
    with serving(place) as served:
        done: list[str] = []

        def answer() -> None:
            for number in range(90):
                given = {"documents": [f"t{number:03}"], "category": "login"}
                if served.ask("POST", "/api/v1/answers", given)[0] != 200:
                    return
                done.append(f"t{number:03}")

        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(answer)
            while len(done) < 20 and not asked.done():
                time.sleep(0.001)
            served.kill()
            assert asked.exception() is not None, "it was killed in the middle"
    opened = Session(hin.open_store(place))
    known = opened.answers.current()
    opened.close()
    assert list(known)[: len(done)] == done and len(known) - len(done) in (0, 1)  # the last may be stored, not said


def test_hostile_content_stays_text_in_every_panel(browser: Any, tmp_path: Path) -> None:
    with serving(classified_graph(tmp_path, HOSTILE_FIELD)) as served:
        bench = Bench(browser, served.address)
        _visit_every_panel(bench)
        assert bench.page.evaluate("window.hacked") is None
        assert bench.page.locator("img, #app script, [onerror]").count() == 0
        bench.close()


def _visit_every_panel(bench: Bench) -> None:
    """Run with hostile names, open everything that shows them, and see them as text."""
    page = bench.page
    page.get_by_label("New category").fill(f"{HOSTILE} category")
    page.keyboard.press("Enter")
    bench.said("Added")
    page.keyboard.press("Escape")
    bench.press("4", "4")  # the hostile document is the second
    page.locator("#categories button.name").last.click()
    for word in ("parcel", HOSTILE):
        page.locator("#categories .details input").first.fill(word)
        page.keyboard.press("Enter")
        bench.said(f"{word[0].upper()}{word[1:]} stands for")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Labels are up to date").wait_for(timeout=120_000)
    bench.search("t001")
    page.locator("#documents button.title").first.click()
    page.locator("#why .chip", has_text="onerror").first.wait_for()
    assert "<script>" in page.locator("#why").inner_text()
    page.get_by_role("button", name="Picture of what it is joined to").click()
    page.locator("#why .node[aria-label^='Agent: <img src=x']").click()
    page.get_by_role("button", name="Open its neighbours").click()
    page.get_by_role("button", name="Back").wait_for()
    page.locator("#why .near li").first.wait_for()
    page.get_by_role("tab", name="Map").click()
    page.locator("#map .chip", has_text="in the list").wait_for()
    page.get_by_label("Colour by").select_option("category")
    page.locator("#map .chip", has_text="<img").wait_for()
    page.get_by_label("Colour by").select_option(HOSTILE_FIELD)
    page.locator("#map .chip", has_text="part 1").wait_for()
    page.get_by_role("tab", name="Motifs").click()
    page.get_by_label("Try a pattern").fill("agent")
    page.keyboard.press("Enter")
    page.get_by_text("instances of agent").wait_for()
    page.get_by_role("tab", name="Fields").click()
    page.locator("#fields td", has_text=HOSTILE_FIELD).first.wait_for()
    page.get_by_role("tab", name="Query").click()
    page.get_by_label("Cypher").fill("MATCH (d:Document {id: 't001'})-[r]->(a) RETURN d, r, a")
    page.keyboard.press("Control+Enter")
    page.locator("#query svg.picture .node", has_text="<img").first.wait_for()
    page.locator("#query .rows td", has_text="<script>").first.wait_for()
    page.get_by_role("tab", name="Quality").click()
    page.locator("#quality h2").wait_for()
    page.get_by_role("tab", name="Runs").click()
    page.locator("#runs td", has_text="<img").wait_for()
    page.get_by_role("tab", name="Columns").click()
    page.locator("#columns td", has_text="<script>").first.wait_for()
    page.get_by_role("tab", name="Documents").click()
    page.get_by_label("Show").select_option("all")
    bench.settled()
    bench.press("1")
    page.get_by_role("button", name="Show who").click()
    page.locator("#documents small, #documents td.answered").first.wait_for()
    for name in ("Ask a model", "Copy as commands", "Take away", "Keys"):
        page.get_by_role("button", name=name).click()
        page.locator("dialog li, dialog pre, dialog input, dialog kbd").first.wait_for()
        page.get_by_role("button", name="Close").click()


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
    for tab in ("Documents", "Map", "Motifs", "Fields", "Query", "Quality", "Runs"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_function("() => !document.querySelector('#middle .wait')")
        if tab == "Motifs":
            page.locator("#motifs button.link").first.click()
            page.locator("#motifs").get_by_role("button", name="picture of").first.click()
            page.locator("#motifs svg.picture").wait_for()
        assert bench.axe() == [], tab
        if shots := os.environ.get("HIN_SCREENSHOTS"):
            page.screenshot(path=f"{shots}/explore-{tab.lower()}-{width}-{scheme}.png")
    for name in ("Ask a model", "Copy as commands", "Take away", "Keys"):
        page.get_by_role("button", name=name).click()
        page.wait_for_function("() => !document.querySelector('dialog .wait')")
        assert bench.axe() == [], name
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
    bench.close()
