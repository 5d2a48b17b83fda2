"""Every remark on names, patterns and views, on data built to provoke it: what it says is counted here again.

What the commands say beyond these is in `tests/classify/commands/test_notes_of_commands.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import hin as package
from classify import Category, MotifClassifier, PaperOptions
from classify.categories.finding import CategoryFinding, add_kappa, find_categories, require_found
from classify.categories.meaning import find_by_meaning
from classify.categories.name_vector import NameVector
from classify.knowledge.opening import open_model
from classify.learners.cnn_options import CNNOptions
from classify.options import ClassifyOptions
from classify.paper.options import SelectionOptions
from classify.paper.selection import select_instances
from classify.pipeline import Pipeline
from hin.errors import MissingStage
from hin.graph import Graph
from motifs import match_all
from tests.classify.notes_kit import ROWS, SMALL, held


@pytest.fixture(scope="module")
def graph() -> Graph:
    return package.load(ROWS)


def finding(graph: Graph, category: Category) -> CategoryFinding:
    (found,), _ = find_categories(graph, [category])
    return found


def test_found_as_another_spelling(graph: Graph) -> None:
    found = finding(graph, Category("Web"))
    assert found.notes() == ["found as 'webs'"]
    assert held("web") == 0 and held("webs") == found.documents == 20


def test_only_its_keywords_occur(graph: Graph) -> None:
    found = finding(graph, Category("beverages", keywords=("cider", "nectar")))
    assert found.notes() == ["occurs nowhere itself; its keywords stand for it",
                             "keyword 'nectar' occurs in no text and is left out"]  # fmt: skip
    assert held("beverages") == held("nectar") == 0 and held("cider") == 20


def test_composed_of_words_that_are_there(graph: Graph) -> None:
    (found,) = require_found([finding(graph, Category("racing engine"))])
    assert found.notes() == ["occurs nowhere as written; stands for racing + engine"]
    assert held("racing engine") == 0 and held("racing") == held("engine") == 20


def test_missing_with_what_could_be_meant(graph: Graph) -> None:
    found = finding(graph, Category("rockett"))
    nowhere, alike = found.notes()[:2]
    assert nowhere == "occurs nowhere, and nothing is known of it: its category stays empty" and held("rockett") == 0
    assert alike.startswith("spelled alike: rocket") and held("rocket") == 20
    shared = finding(graph, Category("racing bicycle")).notes()
    assert shared == ["occurs nowhere as written; stands for racing"] and held("racing bicycle") == 0


def test_placed_by_meaning_near_words_of_the_corpus(graph: Graph) -> None:
    (found,) = find_by_meaning([finding(graph, Category("automobile"))], graph, open_model("wordllama"), 5)
    (note,) = found.notes()
    near = note.removeprefix("occurs nowhere; placed by what it means, near ").split(", ")
    assert held("automobile") == 0 and near[0] == "car" and all(held(word) for word in near)


@pytest.mark.parametrize("keywords", [(), ("fuel",)])
def test_in_few_documents(graph: Graph, keywords: tuple[str, ...]) -> None:
    for name, count in (("dragon", "1 document"), ("yew", "4 documents")):
        found = finding(graph, Category(name, keywords=keywords))
        assert held(name) == found.documents == int(count.split()[0])
        assert found.notes() == [f"in only {count}" + ("" if keywords else "; keywords would help")]


def test_what_speaks_against_and_occurs_nowhere_is_reported(graph: Graph) -> None:
    found = finding(graph, Category("apples", excluded=("zeppelin",)))
    assert found.notes() == ["keyword '-zeppelin' occurs in no text and is left out"] and held("zeppelin") == 0


def test_nearly_the_same_has_the_cosine_of_the_vectors(graph: Graph) -> None:
    motifs = match_all(graph, ["term"], min_count=1)
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(motifs.n_instances, 8)).astype(np.float32)
    one, other = (motifs.find(f"TERM[{name}]") for name in ("rocket", "orbit"))
    assert one is not None and other is not None
    vectors[other] = vectors[one] + 0.1 * vectors[other]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    names = [finding(graph, Category(name)) for name in ("rocket", "orbit", "apples")]
    checked = add_kappa(names, motifs, vectors, np.ones(motifs.n_instances))
    centred = vectors.astype(float) - vectors.mean(axis=0, dtype=float)
    cosine = centred[one] @ centred[other] / np.linalg.norm(centred[one]) / np.linalg.norm(centred[other])
    assert checked[0].notes() == [f"nearly the same as 'orbit' (cosine {cosine:.2f})"]
    assert checked[1].notes() == [f"nearly the same as 'rocket' (cosine {cosine:.2f})"] and not checked[2].notes()
    unknown = [finding(graph, Category(name)) for name in ("qwxyz", "zyxwq")]  # nothing is known of either
    assert {f.status for f in unknown} == {"missing"}
    assert not any(f.near for f in add_kappa([*names, *unknown], motifs, vectors, np.ones(motifs.n_instances))[3:])


def test_the_bound_on_kappa_went_as_low_as_is_said() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(60, 5)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kappa = rng.random(60) * 10
    kappa[0], kappa[1] = 8.0, 0.5
    names = [NameVector((0,), vectors[0], 8.0), NameVector((1,), vectors[1], 0.5)]
    few, many = select_instances(vectors, kappa, np.ones(60), names, SelectionOptions(size=20, eta=1.0))
    said = re.fullmatch(
        r"only (\d+) instances have at least the name's kappa; those down to ([\d.]+) times that of the name "
        r"are taken too",
        few.note,
    )
    assert said is not None and not many.note
    assert int(said[1]) == (kappa >= 8.0).sum()
    assert float(said[2]) == pytest.approx(few.eta, abs=0.005)
    assert (kappa[few.instances[1:]] >= few.eta * 8.0 - 1e-9).all(), "nothing below the bound was taken"


def test_documents_of_one_category_alone_are_counted(graph: Graph) -> None:
    options = PaperOptions(selection=SelectionOptions(size=3), retrieved=30, generated=0, cnn=CNNOptions(epochs=1))
    model = MotifClassifier(["apples", "rocket"], [], preset="paper", embed=SMALL, paper=options, min_count=2, n_jobs=1)
    model.fit(graph)
    selection = model.selection_
    chosen = [set(one.instances.tolist()) for one in selection]
    rows = model.motif_set_.by_document()
    mine = [set(rows.row(i).tolist()) for i in range(len(graph))]
    for code, name in enumerate(["apples", "rocket"]):
        alone = sum(bool(found & chosen[code]) and not found & chosen[1 - code] for found in mine)
        notes = [note for note in model.notes_ if note.startswith(f"{name}: ") and "its instances" in note]
        assert alone < 30 and len(notes) == 1
        assert notes[0].startswith(f"{name}: {alone} document{'s hold' if alone != 1 else ' holds'} its instances")


def test_a_category_without_documents_of_its_own_gets_generated_ones(graph: Graph) -> None:
    options = PaperOptions(selection=SelectionOptions(size=2), retrieved=7, generated=0, cnn=CNNOptions(epochs=1))
    names = ["rocket", "orbit"]  # never one without the other
    model = MotifClassifier(names, [], preset="paper", embed=SMALL, paper=options, min_count=2, n_jobs=1).fit(graph)
    assert held("rocket") == held("orbit") == sum("rocket" in row["text"] and "orbit" in row["text"] for row in ROWS)
    pseudo = model.pseudo_documents_
    for code, name in enumerate(names):
        none = f"{name}: 0 documents hold its instances and no other category's, so 7 were generated for it"
        assert none in model.notes_ and (pseudo.generated_categories == code).sum() == 7


def test_documents_labelled_by_the_user_are_counted(graph: Graph) -> None:
    known: list[str | None] = ["apples", "rocket", None, *[None] * 77]
    model = MotifClassifier(["apples", "rocket"], [], classifier="linear", knowledge=None, embed=SMALL, n_jobs=1)
    assert "2 documents labelled by you: held to it, and learned from" in model.fit(graph, known).notes_


def test_documents_with_too_many_candidates_are_counted(tmp_path: Path, hin: Callable) -> None:
    rows = [{**row, "team": [f"t{k}" for k in range(9)]} if i < 4 else row for i, row in enumerate(ROWS)]
    package.load(rows, graph=tmp_path / "g.hin")
    said = hin("motifs", "--pattern", "team-team", "--max-per-document", "15", "--graph", tmp_path / "g.hin").err
    assert "team-team: 4 documents left out (d0, d1, d2, ...), each with more than 15 candidates" in said
    assert 7 * 6 / 2 > 15, "pairs of the seven teams that are in five documents or more; other documents have one pair"


def test_documents_with_nothing_to_go_on_are_counted(tmp_path: Path, hin: Callable) -> None:
    odd = [{"id": f"x{i}", "text": f"quux{i}", "city": [], "team": []} for i in range(3)]
    package.load([*ROWS, *odd], graph=tmp_path / "g.hin")
    (tmp_path / "c.txt").write_text("apples\nrocket\n")
    small = ["--classifier", "linear", "--dim", "16", "--epochs", "3"]
    done = hin("classify", "-c", tmp_path / "c.txt", *small, "--graph", tmp_path / "g.hin")
    reason = "3 documents without a word or value that is in {} documents or more, stop words aside: no evidence"
    assert reason.format(2) in done.err, done.err
    assert "The corpus is small: words and values in 2 documents are used, too (--min-count)" in done.err
    done = hin("classify", "-c", tmp_path / "c.txt", *small, "--min-count", 5, "--graph", tmp_path / "g.hin")
    assert reason.format(5) in done.err and "corpus is small" not in done.err


def test_rare_words_count_where_the_corpus_is_small(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def least(min_count: int | None = None, preset: Literal["default", "paper"] = "default") -> int:
        named = tuple(map(Category, ("apples", "rocket")))
        options = ClassifyOptions(["term"], preset, min_count=min_count)
        return min(int(table.documents.min()) for table in Pipeline(graph, named, options).term_table.tables)

    rare = [{"id": f"rare{n}{i}", "text": f"rare{n}", "city": [], "team": []} for n in (2, 5) for i in range(n)]
    graph = package.load([*ROWS, *rare])
    assert [least(), least(4), least(5), least(preset="paper")] == [2, 4, 5, 5]
    monkeypatch.setattr("motifs.default_count.SMALL_CORPUS", len(graph.tokens.targets))
    assert [least(), least(2)] == [5, 2]


def test_a_machine_without_torch_is_reported_what_to_do(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    class Without:
        def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
            if name.partition(".")[0] == "torch":
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Without(), *sys.meta_path])
    linear = MotifClassifier(["apples", "rocket"], [], classifier="linear", knowledge=None, embed=SMALL, n_jobs=1)
    assert linear.fit(graph).score(ROWS[:2], ["apples", "rocket"]) == 1.0
    with pytest.raises(MissingStage, match="the CNN is trained with Torch.*`classifier=linear`"):
        linear.set_params(classifier="cnn").fit(graph)
