"""The commands from embedding to report, on a small demo corpus: shapes, errors, and that stages are used again."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cli
from hin.demo.corpus import DemoOptions, write_demo

pytestmark = pytest.mark.slow

PATTERNS = ["-p", "venue-year", "-p", "author-author", "-p", "venue"]
QUICK = ["--dim", "20", "--epochs", "3"]


@pytest.fixture(scope="module")
def classified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus, its graph, and a classification of it."""
    folder = tmp_path_factory.mktemp("commands")
    files = write_demo(folder, DemoOptions(documents=400))
    graph = folder / "graph.hin"
    for arguments in (
        ["load", files.documents, "--links", "cites", "--graph", graph, "-q"],
        ["classify", "-c", files.labels, *PATTERNS, *QUICK, "--graph", graph, "-q",
         "--plain", "--scores", "--out", folder / "predictions.jsonl", "--save-model", folder / "model"],
    ):  # fmt: skip
        with pytest.raises(SystemExit) as stop:
            cli.main([str(argument) for argument in arguments])
        assert not stop.value.code
    return folder


@pytest.fixture
def graph(classified: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(classified / "graph.hin", tmp_path / "copy.hin"))


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_predictions_are_in_the_order_of_the_input(classified: Path) -> None:
    records, documents = lines(classified / "predictions.jsonl"), lines(classified / "documents.jsonl")
    assert [record["document"] for record in records] == [document["document"] for document in documents]
    assert list(records[0]) == ["document", "category", "confidence", "scores"]
    best = [max(record["scores"], key=record["scores"].get) for record in records]
    assert best == [record["category"] for record in records]


def test_the_labels_are_good_where_the_topics_are_clear(classified: Path, hin: Callable) -> None:
    figures = hin("evaluate", "--graph", classified / "graph.hin", "--json").json
    assert set(figures) >= {"micro_f1", "macro_f1", "categories", "confusion"}
    assert set(figures["categories"][0]) >= {"category", "precision", "recall", "f1", "documents"}
    assert figures["micro_f1"] > 0.7


def test_evaluation_of_pseudo_documents(graph: Path, hin: Callable) -> None:
    figures = hin("evaluate", "--pseudo", "--graph", graph, "--json").json
    assert [row["size"] for row in figures["retrieved"]] == [50, 100, 200, 1000]
    assert figures["generated"]["documents"] == 300
    assert sum(figures["pattern_shares"][-1]["shares"].values()) == pytest.approx(1)
    named = [instance for level in figures["specificity_levels"] for instance in level["instances"]]
    assert named
    assert all(name.startswith(("TERM[", "VENUE[", "AUTHOR[")) for name in named)
    shown = hin("evaluate", "--pseudo", "--confusion", "--graph", graph).out
    assert "micro-F1" in shown
    assert "retrieved per category" in shown


def test_a_stored_embedding_is_used_again(graph: Path, classified: Path, hin: Callable) -> None:
    before = sorted(path.name for path in graph.glob("embed-*"))
    done = hin("select", "-c", classified / "labels.txt", *PATTERNS, *QUICK, "--graph", graph, "--top", "3", "--json")
    assert sorted(path.name for path in graph.glob("embed-*")) == before
    assert list(done.json[0]) == ["category", "position", "pattern", "instance", "kappa", "cosine", "documents"]
    assert done.json[0]["instance"] == "TERM[astronomy]"
    assert len(done.json) == 18
    plain = hin("select", "-c", classified / "labels.txt", *PATTERNS, *QUICK, "--graph", graph, "--top", "3").out
    assert "astronomy (in " in plain
    said = hin("select", "-c", classified / "labels.txt", *PATTERNS, *QUICK, "--graph", graph, "--top", "3").err
    assert f"Next: `hin classify --categories {classified / 'labels.txt'}" in said


def test_new_documents_are_read_as_the_graphs_were(tmp_path: Path, hin: Callable) -> None:
    rows = [f"r{i};{'good apples' if i % 2 else 'fine pears'} word{i % 7};V{i % 2}|X;{i}" for i in range(60)]
    (tmp_path / "own.csv").write_text("\n".join(["Nr;Words;Where;n", *rows]), encoding="utf-8")
    (tmp_path / "names.txt").write_text("apples\npears\n", encoding="utf-8")
    graph = ["--graph", tmp_path / "g.hin"]
    fields = ["--id", "Nr", "--text", "Words", "--metadata", "place=Where", "--separator", "|"]
    assert hin("load", tmp_path / "own.csv", *fields, *graph).code == 0
    out = tmp_path / "p.jsonl"
    form = ["--plain", "--scores", "--out", out]
    done = hin("classify", "-c", tmp_path / "names.txt", "-p", "place", *QUICK, *form, *graph)
    assert done.code == 0, done.err
    again = hin("predict", tmp_path / "own.csv", "--out", tmp_path / "again.jsonl", *graph)
    assert again.code == 0, again.err
    assert (tmp_path / "again.jsonl").read_bytes() == out.read_bytes()


