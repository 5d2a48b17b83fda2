"""Small corpora that every system can be asked about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hin as hin_package
from classify.categories.category_file import Category
from classify.comparators import Task
from hin.demo.corpus import DemoOptions, demo_records


@pytest.fixture(scope="session")
def demo_graph(tmp_path_factory):
    path = tmp_path_factory.mktemp("demo") / "documents.jsonl"
    records = demo_records(DemoOptions(documents=240))
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return hin_package.load(path)


@pytest.fixture
def demo_task(demo_graph):
    categories = tuple(Category(name) for name in demo_graph.labels.names)
    return Task(demo_graph, categories, patterns=("author", "venue", "venue-year"), min_count=3, threads=2)


@pytest.fixture
def demo_folder(demo_graph, tmp_path):
    """A stored graph and its labels file."""
    store = hin_package.open_store(tmp_path / "demo.hin")
    store.write_graph(demo_graph, options={})
    labels = tmp_path / "labels.txt"
    labels.write_text("".join(f"{name}\n" for name in demo_graph.labels.names), encoding="utf-8")
    return Path(store.location), labels
