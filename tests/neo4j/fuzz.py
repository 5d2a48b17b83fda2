"""Random queries on a folder and on a real Neo4j, as many as wanted.

    python -m tests.neo4j.fuzz 20000 [--first 0] [--patterns]

Prints every disagreement and, at the end, how many were answered, refused, and refused by both.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from hin.cypher.folder.graph import open_graph
from hin.cypher.query import QueryOptions, query_database, query_graph
from hin.errors import HinError
from tests.neo4j.comparing import same_rows
from tests.neo4j.conftest import _server_module
from tests.neo4j.neo4j_samples import sample_findings, sample_graph
from tests.neo4j.wide_family import Wide, ordered_patterns


def main() -> None:
    """Run the queries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--patterns", action="store_true", help="the patterns with ORDER BY and LIMIT instead")
    options = parser.parse_args()
    texts = (
        ordered_patterns()
        if options.patterns
        else [Wide(s).query() for s in range(options.first, options.first + options.queries)]
    )
    with _server_module().temporary_server(heap="512m", pagecache="64m") as server:
        os.environ.update(server.environment)
        counts = _compare(texts[: options.queries], server)
    print(dict(counts))
    sys.exit(1 if counts["other rows"] or counts["other error"] else 0)


def _compare(texts: list[str], server: Any) -> Counter[str]:
    from hin.stores.folder import FolderStore
    from hin.stores.neo4j.store import Neo4jStore

    home = Path(tempfile.mkdtemp())
    graph = sample_graph(loops=True)
    found = sample_findings(graph)
    folder = FolderStore(home / "papers.hin")
    folder.write_graph(graph, options={})
    folder.write_stage("motifs", found.save, {})
    store = Neo4jStore(server.url, model=home / "papers.model")
    store.write_graph(graph, options={})
    store.write_findings(found)
    opened = open_graph(folder)
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for i, text in enumerate(texts):
        counts[_verdict(opened, store.database, text)] += 1
        if i % 500 == 499:
            print(f"{i + 1} queries, {time.monotonic() - start:.0f} s: {dict(counts)}", file=sys.stderr, flush=True)
    store.close()
    return counts


def _verdict(opened: Any, database: Any, text: str) -> str:
    options = QueryOptions(limit=0, timeout=30)
    try:
        mine: Any = query_graph(opened, text, options)
    except HinError as error:
        mine = error
    try:
        theirs: Any = query_database(database, text, options)
    except HinError as error:
        theirs = error
    if isinstance(mine, HinError):
        if not isinstance(theirs, HinError) and type(mine).__name__ != "CypherRefused":
            print(f"OTHER ERROR {text}\n  {mine}\n  server: {theirs.rows[:3]}", flush=True)
            return "other error"
        return "refused by both" if isinstance(theirs, HinError) else "refused"
    if isinstance(theirs, HinError):
        print(f"SERVER REFUSED {text}\n  {theirs}\n  mine: {mine.rows[:3]}", flush=True)
        return "refused by the server only"
    if mine.columns == theirs.columns and same_rows(mine, theirs, ordered=" ORDER BY " in text and "WITH" not in text):
        return "same rows" if mine.rows else "same, no rows"
    print(f"OTHER ROWS {text}\n  mine: {mine.rows[:4]}\n  server: {theirs.rows[:4]}", flush=True)
    return "other rows"


if __name__ == "__main__":
    main()
