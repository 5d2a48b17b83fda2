"""What the comparison with chance costs beside the counting it follows, six patterns of arxiv-cs.

    python -m benchmarks.significance [--graph papers.hin] [--repeat 5]

Without --graph the corpus is loaded first. Processor seconds, the best of several runs, all in one process.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import hin
from benchmarks.common import corpus, print_table
from hin.graph import Graph
from motifs import MotifOptions, Pattern, match
from motifs.joins.sorted_edges import Columns
from motifs.significance.compare import compare_with_chance

SIX = ["venue", "author", "venue-year", "author-author", "venue-author", "author-year"]


def measure(graph: Graph, pattern: str, repeat: int) -> tuple[float, float, float, str]:
    """Counting with the default minimum, counting all instances, comparing; and what was found."""
    times = [float("inf")] * 3
    for _ in range(repeat):
        columns = Columns(graph)
        for least in (5, 1):
            match(graph, pattern, min_count=least, columns=columns)  # sorted arrays are shared by all patterns
        marks = [time.process_time()]
        match(graph, pattern, min_count=1, columns=columns)
        marks.append(time.process_time())
        table = match(graph, pattern, min_count=5, columns=columns)
        marks.append(time.process_time())
        found = compare_with_chance(Pattern(pattern), table.parts, columns, MotifOptions())
        marks.append(time.process_time())
        times = [min(old, b - a) for old, a, b in zip(times, marks, marks[1:], strict=False)]
    share = f"{found.adds().mean():.1%} of {len(found):,}; expected {found.pattern.expected:.3g}"
    return times[1], times[0], times[2], share


def main() -> None:
    """Measure, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if given.graph is None:
            graph = hin.load(corpus("arxiv-cs") / "documents.jsonl.xz", graph=Path(scratch) / "arxiv.hin")
        else:
            graph = hin.open(given.graph)
        sums, rows = [0.0, 0.0, 0.0], [("pattern", "counting >= 5, all; comparing (s)", "more than chance")]
        for pattern in SIX:
            *times, share = measure(graph, pattern, given.repeat)
            sums = [a + b for a, b in zip(sums, times, strict=True)]
            rows.append((pattern, "  ".join(f"{t:.3f}" for t in times), share))
        rows.append(("all six", "  ".join(f"{t:.3f}" for t in sums), ""))
        rows.append(("counting and comparing / counting >= 5", f"{(sums[0] + sums[2]) / sums[0]:.1f}", "wanted: 2"))
        rows.append(("counting and comparing / counting all", f"{(sums[1] + sums[2]) / sums[1]:.1f}", ""))
        print_table(rows)


if __name__ == "__main__":
    main()
