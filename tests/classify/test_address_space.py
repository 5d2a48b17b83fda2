"""Two hundred thousand documents under a limit on the address space that holding them would exceed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hin.loading import load_into

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = 200_000
TOPICS = ("music", "sports", "cooking", "gardening", "banking", "weather")
#: Addresses, not memory: libraries reserve much that they never touch. With everything held, as before documents were
#: worked on in blocks, this run took 4.7 billion; now it takes 2.8.
LIMIT = 3_500_000_000

CLASSIFY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
import cli
cli.main(sys.argv[2:])
"""


def write_corpus(file: Path, count: int) -> None:
    """Write short documents of six topics, one in ten with the topic's name."""
    chance = np.random.default_rng(0)
    topics = chance.integers(0, len(TOPICS), count)
    words = chance.integers(0, 400, (count, 10)) ** 2 // 400  # the first words of a topic are frequent
    common = chance.integers(0, 300, (count, 4))
    authors = chance.integers(0, 10_000, count)
    with file.open("w", encoding="utf-8") as out:
        for i, topic in enumerate(topics.tolist()):
            text = [f"{TOPICS[topic][:2]}{'abcdefghij'[w % 10]}{w}" for w in words[i].tolist()]
            text += [f"common{w}" for w in common[i].tolist()] + [TOPICS[topic]] * (i % 10 == 0)
            row = {"id": f"d{i}", "text": " ".join(text), "author": [f"a{authors[i]}"], "label": TOPICS[topic]}
            out.write(json.dumps(row) + "\n")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux holds to a limit on addresses")
def test_many_documents_are_classified_in_little_memory(tmp_path: Path) -> None:
    corpus, graph, labels = tmp_path / "documents.jsonl", tmp_path / "graph.hin", tmp_path / "labels.txt"
    write_corpus(corpus, DOCUMENTS)
    load_into(graph, corpus)
    labels.write_text("".join(f"{name}\n" for name in TOPICS))
    arguments = [
        "classify", "--categories", str(labels), "--graph", str(graph), "--classifier", "linear", "--knowledge", "none",
        "--epochs", "1", "--threads", "2", "--json", "--quiet",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", CLASSIFY, str(LIMIT), *arguments], capture_output=True, text=True, timeout=600,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "2", "MALLOC_ARENA_MAX": "4"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    reported = json.loads(done.stdout)
    assert reported["documents"] == DOCUMENTS and reported["evaluation"]["micro_f1"] > 0.9
