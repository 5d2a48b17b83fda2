"""A linear model as one JSON file: readers without dependencies give its labels and probabilities."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hin as package
from classify import Category, MotifClassifier
from classify.options import ClassifyOptions
from embed import EmbedOptions
from hin.demo.corpus import DemoOptions, write_demo
from hin.errors import HinError

EXAMPLES = Path(__file__).parents[3] / "examples"
#: Texts and values that the rules for words, phrases and spellings disagree about most easily.
HARD: list[dict[str, Any]] = [
    {"text": "Größe ÉTUDE E\u0301tude \u2019n C++, C# 3.14 state\u2010of-the-art ΣΑΣ", "venue": ["nobody"]},
    {"text": "data\u00a0mining data-mining data, mining data\u00admining \U0001f600 \ufeffdata mining"},
    {"text": "İstanbul ǅ \u1e9e \u0345 网络 数据 ｄａｔａ ﬁnd"},
    {"text": "", "venue": [], "author": []},
    {"text": "data " * 1200},
]


def documents(path: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    odd = [{**rows[0], "venue": [f"  {str(value).upper()}  " for value in rows[0]["venue"]]}]
    return [*rows, *odd, *HARD]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[MotifClassifier, list[dict[str, Any]], Path]:
    folder = tmp_path_factory.mktemp("exported")
    files = write_demo(folder, DemoOptions(documents=1500))
    options: dict[str, Any] = {"classifier": "linear", "embed": EmbedOptions(dim=20, epochs=2)}
    graph = package.load(files.documents)
    model = MotifClassifier(files.labels, ["venue", "author", "venue-author", "author-author"], **options).fit(graph)
    model.export(folder / "model.json")
    return model, documents(files.documents), folder / "model.json"


def check_scores(model: MotifClassifier, rows: list[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
    found = np.array([[answer["scores"][name] for name in model.classes_] for answer in answers])
    assert np.abs(found - model.predict_proba(rows)).max() < 1e-6


def check(model: MotifClassifier, rows: list[dict[str, Any]], answers: list[dict[str, Any]]) -> None:
    check_scores(model, rows, answers)
    assert [answer["category"] or "" for answer in answers] == model.predict(rows).tolist()
    assert len({answer["category"] for answer in answers}) > 3 and None in {answer["category"] for answer in answers}


def test_python_reads_it(made: Any) -> None:
    model, rows, path = made
    opened = read_by_python(path)
    check(model, rows, [opened.label(row) for row in rows])


@pytest.mark.parametrize(
    "program", [pytest.param(["node", "read_model.js"], id="node"), [sys.executable, "read_model.py"]]
)
def test_programs_read_it(made: Any, program: list[str]) -> None:
    model, rows, path = made
    if shutil.which(program[0]) is None:
        pytest.skip(f"{program[0]} is not installed")
    lines = "\n".join(json.dumps(row) for row in rows) + "\n \n\n"  # blank lines are no documents
    command = [program[0], str(EXAMPLES / program[1]), str(path)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
    check(model, rows, [json.loads(line) for line in done.stdout.splitlines()])
    nothing = subprocess.run(command, input="", capture_output=True, text=True, check=True, encoding="utf-8")
    assert nothing.stdout == ""


def read_by_python(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("read_model", EXAMPLES / "read_model.py")
    assert spec is not None and spec.loader is not None
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    return reader.Model(path)


def test_korean_words_lose_their_particles_there_too(tmp_path: Path) -> None:
    texts = [text for i in range(20) for text in (f"사과를 과수원에서 w{i % 3}", f"로켓이 발사대까지 w{i % 3}")]
    quick: dict[str, Any] = {"classifier": "linear", "knowledge": None, "embed": EmbedOptions(dim=8, epochs=2)}
    model = MotifClassifier(["사과", "로켓"], **quick).fit(texts)
    model.export(tmp_path / "model.json")
    asked = ["과수원의 사과도", "발사대로 로켓만"]
    assert model.predict(asked).tolist() == ["사과", "로켓"]
    rows = [{"text": text} for text in asked]
    check_scores(model, rows, [read_by_python(tmp_path / "model.json").label(row) for row in rows])
    if shutil.which("node") is not None:
        command = ["node", str(EXAMPLES / "read_model.js"), str(tmp_path / "model.json")]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
        check_scores(model, rows, [json.loads(line) for line in done.stdout.splitlines()])


def test_readers_are_short_and_need_nothing() -> None:
    for name in ("read_model.py", "read_model.js"):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) < 100
    imported = [
        line.split()[1]
        for line in (EXAMPLES / "read_model.py").read_text().splitlines()
        if " import " in line or line.startswith("import ")
    ]
    assert set(imported) <= set(sys.stdlib_module_names)


def test_a_model_without_confidence_of_its_own(tmp_path: Path) -> None:
    texts = [text for i in range(20) for text in (f"cider orchard fruit w{i % 3}", f"orbit launch fuel w{i % 3}")]
    quick: dict[str, Any] = {"classifier": "linear", "knowledge": None, "embed": EmbedOptions(dim=8, epochs=2)}
    y = ["cider", "orbit", *[None] * 38]
    names = [Category("cider", share=0.3), Category("orbit", share=0.7)]
    model = MotifClassifier(names, **quick).fit(texts, y)
    model.export(tmp_path / "model.json")
    head = json.loads((tmp_path / "model.json").read_text())
    assert head["sureness"] is None and head["offsets"] is not None
    again = tmp_path / "again.json"
    model.export(again)
    assert again.read_bytes() == (tmp_path / "model.json").read_bytes()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"classifier": "cnn"}, "only the linear classifier"),
        ({"classifier": "linear", "several": True}, "several categories"),
    ],
)
def test_other_models_are_refused(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    texts = [text for i in range(20) for text in (f"cider orchard fruit w{i % 3}", f"orbit launch fuel w{i % 3}")]
    model = MotifClassifier(["cider", "orbit"], knowledge=None, embed=EmbedOptions(dim=8, epochs=2), **options)
    model.fit(texts)
    with pytest.raises(HinError, match=said) as caught:
        model.export(tmp_path / "model.json")
    assert caught.value.hint and not (tmp_path / "model.json").exists()


def test_on_the_command_line(hin: Callable, tmp_path: Path) -> None:
    rows = [{"id": str(i), "text": f"{'cider fruit' if i % 2 else 'orbit fuel'} w{i % 3}"} for i in range(40)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = ["classify", "rows.jsonl", "-c", "cider, orbit", "--knowledge", "none", "--dim", "8", "--epochs", "2"]
    for options, said in (
        ((), "only the linear classifier"),
        (("--classifier", "linear", "--several"), "several categories"),
        (("--classifier", "linear", "--vectors", "rows.npy"), "vectors"),
    ):
        done = hin(*asked, *options, "--save-model", "model.json")
        assert done.code != 0 and said in done.err and not Path("rows.jsonl.hin").exists()
    done = hin(*asked, "--classifier", "linear", "--save-model", "model.json")
    assert done.code == 0, done.err
    assert json.loads(Path("model.json").read_text())["categories"] == ["cider", "orbit"]
    assert ClassifyOptions().learner == "average"
