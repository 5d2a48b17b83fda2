"""Motif matching on a Spark cluster beside GraphFrames' motif finding: same cluster, same template, one run.

    python -m benchmarks.graphframes --jar graphframes.jar [--documents 20000] [--pattern author-author]

The jar is GraphFrames for the Spark that is installed (`io.graphframes:graphframes-spark4_2.13`, or compiled of its
source). A cluster of a master and two workers is started on this machine and stopped at the end. GraphFrames gets
vertices and edges in memory, ours the graph's folder; each finds the instances in at least five documents, and their
number is compared before a ratio is printed. The best of three turns counts.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.common import cores, docker_script, print_table, run
from benchmarks.size import splice
from hin.engines.spark import SparkEngine
from hin.graph import Graph
from hin.stores.folder import FolderStore
from motifs import MotifOptions, Pattern
from motifs.on_engine import match_on_engine

LEAST = 5


def session_of(url: str, jar: Path) -> Any:
    """A session that has GraphFrames on its path."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(url).appName("hin beside GraphFrames")
    for name, value in {"spark.jars": str(jar), "spark.ui.showConsoleProgress": "false"}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def frames(session: Any, graph: Graph, fields: list[str]) -> Any:
    """Documents and the nodes of some fields as a GraphFrame, in memory."""
    vertices, edges = [(f"d{i}", "document") for i in range(len(graph))], []
    for field in dict.fromkeys(fields):
        held = graph.edges(field)
        vertices += [(f"{field}{i}", field) for i in range(len(graph.names(field)))]
        pairs = zip(held.rows().tolist(), held.targets.tolist(), strict=True)
        edges += [(f"d{row}", f"{field}{target}", field) for row, target in pairs]
    parts = 2 * cores()
    nodes = session.createDataFrame(vertices, "id string, kind string").repartition(parts).cache()
    links = session.createDataFrame(edges, "src string, dst string, field string").repartition(parts).cache()
    nodes.count(), links.count()
    return session._jvm.org.graphframes.GraphFrame.apply(nodes._jdf, links._jdf)


def found_by_graphframes(session: Any, frame: Any, fields: list[str]) -> int:
    """The number of instances in enough documents."""
    from pyspark.sql import DataFrame

    names = [f"x{i}" for i in range(len(fields))]
    template = "; ".join(f"(d)-[e{i}]->({name})" for i, name in enumerate(names))
    rows = DataFrame(frame.find(template), session)
    for i, field in enumerate(fields):
        rows = rows.where(f"e{i}.field = '{field}'")
        if i and field == fields[i - 1]:
            rows = rows.where(f"{names[i - 1]}.id < {names[i]}.id")
    keys = rows.selectExpr(*(f"{name}.id AS {name}" for name in names))
    return int(keys.groupBy(*names).count().where(f"count >= {LEAST}").count())


def best(work: Callable[[], int]) -> tuple[float, int]:
    """The best of three turns, and what was found."""
    times, found = [], 0
    for _ in range(3):
        begun = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - begun)
    return min(times), found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jar", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--pattern", default="author-author")
    given = parser.parse_args()
    fields = given.pattern.split("-")
    with (
        tempfile.TemporaryDirectory() as folder,
        docker_script("spark_cluster").temporary_cluster(memory="1g") as cluster,
    ):
        place = Path(folder) / "g.hin"
        source = splice(Path(folder) / "documents.jsonl", given.documents)
        run(sys.executable, "-m", "hin", "load", str(source), "--graph", str(place), "--quiet")
        store = FolderStore(place)
        stage, graph = store.stage("load"), store.read_graph()
        assert stage is not None
        os.environ.update({k: v for k, v in cluster.environment.items() if k != "HIN_ENGINE"})
        session = session_of(cluster.url, given.jar.resolve())
        engine, options = SparkEngine(session), MotifOptions(min_count=LEAST)
        frame = frames(session, graph, fields)
        theirs, count = best(lambda: found_by_graphframes(session, frame, fields))
        ours, own = best(lambda: len(match_on_engine(engine, stage.path, graph, Pattern(given.pattern), options)))
        session.stop()
    if count != own:
        sys.exit(f"GraphFrames found {count} instances, we {own}: nothing to compare")
    print(f"{given.pattern}, {len(graph):,} documents of arxiv-cs, {own:,} instances, 2 workers, {cores()} cores")
    print_table(
        [
            ("", "measured", "promised"),
            ("GraphFrames", f"{theirs:.2f} s", ""),
            ("hin", f"{ours:.2f} s", ""),
            ("ratio", f"{theirs / ours:.1f}", ">= 10"),
        ]
    )


if __name__ == "__main__":
    main()
