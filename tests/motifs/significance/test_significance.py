"""What `significance` says of whole tables, and that it is the same wherever it is read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import hypergeom

from hin.graph import Graph
from motifs import MotifOptions, Pattern, match, match_all
from motifs.joins.sorted_edges import Columns
from motifs.motif_set import MotifSet
from motifs.samples import make_graph, tiny_graph
from motifs.significance import stars
from motifs.significance.stars import Shuffled
from motifs.significance.tails import dispersed_tail, hypergeometric_any, hypergeometric_tail
from tests.conftest import Run
from tests.motifs.significance.graphs import dealt, held, random_graph

LINKED = "(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)"


def planted() -> Graph:
    """Two authors who always write together, among many who do not, and years that mean nothing."""
    rng = np.random.default_rng(0)
    author = [[f"a{v}" for v in rng.choice(80, 2, replace=False)] for _ in range(300)]
    author[:12] = [["Ann", "Bob"]] * 12
    return make_graph({"author": author, "year": [[f"y{v}"] for v in rng.integers(6, size=300)]})


def test_hypergeometric_tails_are_scipys() -> None:
    rng = np.random.default_rng(0)
    total = rng.integers(1, 400, 3000)
    good, drawn = ((rng.random(3000) * (total + 1)).astype(int) for _ in range(2))
    count = (rng.random(3000) * (np.minimum(good, drawn) + 2)).astype(int)
    np.testing.assert_allclose(
        hypergeometric_tail(count, total, good, drawn),
        hypergeom.sf(count - 1, total, good, drawn),
        atol=1e-300,
        rtol=1e-9,
    )


def test_the_probability_of_any_is_scipys() -> None:
    rng = np.random.default_rng(0)
    for population in (1, 7, 300, 20_000, 3_000_000):
        marked, drawn = (np.floor(rng.random(500) ** 4 * (population + 1)) for _ in range(2))
        exact = hypergeom.sf(0, population, marked.astype(int), drawn.astype(int))
        found = hypergeometric_any(population, marked, drawn)
        np.testing.assert_allclose(found, exact, atol=1e-300, rtol=1e-9 if population < 10_000 else 1e-6)


def test_a_tail_from_mean_and_variance_is_near_the_exact_one() -> None:
    rng = np.random.default_rng(0)
    good, drawn = rng.integers(2, 60, (2, 200))
    exact, counts = hypergeom(100, good, drawn), np.arange(60)[:, None]
    found, true = dispersed_tail(counts, exact.mean(), exact.var()), exact.sf(counts - 1)
    possible = counts <= np.minimum(good, drawn)
    assert np.abs(found - true)[possible].max() < 0.03
    small = possible & (true > 1e-6) & (true < 0.01)
    ratio = found[small] / true[small]
    assert 0.2 < ratio.min() < 1 < ratio.max() < 15


def test_a_tail_from_mean_and_variance_falls_with_the_count() -> None:
    rng = np.random.default_rng(1)
    mean = np.exp(rng.uniform(np.log(0.001), np.log(200), 1000))
    found = dispersed_tail(np.arange(400)[:, None], mean, mean * rng.uniform(0.05, 3, 1000))
    assert (np.diff(found, axis=0) < 1e-15).all()


def test_a_planted_pair_is_found_and_hardly_another() -> None:
    table = match(planted(), "author-author", min_count=1)
    found = table.significance()
    assert found.adds().sum() <= 2
    best = table.find("AUTHOR[Ann]-AUTHOR[Bob]")
    assert best is not None
    assert found.q[best] < 1e-6
    assert found.lift[best] > 40
    assert match(planted(), "author-year", min_count=1).significance().adds().sum() <= 1


@pytest.mark.parametrize("pattern", ["venue-year", "author-author", "author-tag", "venue-author-author"])
def test_without_structure_next_to_nothing_is_more_than_chance(pattern: str) -> None:
    found = [match(random_graph(seed), pattern, min_count=1).significance() for seed in range(5)]
    assert sum(int(f.adds().sum()) for f in found) <= 2
    assert all(abs(f.pattern.z) < 5 for f in found)


@pytest.mark.parametrize("pattern", ["venue-year", "author-author", "author-year", "venue-year-author"])
def test_q_takes_in_the_instances_below_the_minimum_count(pattern: str) -> None:
    graph = random_graph(2)
    every, few = match(graph, pattern, min_count=1), match(graph, pattern, min_count=3)
    kept = every.documents >= 3
    assert kept.any()
    assert not kept.all()
    for name in ("expected", "p", "q", "error"):
        np.testing.assert_allclose(
            getattr(few.significance(), name), getattr(every.significance(), name)[kept], rtol=1e-9
        )


def test_the_expected_number_of_instances_is_that_of_shuffles() -> None:
    graph, rng = random_graph(1, documents=60), np.random.default_rng(0)
    venue, year = graph.edges("venue"), held(graph, "year")
    shuffled = dealt(venue, len(graph.names("venue")), rng, 2000)
    counts = np.einsum("rdv,dy->rvy", shuffled.astype(np.float32), year.astype(np.float32))
    for least in (1, 2, 4):
        model = Shuffled(Pattern("venue-year"), "venue", Columns(graph), np.ones(60, dtype=np.bool_), 1)
        whole = model.whole_pattern(0, least)
        numbers = (counts >= least).sum(axis=(1, 2))
        assert abs(whole.expected - numbers.mean()) < 5 * numbers.std() / 2000**0.5 + 0.01 * numbers.mean()


def test_the_expected_number_of_instances_is_finite_where_degrees_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stars, "_MOST_MEANS", 1)
    author = [[f"a{v}" for v in range(50) if document < 2 * v] for document in range(99)]  # no degree comes twice
    found = match(make_graph({"author": author}), "author-author", min_count=1, max_per_document=5_000).significance()
    assert found.pattern.expected > 0


def test_a_field_alone_is_what_the_null_model_keeps() -> None:
    found = match(tiny_graph(), "venue", min_count=1).significance()
    assert found.lift.tolist() == [1, 1]
    assert found.q.tolist() == [1, 1]
    assert found.adds().all()


def test_documents_with_too_many_candidates_take_no_part() -> None:
    crowd = [[f"a{v}" for v in range(40)]] + [["a0", "a1"]] * 3 + [["a2"]] * 5
    table = match(make_graph({"author": crowd}), "author-author", min_count=2, max_per_document=2)
    found = table.significance()
    assert table.names() == ["AUTHOR[a0]-AUTHOR[a1]"]
    assert found.documents.tolist() == [3]


def test_empty_tables_have_nothing_to_compare() -> None:
    for pattern in ("venue-year", "author-author", LINKED):
        assert len(match(tiny_graph(), pattern, min_count=50).significance()) == 0


def test_the_same_bytes_for_any_number_of_threads_and_from_a_folder(tmp_path: Path) -> None:
    graph, patterns = random_graph(3, documents=80), ["author", "venue-year", "author-author", LINKED]
    written = []
    for threads in (1, 3):
        motifs = match_all(graph, patterns, options=MotifOptions(min_count=2, threads=threads))
        motifs.table(LINKED).significance()  # type: ignore[union-attr]
        folder = tmp_path / str(threads)
        motifs.save(folder)
        written.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert written[0] == written[1]
    for one, two in zip(motifs, MotifSet.open(folder, graph), strict=True):
        assert two.compared is not None
        assert two.significance().q.tolist() == one.significance().q.tolist()
        assert two.significance().pattern == one.significance().pattern


@pytest.fixture
def papers(tmp_path: Path, hin: Callable[..., Run]) -> str:
    rng = np.random.default_rng(0)
    lines = []
    for i in range(60):
        pair = ["Ann", "Bob"] if i < 8 else [f"a{v}" for v in rng.choice(30, 2, replace=False)]
        lines.append({"id": f"p{i}", "text": "data mining", "author": pair, "year": str(2000 + i % 4)})
    source = tmp_path / "papers.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    folder = str(tmp_path / "papers.hin")
    assert hin("load", source, "--graph", folder).code == 0
    return folder


def test_the_command_shows_sorts_and_filters(papers: str, hin: Callable[..., Run], tmp_path: Path) -> None:
    shown = hin("motifs", "--graph", papers, "-p", "author-author", "--min-count", 1, "--max-q", 0.05)
    assert "times that" in shown.out
    rows = json.loads(hin("motifs", "--graph", papers, "-p", "author-author", "-p", "author-year", "--min-count", 1,
                          "--sort", "lift", "--max-q", 0.05, "--json").out)  # fmt: skip
    assert [row["instance"] for row in rows] == ["AUTHOR[Ann]-AUTHOR[Bob]"]
    assert rows[0]["q"] < 0.05 < 1 < rows[0]["lift"]
    assert rows[0]["documents"] == 8
    out = tmp_path / "m.csv"
    assert (
        hin("motifs", "--graph", papers, "-p", "author-year", "--min-count", 1, "--sort", "q", "--out", out).code == 0
    )
    q = [float(row["q"]) for row in csv.DictReader(out.read_text(encoding="utf-8").splitlines())]
    assert q == sorted(q)
    asked = "MATCH (m:Motif {pattern: 'author-author'}) WHERE m.q < 0.05 AND m.lift > 2 RETURN m.name, m.expected"
    answer = json.loads(hin("query", asked, "--graph", papers, "--format", "json").out)
    assert answer == [{"m.name": "AUTHOR[Ann]-AUTHOR[Bob]", "m.expected": pytest.approx(rows[0]["expected"], rel=1e-5)}]


def test_a_wrong_order_or_limit_is_one_line(papers: str, hin: Callable[..., Run]) -> None:
    for option in (("--sort", "size"), ("--max-q", "2")):
        wrong = hin("motifs", "--graph", papers, "-p", "author-year", *option)
        assert wrong.code == 2
        assert "Traceback" not in wrong.err
