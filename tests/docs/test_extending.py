"""Every example of `examples/extending/` is one file that adds a part, and the commands find it."""

from __future__ import annotations

import os
import runpy
import shutil
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hin as package
from classify import MotifClassifier
from classify.comparators import SYSTEMS
from classify.knowledge.scoring import SCORERS
from classify.learners.base import LEARNERS
from classify.options import ClassifyOptions
from classify.recipe.options import RecipeOptions
from classify.report.charts.base import CHARTS
from classify.views.base import VIEWS
from embed import EmbedOptions
from hin.demo.corpus import DemoOptions, write_demo
from hin.engines.base import ENGINES, open_engine, ranges
from hin.errors import BadUsage
from hin.reading.formats import FORMATS
from hin.stores.base import STORES
from tests.docs.page_examples import ROOT

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "examples" / "extending"
REGISTRIES = (LEARNERS, VIEWS, SCORERS, SYSTEMS, FORMATS, STORES, ENGINES, CHARTS)
QUICK = EmbedOptions(dim=24, epochs=10)


@pytest.fixture
def add() -> Iterator[Callable[[str], dict[str, Any]]]:
    """Import an example as a user would; what it registers goes when the test ends."""
    for registry in REGISTRIES:
        registry.names()  # imports the project's own parts
    before = [dict(registry._parts) for registry in REGISTRIES]
    yield lambda name: runpy.run_path(str(EXAMPLES / f"{name}.py"))
    for registry, parts in zip(REGISTRIES, before, strict=True):
        registry._parts = parts  # type: ignore[assignment]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_demo(tmp_path / "demo", DemoOptions(documents=300))
    return tmp_path / "demo"


def test_a_learner_is_one_file(add: Callable, corpus: Path, hin: Callable) -> None:
    add("learner_centroid")
    graph = package.load(corpus / "documents.jsonl", graph="graph.hin")
    names = (corpus / "labels.txt").read_text().split("\n")
    model = MotifClassifier([n for n in names if n], ["venue-year"], classifier="centroid", embed=QUICK).fit(graph)
    model.save("model")
    again = MotifClassifier.load("model")
    assert (again.predict(graph) == model.predict(graph)).all()
    reported = again.explain(graph.documents[0], graph)
    assert sum(reason["weight"] for reason in reported["reasons"]) == pytest.approx(reported["score"], abs=1e-4)
    assert len(reported["reasons"]) > 3
    truth = [graph.labels.names[code] for code in graph.labels.codes]
    assert (model.predict(graph) == truth).mean() > 0.5
    assert "centroid" in hin("classify", "--help").out
    done = hin("classify", "-c", corpus / "labels.txt", "-p", "venue", "--epochs", 5, "--classifier", "centroid")
    assert done.code == 0, done.err


def test_a_view_is_one_file(add: Callable, corpus: Path) -> None:
    add("view_spelling")
    graph = package.load(corpus / "documents.jsonl")
    recipe = RecipeOptions(views=("joint", "tf-idf", "spelling"))
    names = [name for name in (corpus / "labels.txt").read_text().split("\n") if name]
    model = MotifClassifier(names, ["venue-year"], classifier="linear", embed=QUICK, recipe=recipe).fit(graph)
    assert set(model.soft_labels_.views) == {"joint", "tf-idf", "spelling"}


def test_a_view_is_picked_by_its_name_on_the_command_line(add: Callable, corpus: Path, hin: Callable) -> None:
    add("view_spelling")
    package.load(corpus / "documents.jsonl", graph="graph.hin")
    quick = ("classify", "-c", corpus / "labels.txt", "-p", "venue", "--epochs", 5, "--classifier", "linear")
    done = hin(*quick, "--view", "joint", "--view", "spelling", "--json")
    assert done.code == 0, done.err
    assert set(done.json["used"]["views"]) == {"joint", "spelling"}
    assert "[co-occurrence|encoder|joint|knowledge|spelling|tf-idf|vectors]" in " ".join(
        hin("classify", "--help").out.split()
    )
    assert "no view called spel" in hin(*quick, "--view", "spel").err
    assert "needs a model" in hin(*quick, "--view", "joint", "--view", "knowledge", "--knowledge", "none").err
    assert "joint embedding alone" in hin(*quick, "--view", "joint", "--preset", "paper").err
    # The manifest holds them: the same again is not trained, the default is.
    assert "nothing was trained" in hin(*quick, "--view", "joint", "--view", "spelling", "--verbose").err
    assert "nothing was trained" not in hin(*quick, "--verbose").err


def test_knowledge_is_one_file(add: Callable, corpus: Path, hin: Callable) -> None:
    overlap = add("knowledge_overlap")["overlap"]
    package.load(corpus / "documents.jsonl", graph="graph.hin")
    quick = ("classify", "-c", corpus / "labels.txt", "-p", "venue", "--epochs", 5, "--classifier", "linear")
    done = hin(*quick, "--knowledge", "overlap", "--json")
    assert done.code == 0, done.err
    assert done.json["used"]["knowledge"]["model"] == "overlap"
    assert 0 < done.json["used"]["views"]["encoder"] < 1
    assert overlap(["on mining"], ["mining"]).tolist() == [[1.0]]


