"""`hin explain --flip`: without the reasons it names the label is another, with any of them put back it is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hin as package
from hin.demo.corpus import DemoOptions, write_demo

pytestmark = pytest.mark.slow

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue"]


@pytest.fixture(scope="module", params=["linear", "average", "several"])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A classified graph, its model, and its documents as mappings."""
    folder = tmp_path_factory.mktemp("flip")
    files = write_demo(folder, DemoOptions(documents=200))
    model = package.MotifClassifier(
        files.labels.read_text().split("\n")[:-1],
        patterns=["venue"],
        classifier="average" if request.param == "average" else "linear",
        several=request.param == "several",
        embed=package.EmbedOptions(dim=20, epochs=2),
    ).fit(package.load(files.documents))
    return request.param, model, [json.loads(line) for line in files.documents.read_text().splitlines()]


def label(model: Any, document: dict[str, Any]) -> list[str]:
    found = model.predict_table([document]).to_pylist()[0]
    return list(found.get("categories", [found["category"]]))


def test_the_prediction_without_the_reasons_is_what_it_says(case: Any) -> None:
    kind, model, documents = case
    tried = 0
    for document in documents[:40]:
        found = model.flip(document["document"])
        if found is None:
            continue
        instances = [name for name, _ in found.without]
        assert found.category not in found.becomes and found.becomes
        assert str(found).startswith("Without ") and f"it would be {', '.join(found.becomes)}" in str(found)
        # Words can be taken out of the text of a new document: the same prediction, made by another way.
        if not all(re.fullmatch(r"TERM\[\w+\]", name) for name in instances) or kind == "average":
            continue  # the CNN reads sequences, in which a word that is cut out leaves no gap

        def cut(names: list[str], document: dict[str, Any] = document) -> dict[str, Any]:
            words = "|".join(re.escape(name[5:-1]) for name in names)
            texts = {part: re.sub(rf"\b({words})\b", "0", document[part], flags=re.I) for part in ("title", "abstract")}
            return {**document, **texts}

        if any(name[5:-1] in other for name in instances for other in phrases(model, document)):
            continue
        tried += 1
        assert set(label(model, cut(instances))) == set(found.becomes)
        for name in instances if len(instances) > 1 else ():
            assert found.category in label(model, cut([other for other in instances if other != name]))
    assert tried >= 3 or kind == "average"


def phrases(model: Any, document: dict[str, Any]) -> list[str]:
    reasons = model.explain(document["document"])["reasons"]
    return [one["instance"] for one in reasons if one["pattern"] == "term" and " " in one["instance"]]


def test_a_wanted_category_is_reached(case: Any) -> None:
    _, model, documents = case
    reached = 0
    for document in documents[:10]:
        runner_up = model.explain(document["document"])["runner_up"]["category"]
        found = model.flip(document["document"], category=runner_up)
        if found is not None:
            reached += 1
            assert runner_up in found.becomes
    assert reached
    name = documents[0]["document"]
    assert model.flip(name, category=model.explain(name)["winner"]["category"]) is None
    with pytest.raises(package.HinError, match="no category 'cooking'"):
        model.flip(name, category="cooking")


def test_nothing_known_flips_nothing(case: Any) -> None:
    _, model, _ = case
    assert model.flip({"title": "zzz", "abstract": ""}) is None


def test_the_command_says_it(hin: Callable, tmp_path: Path) -> None:
    files, graph = write_demo(tmp_path, DemoOptions(documents=120)), tmp_path / "g.hin"
    hin("load", files.documents, "--graph", graph)
    assert hin("classify", "-c", files.labels, *QUICK, "--classifier", "linear", "--graph", graph).code == 0
    reported = hin("explain", "demo-0003", "--flip", "--graph", graph, "--json").json["flip"]
    assert reported["without"] and reported["becomes"] and reported["becomes"] != [reported["category"]]
    assert reported["line"] + "." in hin("explain", "demo-0003", "--flip", "--graph", graph).out
    assert "flip" not in hin("explain", "demo-0003", "--graph", graph, "--json").json
    new = hin("explain", "--file", files.documents, "demo-0003", "--flip", "--graph", graph, "--json").json
    assert new["flip"] == reported
