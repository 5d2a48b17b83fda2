"""The same commands on this machine's threads and on a Spark cluster of two workers: results, times, memory.

    python -m benchmarks.spark [--documents 20000] [--commands load motifs embed classify predict]

A cluster of a master and two workers is started on this machine and stopped at the end, so both engines have the same
cores. The corpus is arxiv-cs as `benchmarks.size` makes it. Each engine loads a graph of its own; then every command
runs on both. With `--only-cluster` this machine's threads are left out: for sizes at which only memory is asked.

Of a command on the cluster the memory is the driver's: its Python process and, apart, its Java process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import ROOT, cores, corpus, docker_script, peak
from benchmarks.embed_quality import precision_at
from benchmarks.size import splice
from embed.model import JointEmbedding
from hin.stores.folder import FolderStore

COMMANDS = ["load", "motifs", "embed", "classify", "predict"]
PATTERNS = ["-p", "venue-year", "-p", "author", "-p", "author-author"]


@dataclass
class Measured:
    """Seconds, and the most memory of the Python process and of its children, in MB."""

    seconds: float
    python: float
    java: float

    def __str__(self) -> str:
        java = f" + {self.java:,.0f} MB Java" if self.java else ""
        return f"{self.seconds:.1f} s, {self.python:,.0f} MB{java}"


def _children(process: int) -> list[int]:
    try:
        found = [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return found + [below for one in found for below in _children(one)]


def measure(arguments: list[str], environment: dict[str, str]) -> Measured:
    """Run a command of hin to its end and look at its processes meanwhile."""
    begun, own, others = time.monotonic(), 0.0, 0.0
    child = subprocess.Popen(
        [sys.executable, "-m", "hin", *arguments, "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    while child.poll() is None:
        own = max(own, peak(child.pid))
        others = max([others, *(peak(one) for one in _children(child.pid))])
        time.sleep(0.1)
    if child.returncode:
        assert child.stderr is not None
        sys.exit(f"hin {' '.join(arguments)} ended with {child.returncode}: {child.stderr.read().decode()[-500:]}")
    return Measured(time.monotonic() - begun, own, others)


def commands(work: Path, engine: str, documents: Path, new: Path, model: Path) -> dict[str, list[str]]:
    """The commands of one engine, whose graph and outputs have its name."""
    graph, labels = str(work / f"{engine}.hin"), str(corpus("arxiv-cs") / "labels.txt")
    return {
        "load": ["load", str(documents), "--graph", graph],
        "motifs": ["motifs", *PATTERNS, "--graph", graph],
        "embed": ["embed", "--categories", labels, "--graph", graph],
        "classify": ["classify", "--categories", labels, "--graph", graph, "--out", str(work / f"{engine}.csv")],
        # Of both the same model: what is compared is how new documents are read and labelled.
        "predict": ["predict", str(new), "--model", str(model), "--out", str(work / f"{engine}-new.csv")],
    }


def _same_files(one: Path, other: Path) -> bool:
    names, others = (sorted(path.relative_to(top) for path in top.rglob("*")) for top in (one, other))
    return names == others and all(
        (one / name).read_bytes() == (other / name).read_bytes() for name in names if (one / name).is_file()
    )


def _near_names(store: FolderStore) -> float:
    """p50 of the stored embedding as `benchmarks.embed_quality` has it, over the names that are terms."""
    stage, graph = store.stage("embed"), store.read_graph()
    assert stage is not None
    model = JointEmbedding.open(stage.path)
    names = (corpus("arxiv-cs") / "labels.txt").read_text(encoding="utf-8").split("\n")
    found = [(number, model.names.get(f"TERM[{name.lower()}]")) for number, name in enumerate(names)]
    known = [(number, instance) for number, instance in found if instance is not None]
    vectors = np.asarray(model.vectors)[[instance for _, instance in known]]
    position = {names[number]: row for row, (number, _) in enumerate(known)}
    assert graph.labels is not None
    order = np.array([position.get(name, -1) for name in graph.labels.names])
    truth = order[np.asarray(graph.labels.codes)]
    return precision_at(np.asarray(model.documents), vectors - vectors.mean(axis=0), truth)


def compared(name: str, work: Path) -> str:
    """Say how much alike the results of a command are."""
    here, there = (FolderStore(work / f"{engine}.hin") for engine in ("local", "cluster"))
    if name in ("load", "motifs", "embed"):
        stages = here.stage(name), there.stage(name)
        assert stages[0] is not None and stages[1] is not None
        same = "same bytes" if _same_files(stages[0].path, stages[1].path) else "OTHER BYTES"
        return f"{same}; p50 {_near_names(here):.3f} and {_near_names(there):.3f}" if name == "embed" else same
    if name == "predict":
        same = (work / "local-new.csv").read_bytes() == (work / "cluster-new.csv").read_bytes()
        return "same bytes" if same else "OTHER BYTES"
    from classify.figures import figures_of
    from classify.stored_classification import stored_classification

    found: list[Any] = [stored_classification(store) for store in (here, there)]
    graph = here.read_graph()
    figures = [figures_of(graph.labels, one.categories, one.probabilities, one.decision) for one in found]
    alike = float(np.mean(found[0].labels == found[1].labels))
    reported = " and ".join(f"{one['micro_f1']:.3f}/{one['macro_f1']:.3f}" for one in figures)
    return f"{alike:.4f} of the labels agree; F1 {reported}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=COMMANDS)
    parser.add_argument("--only-cluster", action="store_true")
    parser.add_argument("--memory", default="1g", help="of the driver's and each worker's Java process")
    given = parser.parse_args()
    engines = ["cluster"] if given.only_cluster else ["local", "cluster"]
    with (
        tempfile.TemporaryDirectory() as folder,
        docker_script("spark_cluster").temporary_cluster(memory=given.memory) as cluster,
    ):
        work = Path(folder)
        documents, new, model = splice(work / "documents.jsonl", given.documents), work / "new.jsonl", work / "model"
        with documents.open("rb") as lines, new.open("wb") as out:
            out.writelines(line for _, line in zip(range(2000), lines, strict=False))
        print(f"arxiv-cs, {given.documents:,} documents, 2 workers, {cores()} cores", flush=True)
        for name in [name for name in COMMANDS if name in given.commands]:
            reported = []
            for engine in engines:
                environment = {"HIN_ENGINE": "local"} if engine == "local" else dict(cluster.environment)
                wanted = commands(work, engine, documents, new, model)[name]
                if name == "classify" and engine == engines[0]:
                    wanted += ["--save-model", str(model)]
                reported.append(f"{engine} {measure(wanted, environment)}")
            alike = "" if given.only_cluster else f"; {compared(name, work)}"
            print(f"{name}: {'; '.join(reported)}{alike}", flush=True)


if __name__ == "__main__":
    main()
