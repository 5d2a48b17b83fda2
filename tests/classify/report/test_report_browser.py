"""The report in a real browser: it opens cleanly, answers clicks and keys, and runs nobody's names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from classify.comparators.runs.stored_runs import SystemRun
from classify.comparators.runs.summary import summarise
from classify.report import page as report
from classify.report.documents import pack_documents
from classify.report.gathering import ReportInputs
from classify.report.options import ReportOptions
from classify.report.page import write_report
from hin.stores.findings import Findings
from tests.classify.report import report_samples
from tests.classify.report.report_samples import HOSTILE, HOSTILE_TITLE, sample_graph, sample_inputs

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> ReportInputs:
    return sample_inputs(sample_graph(tmp_path_factory.mktemp("graph")))


@pytest.fixture(scope="module")
def file(inputs: ReportInputs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, inputs, ReportOptions(title=HOSTILE))
    return path


class Opened:
    """A page, and everything that went wrong in it."""

    def __init__(self, browser: Any, file: Path, **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())
        self.page.locator("html[data-ready]").wait_for(state="attached")

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)

    def draw_all(self) -> None:
        self.page.evaluate("redraw(true)")

    def background(self) -> str:
        return str(self.page.evaluate("getComputedStyle(document.body).backgroundColor"))


@pytest.fixture
def opened(browser: Any, file: Path) -> Iterator[Opened]:
    page = Opened(browser, file, viewport={"width": 1280, "height": 900})
    yield page
    assert page.troubles == []
    page.context.close()


def test_it_opens_without_errors_and_asks_nobody(opened: Opened) -> None:
    opened.draw_all()
    assert opened.page.locator(".chart svg").count() == 3
    assert [url for url in opened.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert opened.page.locator("#failure").is_hidden()


def test_the_answers_come_first_then_reasons_then_the_graph(opened: Opened) -> None:
    page = opened.page
    order = page.locator("main > section:not([hidden])").evaluate_all("found => found.map(one => one.id)")
    assert order == ["overview", "answers", "documents", "categories", "quality", "map", "graph", "patterns", "about"]
    assert "240 documents have a category" in page.locator("#lead").inner_text()
    assert page.locator("#answers-table tbody tr").count() == 3
    page.locator("#first button", has_text="is the least sure category").click()
    assert page.locator("#by-category").input_value() != "-2"
    shown = page.locator("#table tbody tr").count()
    assert 0 < shown <= 25 and "of 240 documents" in page.locator("#found").inner_text()
    assert page.locator("#table th[aria-sort=ascending]").inner_text().startswith("Confidence")


def test_the_search_finds_a_document_by_title_id_and_reason(opened: Opened) -> None:
    page = opened.page
    page.keyboard.press("/")
    page.keyboard.type("STUDY 217")
    page.get_by_text("1 of 240 documents").wait_for()
    assert page.locator("#table tbody tr").count() == 1
    assert "doc217" in page.locator("#table").inner_text()
    page.fill("#search", "doc200")
    page.get_by_text("1 of 240 documents").wait_for()
    page.fill("#search", "author 09")
    page.locator("#table tbody tr", has_text="Author 09").first.wait_for()
    page.fill("#search", "nothing like this")
    page.get_by_text("No document matches").wait_for()


def test_a_document_shows_its_reasons(opened: Opened) -> None:
    page = opened.page
    title = page.locator("#table tbody button").first
    title.focus()
    page.keyboard.press("Enter")
    assert title.get_attribute("aria-expanded") == "true"
    detail = page.locator("#table tr.detail")
    assert "What speaks for" in detail.inner_text()
    assert "Next best" in detail.inner_text()
    assert len(detail.locator(".document-text").inner_text()) > 40
    said = detail.locator(".name").all_inner_texts()
    marks = detail.locator("mark").all_inner_texts()
    assert all(any(mark.lower()[:4] in one.lower() for one in said) for mark in marks)
    page.keyboard.press("Enter")
    assert page.locator("#table tr.detail").count() == 0


def test_the_terms_that_speak_for_a_category_are_marked_in_the_text(opened: Opened) -> None:
    split = opened.page.evaluate(
        "marked('Water tanks, a WATER tank and the watertank', ['TERM[water tank]', 'AGENT[a]'])"
        ".map(part => part.tagName ? [part.textContent] : part)"
    )
    assert split == ["", ["Water tanks"], ", a ", ["WATER tank"], " and the watertank"]


def test_filters_sorting_and_pages(opened: Opened) -> None:
    page = opened.page
    page.select_option("#by-kind", "wrong")
    assert page.locator("#table .verdict-right").count() == 0
    page.select_option("#by-kind", "all")
    page.get_by_role("button", name="Confidence").click()
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Confidence")
    sure = [float(text) for text in page.locator("#table .meter").all_inner_texts()]
    assert sure == sorted(sure, reverse=True)
    page.get_by_role("button", name="Next").click()
    assert page.locator("#page").inner_text() == "page 2 of 10"


def test_a_click_on_a_category_shows_its_instances(opened: Opened) -> None:
    page = opened.page
    page.locator("#category-list").get_by_text("databases").click()
    card = page.locator("#category")
    assert card.locator("h3").inner_text() == "databases"
    assert "query" in card.inner_text()
    assert card.locator("table.instances tbody tr").count() == 12
    card.get_by_role("button", name="Show the other 3").click()
    assert card.locator("table.instances tbody tr").count() == 15
    assert "Study" in card.locator("details").first.inner_text()


def test_categories_and_matrix_follow_the_keyboard(opened: Opened) -> None:
    page = opened.page
    page.locator("#category-list").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("#category h3").inner_text() == "databases"
    page.keyboard.press("End")
    assert page.locator("#category h3").inner_text() == HOSTILE
    page.locator(".matrix td[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    assert "true “data mining”, given “databases”" in page.locator("#confusion-cell").inner_text()
    page.keyboard.press("Enter")
    shown = page.locator("#table tbody tr")
    assert shown.count() > 0
    assert page.locator("#by-label").input_value() == "0"
    assert page.locator("#by-category").input_value() == "1"


def test_the_first_stop_of_the_tab_key_skips_the_navigation(opened: Opened) -> None:
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.textContent") == "Skip to the content"


def test_the_abstain_line_shows_what_it_costs(opened: Opened) -> None:
    page = opened.page
    assert page.locator("#threshold-value").inner_text() == "0.30"
    page.locator("#threshold").fill("0.9")
    reported = page.locator("#threshold-effect").inner_text()
    assert "keep their category" in reported
    assert "are right" in reported


def test_the_map_can_be_narrowed_to_a_category(opened: Opened) -> None:
    page = opened.page
    opened.draw_all()
    page.select_option("#map-focus", label="databases")
    page.locator("#map-in").click()
    page.locator("#map-reset").click()
    assert page.locator("#map-focus").input_value() == "-1"


def test_every_control_has_a_name(opened: Opened) -> None:
    nameless = opened.page.evaluate(
        """() => [...document.querySelectorAll('button, select, input')].filter(control =>
        !(control.textContent.trim() && control.tagName === 'BUTTON') && !control.getAttribute('aria-label')
        && !(control.labels && control.labels.length)).map(control => control.outerHTML)"""
    )
    assert nameless == []


def test_hostile_names_stay_text(opened: Opened) -> None:
    page = opened.page
    opened.draw_all()
    for option in page.locator("#category-list [role=option]").all():
        option.click()
    page.fill("#search", "onload")
    page.get_by_text("1 of 240 documents").wait_for()
    assert HOSTILE_TITLE in page.locator("#table").inner_text()
    page.locator("#table tbody button").first.click()
    for place in ("#map-chart", "#kappa-chart", "#confidence-chart"):
        page.locator(place).scroll_into_view_if_needed()
        box = page.locator(place).bounding_box()
        for x in range(5, 100, 12):
            for y in (25, 50, 75):
                page.mouse.move(box["x"] + box["width"] * x / 100, box["y"] + box["height"] * y / 100)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.evaluate("document.querySelectorAll('svg[onload], b > script, [onerror]').length") == 0
    assert HOSTILE in page.title()
    assert page.locator("h1").inner_text() == HOSTILE


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_are_readable_and_can_be_chosen(browser: Any, file: Path, scheme: str) -> None:
    opened = Opened(browser, file, color_scheme=scheme, viewport={"width": 1280, "height": 900})
    dark = "rgb(22, 25, 29)"
    assert (opened.background() == dark) == (scheme == "dark")
    assert contrast(opened) >= 4.5
    button = opened.page.get_by_role("button", name="Theme")
    button.click()
    assert button.inner_text() == "Theme: light"
    assert opened.background() != dark
    button.click()
    assert opened.background() == dark
    opened.draw_all()
    assert contrast(opened) >= 4.5
    opened.page.reload()
    opened.page.locator("html[data-ready]").wait_for(state="attached")
    assert opened.background() == dark
    assert opened.troubles == []
    opened.context.close()


def test_shades_follow_a_change_of_theme(browser: Any, file: Path) -> None:
    opened = Opened(browser, file, color_scheme="light", viewport={"width": 1280, "height": 900})
    opened.page.locator("#shares-block summary").click()

    def shades() -> list[set[str]]:
        kinds = ["#shares-block td", ".matrix td"]
        ask = "cells => cells.map(cell => getComputedStyle(cell).backgroundColor.replace(/, [0-9.]+\\)$/, ')'))"
        return [set(opened.page.locator(kind).evaluate_all(ask)) for kind in kinds]

    light, dark = "rgba(47, 111, 143)", "rgba(124, 184, 214)"
    assert all(light in found and dark not in found for found in shades())
    for _ in range(2):  # auto, light, dark
        opened.page.get_by_role("button", name="Theme").click()
    assert all(dark in found and light not in found for found in shades())
    opened.context.close()


def test_names_on_the_map_cover_neither_one_another_nor_another_star(opened: Opened) -> None:
    """Three stars in a row at the left edge, the names wider than the way to the edge."""
    spots = opened.page.evaluate(
        """() => { const stars = [10, 60, 110].map(x => ({ x, y: 100, width: 90, shown: true }));
        return labelSpots(stars, 300, 200).map(([dx, dy], i) => [stars[i].x + dx - 9, 100 + dy - 9]); }"""
    )
    assert all(0 <= x <= 210 and 0 <= y <= 185 for x, y in spots)
    for i, (x, y) in enumerate(spots):
        for a, b in spots[i + 1 :]:
            assert abs(x - a) >= 90 or abs(y - b) >= 15
        for star in (10, 60, 110):
            assert not (x < star + 9 and star - 9 < x + 90 and y < 109 and y + 15 > 91)


def test_long_names_are_not_cut(opened: Opened) -> None:
    """A row and a column of the matrix, and the map, where the name of a real category has 36 letters."""
    opened.draw_all()
    name = "Nuclear weapons and nuclear material"
    cut = opened.page.evaluate(
        """name => [".matrix tbody th", ".matrix thead th div"].map(place => { const it = document.querySelector(place);
        it.textContent = name; return it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight; })""",
        name,
    )
    assert cut == [False, False]
    assert opened.page.evaluate("name => nameWidth(name, 12) > nameWidth(name.slice(0, -2), 12)", name)


def contrast(opened: Opened) -> float:
    """The least contrast (WCAG) of the text colours on the two grounds they stand on."""
    ratio = opened.page.evaluate(
        """() => { const style = getComputedStyle(document.documentElement);
        const light = name => { const hex = style.getPropertyValue('--' + name).trim().slice(1);
          return [0, 2, 4].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
            .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0); };
        return Math.min(...['ink', 'soft', 'accent', 'good', 'bad'].flatMap(a => ['paper', 'panel'].map(b => {
          const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); }))); }"""
    )
    return float(ratio)


@pytest.mark.parametrize("width", [1400, 800])
def test_answers_and_sections_fit_the_window(browser: Any, file: Path, width: int) -> None:
    opened = Opened(browser, file, viewport={"width": width, "height": 900})
    cut, wide, number = opened.page.evaluate(
        """() => { const nav = document.querySelector("nav"), table = document.querySelector(".answers table");
        const width = place => table.querySelector(place).clientWidth;
        return [Math.max(nav.scrollWidth - nav.clientWidth, table.scrollWidth - table.parentElement.clientWidth),
                width("td.wide"), Math.max(...[...table.querySelectorAll("th.number")].map(it => it.clientWidth))]; }"""
    )
    assert cut <= 0
    assert wide > 2 * number, "reasons need the room"
    bars = "[...document.querySelectorAll('.answers .meter i')].map(bar => bar.clientWidth)"
    assert len(set(opened.page.evaluate(bars))) == 1, "a bar is shorter since its figure is longer"
    fits = """() => ["figures", "patterns", "graph"].map(name => document.querySelector(`#${name} table`))
        .every(table => table.scrollWidth <= table.parentElement.clientWidth)"""
    assert opened.page.evaluate(fits)
    beyond = """() => { const table = document.querySelector("table.instances"), panel = table.closest(".panel");
        table.querySelector(".chip").textContent = "authorisation_holder_company_name-pharmacotherapeutic_group";
        return panel.scrollWidth - panel.clientWidth; }"""
    assert opened.page.evaluate(beyond) <= 0, "the instances are cut off"
    opened.context.close()


def test_shares_and_reasons_are_said_as_they_are(opened: Opened) -> None:
    shares = opened.page.evaluate("[percent(.004), percent(0), percent(.13), percent(null)]")
    assert shares == ["< 1 %", "0 %", "13 %", "–"]
    twice = ["TERM[perl]", "DEPENDS[Perl]", "TERM[dist]"]
    assert opened.page.evaluate("names => different(names)", twice) == ["TERM[perl]", "TERM[dist]"]
    many = [f"f{i}" for i in range(9)]
    assert opened.page.evaluate("names => listed(names)", many) == "f0, f1, f2, f3, f4, f5 and 3 fields more"


def test_of_many_things_to_look_at_the_rest_is_folded(opened: Opened) -> None:
    items = [{"text": f"note {i}", "show": None} for i in range(33)]
    opened.page.evaluate("first => showAnswers({answers: {categories: [], first}, categories: []})", items)
    rest = opened.page.locator("#first details")
    assert rest.locator("summary").inner_text() == "27 more"
    assert opened.page.locator("#first > li").count() == 7 and rest.locator("li").count() == 27


def test_a_phone_shows_it_without_scrolling_sideways(browser: Any, file: Path) -> None:
    opened = Opened(browser, file, viewport=PHONE, has_touch=True, is_mobile=True)
    opened.draw_all()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    opened.page.locator("#category-list").get_by_text("databases").tap()
    assert opened.page.locator("#category h3").inner_text() == "databases"
    assert opened.troubles == []
    opened.context.close()


def test_it_prints_with_every_category_on_white(browser: Any, file: Path, tmp_path: Path) -> None:
    opened = Opened(browser, file, color_scheme="dark")
    opened.page.emulate_media(media="print", color_scheme="dark")
    assert opened.background() == "rgb(255, 255, 255)"
    assert opened.page.locator("#print-only article").count() == 3
    assert opened.page.locator("nav").is_hidden()
    printed = opened.page.pdf(path=str(tmp_path / "report.pdf"))
    assert len(printed) > 20_000
    assert opened.troubles == []
    opened.context.close()


def test_a_graph_without_findings_opens_too(browser: Any, inputs: ReportInputs, tmp_path: Path) -> None:
    write_report(tmp_path / "bare.html", ReportInputs(inputs.graph, Findings()))
    opened = Opened(browser, tmp_path / "bare.html")
    opened.draw_all()
    assert opened.page.locator("#categories").is_hidden()
    assert "hin classify" in opened.page.locator("#lead").inner_text()
    assert opened.page.locator("#table tbody tr").count() == 25
    assert opened.troubles == []
    opened.context.close()


def test_a_sample_of_the_documents_says_so(
    browser: Any, inputs: ReportInputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "pack_documents", lambda data, room, seed: pack_documents(data, 4000, seed))
    made = write_report(tmp_path / "part.html", inputs)
    opened = Opened(browser, tmp_path / "part.html")
    assert f"{made['shown']} of 240 documents" in opened.page.locator("#documents-rule").inner_text()
    assert opened.troubles == []
    opened.context.close()


def test_a_kept_comparison_is_a_chart_and_a_table(browser: Any, inputs: ReportInputs, tmp_path: Path) -> None:
    runs = [
        SystemRun("hin", 0, "done", {}, 1.0, 1.0, 100.0, 0.8, 0.7, 200),
        SystemRun("zero-shot", 0, "failed", {}, 1.0, 1.0, 100.0, message=HOSTILE),
    ]
    reported = {"documents": 200, "documents_of_graph": 240, "systems": summarise(runs)}
    write_report(tmp_path / "report.html", replace(inputs, comparison=reported))
    opened = Opened(browser, tmp_path / "report.html", viewport={"width": 1280, "height": 900})
    opened.draw_all()
    assert opened.page.locator("#comparison-chart svg").count() == 1
    assert "a sample of 240" in opened.page.locator("#comparison-hint").inner_text()
    assert opened.page.locator("#comparison-table tbody tr").count() == 2
    assert HOSTILE in opened.page.locator("#comparison-table").inner_text()
    assert opened.troubles == [] and opened.page.evaluate("window.hacked") is None
    opened.context.close()


def test_names_that_every_object_has_are_names_like_others(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = list(report_samples.TOPICS.values())
    names = ["__proto__", "constructor", "toString"]
    monkeypatch.setattr(report_samples, "TOPICS", dict(zip(names, words, strict=True)))
    write_report(tmp_path / "r.html", sample_inputs(sample_graph(tmp_path, field="__proto__")), ReportOptions())
    opened = Opened(browser, tmp_path / "r.html", viewport={"width": 1280, "height": 900})
    opened.draw_all()
    shown = opened.page.locator("#answers-table tbody tr").all_inner_texts()
    assert all(any(name in row for row in shown) for name in names)
    assert opened.page.evaluate("[Object.keys(Object.prototype), Object.keys(Object)]") == [[], []]
    assert opened.page.evaluate("({}).length === undefined && Object.getPrototypeOf({}) === Object.prototype")
    assert opened.troubles == []
    opened.context.close()