def test_a_learner_has_options_of_its_own(add: Callable, corpus: Path, hin: Callable) -> None:
    add("learner_centroid")
    package.load(corpus / "documents.jsonl", graph="graph.hin")
    quick = ("classify", "-c", corpus / "labels.txt", "-p", "venue", "--epochs", 5, "--classifier", "centroid")
    largest = []
    for more in ((), ("--classifier-option", "centroid.scale=50")):
        done = hin(*quick, *more, "--save-model", f"model{len(more)}")
        assert done.code == 0, done.err
        [file] = Path(f"model{len(more)}").rglob("centroid-means.npy")
        largest.append(np.load(file).max())
    assert largest[1] == pytest.approx(5 * largest[0])
    assert "did you mean scale" in hin(*quick, "--learner-option", "centroid.scal=50").err
    assert "'much' does not fit" in hin(*quick, "--learner-option", "centroid.scale=much").err


def test_a_format_is_one_file(add: Callable, tmp_path: Path, hin: Callable) -> None:
    add("format_stanzas")
    (tmp_path / "a.stanzas").write_text("Id: a\nText: Mining graphs\nTag: x\nTag: y\n\n\nId: b\nText: More\n")
    graph = package.load(tmp_path / "a.stanzas")
    assert (list(graph.documents), list(graph.names("tag"))) == (["a", "b"], ["x", "y"])
    (tmp_path / "b.stanzas").write_text("Id: a\nno colon\n")
    done = hin("load", tmp_path / "b.stanzas")
    assert (done.code, "line 2" in done.err) == (1, True)
    assert "stanzas" in hin("load", "--help").out


def test_a_store_is_one_file(add: Callable, papers: Path, hin: Callable) -> None:
    add("store_keeping")
    assert hin("load", papers, "--graph", "kept://p.hin").code == 0
    assert hin("load", papers, "--graph", "kept://p.hin", "--replace", "--metadata", "venue").code == 0
    assert hin("info", "--graph", "kept://p.hin", "--json").json["nodes"].keys() == {"document", "term", "venue"}
    assert "author" in hin("info", "--graph", "p.hin.1", "--json").json["nodes"]


def test_a_chart_is_a_pair_of_files(add: Callable, tmp_path: Path, hin: Callable) -> None:
    add("chart_lengths")
    (tmp_path / "papers.jsonl").write_text('{"id": "p1", "text": "Mining graphs"}\n{"id": "p2", "text": "Web"}')
    assert hin("load", tmp_path / "papers.jsonl").code == 0
    assert hin("report", "--out", "page.html").code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert 'id="lengths-block"' in page and "drawings.lengths = numbers" in page


def test_an_engine_is_one_file(add: Callable) -> None:
    add("engine_serial")
    assert list(open_engine("serial").map(lambda block: sum(range(*block)), ranges(10, 4))) == [6, 22, 17]


def test_a_comparator_is_one_file_of_a_package(
    add: Callable, corpus: Path, tmp_path: Path, hin_process: Callable
) -> None:
    assert add("comparator_lots")["Lots"]().settings() == {"salt": 17}
    package.load(corpus / "documents.jsonl", graph="graph.hin")
    # A package as it lies in an environment: the module, and what its metadata say of entry points.
    site = tmp_path / "site"
    (site / "lots-1.0.dist-info").mkdir(parents=True)
    shutil.copy(EXAMPLES / "comparator_lots.py", site)
    (site / "lots-1.0.dist-info" / "METADATA").write_text("Name: lots\nVersion: 1.0\n")
    (site / "lots-1.0.dist-info" / "entry_points.txt").write_text("[hin.comparators]\nlots = comparator_lots\n")
    ask = ["compare", "-c", corpus / "labels.txt", "--system", "lots", "--seeds", 1, "--json"]
    done = hin_process(*ask, env={"PYTHONPATH": f"{ROOT}{os.pathsep}{site}"})
    assert done.code == 0, done.err
    assert done.json["systems"][0]["micro_f1"]["mean"] < 0.5


def test_an_option_is_one_field(add: Callable) -> None:
    made = add("option_width")["SpellingOptions"]
    assert made().width == 256
    with pytest.raises(BadUsage, match="spelling: width is 0"):
        made(width=0)


def test_an_option_of_a_stage_is_one_of_classify() -> None:
    """No list names the fields of a stage once more."""
    shown = {entry.name: entry.metadata["only"] for entry in fields(ClassifyOptions) if "only" in entry.metadata}
    assert not any(shown.values())


def test_every_example_is_tried_and_shown() -> None:
    page = (ROOT / "docs" / "how-to" / "extend.md").read_text(encoding="utf-8")
    tried = Path(__file__).read_text(encoding="utf-8")
    for path in EXAMPLES.glob("*.py"):
        assert f'add("{path.stem}")' in tried
        assert path.name in page
