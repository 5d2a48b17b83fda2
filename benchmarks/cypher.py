"""Cypher on the folder of a corpus: the first query, and the cookbook's.

    python -m benchmarks.cypher [arxiv-cs] [--graph papers.hin]

With `--graph` a folder that `hin classify` has filled is used; otherwise the corpus is loaded and its motifs (terms
too) are matched, with made-up categories, so that every query has something to find.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PATTERNS = ["term", "venue", "year", "author", "venue-year", "author-author", "author-year"]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", default="arxiv-cs")
    parser.add_argument("--graph", help="a folder with a classified graph")
    options = parser.parse_args()

    from hin.cypher.folder.graph import open_graph
    from hin.cypher.query import QueryOptions, query_graph
    from hin.errors import HinError
    from hin.stores.folder import FolderStore

    store = FolderStore(options.graph) if options.graph else _prepared(options.corpus)
    print(f"cores: {os.cpu_count()}, load: {os.getloadavg()[0]:.1f}")
    start = time.perf_counter()
    graph = open_graph(store)
    query_graph(graph, "MATCH (d:Document) RETURN count(d)", QueryOptions())
    print(f"first query, with opening: {time.perf_counter() - start:.2f} s")
    page = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
    slowest = 0.0
    for title, text in re.findall(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```cypher\n(.*?)^```", page, re.M | re.S):
        start, cpu = time.perf_counter(), time.process_time()
        try:
            said = f"{len(query_graph(graph, text, QueryOptions(timeout=120)).rows)} rows"
        except HinError as error:
            said = str(error)
        seconds = time.perf_counter() - start
        slowest = max(slowest, seconds)
        print(f"  {seconds:6.2f} s ({time.process_time() - cpu:5.2f} s of processor time)  {title}: {said}")
    print(f"slowest: {slowest:.2f} s")


def _prepared(corpus: str) -> Any:
    import hin
    from hin.stores.findings import Findings
    from hin.stores.folder import FolderStore
    from motifs import match_all

    folder = Path(os.environ.get("HIN_CORPORA") or ROOT.parent / "shared" / "corpora")
    path = folder / corpus / "documents.jsonl.xz"
    if not path.exists():
        sys.exit(f"no corpus at {path}: set HIN_CORPORA")
    place = Path(tempfile.mkdtemp()) / "papers.hin"
    fields = ["author", "venue", "year"]
    graph = hin.load(path, id="document", text=["text"], metadata=fields, label="label", graph=place)
    motifs = match_all(graph, PATTERNS, min_count=5)
    found = motifs.findings()
    rng = np.random.default_rng(0)
    assert graph.labels is not None
    names = graph.labels.names
    chosen = [
        (int(m), c, i + 1, float(rng.random()))
        for c in range(len(names))
        for i, m in enumerate(rng.choice(motifs.n_instances, 50, replace=False))
    ]
    more = Findings.of(
        categories=[(name, 50.0) for name in names],
        indicates=chosen,
        classified=[(d, int(rng.integers(len(names))), float(rng.random())) for d in range(len(graph))],
    )
    whole = Findings(
        found.motifs, found.has_motif, rng.random(motifs.n_instances), more.categories, more.indicates, more.classified
    )
    store = FolderStore(place)
    store.write_stage("motifs", whole.save, {})
    return store


if __name__ == "__main__":
    main()
