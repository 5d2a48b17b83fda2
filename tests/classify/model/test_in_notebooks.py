"""Models and explanations in notebooks: seen in a browser, in a real kernel, and beside scikit-learn's own diagram."""

from __future__ import annotations

import json
import os
import queue
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sklearn import config_context
from sklearn.pipeline import make_pipeline

import hin
from classify import Category, MotifClassifier
from classify.model.notebook import Explanation, explanation_card, model_card
from embed import EmbedOptions
from hin.graph import Graph
from motifs import match
from tests.hin.notebook.card_kit import HOSTILE, check

ROOT = Path(__file__).resolve().parents[3]
QUICK: dict[str, Any] = {
    "classifier": "linear",
    "knowledge": None,
    "embed": EmbedOptions(dim=16, epochs=4),
    "n_jobs": 1,
}
WORDS = (("cider", "orchard", "fruit"), ("orbit", "launch", "fuel"))
ROWS = [
    {"id": f"d{i}", "text": ". ".join((*WORDS[i % 2], f"word{i % 7}")), "venue": HOSTILE[i % 6], "year": 2000 + i % 3}
    for i in range(60)
]
CATEGORIES = [Category(HOSTILE[0], keywords=("cider",)), Category(HOSTILE[4], keywords=("orbit",))]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return hin.load(ROWS)


@pytest.fixture(scope="module")
def model(graph: Graph) -> MotifClassifier:
    return MotifClassifier(CATEGORIES, **QUICK).fit(graph)


def test_a_model_shows_its_categories_above_the_diagram(model: MotifClassifier, tmp_path: Path) -> None:
    seen = check(model_card(model))
    assert "MotifClassifier: 2 categories for 60 documents" in seen.text
    assert f"{HOSTILE[0]}30" in seen.text, "shown as it is written, with its documents"
    shown = model._repr_mimebundle_()
    assert "sk-top-container" in shown["text/html"] and model._repr_html_().startswith(model_card(model))
    assert "<script>window.acted" not in shown["text/html"]
    with config_context(display="text"):
        assert not hasattr(model, "_repr_html_") and list(model._repr_mimebundle_()) == ["text/plain"]
    assert model_card(MotifClassifier(["a", "b"])) == ""
    assert "MotifClassifier" in make_pipeline(model)._repr_html_()
    model.save(tmp_path / "m.hin")
    assert "2 categories" in check(model_card(MotifClassifier.load(tmp_path / "m.hin"))).text


def test_documents_without_a_category_are_counted(graph: Graph) -> None:
    odd = [*ROWS, {"id": "odd", "text": "zzz", "venue": [], "year": None}]
    seen = check(model_card(MotifClassifier(CATEGORIES, **QUICK).fit(odd)))
    assert "for 61 documents" in seen.text and "none1" in seen.text


def test_an_explanation_shows_its_reasons(model: MotifClassifier) -> None:
    reported = model.explain("d0")
    assert isinstance(reported, dict) and json.loads(json.dumps(reported)) == reported
    seen = check(reported._repr_html_())
    assert seen.text.startswith(f"d0: {HOSTILE[0]} (confidence 0.") and r"runner-up: turned \u202e" in seen.text
    first = reported["reasons"][0]
    assert f"{first['weight']:.3f}" in seen.text and f"add up to the score, {reported['score']:.3f}" in seen.text
    new = check(model.explain({"id": HOSTILE[1], "text": "cider zeppelin", "venue": HOSTILE[2]})._repr_html_())
    assert "not known to the model: zeppelin" in new.text
    nothing = check(model.explain({"text": "zzz"})._repr_html_())
    assert nothing.text == "new document: no categorynothing to go on: none of its words and values is known"


def test_every_part_of_an_explanation_is_escaped() -> None:
    for bad in HOSTILE:
        reported = Explanation(
            document=bad, category=bad, path=[bad, bad], known=[bad], confidence=0.5, score=1.0,
            categories=[{"category": "other", "confidence": 0.4}], runner_up={"category": bad, "score": 0.1},
            unknown={"words": [bad] * 9, "values": [{"field": bad, "value": bad}]},
            reasons=[{"instance": bad, "pattern": bad, "weight": (-1.0) ** i / (i + 1)} for i in range(20)],
        )  # fmt: skip
        check(explanation_card(reported))
        check(explanation_card({"document": bad, "category": None, "note": bad}))


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_acts_in_a_browser_and_everything_can_be_read(
    browser: Any, graph: Graph, model: MotifClassifier, scheme: str
) -> None:
    cards = [graph._repr_html_(), match(graph, "venue")._repr_html_(), model._repr_html_(),
             model.explain("d1")._repr_html_()]  # fmt: skip
    ink, paper = ("#111", "#fff") if scheme == "light" else ("#ddd", "#111")
    page = browser.new_page(color_scheme=scheme)
    troubles: list[str] = []
    page.on("dialog", lambda dialog: troubles.append(dialog.message))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: troubles.append(request.url))
    page.set_content(f"<body style='color:{ink};background:{paper}'>{''.join(cards)}</body>")
    assert page.evaluate("window.acted") is None and troubles == []
    cells = page.locator("body > div > table td")
    assert cells.count() > 30
    inks = {cell.evaluate("e => getComputedStyle(e).color") for cell in cells.all()}
    assert inks == {"rgb(17, 17, 17)" if scheme == "light" else "rgb(221, 221, 221)"}, "the page's own colour"
    page.close()


RUN = """
import hin
from hin.notebook import progress_cell
from classify import MotifClassifier
from embed import EmbedOptions
progress_cell.FIRST_AFTER = progress_cell.APART = 0.0
graph = hin.load([{"id": f"d{i}", "text": ["cider. orchard", "orbit. launch"][i % 2]} for i in range(40)])
MotifClassifier(["cider", "orbit"], [], classifier="linear", knowledge=None, embed=EmbedOptions(dim=8, epochs=2),
                n_jobs=1).fit(graph)
graph
"""


@pytest.fixture
def kernel() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own
        manager = pytest.importorskip("jupyter_client.manager")
        pytest.importorskip("ipykernel")
        started, client = manager.start_new_kernel(env={**os.environ, "PYTHONPATH": str(ROOT)})
        yield client
        client.stop_channels()
        started.shutdown_kernel(now=True)


@pytest.mark.slow
def test_a_kernel_shows_progress_and_cards(kernel: Any) -> None:
    messages: list[dict[str, Any]] = []
    asked = kernel.execute(RUN)
    while True:
        try:
            message = kernel.get_iopub_msg(timeout=120)
        except queue.Empty:
            pytest.fail("the kernel says nothing")
        if message["parent_header"].get("msg_id") == asked:
            messages.append(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
    kinds = [message["msg_type"] for message in messages]
    assert "error" not in kinds and "stream" not in kinds, messages
    bars = [m["content"]["data"]["text/html"] for m in messages if m["msg_type"] == "update_display_data"]
    assert kinds.count("display_data") == 2, "one bar for the load, one for the fit"
    assert any("<progress" in bar for bar in bars) and bars.count("") == 2
    (result,) = [m["content"]["data"] for m in messages if m["msg_type"] == "execute_result"]
    assert "Graph: 40 documents" in result["text/html"] and result["text/plain"].startswith("Graph(40 document")
