"""One way from names to labels: steps read what they declare, and an open workspace makes only what has changed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from types import MethodType
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import hin
from classify import Category, ClassifyOptions, Pipeline, Workspace
from classify.categories.known import Known
from classify.recipe.options import RecipeOptions
from classify.several.options import SeveralOptions
from embed import EmbedOptions
from hin.demo.corpus import DemoOptions, write_demo
from hin.graph import Graph

pytestmark = pytest.mark.slow

QUICK = ClassifyOptions(["venue"], classifier="linear", embed=EmbedOptions(dim=16, epochs=2))
NAMES = tuple(Category(name) for name in ("astronomy", "botany", "geology", "linguistics", "robotics"))
KNOWN = Known(np.array([3, 5]), np.array([1, 0]))


class Recorded:
    """Options that record which of their fields are read; properties and methods are run, so that their reads count."""

    def __init__(self, value: Any, read: Callable[[str], None]) -> None:
        self.__dict__.update(value=value, read=read)

    def __getattr__(self, name: str) -> Any:
        found = inspect.getattr_static(type(self.value), name, None)
        if isinstance(found, property):
            assert found.fget is not None
            return found.fget(self)
        if inspect.isfunction(found):
            return MethodType(found, self)
        self.read(name)
        return getattr(self.value, name)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    files = write_demo(folder, DemoOptions(documents=200))
    hin.load(files.documents, graph=folder / "graph.hin")
    return folder / "graph.hin"


@pytest.fixture(scope="module")
def graph(place: Path) -> Graph:
    return hin.open_store(place).read_graph()


def declared(options: ClassifyOptions, names: tuple[str, ...]) -> set[str]:
    """The fields that declared options stand for."""
    found: set[str] = set()
    for name in names:
        first = name.partition(".")[0]
        getattr(Recorded(options, found.add), first)
    return found


@pytest.mark.parametrize(
    ("options", "known"),
    [
        (replace(QUICK, other=True), KNOWN),
        (replace(QUICK, several=SeveralOptions(several=True)), None),
        (replace(QUICK, preset="paper"), None),
        (replace(QUICK, patterns=[]), None),
    ],
    ids=["default", "several", "paper", "judged"],
)
def test_a_step_reads_what_it_declares_and_declares_what_it_reads(
    graph: Graph, options: ClassifyOptions, known: Known | None
) -> None:
    with Pipeline(graph, NAMES, options, known=known) as pipeline:
        undeclared: list[tuple[str, str]] = []

        def read(name: str) -> None:
            if pipeline.making is not None and name not in declared(options, pipeline.making.options):
                undeclared.append((pipeline.making.name, name))

        pipeline.options = Recorded(options, read)
        assert np.isfinite(pipeline.classification.probabilities).all()
        assert pipeline.selection
    assert undeclared == []


def test_a_teacher_that_guesses_changes_no_label(graph: Graph) -> None:
    """Nothing is known of one of the names, so its category has the teacher's answers alone."""
    names, rng = (*NAMES, Category("xqzzt")), np.random.default_rng(1)
    guesses = Known(np.arange(40), rng.integers(0, 6, 40), ("guesser",), np.zeros(40, dtype=np.int64))
    with Pipeline(graph, names, QUICK) as alone, Pipeline(graph, names, QUICK, known=guesses) as taught:
        (source,) = taught.soft_labels.sources
        assert not source.teaches
        assert (taught.soft_labels.logs == alone.soft_labels.logs).all()
        assert (taught.classification.labels == alone.classification.labels).all()


def test_a_step_that_reads_an_undeclared_one_is_an_error(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pipeline.names, "reads", ("graph", "categories"))
    with Pipeline(graph, NAMES, QUICK) as pipeline, pytest.raises(RuntimeError, match="names reads knowledge"):
        _ = pipeline.names


def test_a_step_computes_on_one_blas_thread(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def threads(_: Pipeline) -> set[int]:
        return {found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"}

    with threadpool_limits(2), Pipeline(graph, NAMES, QUICK) as pipeline:
        monkeypatch.setattr(Pipeline.knowledge, "make", threads)
        assert (pipeline.knowledge, threads(pipeline)) == ({1}, {2})


def test_every_option_that_shapes_a_result_is_declared_by_a_step() -> None:
    steps = [step for step in vars(Pipeline).values() if hasattr(step, "reads")]
    shaping = set().union(*(declared(QUICK, step.options) for step in steps))
    # `for_graph` writes min_count into the options of matching.
    assert shaping | {"abstain_below", "min_count"} == {entry.name for entry in fields(ClassifyOptions)}


def never(*_: object, **__: object) -> None:
    raise AssertionError("nothing of this has changed")


def test_another_keyword_in_an_open_workspace_makes_nothing_again_that_it_does_not_change(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venue = hin.open_store(place).read_graph().names("venue")[0]
    more = (replace(NAMES[0], keywords=(f"VENUE[{venue}]",)), *NAMES[1:])
    hin.copy(place, tmp_path / "fresh.hin")
    with Workspace(hin.open_store(tmp_path / "fresh.hin")) as other:
        fresh = Pipeline(other.graph, more, QUICK, workspace=other).stored.exact
    with Workspace(hin.open_store(place)) as workspace:
        first = Pipeline(workspace.graph, NAMES, QUICK, workspace=workspace).stored
        with monkeypatch.context() as only:
            for made in ("encode_corpus", "features_of", "place_views", "open_model"):
                only.setattr(f"classify.pipeline.{made}", never)
            only.setattr("embed.embedding_stage.train_on", never)
            second = Pipeline(workspace.graph, more, QUICK, workspace=workspace).stored
            only.setattr("classify.pipeline.find_names", never)
            third = Pipeline(workspace.graph, more, replace(QUICK, abstain_below=0.6), workspace=workspace).stored
    assert second.exact.tobytes() == fresh.tobytes() == third.exact.tobytes() != first.exact.tobytes()
    assert (third.labels < 0).sum() > (second.labels < 0).sum() and second.fresh and not third.fresh


def test_another_keyword_in_an_open_workspace_reads_no_text_again(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = replace(QUICK, patterns=[])
    word = next(term for term in graph.names("term").tolist() if len(term) > 4)
    more = (replace(NAMES[0], keywords=(word,)), *NAMES[1:])
    with Workspace() as workspace:
        first = Pipeline(graph, NAMES, judged, workspace=workspace).fields
        monkeypatch.setattr("classify.fields.text_pass._features", never)
        monkeypatch.setattr("classify.knowledge.static.StaticModel.read", never)
        second = Pipeline(graph, more, judged, workspace=workspace).fields
    assert first is not None and second is not None and first is not second


def test_an_option_that_shapes_a_result_makes_the_stored_labels_anew(place: Path, tmp_path: Path) -> None:
    hin.copy(place, tmp_path / "copy.hin")
    with Workspace(hin.open_store(tmp_path / "copy.hin")) as workspace:
        other = replace(QUICK, recipe=RecipeOptions(evidence=1.0))
        found = [Pipeline(workspace.graph, NAMES, options, workspace=workspace).stored for options in (QUICK, other)]
        again = Pipeline(workspace.graph, NAMES, other, workspace=workspace).stored
    assert found[1].fresh and not again.fresh
    assert again.options(workspace.store).recipe == other.recipe
