"""`hin load` of arxiv-cs: time, memory, growth, and the ratio to gensim's Phrases on the same tokens.

    python -m benchmarks.load [--quick]

`--quick` takes the first 20,000 documents for the whole corpus and 4,000 for the small part.
"""

from __future__ import annotations

import argparse
import itertools
import lzma
import sys
import tempfile
from pathlib import Path

from benchmarks.common import Run, cores, corpus, print_table, run

SMALL = 20_000

#: The same documents, the same tokeniser's definition (`reference_tokens`), the same score and threshold, by gensim.
GENSIM = """
import json, lzma, sys, time
from gensim.models.phrases import Phrases
from hin.text.phrases import PhraseOptions
from hin.text.tokenize import reference_tokens
opener = lzma.open if sys.argv[1].endswith(".xz") else open
start = time.monotonic()
with opener(sys.argv[1], "rt", encoding="utf-8") as file:
    texts = [reference_tokens(json.loads(line)["text"]) for line in file]
tokenised = time.monotonic() - start
options = PhraseOptions()
for _ in range(int(sys.argv[2])):
    phrases = Phrases(texts, min_count=options.min_count, threshold=options.threshold, scoring="npmi", delimiter=" ")
    frozen = phrases.freeze()
    texts = [frozen[text] for text in texts]
print(tokenised, time.monotonic() - start, len({term for text in texts for term in text}))
"""

#: Opening, in a process of its own: the call, all of it with the imports, memory before and after one document.
OPEN = """
import time
start = time.monotonic()
import resource, sys
import numpy, pyarrow, pyarrow.ipc
import hin, hin.stores.graph_files, hin.stores.folder
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
called = time.monotonic()
graph = hin.open(sys.argv[1])
opened = time.monotonic()
size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
graph.texts[len(graph) // 2], graph.tokens.row(len(graph) // 2), graph.edges("term").row(len(graph) // 2)
touched = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(opened - called, opened - start, (size - before) / 1024, (touched - before) / 1024)
"""


def head(source: Path, target: Path, count: int) -> Path:
    """Copy the first documents of a corpus."""
    with lzma.open(source, "rb") as lines, target.open("wb") as out:
        out.writelines(itertools.islice(lines, count))
    return target


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--quick", action="store_true", help="a fifth of the corpus, for a first look")
    options.add_argument("--passes", type=int, default=1, help="passes of gensim's Phrases (hin itself makes up to 3)")
    given = options.parse_args()
    source = corpus("arxiv-cs") / "documents.jsonl.xz"
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        small = head(source, work / "small.jsonl", SMALL // 5 if given.quick else SMALL)
        whole = head(source, work / "whole.jsonl", SMALL) if given.quick else source
        tiny = head(source, work / "tiny.jsonl", 50)

        def load(path: Path, name: str) -> tuple[Run, int]:
            graph = str(work / f"{name}.hin")
            done = run(python, "-m", "hin", "load", str(path), "--graph", graph, "--quiet", "--json")
            count = int(run(python, "-c", f"import hin; print(len(hin.open({graph!r})))").output)
            return done, count

        load(tiny, "tiny")  # compiles the kernels once, as the first load on a machine does
        part, part_count = load(small, "small")
        full, count = load(whole, "whole")
        gensim = run(python, "-c", GENSIM, str(whole), str(given.passes))
        tokenised, reference, _ = map(float, gensim.output.split())
        opened = [run(python, "-c", OPEN, str(work / "whole.hin")).output.split() for _ in range(3)]
        call, process, memory, touched = (min(float(row[i]) for row in opened) for i in range(4))
        helped = sorted(run(python, "-m", "hin", "--help").seconds for _ in range(7))

    # Processor time, because other work on the machine slows the two loads down at different moments.
    growth = (full.processor / count) / (part.processor / part_count)
    print(f"arxiv-cs, {count:,} documents, {cores()} cores")
    print_table(
        [
            ("what", "measured", "promised"),
            ("hin load", f"{full.seconds:.1f} s ({full.processor:.1f} s of processor time)", "75 s"),
            ("  peak memory", f"{full.megabytes:,.0f} MB", "2,500 MB"),
            ("  the small part", f"{part_count:,} documents, {part.seconds:.1f} s, {part.megabytes:,.0f} MB", ""),
            ("  processor time per document against it", f"{growth:.2f}×", "at most about 1×"),
            ("tokenising by regex + gensim Phrases", f"{reference:.1f} s ({gensim.processor:.1f} s)", ""),
            ("  of which tokenising", f"{tokenised:.1f} s", ""),
            ("ratio", f"{reference / full.seconds:.1f}×", "4×"),
            ("  of processor times", f"{gensim.processor / full.processor:.1f}×", ""),
            ("opening the graph", f"{call:.3f} s ({process:.2f} s with imports)", "1 s"),
            ("  memory of opening, and of one document", f"{memory:.1f} MB, {touched:.1f} MB", "what is touched"),
            ("hin --help", f"{helped[len(helped) // 2]:.2f} s (best {helped[0]:.2f} s)", "0.4 s"),
        ]
    )


if __name__ == "__main__":
    main()
