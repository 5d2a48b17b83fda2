"""hin beside a zero-shot sentence encoder on the same documents and cores: time, accuracy, price.

    python -m benchmarks.encoder --model FOLDER [--corpus amazon-mixed] [--documents 3000] [--read 400]

hin sorts a random sample of `--documents` from the names alone. The encoder reads `--read` of them, gives each the
nearest name by cosine, and its time is extrapolated to all of them: it reads documents one by one, so it grows evenly.
Both are scored on the documents that the encoder read. Time is that of the processor, model and names included.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from typing import Any

import numpy as np

import hin
from benchmarks.common import cores, corpus
from classify import MotifClassifier, evaluate, read_categories, true_codes
from classify.documents.encoder import joined_texts
from classify.knowledge.opening import open_model
from hin.console import Console

#: An hour of one core, as clouds let them: only to turn time into money.
DOLLARS = 0.05


def measure(name: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Sort one corpus both ways."""
    categories = read_categories(corpus(name) / "labels.txt")
    names = [category.name for category in categories]
    with lzma.open(corpus(name) / "documents.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rng = np.random.default_rng(0)
    rows = [rows[i] for i in np.sort(rng.permutation(len(rows))[: arguments.documents]).tolist()]

    start = time.process_time()
    graph = hin.load(rows, label="label")
    ours = MotifClassifier(categories, random_state=0, classifier=arguments.classifier).fit(graph).labels_
    spent = time.process_time() - start

    read = np.sort(rng.permutation(len(rows))[: arguments.read])
    start = time.process_time()
    model = open_model(arguments.model)
    assert model is not None, "a folder was named"
    texts = joined_texts(graph, 0, len(graph))
    near = model.read([texts[i] for i in read.tolist()], cores()) @ model.encode(names, cores()).T
    each = (time.process_time() - start) / len(read)

    truth = true_codes(graph.labels, names)[read]
    results = {"hin": (spent, ours[read]), "encoder": (each * len(rows), near.argmax(axis=1))}
    found = []
    for system, (seconds, given) in results.items():
        figures = evaluate(truth, given, names)
        found.append(
            {
                "corpus": name,
                "system": system,
                "documents": len(rows),
                "micro_f1": figures["micro_f1"],
                "macro_f1": figures["macro_f1"],
                "seconds": seconds,
                "dollars": seconds / 3600 * DOLLARS,
                "ratio": seconds / spent,
            }
        )
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="the folder of a sentence encoder, such as MiniLM's")
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--documents", type=int, default=3_000)
    parser.add_argument("--read", type=int, default=400)
    parser.add_argument("--classifier")
    arguments = parser.parse_args()
    rows = [
        row for name in arguments.corpus or ["amazon-mixed", "debian", "arxiv-cs"] for row in measure(name, arguments)
    ]
    Console().table([list(row.values()) for row in rows], list(rows[0]), exact=True)


if __name__ == "__main__":
    main()
