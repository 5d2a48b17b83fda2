"""The worked example of docs/how-to/pyg.md, on a small corpus."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import hin as package
from hin.demo.corpus import DemoOptions, write_demo
from tests.conftest import ROOT

pytest.importorskip("torch_geometric")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
def test_hgt_learns_from_the_labels_of_hin(hin, tmp_path: Path) -> None:
    files, graph = write_demo(tmp_path, DemoOptions(documents=150)), tmp_path / "graph.hin"
    package.load(files.documents, graph=graph)
    quick = ["--classifier", "linear", "--dim", "20", "--epochs", "2", "-p", "venue", "--min-count", "5"]
    assert hin("classify", "-c", files.labels, "--graph", graph, *quick).code == 0
    assert hin("export", "pyg", "--graph", graph, "--out", "papers.pt").code == 0
    spec = importlib.util.spec_from_file_location("train_hgt", ROOT / "examples" / "train_hgt.py")
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    right = example.main("papers.pt", epochs=40, dim=16)
    assert list(right) == ["hin itself", "HGT on hin's labels", "HGT on the true labels"]
    chance = 1.5 / len(files.labels.read_text().splitlines())
    assert all(share > chance for share in right.values()), right
