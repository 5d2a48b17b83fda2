"""What the commands say on their way, counted again: each remark on data built to provoke it."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hin as package
from tests.classify.notes_kit import ROWS, held

SMALL = ("--classifier", "linear", "--dim", "16", "--epochs", "3")
TRUTH = ["apples", "rocket", "webs", "car"]


@pytest.fixture
def run(tmp_path: Path, hin: Callable) -> Callable[..., Any]:
    """Run a command on the graph of this test."""

    def call(*arguments: object) -> Any:
        done = hin(*arguments, "--graph", tmp_path / "g.hin")
        assert done.code == 0, done.err
        return done

    return call


def load(tmp_path: Path, rows: list[dict[str, Any]], *names: str, **options: Any) -> None:
    package.load(rows, graph=tmp_path / "g.hin", **options)
    (tmp_path / "c.txt").write_text("".join(f"{name}\n" for name in names))


def test_several_labels_are_reported(tmp_path: Path, run: Callable) -> None:
    load(tmp_path, [{**row, "label": [TRUTH[i % 4], "other"]} for i, row in enumerate(ROWS)], "apples", "rocket")
    done = run("classify", "-c", tmp_path / "c.txt", *SMALL)
    several = "Documents have several labels each: `--several` gives several, only the first is compared here."
    assert several in done.err and "against the graph's labels" in done.out


def test_figures_from_some_labels_are_said_to_be_so(tmp_path: Path, run: Callable) -> None:
    rows = [{**row, "label": TRUTH[i % 4] if i < 9 else "another"} for i, row in enumerate(ROWS)]
    load(tmp_path, rows, "apples", "rocket")
    compared = sum(row["label"] in ("apples", "rocket") for row in rows)
    done = run("classify", "-c", tmp_path / "c.txt", *SMALL)
    assert f"against the graph's labels of the {compared} documents that have one of these categories" in done.out


def test_labels_that_are_no_categories_are_reported(tmp_path: Path, run: Callable) -> None:
    load(tmp_path, [{**row, "label": f"kind{i % 2}"} for i, row in enumerate(ROWS)], "apples", "rocket")
    done = run("classify", "-c", tmp_path / "c.txt", *SMALL)
    assert "Not evaluated: none of the graph's labels (kind0, kind1) is a category (apples, rocket)" in done.err
    assert "against the graph's labels" not in done.out
    assert "several labels each" not in done.err


def test_views_add_up_and_nothing_is_trained_again(tmp_path: Path, run: Callable) -> None:
    load(tmp_path, ROWS, "apples", "rocket")
    small = [*SMALL, "--min-count", "5", "--verbose"]
    first = run("classify", "-c", tmp_path / "c.txt", *small).err
    shares = [int(share) for share in re.findall(r"(\d+)%", re.search(r"views: (.*)", first)[1])]
    assert len(shares) > 1 and abs(sum(shares) - 100) <= len(shares) / 2, "up to rounding"
    assert f"apples: in {held('apples')} documents" in first
    assert "nothing was trained again" not in first
    before = {path: path.read_bytes() for path in (tmp_path / "g.hin").rglob("*.npy")}
    again = run("classify", "-c", tmp_path / "c.txt", *small).err
    assert "the same names, words, labels and options as the last time: nothing was trained again" in again
    assert before == {path: path.read_bytes() for path in (tmp_path / "g.hin").rglob("*.npy")}


def test_documents_without_a_category_are_reported_once_with_the_reason(tmp_path: Path, run: Callable) -> None:
    odd = [{"id": f"x{i}", "text": f"quux{i}", "city": [], "team": []} for i in range(3)]
    load(tmp_path, [*ROWS, *odd], "apples", "rocket")
    out = tmp_path / "p.csv"
    done = run("classify", "-c", tmp_path / "c.txt", *SMALL, "--out", out)
    reason = "3 documents without a word or value that is in 2 documents or more, stop words aside: no evidence"
    assert reason in done.err
    assert "without a category" not in done.out and "None" not in done.out
    done = run("classify", "-c", tmp_path / "c.txt", *SMALL, "--out", out, "--abstain-below", "0.9")
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    empty = sum(not row["category"] for row in rows)
    assert sum(float(row["confidence"]) < 0.9 for row in rows) == empty > 3
    assert f"{empty - 3} document{'s' * (empty > 4)} without a category (confidence below 0.9)" in done.out
    counts = Counter(row["category"] for row in rows)
    assert all(re.search(rf"^{name} +{counts[name]}\b", done.out, re.M) for name in ("apples", "rocket"))


def test_a_file_of_labels_without_labels(tmp_path: Path, run: Callable) -> None:
    load(tmp_path, ROWS, "apples", "rocket")
    (tmp_path / "few.csv").write_text("document,category\nd0,\nd1,\n")
    said = run("classify", "-c", tmp_path / "c.txt", *SMALL, "--known", tmp_path / "few.csv").err
    assert f"{tmp_path / 'few.csv'} has no line with a category." in said


def test_bad_records_and_unknown_words_of_new_documents_are_counted(tmp_path: Path, run: Callable) -> None:
    load(tmp_path, ROWS, "apples", "rocket")
    run("classify", "-c", tmp_path / "c.txt", *SMALL)
    new = [
        {"id": "n1", "text": "apples zeppelin", "city": "c0"},
        {"id": "n2", "text": {}},
        {"id": "n3", "text": "fuel"},
    ]
    (tmp_path / "n.jsonl").write_text("".join(json.dumps(row) + "\n" for row in new))
    said = run("predict", tmp_path / "n.jsonl", "--on-error", "skip", "--rejected", tmp_path / "bad.jsonl").err
    assert f"1 bad record skipped, see {tmp_path / 'bad.jsonl'}." in said
    assert "The model does not know 1 of 3 words (33 %): zeppelin." in said
    assert "2 documents labelled in" in said


def test_what_a_load_leaves_out_is_counted(tmp_path: Path, run: Callable) -> None:
    rows = [{**row, "cites": ["d1", f"gone{i}"] if i < 5 else []} for i, row in enumerate(ROWS)]
    rows += [{**rows[i], "id": f"again{i}"} for i in range(3)]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = run("load", tmp_path / "d.jsonl", "--links", "cites").err
    missing = sum(name.startswith("gone") for row in rows for name in row["cites"])
    assert f"{missing} links of cites lead to documents that are not in the graph." in said
    texts = [row["text"] for row in rows]
    same = len(texts) - len(set(texts))
    assert f"{same} documents have the text of an earlier one; --drop-duplicates drops them" in said
    said = run("load", tmp_path / "d.jsonl", "--links", "cites", "--drop-duplicates", "--replace").err
    assert f"{same} documents with the text of an earlier one left out." in said


def test_spellings_are_merged(tmp_path: Path, run: Callable) -> None:
    cities = ["Bonn", "bonn", "Köln", "Koln", "Mainz"]
    rows = [{**row, "city": cities[i % 5]} for i, row in enumerate(ROWS)]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    said = run("load", tmp_path / "d.jsonl").err
    assert "Merged values that differ only in case or spaces: 1 of city ('bonn' into 'Bonn')" in said


def test_an_embedding_that_is_there(tmp_path: Path, run: Callable) -> None:
    load(tmp_path, ROWS)
    embed = ("embed", "--dim", "8", "--epochs", "1")
    assert "nothing to train" not in run(*embed).err
    said = run(*embed).err
    assert "The stored embedding was made with the same patterns, options and seed; nothing to train." in said
    assert "nothing to train" not in run(*embed, "--seed", "1").err, "another seed is another embedding"


def test_labels_that_another_embedding_removes_are_announced(tmp_path: Path, run: Callable) -> None:
    load(tmp_path, ROWS, "apples", "rocket")
    names = ("-c", tmp_path / "c.txt")
    run("classify", *names, *SMALL)
    assert "no labels any more" not in run("select", *names, *SMALL[2:]).err
    assert "no labels any more" in run("select", *names, *SMALL[2:], "--seed", 1).err
    assert "no labels any more" not in run("embed", *SMALL[2:]).err, "it had none"
