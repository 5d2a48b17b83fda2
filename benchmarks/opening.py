"""What it costs to trust no file: opening a graph and its first use, with and without the checks of its arrays.

Processor time, the two ways in turn in one process, so that the page cache and the machine's load hit both alike.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import hin.stores.graph_files as graph_files
from hin.info import describe

__all__ = ["main"]

#: Every check of what is in the files; kinds and shapes are read with the files themselves.
CHECKS = (
    "hin.stores.graph_files.check_range",
    "hin.stores.graph_files.check_text",
    "hin.stores.edge_files.check_range",
    "hin.stores.edge_files.check_offsets",
    "hin.files.checked._check_chunk",
)


def _seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def main() -> None:
    """Print the cost of the checks as a share of opening plus first use."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", type=Path, required=True, help="a graph's folder")
    parser.add_argument("--times", type=int, default=5)
    asked = parser.parse_args()
    (stage,) = asked.graph.glob("load-*")
    seconds: dict[str, list[float]] = {name: [] for name in ("checked", "use, checked", "plain", "use, plain")}
    for _ in range(asked.times):
        _measure(stage, seconds["checked"], seconds["use, checked"])
        with ExitStack() as without:
            for check in CHECKS:
                without.enter_context(mock.patch(check))
            _measure(stage, seconds["plain"], seconds["use, plain"])
    checked, first, without_checks, first_without = (statistics.median(found) for found in seconds.values())
    rows = [["opening", checked], ["first use (hin info)", first]]
    rows += [["opening, no checks", without_checks], ["first use, no checks", first_without]]
    for name, value in rows:
        print(f"{name:24} {value:8.4f} s of processor time")
    share = 1 - (without_checks + first_without) / (checked + first)
    print(f"the checks are {share:.1%} of opening plus first use")


def _measure(stage: Path, opening: list[float], use: list[float]) -> None:
    taken, graph = _seconds(lambda: graph_files.read_graph(stage))
    opening.append(taken)
    use.append(_seconds(lambda: describe(graph))[0])


if __name__ == "__main__":
    main()
