"""A command removes only what hin wrote, and never writes over what it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

import hin
from hin.errors import BadUsage, MissingStage
from hin.loading import load_into
from hin.reading.options import LoadOptions


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("papers.jsonl").write_text('{"id": "p1", "text": "Mining graphs"}\n{"id": "p2"}\n')
    load_into("g.hin", "papers.jsonl", LoadOptions(on_error="skip"))
    return tmp_path


def test_an_export_leaves_other_things_alone(place: Path) -> None:
    Path("p").mkdir()
    Path("p/graph.json").write_text("{}")
    Path("p/thesis.tex").write_text("x")
    with pytest.raises(BadUsage, match="no export that hin wrote"):
        hin.export("g.hin", "csv", "p")
    assert Path("p/thesis.tex").read_text() == "x"


@pytest.mark.parametrize(
    "side_file", ["papers.jsonl", "./papers.jsonl", "link.jsonl", "hard.jsonl", "g.hin/manifest.json"]
)
def test_rejected_records_never_go_over_an_input_or_a_graph(place: Path, side_file: str) -> None:
    Path("link.jsonl").symlink_to("papers.jsonl")
    Path("hard.jsonl").hardlink_to("papers.jsonl")
    before = Path("papers.jsonl").read_bytes(), Path("g.hin/manifest.json").read_bytes()
    with pytest.raises(BadUsage, match="is an input|inside the graph"):
        load_into("h.hin", "papers.jsonl", LoadOptions(on_error="skip", rejected=side_file))
    assert (Path("papers.jsonl").read_bytes(), Path("g.hin/manifest.json").read_bytes()) == before


def test_a_demo_is_not_made_over_documents_of_somebody_else(place: Path) -> None:
    from classify.commands.arguments import DemoCommand
    from classify.commands.demo import run_demo
    from hin.console import Console

    Path("mine").mkdir()
    Path("mine/documents.jsonl").write_text("mine")
    Path("mine/thesis.tex").write_text("mine")
    with pytest.raises(BadUsage, match="holds other things than a demo"):
        run_demo(DemoCommand(out=Path("mine"), replace=True), Console(quiet=True))
    assert sorted(path.name for path in Path("mine").iterdir()) == ["documents.jsonl", "thesis.tex"]


def test_what_lies_in_a_demo_beside_it_stays(place: Path) -> None:
    from hin.demo.corpus import write_demo
    from hin.demo.options import DemoOptions

    write_demo("d", DemoOptions(documents=100))
    Path("d/thesis.tex").write_text("mine")
    write_demo("d", DemoOptions(documents=120))
    assert Path("d/thesis.tex").read_text() == "mine"
    assert len(Path("d/documents.jsonl").read_text().splitlines()) == 120


def test_a_model_that_is_not_there_is_an_error(place: Path) -> None:
    from classify.commands.arguments import PredictCommand
    from classify.commands.prediction import run_predict
    from hin.console import Console

    with pytest.raises(MissingStage, match="no model at typo"):
        run_predict(PredictCommand(["papers.jsonl"], model="typo", graph="g.hin"), Console(quiet=True))
    with pytest.raises(BadUsage, match="typo would not be used"):
        hin.open_store("g.hin", model="typo")
    Path("empty").mkdir()
    with pytest.raises(BadUsage, match="empty would not be used"):
        run_predict(PredictCommand(["papers.jsonl"], model="empty", graph="g.hin"), Console(quiet=True))
