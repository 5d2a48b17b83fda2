"""Queries on which a folder once was hundreds of times slower than Neo4j, beside a Neo4j with the same graph.

    python -m benchmarks.cypher_cliffs [debian] [--graph debian.hin] [--neo4j URL]

The corpus is loaded (or the folder of `--graph` is used as it is) and copied into a new server, or into the one that is
named. Each query runs five times on both; printed are the best of each and their ratio. Wanted: none above ten.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.common import corpus, docker_script

TIMES = 5
QUERIES = {
    "shortest path": "MATCH p = shortestPath((a:Document {id: $a})-[*..8]-(b:Document {id: $b})) RETURN length(p) AS n",
    "shortest path by types": (
        "MATCH (a:Document {id: $a}), (b:Document {id: $b}) "
        "MATCH p = shortestPath((a)-[:HAS_UPLOADER|HAS_MAINTAINER*..8]-(b)) RETURN length(p) AS n"
    ),
    "all pairs, five of them": "MATCH (a:Document), (b:Document) WHERE a.id <> b.id RETURN a.id, b.id LIMIT 5",
    "ids in a list": "UNWIND [$a, $b] AS i MATCH (d:Document {id: i}) RETURN d.id AS d",
    "one or two steps": "MATCH (a:Document {id: $a})-[:HAS_UPLOADER|HAS_TAG*1..2]-(b) RETURN count(DISTINCT b) AS n",
    "up to four steps": "MATCH (a:Document {id: $a})-[:HAS_UPLOADER*1..4]-(b) RETURN count(*) AS n",
    "pattern comprehension": (
        "MATCH (m:Maintainer) RETURN m.name AS m, size([(m)<-[:HAS_MAINTAINER]-(d) | d.id]) AS n "
        "ORDER BY n DESC, m LIMIT 5"
    ),
    "percentile by label": "MATCH (d:Document) RETURN d.label AS l, percentileCont(d.number, 0.5) AS p ORDER BY l",
}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", default="debian")
    parser.add_argument("--graph", help="the folder of the graph; made when it is not there")
    parser.add_argument("--neo4j", metavar="URL", help="a server that has the graph already, by `hin copy`")
    options = parser.parse_args()
    import hin
    from hin.stores.folder import FolderStore
    from hin.stores.neo4j.store import Neo4jStore
    from hin.stores.querying import open_graph

    place = options.graph or f"{tempfile.mkdtemp()}/graph.hin"
    if not Path(place).exists():
        hin.load(corpus(options.corpus) / "documents.jsonl.xz", graph=place)
    with ExitStack() as stack:
        model, url = f"{stack.enter_context(tempfile.TemporaryDirectory())}/graph.model", options.neo4j
        if not url:
            server = stack.enter_context(docker_script("neo4j_server").temporary_server())
            os.environ.update(server.environment)
            url = server.url
            hin.copy(place, url, model=model)
        print(f"cores: {os.cpu_count()}, load: {os.getloadavg()[0]:.1f}")
        store = stack.enter_context(Neo4jStore(url, model=model))
        compare(open_graph(FolderStore(place)), store.database)


def compare(graph: Any, database: Any) -> None:
    """Run each query on both in turn."""
    from hin.cypher.query import QueryOptions, query_graph

    ids = query_graph(graph, "MATCH (d:Document) RETURN d.id ORDER BY d.id", QueryOptions(limit=0)).rows
    parameters = {"a": ids[len(ids) // 270][0], "b": ids[3 * len(ids) // 4][0]}
    worst = 0.0
    for title, text in QUERIES.items():
        ours, theirs = [], []
        for _ in range(TIMES):
            start = time.perf_counter()
            rows = query_graph(graph, text, QueryOptions(parameters=parameters, timeout=120, limit=0)).rows
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            with database.session() as session:
                found = session.run(text, parameters).values()
            theirs.append(time.perf_counter() - start)
            if len(found) != len(rows):
                sys.exit(f"{len(found)} rows on the server, {len(rows)} on the folder: {text}")
        mine, other = min(ours) * 1e3, min(theirs) * 1e3
        worst = max(worst, mine / other)
        print(f"  {mine:8.1f} ms  Neo4j {other:8.1f} ms  {mine / other:6.2f}  {title}", flush=True)
    print(f"slowest beside Neo4j: {worst:.1f} times (wanted: at most 10)")


if __name__ == "__main__":
    main()