def test_explanations_add_up(classified: Path, hin: Callable) -> None:
    reported = hin("explain", "demo-0001", "--graph", classified / "graph.hin", "--json").json
    assert set(reported) >= {"document", "category", "score", "runner_up", "reasons"}
    assert sum(reason["weight"] for reason in reported["reasons"]) == pytest.approx(reported["score"])
    shown = hin("explain", "demo-0001", "--top", "3", "--graph", classified / "graph.hin").out
    assert "The weights add up to the score" in shown
    said = hin("explain", "demo-0001", "--graph", classified / "graph.hin").err
    assert "Next: `hin explain demo-0001 --category" in said and "`hin report --graph" in said
    other = hin("explain", "demo-0001", "--category", "robotics", "--graph", classified / "graph.hin", "--json").json
    assert other["category"] == "robotics"


@pytest.mark.parametrize("source", ["graph", "model"])
def test_known_documents_keep_their_labels(classified: Path, tmp_path: Path, hin: Callable, source: str) -> None:
    where = ["--graph", classified / "graph.hin"] if source == "graph" else ["--model", classified / "model"]
    done = hin("predict", classified / "documents.jsonl", "--out", tmp_path / "again.jsonl", *where)
    assert done.code == 0, done.err
    assert (tmp_path / "again.jsonl").read_bytes() == (classified / "predictions.jsonl").read_bytes()


def test_new_documents_with_unseen_words_and_authors(classified: Path, tmp_path: Path, hin: Callable) -> None:
    new = tmp_path / "new.jsonl"
    new.write_text('{"document": "n1", "title": "Zyzzyva robotics", "abstract": "", "author": ["Nobody Known"]}\n')
    where = ["--graph", classified / "graph.hin"]
    record = hin("predict", new, *where, "--json").json[0]
    assert record["document"] == "n1"
    assert hin("predict", new, *where, "--abstain-below", "1", "--json").json[0]["category"] is None
    assert json.loads(hin("predict", new, *where).out)["document"] == "n1"


def test_new_documents_are_explained_from_a_file(classified: Path, tmp_path: Path, hin: Callable) -> None:
    first = lines(classified / "documents.jsonl")[0]
    new = [
        first,
        {**first, "document": "n2", "title": "quuux", "author": ["Nobody"]},
        {"document": "n3", "title": "zz"},
    ]
    (tmp_path / "new.jsonl").write_text("\n".join(map(json.dumps, new)))
    where = ["--graph", classified / "graph.hin"]
    known = hin("explain", first["document"], *where, "--json").json
    reported = hin("explain", "--file", tmp_path / "new.jsonl", *where, "--json").json
    assert [one["document"] for one in reported] == [first["document"], "n2", "n3"]
    assert reported[0]["reasons"] == known["reasons"] and reported[0]["category"] == known["category"]
    assert reported[1]["unknown"]["words"] == ["quuux"]
    assert {"field": "author", "value": "Nobody"} in reported[1]["unknown"]["values"]
    assert reported[2]["category"] is None and reported[2]["unknown"]["words"] == ["zz"]
    shown = hin("explain", "n2", "--file", tmp_path / "new.jsonl", "--model", classified / "model", "--top", "2")
    assert shown.out.startswith("n2: ") and "not known to the model: quuux, author Nobody" in shown.out
    assert "The weights add up to the score" in shown.out and "n3" not in shown.out
    assert "n3: no category" in hin("explain", "--file", tmp_path / "new.jsonl", *where).out
    assert "has no document 'n9'" in hin("explain", "n9", "--file", tmp_path / "new.jsonl", *where).err
    assert "no document is named" in hin("explain", *where).err


def test_predict_says_what_it_does_not_know(classified: Path, tmp_path: Path, hin: Callable) -> None:
    first = lines(classified / "documents.jsonl")[0]
    new = [
        {**first, "document": f"n{i}", "title": "quuux zz quuux", "author": ["Nobody", "Ünbekannt"]} for i in range(2)
    ]
    (tmp_path / "new.jsonl").write_text("\n".join(map(json.dumps, new)))
    said = hin("predict", tmp_path / "new.jsonl", "--graph", classified / "graph.hin").err
    assert "The model does not know 6 of " in said and ": quuux (4), zz (2); nor 4 of " in said
    assert "author Nobody (2), author Ünbekannt (2)." in said
    (tmp_path / "old.jsonl").write_text(json.dumps(first))
    quiet = hin("predict", tmp_path / "new.jsonl", "--graph", classified / "graph.hin", "-q").err
    assert "does not know" not in quiet


