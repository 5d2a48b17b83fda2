"""Whether the readers of `model.json` in examples/ give the labels and probabilities of hin, on documents of a corpus.

    python -m benchmarks.readers [--corpus debian] [--documents 10000] [--fitted 10000]

A linear model is fitted on some documents with all their metadata fields and the pairs of two of them, and exported;
the readers label others. Labels must be the same, probabilities within 1e-6. True labels are not used.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
import tempfile
import time
from itertools import combinations, islice
from pathlib import Path

import numpy as np

import hin
from benchmarks.common import ROOT, corpus, print_table
from classify import MotifClassifier


def main() -> None:
    """Fit, export, and compare both readers with the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", default="debian")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--fitted", type=int, default=10_000)
    given = parser.parse_args()
    folder = corpus(given.corpus)
    with lzma.open(folder / "documents.jsonl.xz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in islice(file, given.fitted + given.documents)]
    order = np.random.default_rng(0).permutation(len(rows))
    known, new = ([rows[i] for i in part] for part in (order[: given.fitted], order[given.fitted :]))
    graph = hin.load(known)
    patterns = [*graph.fields, *("-".join(pair) for pair in combinations(graph.fields, 2))]
    model = MotifClassifier(folder / "labels.txt", patterns, classifier="linear", n_jobs=1).fit(graph)
    labels, shares = model.predict(new), model.predict_proba(new)
    table = [("reader", f"other labels of {len(new):,}", "largest difference of a probability", "seconds")]
    with tempfile.TemporaryDirectory() as scratch:
        model.export(Path(scratch) / "model.json")
        lines = "".join(json.dumps(row) + "\n" for row in new)
        for program, reader in ((sys.executable, "read_model.py"), ("node", "read_model.js")):
            start = time.monotonic()
            command = [program, str(ROOT / "examples" / reader), str(Path(scratch) / "model.json")]
            done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True, encoding="utf-8")
            answers = [json.loads(line) for line in done.stdout.splitlines()]
            found = np.array([[answer["scores"][name] for name in model.classes_] for answer in answers])
            others = sum((answer["category"] or "") != label for answer, label in zip(answers, labels, strict=True))
            apart = np.abs(found - shares).max()
            table.append((reader, f"{others:,}", f"{apart:.1e}", f"{time.monotonic() - start:.1f}"))
    print_table(table)


if __name__ == "__main__":
    main()
