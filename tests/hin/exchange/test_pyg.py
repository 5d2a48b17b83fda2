"""The graph in PyTorch Geometric and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hin as kit
from hin.errors import BadUsage
from hin.exchange.pyg import from_pyg, read_pyg
from hin.graph import Labels
from hin.stores.findings import Findings
from motifs import match_all
from motifs.samples import make_graph, tiny_graph
from tests.conftest import Run

pytest.importorskip("torch_geometric")


def test_a_graph_comes_back_to_the_last_edge() -> None:
    graph = make_graph(
        {"author": [["Ann", "Bob"], ["Bob"], []], "venue": [["KDD"], [], ["WWW"]]},
        terms=[["web", "data", "web"], ["data"], []],
        links={"cites": [[1], [0, 2], []]},
        extra={"knows": ("author", "author", [("Ann", "Bob")])},
    )
    graph = replace(graph, labels=Labels.of(["mining", None, ("search", "mining")]))
    data = graph.to_pyg(np.eye(3))
    assert data.validate()
    assert data["document"].x.shape == (3, 3)
    assert data["document"].labelled.tolist() == [True, False, True]
    back = from_pyg(data)
    assert back.texts.table.to_pydict() == graph.texts.table.to_pydict()
    assert back.equals(replace(graph, texts=back.texts))


def test_motif_instances_and_categories_are_there_where_they_were_found() -> None:
    graph = tiny_graph()
    found = replace(
        match_all(graph, ["venue-year"], min_count=2).findings(),
        categories=Findings.of(categories=[("mining", None), ("web", None)]).categories,
        classified=Findings.labels([0, 1, 0], [1, 0, 0], [0.9, 0.8, 0.1]),
    )
    data = graph.to_pyg(findings=found)
    assert data.validate()
    assert data["motif"].names == ["VENUE[KDD]-YEAR[2008]"]
    assert data["document", "has_motif", "motif"].edge_index.tolist() == [[0, 1], [0, 0]]
    assert set(data.edge_types) >= {("motif", "part", "venue"), ("motif", "part", "year")}
    assert data["document"].category.tolist() == [1, 0, -1, -1, -1]
    assert from_pyg(data).equals(from_pyg(graph.to_pyg()))


def test_the_file_needs_no_pickled_code(hin_process: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD", "label": "mining"}\n')
    graph = kit.load(tmp_path / "p.jsonl", graph=tmp_path / "p.hin")
    written = hin_process("export", "pyg", "--graph", tmp_path / "p.hin", "--out", tmp_path / "p.pt")
    assert (written.code, written.out, written.err) == (0, f"{tmp_path / 'p.pt'}\n", ""), "no warning of a library"
    back = from_pyg(read_pyg(tmp_path / "p.pt"))
    assert back.equals(replace(graph, schema=back.schema))


def test_a_foreign_graph_needs_documents() -> None:
    from torch_geometric.data import HeteroData

    data = HeteroData()
    data["paper"].num_nodes = 2
    with pytest.raises(BadUsage, match="document"):
        from_pyg(data)


def test_edges_of_a_foreign_graph_may_have_any_name_and_direction() -> None:
    """As in PyTorch Geometric's DBLP, where all are called `to`, and OGB's, where authors write papers."""
    import torch
    from torch_geometric.data import HeteroData

    data = HeteroData()
    for kind, n in {"document": 3, "author": 2, "venue": 2, "term": 2}.items():
        data[kind].num_nodes = n
    edges = torch.tensor([[0, 0, 2], [1, 0, 1]])
    data["document", "to", "author"].edge_index = edges
    data["author", "to", "document"].edge_index = edges[[1, 0]]
    data["document", "to", "term"].edge_index = torch.tensor([[0, 1], [0, 1]])
    data["venue", "hosts", "document"].edge_index = torch.tensor([[0, 1, 1], [2, 0, 1]])
    data["author", "to", "author"].edge_index = torch.tensor([[0], [1]])
    data["author", "to", "venue"].edge_index = torch.tensor([[0], [1]])
    graph = from_pyg(data)
    assert [graph.edges("author").row(d).tolist() for d in range(3)] == [[1, 0], [], [1]]
    assert [graph.edges("venue").row(d).tolist() for d in range(3)] == [[1], [1], [0]]
    assert graph.tokens.degrees().tolist() == [1, 1, 0]
    kinds = {name: (e.source_type, e.target_type) for name, e in graph.extra.items()}
    assert kinds == {"to": ("author", "author"), "author_to_venue": ("author", "venue")}
    assert from_pyg(graph.to_pyg()).equals(graph)


def test_features_are_terms_or_vectors_of_any_node_type() -> None:
    words = make_graph({}, terms=[["web", "data", "web"], ["data"], []])
    counts = words.to_pyg(terms=True)["document"].x.to_dense()
    order = [words.names("term").index(name) for name in ("web", "data")]
    assert counts[:, order].tolist() == [[2, 1], [0, 1], [0, 0]]
    graph = tiny_graph()
    data = graph.to_pyg({"document": np.eye(5), "venue": np.ones((2, 3))})
    assert data["venue"].x.shape == (2, 3)
    assert data["document"].x.tolist() == np.eye(5).tolist()
    for wrong in ({"venue": np.ones((3, 3))}, {"nobody": np.ones((1, 3))}):
        with pytest.raises(BadUsage, match="vectors for"):
            graph.to_pyg(wrong)
    with pytest.raises(BadUsage, match="vectors and terms"):
        graph.to_pyg(np.eye(5), terms=True)


def test_the_vectors_of_the_embedding_are_exported(hin: Callable[..., Run], tmp_path: Path) -> None:
    lines = [f'{{"id": "p{i}", "text": "graph data mining web", "venue": "KDD"}}\n' for i in range(8)]
    (tmp_path / "p.jsonl").write_text("".join(lines))
    assert hin("load", tmp_path / "p.jsonl", "--graph", tmp_path / "p.hin").code == 0
    assert hin("embed", "--graph", tmp_path / "p.hin", "--dim", 8, "--epochs", 1, "-p", "venue").code == 0
    assert hin("export", "pyg", "--graph", tmp_path / "p.hin", "--out", tmp_path / "p.pt").code == 0
    data = read_pyg(tmp_path / "p.pt")
    assert data["document"].x.shape == (8, 8)
    assert data["motif"].x.shape == (data["motif"].num_nodes, 8)
    assert data["document"].x.norm(dim=1).min() > 0