def test_abstention(graph: Path, classified: Path, hin: Callable) -> None:
    arguments = ["-c", classified / "labels.txt", *PATTERNS, *QUICK, "--graph", graph]
    arguments += ["--classifier", "linear", "--abstain-below", "0.9"]
    done = hin("classify", *arguments, "--json")
    assert done.json["abstained"] > 0
    assert f"{400 - done.json['abstained']} of 400 documents classified" in hin("classify", *arguments).out
    assert done.json["evaluation"]["micro_f1"] > 0
    assert sum(done.json["categories"].values()) + done.json["abstained"] == 400


def test_embedding_by_itself(graph: Path, hin: Callable) -> None:
    first = hin("embed", "-p", "venue", *QUICK, "--graph", graph, "--json").json
    assert set(first) >= {"seconds", "edges", "edges_per_second", "threads", "instances", "documents", "dim"}
    again = hin("embed", "-p", "venue", *QUICK, "--graph", graph, "--json").json
    assert (first["trained"], again["trained"]) == (True, False)
    near = hin("embed", "--nearest", "VENUE[Open Transactions]", "--top", "2", "--graph", graph, "--json").json
    assert list(near[0]) == ["name", "pattern", "cosine", "kappa", "documents"]
    assert "cosine" in hin("embed", "--nearest", "VENUE[Open Transactions]", "--graph", graph).out
    unknown = hin("embed", "--nearest", "VENUE[Open]", "--graph", graph)
    assert unknown.code == 1
    assert "no motif instance named 'VENUE[Open]'" in unknown.err


def test_a_new_embedding_drops_the_old_classification(graph: Path, hin: Callable) -> None:
    assert hin("embed", "-p", "year", *QUICK, "--graph", graph).code == 0
    done = hin("explain", "demo-0001", "--graph", graph)
    assert (done.code, done.err) == (
        1, "hin: the documents have not been classified; run `hin classify --categories labels.txt`\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["classify", "-c", "labels.txt", "--out", "x.doc"], "unknown format of x.doc"),
        (["predict", "x.jsonl", "--out", "x.doc"], "unknown format of x.doc"),
        (["classify", "-c", "missing.txt"], "missing.txt"),
        (["explain", "nobody"], "no document named 'nobody'"),
        (["explain", "demo-0001", "--category", "x"], "no category 'x'"),
    ],
)
def test_bad_usage(classified: Path, hin: Callable, arguments: list[str], said: str) -> None:
    done = hin(*arguments, "--graph", classified / "graph.hin")
    assert done.code in (1, 2)
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_nothing_classified_yet(papers: Path, hin: Callable) -> None:
    assert "no graph at graph.hin" in hin("evaluate").err
    hin("load", papers)
    for command in (["evaluate"], ["explain", "p1"], ["predict", papers]):
        assert "the documents have not been classified" in hin(*command).err
    assert "there is no embedding yet" in hin("embed", "--nearest", "x").err


def test_the_whole_demo(tmp_path: Path, hin: Callable) -> None:
    done = hin("demo", "--documents", "150", "--out", tmp_path / "demo", "--json")
    assert done.code == 0, done.err
    assert {Path(done.json[name]).exists() for name in ("documents", "predictions", "report", "graph")} == {True}
    assert "is there already; use --replace" in hin("demo", "--out", tmp_path / "demo").err
    place = tmp_path / "demo"
    said = hin("demo", "--documents", "150", "--replace", "--out", place).err
    assert f"`hin report --graph {place / 'graph.hin'}`" in said  # every closing line can be pasted
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "one.txt").write_text("")
    assert "holds other things" in hin("demo", "--replace", "--out", tmp_path / "thesis").err


def test_the_help_of_classify_has_what_people_need_first_and_ablations_last(hin: Callable) -> None:
    own, *headed = re.split(r"^(?=\S[^\n]*:$)", hin("classify", "--help").out.partition("\nOptions:\n")[2], flags=re.M)
    wanted = "categories out plain scores known save-model pattern preset abstain-below other"
    assert re.findall(r"^  (?:-\w, )?--([\w-]+)", own, flags=re.M)[:10] == wanted.split()
    headings = [part.partition(":\n")[0] for part in headed]
    assert headings[0] == "Several categories per document"
    assert headings[-2:] == ["Rarely needed", "Ablations"]
    assert "--no-higher-order" in headed[-1]
