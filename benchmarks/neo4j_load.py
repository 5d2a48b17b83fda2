"""Loading a corpus into Neo4j over Bolt, against one statement a row with the same driver, in one run.

    python -m benchmarks.neo4j_load [debian] [arxiv-cs] [--documents 20000]

A new server is started for each corpus (docker/neo4j_server.py). Prints nodes and relationships per second, the ratio,
our peak memory, and the seconds of processor time on both sides, which are steadier than the clock on a shared machine.
Then the seven patterns are counted inside the database and by the folder's joins, and the tables compared.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from typing import Any

import hin
from benchmarks.common import cores, docker_script, every_nth

FIELDS = {"debian": ["maintainer", "uploader", "depends", "tag"], "arxiv-cs": ["author", "venue", "year"]}
PATTERNS = {
    "debian": ["maintainer", "uploader", "depends", "tag", "depends-tag", "depends-depends", "maintainer-tag"],
    "arxiv-cs": ["venue", "year", "author", "venue-year", "author-author", "venue-author", "author-year"],
}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", default=["debian", "arxiv-cs"], metavar="CORPUS")
    parser.add_argument("--documents", type=int, default=20_000, help="documents of arxiv-cs")
    parser.add_argument("--no-patterns", action="store_true", help="do not count patterns")
    options = parser.parse_args()
    print(f"cores: {cores()}, load: {os.getloadavg()[0]:.1f}")
    for corpus in options.corpora:
        path = every_nth(corpus, options.documents if corpus == "arxiv-cs" else None)
        graph = hin.load(path, id="document", text=["text"], metadata=FIELDS[corpus], label="label")
        with docker_script("neo4j_server").temporary_server() as server:
            os.environ.update(server.environment)
            _measure(corpus, graph, server, patterns=not options.no_patterns)


def _measure(corpus: str, graph: Any, server: Any, *, patterns: bool) -> None:
    from hin.stores.neo4j.store import Neo4jStore

    store = Neo4jStore(server.url, model=tempfile.mkdtemp() + "/model")
    phases: dict[str, tuple[float, int]] = {}
    began: dict[str, float] = {}

    def progress(label: str, done: int, total: int | None, note: str = "") -> None:
        began.setdefault(label, time.perf_counter())
        if total and done == total:
            phases[label] = (time.perf_counter() - began[label], total)

    cpu, server_cpu, start = time.process_time(), _cpu(server), time.perf_counter()
    store.write_graph(graph, options={}, progress=progress)
    whole = time.perf_counter() - start
    nodes = [phase for label, phase in phases.items() if not label.split()[1].isupper()]
    edges = [phase for label, phase in phases.items() if label.split()[1].isupper()]
    node_rate = sum(n for _, n in nodes) / sum(s for s, _ in nodes)
    edge_rate = sum(n for _, n in edges) / sum(s for s, _ in edges)
    ours, theirs = time.process_time() - cpu, _cpu(server) - server_cpu
    print(f"\n{corpus}: {graph!r}")
    print(f"load: {whole:.1f} s, {node_rate:,.0f} nodes/s, {edge_rate:,.0f} relationships/s")
    print(f"processor time: {ours:.1f} s ours, {theirs:.1f} s the server's")
    print(f"our peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    one_by_one = _one_statement_a_row(store, graph)
    print(f"one statement a row, same driver: {one_by_one:,.0f} relationships/s; ours is {edge_rate / one_by_one:.1f}x")
    start = time.perf_counter()
    store.write_graph(graph, options={})
    print(f"load again (nothing to do): {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    equal = store.read_graph().equals(graph)
    print(f"read back: {time.perf_counter() - start:.1f} s, equal: {equal}")
    if patterns:
        _patterns(corpus, graph, store)
    store.close()


def _one_statement_a_row(store: Any, graph: Any, rows: int = 1500) -> float:
    """What a loop over edges reaches, in auto-commit transactions, on the same nodes."""
    name = graph.fields[0]
    pairs = list(zip(graph.edges(name).rows().tolist(), graph.edges(name).targets.tolist(), strict=True))[:rows]
    label = name.capitalize()
    query = f"MATCH (d:Document {{number: $d}}), (n:{label} {{number: $n}}) MERGE (d)-[:ONE_BY_ONE]->(n)"
    start = time.perf_counter()
    with store.connection.session(write=True) as session:
        for document, node in pairs:
            session.run(query, d=document, n=node).consume()
    rate = len(pairs) / (time.perf_counter() - start)
    store.connection.write("MATCH ()-[r:ONE_BY_ONE]->() DELETE r")
    return rate


def _patterns(corpus: str, graph: Any, store: Any) -> None:
    from hin.cypher_names import CypherNames
    from motifs import match
    from motifs.language.to_cypher import to_cypher

    print("counting patterns (min. 5 documents): in Neo4j, by the folder's joins")
    match(graph, PATTERNS[corpus][0], min_count=5)  # compiled once
    for pattern in PATTERNS[corpus]:
        start = time.perf_counter()
        table = match(graph, pattern, min_count=5)
        joins = time.perf_counter() - start
        query = to_cypher(pattern, CypherNames.of_graph(graph), min_count=5)
        start = time.perf_counter()
        rows = [(r["documents"], sorted(r[f"part{i + 1}"] for i in range(len(query.fields))))
                for r in store.connection.stream(query.text, **query.parameters)]  # fmt: skip
        inside = time.perf_counter() - start
        named = [
            (n, sorted(graph.names(f)[p] for f, p in zip(table.fields, parts, strict=True)))
            for n, parts in zip(table.documents.tolist(), table.parts.tolist(), strict=True)
        ]
        same = sorted(rows) == sorted(named)
        print(f"  {pattern:20} {len(table):>8,} instances  {inside:7.2f} s  {joins:7.3f} s  same table: {same}")


def _cpu(server: Any) -> float:
    import psutil

    times = psutil.Process(server.process.pid).cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    main()
