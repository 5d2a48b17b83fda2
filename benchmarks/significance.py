"""What the comparison with chance costs beside the counting it follows, six patterns of arxiv-cs.

    python -m benchmarks.significance [--graph papers.hin] [--repeat 9] [--min-count 5]

Without --graph the corpus is loaded first. Processor seconds, the best of several runs in one process; each run sorts
the graph's arrays anew, once for all six patterns, as `hin motifs` does. q takes in the instances below the minimum
count, too, so comparing has to count them; with `--min-count 1` counting alone does that already.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import hin
from benchmarks.common import corpus, print_table
from hin.graph import Graph
from motifs import MotifTable, match
from motifs.joins.sorted_edges import Columns

SIX = ["venue", "author", "venue-year", "author-author", "venue-author", "author-year"]


def measure(graph: Graph, min_count: int) -> dict[str, tuple[float, float, MotifTable]]:
    """Count each pattern and compare it with chance: the seconds of both, and the table."""
    columns, found = Columns(graph), {}
    for pattern in SIX:
        start = time.process_time()
        table = match(graph, pattern, min_count=min_count, columns=columns)
        counted = time.process_time()
        table.significance(columns)
        found[pattern] = (counted - start, time.process_time() - counted, table)
    return found


def main() -> None:
    """Measure, and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--min-count", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if given.graph is None:
            graph = hin.load(corpus("arxiv-cs") / "documents.jsonl.xz", graph=Path(scratch) / "arxiv.hin")
        else:
            graph = hin.open(given.graph)
        runs = [measure(graph, given.min_count) for _ in range(given.repeat)]
        rows, sums = [("pattern", "counting, comparing (s)", "more than chance")], [0.0, 0.0]
        for pattern in SIX:
            times = [min(run[pattern][i] for run in runs) for i in (0, 1)]
            sums = [a + b for a, b in zip(sums, times, strict=True)]
            found = runs[0][pattern][2].significance()
            share = f"{found.adds().mean():.1%} of {len(found):,}; expected {found.pattern.expected:.3g}"
            rows.append((pattern, "  ".join(f"{t:.4f}" for t in times), share))
        rows.append(("all six", "  ".join(f"{t:.4f}" for t in sums), f"{sum(sums) / sums[0]:.1f} times counting"))
        print_table(rows)


if __name__ == "__main__":
    main()
