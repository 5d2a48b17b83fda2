"""The null models against 10,000 shuffles, and on graphs without structure."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from hin.graph import Graph
from motifs import MotifOptions, Pattern, match
from motifs.joins.arrays import find_rows
from motifs.joins.sorted_edges import Columns
from motifs.samples import make_graph
from motifs.significance.shuffles import Shuffles, shuffled_graphs
from motifs.significance.stars import Shuffled
from tests.motifs.significance.graphs import dealt, held, random_graph

SHUFFLES = 10_000
#: Pattern and edge type that is shuffled: one value against one, against several, twice the same, three parts.
KINDS = [
    ("venue-year", "venue"),
    ("venue-year", "year"),
    ("author-year", "year"),
    ("author-year", "author"),
    ("author-tag", "tag"),
    ("author-author", "author"),
    ("venue-year-author", "venue"),
    ("venue-year-author", "author"),
    ("venue-author-author", "venue"),
    ("venue-author-author", "author"),
]


def small_graph() -> Graph:
    """Few enough edges that deals without an edge twice are not rare."""
    rng = np.random.default_rng(3)
    author = [[f"a{v}" for v in rng.choice(25, k, replace=False)] for k in rng.integers(1, 3, 30)]
    tag = [[f"t{v}" for v in rng.choice(12, k, replace=False)] for k in rng.integers(0, 2, 30)]
    venue = [[f"v{rng.integers(3)}"] if rng.random() < 0.8 else [] for _ in range(30)]
    return make_graph(
        {"author": author, "tag": tag, "venue": venue, "year": [[f"y{rng.integers(4)}"] for _ in range(30)]}
    )


def model_of(graph: Graph, pattern: str, field: str) -> Shuffled:
    return Shuffled(Pattern(pattern), field, Columns(graph), np.ones(len(graph), dtype=np.bool_), 1)


def assignments(graph: Graph, pattern: str) -> np.ndarray:
    """Everything that could be an instance."""
    fields = Pattern(pattern).fields
    rows = product(*(range(len(graph.names(kind))) for kind in fields))
    same = [(c, c + 1) for c in range(len(fields) - 1) if fields[c] == fields[c + 1]]
    return np.array([row for row in rows if all(row[a] < row[b] for a, b in same)], dtype=np.int32)


def counts_of(graph: Graph, pattern: str, parts: np.ndarray, field: str, shuffled: np.ndarray) -> np.ndarray:
    """Documents of each assignment in each shuffled graph."""
    whole = np.ones((len(shuffled), len(graph), len(parts)), dtype=np.bool_)
    for c, kind in enumerate(Pattern(pattern).fields):
        whole &= shuffled[:, :, parts[:, c]] if kind == field else held(graph, kind)[None, :, parts[:, c]]
    return whole.sum(axis=1)


@pytest.mark.parametrize(("pattern", "field"), KINDS)
def test_closed_forms_are_those_of_ten_thousand_shuffles(pattern: str, field: str) -> None:
    graph, rng = small_graph(), np.random.default_rng(1)
    edges, model = graph.edges(field), model_of(graph, pattern, field)
    parts = assignments(graph, pattern)
    chosen = np.sort(rng.choice(len(parts), min(len(parts), 60), replace=False))
    parts = parts[chosen]
    shuffled = dealt(edges, len(graph.names(field)), rng, SHUFFLES)
    counts = np.concatenate([counts_of(graph, pattern, parts, field, some) for some in np.array_split(shuffled, 20)])
    for least in (1, 2):
        share = (counts >= least).mean(axis=0)
        found = model.compare(np.full(len(parts), least), *model.draws(parts))
        noise = 4.5 * np.sqrt(np.maximum(found.p * (1 - found.p), 1e-3) / SHUFFLES)
        assert (np.abs(found.p - share) <= found.error + noise).all()
    sampled = 4.5 * np.sqrt(np.maximum(counts.var(axis=0), 1e-3) / SHUFFLES)
    most = np.minimum(model.degrees.max(), counts.max())
    assert (np.abs(found.expected - counts.mean(axis=0)) <= sampled + found.error * most).all()
    if model.single:
        assert found.error.max() == 0
    else:
        assert np.median(found.error) < 0.1, "a bound that says something"


@pytest.mark.parametrize(("pattern", "field"), KINDS)
def test_a_graph_without_structure_gives_uniform_p(pattern: str, field: str) -> None:
    shares = []
    for seed in range(4):
        graph, rng = random_graph(seed), np.random.default_rng(seed)
        parts = assignments(graph, pattern)
        parts = parts[np.sort(rng.choice(len(parts), min(len(parts), 4000), replace=False))]
        held_by = np.ones((len(graph), len(parts)), dtype=np.bool_)
        for c, kind in enumerate(Pattern(pattern).fields):
            held_by &= held(graph, kind)[:, parts[:, c]]
        documents, model = held_by.sum(axis=0), model_of(graph, pattern, field)
        # counts are whole numbers: p itself is uniform only when the ties are drawn apart
        at_least, more = (model.compare(documents + i, *model.draws(parts)).p for i in (0, 1))
        shares.append(float((more + rng.random(len(parts)) * (at_least - more) < 0.05).mean()))
    tested = len(shares) * len(parts)
    assert abs(np.mean(shares) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / tested) + 0.006


#: A link; a link beside a field of one's own; a link that is walked backwards; two documents with an author in common;
#: two links in a row; a cycle.
LINKED = "(d:document)-[:cites]->(e:document)-[:venue]->(v:venue)"
LONGER = [
    (LINKED, "cites"),
    (LINKED, "venue"),
    (f"{LINKED}, (d)-[:year]->(y:year)", "cites"),
    (f"{LINKED}, (d)-[:year]->(y:year)", "year"),
    (f"{LINKED}, (d)-[:year]->(y:year)", "venue"),
    ("(d:document)<-[:cites]-(e:document)-[:venue]->(v:venue)", "cites"),
    ("(d:document)-[:author]->(a:author)<-[:author]-(e:document)-[:venue]->(v:venue)", "venue"),
    ("(d:document)-[:author]->(a:author)<-[:author]-(e:document)-[:venue]->(v:venue)", "author"),
    ("(d:document)-[:cites]->(e:document)-[:cites]->(f:document)-[:venue]->(v:venue)", "cites"),
    ("(d:document)-[:cites]->(e:document)-[:author]->(a:author), (d)-[:author]->(a)", "cites"),
]


@pytest.mark.parametrize(("text", "edge_type"), LONGER)
def test_shuffles_of_longer_templates_give_uniform_p(text: str, edge_type: str) -> None:
    pattern, shares = Pattern(text), []
    for seed in range(8):
        graph, rng = random_graph(seed, documents=80), np.random.default_rng(seed)
        table = match(graph, pattern, min_count=1)
        # also what could occur and does not: those that do are more frequent than chance, because they were chosen
        parts = np.array(list(product(*(range(len(graph.names(kind))) for kind in pattern.fields))), dtype=np.int32)
        parts = parts[np.sort(rng.choice(len(parts), min(len(parts), 300), replace=False))]
        rows = find_rows(table.parts, parts)
        documents = np.where(rows >= 0, table.documents[rows], 0).astype(np.int64)
        model = Shuffles(pattern, edge_type, Columns(graph), MotifOptions(min_count=1), seed)
        at_least, more = (model.compare(parts, documents + i)[0].p for i in (0, 1))
        p = more + rng.random(len(documents)) * (at_least - more)
        shares.append([(p < 0.05).mean(), (p < 0.5).mean()])
    # instances of one graph depend on each other, so its share is the unit; a graph without structure is one draw
    error = np.maximum(np.std(shares, axis=0, ddof=1), 0.02) / len(shares) ** 0.5
    # the middle of a distribution with the shuffles' mean and variance is only near theirs
    assert (np.abs(np.mean(shares, axis=0) - [0.05, 0.5]) < 3 * error + [0, 0.03]).all(), np.mean(shares, axis=0)


@pytest.mark.parametrize("edge_type", ["cites", "venue"])
def test_edge_swaps_give_what_10_000_shuffles_give(edge_type: str) -> None:
    rng, others = np.random.default_rng(4), np.arange(1, 20)
    cites = [((d + rng.choice(others, rng.integers(0, 3), replace=False)) % 20).tolist() for d in range(20)]
    graph = make_graph({"venue": [[f"v{v}"] for v in rng.integers(4, size=20)]}, links={"cites": cites})
    dealt_anew = dealt(graph.edges(edge_type), 20 if edge_type == "cites" else 4, rng, 2 * SHUFFLES)
    if edge_type == "cites":
        dealt_anew = dealt_anew[~np.diagonal(dealt_anew, axis1=1, axis2=2).any(axis=1)]  # no document cites itself
        reached = dealt_anew.astype(np.float32) @ held(graph, "venue").astype(np.float32)
    else:
        reached = held(graph, "cites").astype(np.float32) @ dealt_anew.astype(np.float32)
    counts = (reached[:SHUFFLES] > 0).sum(axis=1)
    assert len(counts) > SHUFFLES / 5
    table = match(graph, LINKED, min_count=1)
    model = Shuffles(table.pattern, edge_type, Columns(graph), MotifOptions(min_count=1))
    found, _ = model.compare(table.parts, table.documents.astype(np.int64))
    share = (counts >= table.documents).mean(axis=0)
    assert (np.abs(found.expected - counts.mean(axis=0)) <= 5 * counts.std(axis=0) / 100**0.5).all()
    assert (np.abs(found.p - share) < 5 * found.error + 0.03).all()


def test_shuffled_edges_keep_the_degrees_of_both_sides() -> None:
    graph = random_graph(0, documents=60)
    for kind in ("author", "cites"):
        n = len(graph) if kind == "cites" else len(graph.names(kind))
        before, changed = graph.edges(kind), 0
        for shuffled in shuffled_graphs(graph, kind, np.random.default_rng(0), most=5):
            after = shuffled.edges(kind)
            assert after.degrees().tolist() == before.degrees().tolist()
            assert after.in_degrees(n).tolist() == before.in_degrees(n).tolist()
            assert len(set(zip(after.rows().tolist(), after.targets.tolist(), strict=True))) == after.n_edges
            assert kind != "cites" or (after.rows() != after.targets).all()
            changed += int((after.targets != before.targets).sum())
        assert changed > before.n_edges
