"""`hin report` of arxiv-cs: size of the file, and how long a browser takes to open and to search it.

    python -m benchmarks.report [--graph papers.hin] [--repeat 5]

Without --graph the corpus is loaded and classified first. Opening is measured in headless Chromium, from the start of
the navigation to the drawn page and to the searchable table, each time in a fresh browser profile; the processor time
of the page's thread shows how much of that is work and how much waiting for a core. The ratios compare with the same
documents as plain JSON lines, and with an empty page in the same browser.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import hin
from benchmarks.common import cores, corpus, print_table, run
from hin.human import size

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


def classified(folder: Path) -> str:
    """Load and classify arxiv-cs."""
    source, place = corpus("arxiv-cs"), str(folder / "arxiv.hin")
    run(sys.executable, "-m", "hin", "load", str(source / "documents.jsonl.xz"), "--label", "label", "--graph", place)
    names, out = str(source / "labels.txt"), str(folder / "p.jsonl")
    run(sys.executable, "-m", "hin", "classify", "--categories", names, "--graph", place, "--out", out)
    return place


def plain_size(place: str) -> int:
    """Bytes of the same table as JSON lines: id, title, category, confidence."""
    from classify.report.documents import short_titles
    from hin.stores.findings import Findings

    store = hin.open_store(place)
    found, graph = Findings.of_store(store), store.read_graph()
    if found.categories is None or found.classified is None:
        sys.exit(f"{place} has not been classified")
    names, rows = found.categories.column("name").to_pylist(), found.classified.to_pylist()
    titles = short_titles(graph.texts, found.classified.column("document").to_numpy())
    ids = graph.documents.tolist()
    return sum(
        len(
            json.dumps(
                {
                    "document": ids[row["document"]],
                    "title": title,
                    "category": names[row["category"]],
                    "confidence": round(row["confidence"], 3),
                },
                ensure_ascii=False,
            ).encode()
        )
        + 1
        for row, title in zip(rows, titles, strict=True)
    )


def opening(file: Path, repeat: int) -> dict[str, float]:
    """Medians in milliseconds: the drawn page, the searchable table, a search, an empty page, processor time."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        sys.exit("no Chromium here (on Debian: apt-get install chromium)")
    empty = Path(tempfile.mkdtemp()) / "empty.html"
    empty.write_text("<!DOCTYPE html><title>empty</title>", encoding="utf-8")
    seen: dict[str, list[float]] = {"drawn": [], "ready": [], "search": [], "empty": [], "processor": []}
    with sync_playwright() as playwright:
        for _ in range(repeat):
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            page: Any = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.goto(empty.as_uri())
            seen["empty"].append(page.evaluate("performance.timing.loadEventEnd - performance.timing.navigationStart"))
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(file.as_uri())
            page.locator("html[data-ready]").wait_for(state="attached")
            for name, value in page.evaluate("report.times").items():
                seen[name].append(value)
            metrics = {row["name"]: row["value"] for row in session.send("Performance.getMetrics")["metrics"]}
            seen["processor"].append(1000 * metrics["ThreadTime"])
            # The first search folds the case of all titles; it is the slowest.
            seen["search"].append(page.evaluate("report.timeSearch('neural graph')"))
            browser.close()
    return {name: statistics.median(values) for name, values in seen.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", help="a classified graph; left out, arxiv-cs is loaded and classified")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--file", type=Path, help="a report of that graph that is already written; only open it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = options.graph or classified(Path(folder))
        file = options.file or Path(folder) / "report.html"
        written = None
        if options.file is None:
            written = run(sys.executable, "-m", "hin", "report", "--graph", place, "--out", str(file), "--json")
        bytes_ = file.stat().st_size
        times, plain = opening(file, options.repeat), plain_size(place)
    rows = [
        ("", "measured", "wanted"),
        ("size", size(bytes_), "10 MB"),
        ("size / the table as plain JSON lines", f"{bytes_ / plain:.2f}" if plain else "-", ""),
        ("page drawn", f"{times['drawn'] / 1000:.2f} s", "2 s"),
        ("documents searchable", f"{times['ready'] / 1000:.2f} s", "2 s"),
        ("processor time of the page's thread", f"{times['processor'] / 1000:.2f} s", ""),
        ("first search", f"{times['search']:.0f} ms", ""),
        ("drawn / an empty page", f"{times['drawn'] / max(1.0, times['empty']):.0f}", ""),
        ("cores, load", f"{cores()}, {os.getloadavg()[0]:.1f}", ""),
    ]
    if written is not None:
        made = json.loads(written.output)
        rows[1:1] = [
            ("documents shown", f"{made['shown']:,} of {made['documents']:,}", ""),
            ("write", f"{written.processor:.1f} s processor, {written.seconds:.1f} s, {written.megabytes:,.0f} MB", ""),
        ]
    print_table(rows)


if __name__ == "__main__":
    main()
