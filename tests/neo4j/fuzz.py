"""Random queries on a folder and on a real Neo4j, as many as wanted.

    python -m tests.neo4j.fuzz 20000 [--first 0] [--family mixed] [--answers FILE]

Prints every disagreement and, at the end, how many were answered, refused, and refused by both. With `--answers` what
the server says is kept in a file, and a later run asks it only what is not there: after a change to the folder's engine
20,000 queries take minutes.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.common import docker_script
from hin.cypher.folder_graph import FolderGraph
from hin.cypher.query import QueryOptions, query_graph
from hin.cypher.result import QueryResult
from hin.errors import HinError
from hin.stores.neo4j.query import query_database
from hin.stores.querying import open_graph
from tests.neo4j.comparing import same_rows, server_repeats
from tests.neo4j.families import FAMILIES
from tests.neo4j.neo4j_samples import sample_findings, sample_graph

OPTIONS = QueryOptions(limit=0, timeout=30)


def main() -> None:
    """Run the queries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("queries", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--family", choices=sorted(FAMILIES), default="mixed")
    parser.add_argument("--answers", type=Path, help="what the server said, kept for later runs")
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    logging.getLogger("hin.cypher").setLevel(logging.DEBUG)  # logs a statement that was not SQL after all
    texts = FAMILIES[options.family](options.first, options.queries)
    home = Path(tempfile.mkdtemp())
    with Server(home, options.answers) as server:
        counts = _compare(texts, _folder(home), server)
    print(f"{sum(counts.values())} queries: {dict(counts)}")
    sys.exit(1 if counts["other rows"] or counts["other error"] else 0)


class Server:
    """A Neo4j with the sample graph, started when the first answer is not known yet."""

    def __init__(self, home: Path, answers: Path | None) -> None:
        self.home = home
        self.answers = answers
        self.known: dict[str, Any] = dict(_kept(answers)) if answers is not None and answers.exists() else {}
        self.stack = ExitStack()
        self.database: Any = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def ask(self, text: str) -> QueryResult | str:
        """The rows, or why there are none."""
        if text not in self.known:
            self.known[text] = self._answer(text)
            if self.answers is not None:
                with self.answers.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([text, self.known[text]]) + "\n")
        found = self.known[text]
        return found if isinstance(found, str) else QueryResult(tuple(found[0]), [tuple(row) for row in found[1]])

    def _answer(self, text: str) -> Any:
        if self.database is None:
            self.database = self._start()
        try:
            found = query_database(self.database, text, OPTIONS)
        except HinError as error:
            return str(error)
        return found.columns, found.rows

    def _start(self) -> Any:
        from hin.stores.neo4j.store import Neo4jStore

        server = self.stack.enter_context(docker_script("neo4j_server").temporary_server(heap="512m", pagecache="64m"))
        os.environ.update(server.environment)
        store = self.stack.enter_context(Neo4jStore(server.url, model=self.home / "papers.model"))
        graph = sample_graph(loops=True)
        store.write_graph(graph, options={})
        store.write_findings(sample_findings(graph))
        return store.database


def _kept(answers: Path) -> Iterator[tuple[str, Any]]:
    with answers.open(encoding="utf-8") as file:
        for line in file:
            text, found = json.loads(line)
            yield text, found


def _folder(home: Path) -> FolderGraph:
    from hin.stores.folder import FolderStore

    graph = sample_graph(loops=True)
    folder = FolderStore(home / "papers.hin")
    folder.write_graph(graph, options={})
    folder.write_stage("motifs", sample_findings(graph).save, {})
    return open_graph(folder)


def _compare(texts: list[str], opened: FolderGraph, server: Server) -> Counter[str]:
    counts: Counter[str] = Counter()
    start = time.monotonic()
    for i, text in enumerate(texts):
        counts[_verdict(opened, server, text)] += 1
        if i % 500 == 499:
            print(f"{i + 1} queries, {time.monotonic() - start:.0f} s: {dict(counts)}", file=sys.stderr, flush=True)
    return counts


def _verdict(opened: FolderGraph, server: Server, text: str) -> str:
    try:
        mine: Any = query_graph(opened, text, OPTIONS)
    except HinError as error:
        mine = error
    theirs = server.ask(text)
    if isinstance(mine, HinError):
        if not isinstance(theirs, str) and type(mine).__name__ != "CypherRefused":
            print(f"OTHER ERROR {text}\n  {mine}\n  server: {theirs.rows[:3]}", flush=True)
            return "other error"
        return "refused by both" if isinstance(theirs, str) else "refused"
    if isinstance(theirs, str):
        print(f"SERVER REFUSED {text}\n  {theirs}\n  mine: {mine.rows[:3]}", flush=True)
        return "refused by the server only"
    if mine.columns == theirs.columns and same_rows(mine, theirs, ordered=" ORDER BY " in text and "WITH" not in text):
        return "same rows" if mine.rows else "same, no rows"
    if server_repeats(text, mine, theirs):
        return "rows that the server repeats under DISTINCT"
    print(f"OTHER ROWS {text}\n  mine: {mine.rows[:4]}\n  server: {theirs.rows[:4]}", flush=True)
    return "other rows"


if __name__ == "__main__":
    main()
