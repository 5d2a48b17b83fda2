"""What the embedding's benchmarks share: a corpus with the category names as terms, ready to embed."""

from __future__ import annotations

import lzma
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import hin
from benchmarks.common import corpus
from classify.categories.category_file import read_categories
from classify.categories.finding import CategoryFinding
from classify.knowledge.options import KnowledgeOptions
from classify.options import ClassifyOptions
from classify.pipeline import Pipeline
from hin.graph import Graph, Labels
from motifs import MotifSet

#: Patterns with the metadata that each corpus has.
PATTERNS = {
    "arxiv-cs": ["author", "venue", "year", "author-author", "venue-year", "venue-author"],
    "debian": [
        "maintainer", "uploader", "depends", "tag", "depends-depends", "maintainer-depends", "maintainer-uploader",
        "tag-tag",
    ],
}  # fmt: skip


@dataclass(frozen=True)
class Prepared:
    """A graph, its motif instances, and its categories; the labels are for judging only."""

    graph: Graph
    motif_set: MotifSet
    findings: list[CategoryFinding]
    labels: Labels


def prepared(name: str, documents: int | None = None) -> Prepared:
    """Load a corpus (or a random sample of it), make the category names terms, and match its patterns."""
    folder = corpus(name)
    source = folder / "documents.jsonl.xz"
    with tempfile.TemporaryDirectory() as scratch:
        if documents is not None:
            with lzma.open(source, "rt", encoding="utf-8") as lines:
                every = lines.readlines()
            chosen = np.sort(np.random.default_rng(0).permutation(len(every))[:documents])
            source = Path(scratch) / "sample.jsonl"
            source.write_text("".join(every[i] for i in chosen), encoding="utf-8")
        graph = hin.load(str(source), id="document", text=["text"], label="label")
    categories = read_categories(folder / "labels.txt")
    options = ClassifyOptions(list(PATTERNS[name]), knowledge=KnowledgeOptions("none"))
    pipeline = Pipeline(graph, categories, options)
    assert graph.labels is not None
    return Prepared(pipeline.motifs.graph, pipeline.motifs, pipeline.names.findings, graph.labels)
