"""A small made-up graph with findings that a report can show, hostile names included."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import hin
from classify.report.gathering import ReportInputs
from hin.graph import Csr, Graph
from hin.stores.findings import Findings
from motifs import Pattern, match_all

#: Text that runs, or breaks the page, wherever something is pasted instead of set.
HOSTILE = "</script><img src=x onerror=window.hacked=1>"
HOSTILE_TITLE = "<svg onload=window.hacked=2> %%POLICY%% {b|rich} &amp; <b>title</b>"

TOPICS = {
    "data mining": ["cluster", "pattern", "outlier", "stream"],
    "databases": ["query", "index", "transaction", "storage"],
    HOSTILE: ["network", "router", "packet", "protocol"],
}


def sample_graph(folder: Path, documents: int = 240, field: str = "venue") -> Graph:
    """Documents of three topics, each with its own venue and authors."""
    rng = np.random.default_rng(7)
    rows = []
    for i in range(documents):
        topic = i % len(TOPICS)
        name, words = list(TOPICS.items())[topic]
        said = rng.choice(words, 6)
        title = HOSTILE_TITLE if i == 5 else f"Study {i} of {said[0]} and {said[1]}"
        author = HOSTILE if i % 12 == 2 else f"Author {topic}{rng.integers(3)}"
        rows.append(
            {
                "id": f"doc{i}",
                "title": title,
                "text": " ".join(said),
                "author": [author, f"Author {topic}9"],
                field: f"{HOSTILE} {topic}",
                "year": int(2000 + rng.integers(3)),
                "cites": [f"doc{(i * 7) % documents}"],
                "label": name,
            }
        )
    path = folder / "sample.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return hin.load(path, text=["title", "text"], metadata=["author", field, "year"], links=["cites"], label="label")


def sample_inputs(graph: Graph, *, vectors: bool = True) -> ReportInputs:
    """Findings that look like those of a run: the topic's words, authors and venues speak for it."""
    rng = np.random.default_rng(3)
    fields = [field for field in graph.fields if field not in ("author", "year")]
    patterns = ["term", "author", f"author-{fields[0]}"] if fields[0].isalpha() else ["term", "author", "author-author"]
    motifs = match_all(graph, [Pattern(pattern) for pattern in patterns], min_count=3)
    by_document = motifs.by_document()
    categories = list(TOPICS)
    assert graph.labels is not None
    truth = np.array([categories.index(name) for name in graph.labels.names])[graph.labels.codes].astype(np.int32)
    n, k = motifs.n_instances, len(categories)
    counts = np.zeros((n, k))
    np.add.at(counts, (by_document.targets, truth[by_document.rows()]), 1)
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    indicates = [
        (int(motif), category, position + 1, 0.95 - 0.02 * position)
        for category in range(k)
        for position, motif in enumerate(np.argsort(-share[:, category] * np.log1p(counts.sum(axis=1)))[:15])
    ]
    predicted = np.where(rng.random(len(graph)) < 0.85, truth, (truth + 1) % k).astype(np.int32)
    sure = np.where(predicted == truth, rng.beta(8, 2, len(graph)), rng.beta(3, 4, len(graph)))
    probabilities = np.repeat((1 - sure)[:, None] / (k - 1), k, axis=1)
    probabilities[np.arange(len(graph)), predicted] = sure
    documents = np.concatenate([table.documents for table in motifs.tables])
    found = Findings.of(
        motifs=[(motifs.pattern_of(i).name, motifs.name(i), int(documents[i]), []) for i in range(n)],
        has_motif=Csr(by_document.offsets, by_document.targets),
        kappa=20 * np.exp(2 * share.max(axis=1)) + rng.random(n),
        categories=[(name, 30.0 + i) for i, name in enumerate(categories)],
        indicates=indicates,
        classified=[(i, int(c), float(s)) for i, (c, s) in enumerate(zip(predicted, sure, strict=True)) if i != 9],
    )
    return ReportInputs(
        graph, found, name="sample",
        vectors=(share - 1 / k) @ rng.normal(size=(k, 16)) + rng.normal(0, 0.2, (n, 16)) if vectors else None,
        probabilities=probabilities,
        truth=truth, pseudo=[np.flatnonzero(predicted == category)[:20] for category in range(k)],
        notes=["data mining: in only 3 documents", "a remark on the run"],
        abstain_below=0.3, settings={"embed": {"dim": 16, "note": HOSTILE}},
    )  # fmt: skip
