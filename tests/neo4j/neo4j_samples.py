"""Graphs and findings for the tests on Neo4j and on the Cypher view."""

from __future__ import annotations

import random

import numpy as np

from hin.building.graph_builder import BuildOptions, GraphBuilder
from hin.graph import Csr, ExtraEdges, Graph
from hin.reading.records import RecordBatch
from hin.stores.findings import Findings

TOPICS = {
    "database": ["query", "index", "join", "storage", "transaction"],
    "data mining": ["cluster", "pattern", "outlier", "frequent", "stream"],
    "machine learning": ["kernel", "gradient", "network", "bayes", "margin"],
}
#: Names that break careless quoting, and one that is too long for an index.
HOSTILE = [
    "a`b", "``", "'", '"', "\\", "\\u0060", "x'}) DETACH DELETE n //", "}) RETURN 1 //", "$p", "{p}", "a,b", "a\tb",
    "a\nb", "NULL", "null", "é", "Ω😀", "\u202e", "nul\0nul", "x" * 10_000, "İstanbul", "ΟΔΟΣ", "straße", " ",
    "-1", "1", "1.0",
]  # fmt: skip


def sample_graph(documents: int = 40, seed: int = 0, loops: bool = False) -> Graph:
    """Papers of three topics with authors, venues, years, citations (some to papers that are not there), labels."""
    rng = random.Random(seed)
    names = list(TOPICS)
    ids = [f"p{i}" for i in range(documents)]
    topics = [rng.choice(names) for _ in ids]
    texts = [
        (
            " ".join(rng.choice(TOPICS[t]) for _ in range(3)),
            " ".join(rng.choice(TOPICS[t] + ["data"]) for _ in range(8)),
        )
        for t in topics
    ]
    authors = [[f"Author {names.index(t)}{rng.randrange(6)}" for _ in range(rng.randrange(4))] for t in topics]
    venues = [[f"Venue {names.index(t)}"] if rng.random() < 0.8 else [] for t in topics]
    years = [[str(2000 + rng.randrange(6))] for _ in ids]
    cites = [
        [f"p{j}" for j in rng.sample(range(documents + 5), min(documents, rng.randrange(4))) if loops or j != i]
        for i in range(documents)
    ]
    if loops:
        cites[0].append("p0")
    labels = [t if rng.random() < 0.9 else None for t in topics]
    batch = RecordBatch(
        ids,
        texts,
        {"author": authors, "venue": venues, "year": years},
        labels,
        {"cites": cites},
        [("-", i) for i in range(documents)],
    )
    builder = GraphBuilder(BuildOptions(phrases=False))
    builder.add(batch)
    graph = builder.finish(
        ["title", "abstract"], {"id": "id", "text": ["title", "abstract"], "kinds": {"year": "integer"}}
    )
    n = len(graph.names("author"))
    pairs = [(rng.randrange(n), rng.randrange(n)) for _ in range(12)] if n else []
    knows = [(a, b) for a, b in pairs if loops or a != b]
    sources, targets = (np.array([pair[k] for pair in knows], dtype=np.int32) for k in (0, 1))
    graph.extra = {"knows": ExtraEdges("author", "author", sources, targets)}
    return graph


def hostile_graph() -> Graph:
    """The hostile names as ids, values, texts, labels, links and field names."""
    usable = [name for name in HOSTILE if name.strip() and "\0" not in name and len(name) < 1000]
    ids = HOSTILE
    batch = RecordBatch(
        ids,
        [(name, f"text {name}") for name in ids],
        {
            **{f"f {name}": [[other] for other in ids] for name in usable[:6]},
            "document": [[name] for name in ids],
            "Term": [["x"] for _ in ids],
        },
        [(ids[0], ids[1], ids[2]), *ids[1:]],
        {"has term": [[ids[i - 1], "nowhere " + ids[i]] for i in range(len(ids))]},
        [("-", i) for i in range(len(ids))],
    )  # fmt: skip
    builder = GraphBuilder(BuildOptions(phrases=False))
    builder.add(batch)
    return builder.finish(["id", "a`b"], {"renames": {"a`b": "x"}})


def sample_findings(graph: Graph, seed: int = 0) -> Findings:
    """Motifs (venue, author, venue-year, term), categories, selections and predictions that fit a sample graph."""
    rng = random.Random(seed)
    rows: list[tuple[str, str, int, list[tuple[str, int]]]] = []
    holds: list[list[int]] = [[] for _ in range(len(graph))]

    def add(pattern: str, name: str, parts: list[tuple[str, int]], documents: list[int]) -> None:
        for document in documents:
            holds[document].append(len(rows))
        rows.append((pattern, name, len(documents), parts))

    for field in ("venue", "author", "term"):
        back = graph.edges(field).transpose(len(graph.names(field)))
        for node in range(len(graph.names(field))):
            documents = sorted(back.row(node).tolist())
            if len(documents) > 1:
                add(field, f"{field.upper()}[{graph.names(field)[node]}]", [(field, node)], documents)
    together: dict[tuple[int, int], list[int]] = {}
    for document in range(len(graph)):
        people = sorted(graph.edges("author").row(document).tolist())
        for pair in ((a, b) for i, a in enumerate(people) for b in people[i + 1 :]):
            together.setdefault(pair, []).append(document)
    for (a, b), documents in sorted(together.items()):
        names = graph.names("author").take([a, b])
        add("author-author", f"AUTHOR[{names[0]}]-AUTHOR[{names[1]}]", [("author", a), ("author", b)], documents)
    pairs: dict[tuple[int, int], list[int]] = {}
    for document in range(len(graph)):
        for venue in graph.edges("venue").row(document).tolist():
            for year in graph.edges("year").row(document).tolist():
                pairs.setdefault((venue, year), []).append(document)
    for (venue, year), documents in sorted(pairs.items()):
        if len(documents) > 1:
            name = f"VENUE[{graph.names('venue')[venue]}]-YEAR[{graph.names('year')[year]}]"
            add("venue-year", name, [("venue", venue), ("year", year)], documents)
    kappa = [round(rng.uniform(5, 90), 3) for _ in rows]
    indicates = []
    for category in range(len(TOPICS)):
        chosen = rng.sample(range(len(rows)), min(12, len(rows)))
        indicates += [(m, category, i + 1, round(rng.uniform(0.3, 1), 4)) for i, m in enumerate(chosen)]
    classified = [(d, rng.randrange(len(TOPICS)), round(rng.uniform(0.3, 1), 4)) for d in range(len(graph))]
    return Findings.of(
        motifs=rows,
        has_motif=Csr.from_lists([sorted(row) for row in holds]),
        kappa=kappa,
        categories=[(name, 50.0 + i) for i, name in enumerate(TOPICS)],
        indicates=indicates,
        classified=classified,
    )
