"""The paper's pipeline from names to labels on planted and real documents."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from classify import ClassifyOptions, Pipeline, Run
from classify.categories.category_file import Category, read_categories
from classify.categories.finding import name_vectors
from classify.evaluation import evaluate, true_codes
from classify.learners.cnn_options import PAPER, CNNOptions
from classify.paper.options import GenerationOptions, PaperOptions, SelectionOptions
from classify.paper.pseudo_documents import collect_pseudo_documents
from classify.paper.selection import instance_orders, select_instances
from embed import EmbedOptions
from hin.errors import BadUsage, UnknownName
from hin.graph import Graph
from motifs.samples import make_graph

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CATEGORIES = [Category("cats"), Category("dogs")]
QUICK = CNNOptions(maps=5, epochs=10, batch=64, learning_rate=0.01)


def planted_graph(n: int = 600) -> tuple[Graph, np.ndarray]:
    """The category is whether venue plus year is even; neither alone, nor any word but the name, predicts it."""
    rng = np.random.default_rng(0)
    truth, venue = rng.integers(0, 2, n), rng.integers(0, 4, n)
    year = (venue + truth) % 2 + 2 * rng.integers(0, 2, n)
    words = [f"w{i}" for i in range(60)]
    terms = []
    for kind in truth:
        row = rng.choice(words, 8).tolist()
        if rng.random() < 0.35:
            row.insert(int(rng.integers(0, 9)), CATEGORIES[kind].name)
        terms.append(row)
    fields = {"venue": [[f"V{v}"] for v in venue], "year": [[f"{2000 + y}"] for y in year]}
    return make_graph(fields, terms=terms), truth


def run(
    graph: Graph, options: PaperOptions, threads: int = 1, patterns: tuple[str, ...] = ("venue", "year", "venue-year")
) -> Pipeline:
    embed = EmbedOptions(dim=20, seed=0, threads=threads)
    chosen = ClassifyOptions(list(patterns) or ["term"], "paper", embed=embed, paper=options, seed=1)
    return Pipeline(graph, CATEGORIES, chosen, run=Run(threads=threads))


def test_higher_order_finds_documents_that_single_metadata_cannot() -> None:
    graph, truth = planted_graph()
    named = np.array([bool({"cats", "dogs"} & set(graph.names("term").take(graph.tokens.row(i)))) for i in range(600)])
    pipeline = run(graph, PaperOptions())
    motif_set, sequences = pipeline.motifs, pipeline.documents.sequences
    # An embedding by hand, so that selection alone is tested: an instance is the mean of its documents.
    known = np.where(named, truth, 2)
    documents = np.array([[1, 0], [0, 1], [0.5, 0.5]], dtype=np.float32)[known]
    vectors = np.stack([documents[motif_set.incidence.row(i)].mean(axis=0) for i in range(motif_set.n_instances)])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kappa = np.ones(len(vectors))
    names = name_vectors(pipeline.names.findings, motif_set, vectors, kappa)
    right, found = {}, {}
    for higher_order in (True, False):
        chosen = SelectionOptions(size=9, eta=1.0, higher_order=higher_order)
        selection = select_instances(vectors, kappa, instance_orders(motif_set), names, chosen)
        options = PaperOptions(chosen, retrieved=200, generated=5)
        pseudo = collect_pseudo_documents(motif_set, sequences, vectors, names, selection, options)
        # Documents that hold the name are easy; the others can only come by their metadata.
        others = [(d, k) for k, r in enumerate(pseudo.retrieved) for d in r.documents.tolist() if not named[d]]
        right[higher_order], found[higher_order] = sum(truth[d] == k for d, k in others), len(others)
    assert right[True] == found[True] > 100
    assert right[False] < 0.7 * max(1, found[False])


def test_the_same_seed_gives_the_same_probabilities_at_any_number_of_threads() -> None:
    graph, _ = planted_graph(300)
    options = PaperOptions(SelectionOptions(size=8), retrieved=20, generated=5, cnn=QUICK)
    first, second = run(graph, options, threads=1), run(graph, options, threads=3)
    assert first.scores.tobytes() == second.scores.tobytes()
    assert first.pseudo_documents.generated.ids.tobytes() == second.pseudo_documents.generated.ids.tobytes()


def test_the_order_of_hashes_does_not_matter() -> None:
    code = (
        "import hashlib, sys; sys.path.insert(0, 'tests/classify/paper')\n"
        "from test_pipeline_paper import *\n"
        "graph, _ = planted_graph(150)\n"
        "options = PaperOptions(SelectionOptions(size=8), retrieved=10, generated=5, cnn=QUICK)\n"
        "print(hashlib.sha256(run(graph, options).scores.tobytes()).hexdigest())\n"
    )
    printed = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        printed.add(done.stdout)
    assert len(printed) == 1


def test_a_category_that_retrieves_nothing_is_generated_for_instead() -> None:
    # Every document holds both names, so none is exclusive to either.
    graph = make_graph({}, terms=[["cats", "dogs", f"w{i % 7}"] for i in range(40)])
    options = PaperOptions(retrieved=10, generated=0, cnn=QUICK)
    result = run(graph, options, patterns=())
    assert [len(r.documents) for r in result.pseudo_documents.retrieved] == [0, 0]
    assert np.bincount(result.pseudo_documents.categories).tolist() == [10, 10]
    assert any(
        note.startswith("cats: 0 documents") and "10 were generated" in note for note in result.classification.notes
    )
    assert np.isfinite(result.scores).all()


def test_sizes_of_retrieved_and_generated_sets_are_options() -> None:
    graph, _ = planted_graph(300)
    result = run(graph, PaperOptions(SelectionOptions(size=8), retrieved=0, generated=7, cnn=QUICK))
    assert np.bincount(result.pseudo_documents.categories).tolist() == [7, 7]
    assert result.pseudo_documents.sequences.n_documents == result.pseudo_documents.generated.n_documents == 14
    with pytest.raises(BadUsage, match="nothing to learn from"):
        PaperOptions(retrieved=0, generated=0)
    assert (PaperOptions().retrieved, PaperOptions().generated, PaperOptions().selection.eta_for("learned")) == (
        50,
        50,
        2.0,
    )
    assert (PAPER.widths, PAPER.maps, PAPER.length, PAPER.batch) == ((2, 3, 4, 5), 20, 200, 256)


def test_the_concentration_of_generated_documents_is_an_option_that_counts() -> None:
    graph, _ = planted_graph(300)
    kinds = []
    for concentration in (1.0, 1e4):
        how = GenerationOptions(concentration=concentration, neighbours=5)
        options = PaperOptions(retrieved=0, generated=20, generation=how, cnn=QUICK)
        kinds.append(len(np.unique(run(graph, options).pseudo_documents.generated.ids)))
    assert kinds[0] > kinds[1]


def test_an_unknown_name_stops_the_paper_before_the_work_and_one_with_a_known_word_does_not() -> None:
    graph, _ = planted_graph(60)
    alone = ClassifyOptions(["term"], "paper")
    with pytest.raises(UnknownName, match="turtles"):
        _ = Pipeline(graph, [Category("cats"), Category("turtles")], alone).names
    pipeline = Pipeline(graph, [Category("cats"), Category("w1 turtles")], alone)
    found = pipeline.names.findings[1]
    assert (found.status, found.words) == ("composed", ("w1",))
    assert pipeline.motifs.find("TERM[w1]") is not None


@pytest.mark.corpus
def test_a_sample_of_a_real_corpus_stays_above_its_floor(tmp_path: Path) -> None:
    import json
    import lzma

    import hin

    corpora = Path(os.environ.get("HIN_CORPORA", ROOT.parent / "shared" / "corpora"))
    folder = corpora / "debian"
    if not folder.exists():
        pytest.skip("the real corpora are not here (set HIN_CORPORA)")
    sample = tmp_path / "sample.jsonl"
    with lzma.open(folder / "documents.jsonl.xz", "rt") as file, sample.open("w") as out:
        out.writelines(line for i, line in enumerate(file) if i % 9 == 0 and json.loads(line)["text"])
    graph = hin.load(sample, id="document", text=["text"], metadata=["maintainer", "depends", "tag"], label="label")
    categories = read_categories(folder / "labels.txt")
    patterns = ["maintainer", "depends", "tag", "depends-depends"]
    paper = PaperOptions(retrieved=30, generated=30)
    options = ClassifyOptions(patterns, "paper", paper=paper)
    result = Pipeline(graph, categories, options, run=Run(threads=2))
    names = [category.name for category in categories]
    figures = evaluate(true_codes(graph.labels, names), result.scores.argmax(axis=1), names)
    assert figures["micro_f1"] > 0.45
