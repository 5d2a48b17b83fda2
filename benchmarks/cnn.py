"""How fast the CNN trains and predicts, against the same network written with Torch's own layers.

Run ``python -m benchmarks.cnn [documents]``. The documents are made up: 120 words each from a Zipf-like vocabulary.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numpy as np

from benchmarks.common import cores
from classify.documents.sequences import Sequences
from classify.learners.cnn_model import CNNClassifier
from classify.learners.cnn_options import CNNOptions

CATEGORIES, DIM, WORDS = 24, 100, 60_000


def documents(n: int) -> tuple[Sequences, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Sequences, unit vectors and soft labels."""
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((WORDS, DIM)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths = rng.integers(60, 180, n)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    share = 1.0 / np.arange(1, WORDS + 1)
    ids = rng.choice(WORDS, size=int(offsets[-1]), p=share / share.sum()).astype(np.int32)
    kinds = rng.integers(0, CATEGORIES, n)
    own = (1000 + np.repeat(kinds, lengths) * 50 + rng.integers(0, 50, len(ids))).astype(np.int32)
    ids = np.where(rng.random(len(ids)) < 0.1, own, ids)
    targets = np.full((n, CATEGORIES), 0.1 / CATEGORIES, dtype=np.float32)
    targets[np.arange(n), kinds] += 0.9
    return Sequences(offsets, ids), vectors, targets


def plain_torch(rows: Sequences, vectors: Any, targets: Any, threads: int) -> tuple[float, float]:
    """Seconds to train one epoch and to predict, with an embedding, convolutions and an optimizer of Torch."""
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    options = CNNOptions()
    padded = np.full((rows.n_documents, options.length), len(vectors), dtype=np.int64)
    for i in range(rows.n_documents):
        padded[i, : len(rows.row(i))] = rows.row(i)
    words = torch.nn.Embedding.from_pretrained(torch.from_numpy(np.vstack([vectors, np.zeros((1, DIM), np.float32)])))
    convolutions = torch.nn.ModuleList([torch.nn.Conv1d(DIM, options.maps, width) for width in options.widths])
    out = torch.nn.Linear(options.maps * len(options.widths), CATEGORIES)
    optimizer = torch.optim.Adam([*convolutions.parameters(), *out.parameters()], lr=0.002)

    def forward(batch: Any) -> Any:
        inputs = words(batch).transpose(1, 2)
        return out(torch.cat([torch.relu(layer(inputs)).max(dim=2).values for layer in convolutions], dim=1))

    ids, wanted = torch.from_numpy(padded), torch.from_numpy(targets)
    start = time.perf_counter()
    for at in range(0, len(ids), options.batch):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(forward(ids[at : at + options.batch]), wanted[at : at + options.batch])
        loss.backward()
        optimizer.step()
    trained = time.perf_counter() - start
    start = time.perf_counter()
    with torch.no_grad():
        for at in range(0, len(ids), options.batch):
            forward(ids[at : at + options.batch])
    return trained, time.perf_counter() - start


def main() -> None:
    """Print seconds, documents a second and the ratios."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    threads = cores()
    rows, vectors, targets = documents(n)
    small = documents(300)
    CNNClassifier(CNNOptions(epochs=1)).fit(*small, threads=threads).predict_proba(small[0])  # compiles, imports
    epochs = 2
    start = time.perf_counter()
    model = CNNClassifier(CNNOptions(epochs=epochs)).fit(rows, vectors, targets, threads=threads)
    ours = (time.perf_counter() - start) / epochs
    start = time.perf_counter()
    model.predict_proba(rows, threads=threads)
    predicted = time.perf_counter() - start
    theirs, theirs_predicted = plain_torch(rows, vectors, targets, threads)
    print(f"{n:,} documents, {threads} cores (load {os.getloadavg()[0]:.1f})")
    print(f"one epoch:  {ours:.1f} s, plain Torch {theirs:.1f} s, ratio {theirs / ours:.1f}")
    print(
        f"prediction: {n / predicted:,.0f} documents/s, plain Torch {n / theirs_predicted:,.0f}, "
        f"ratio {theirs_predicted / predicted:.1f}"
    )


if __name__ == "__main__":
    main()
