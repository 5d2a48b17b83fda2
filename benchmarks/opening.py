"""What it costs to trust no file: opening a graph and its first use, with and without the checks of its arrays.

Processor time, the two ways in turn in one process, so that the page cache and the machine's load hit both alike.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import hin.stores.graph_files as graph_files
from hin.info import describe

__all__ = ["main"]


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
    unchecked = dict.fromkeys(("check_range", "check_offsets"), mock.DEFAULT)
    checked: list[float] = []
    plain: list[float] = []
    use: list[float] = []
    for _ in range(asked.times):
        seconds, graph = _seconds(lambda: graph_files.read_graph(stage))
        checked.append(seconds)
        use.append(_seconds(lambda: describe(graph))[0])  # noqa: B023 - called at once
        with mock.patch.multiple(graph_files, **unchecked), mock.patch("hin.checked_files._check_chunk"):
            plain.append(_seconds(lambda: graph_files.read_graph(stage))[0])
    opening, without, first = (statistics.median(found) for found in (checked, plain, use))
    rows = [["opening, checked", opening], ["opening, without", without], ["first use (hin info)", first]]
    for name, value in rows:
        print(f"{name:24} {value:8.3f} s of processor time")
    print(f"the checks are {(opening - without) / (opening + first):.1%} of opening plus first use")


if __name__ == "__main__":
    main()
