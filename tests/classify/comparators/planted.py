"""Corpora in which one kind of evidence alone determines the category."""

from __future__ import annotations

import numpy as np

import hin
from classify.categories.category_file import Category
from classify.comparators import Task

NAMES = ("astronomy", "cooking", "sailing")


def planted(kind, documents=180, seed=0):
    """A task and its true categories.

    `text`: words predict, metadata is noise. `structure`: the venue predicts, words are noise except for some names.
    `motif`: two dialects without a common word; names occur in the first only, and who wrote with whom joins them.
    """
    rng = np.random.default_rng(seed)
    truth = np.arange(documents) % len(NAMES)
    records = [_record(kind, i, int(label), rng) for i, label in enumerate(truth)]
    graph = hin.load(records, id="id", text=["text"], metadata=["author", "venue"], phrases=False)
    patterns = {"text": ("author", "venue"), "structure": ("venue",), "motif": ("author-author",)}[kind]
    task = Task(graph, tuple(map(Category, NAMES)), patterns, min_count=3)
    return task, truth.astype(np.int32)


def _record(kind, i, label, rng):
    noise = [f"noise{k}" for k in rng.integers(60, size=12)]
    author, venue = [f"a{k}" for k in rng.integers(12, size=2)], f"v{rng.integers(6)}"
    words = list(noise)
    if kind == "text":
        words += [f"{NAMES[label]}{k}" for k in rng.integers(8, size=8)]
        words += [NAMES[label]] if rng.random() < 0.3 else []
    elif kind == "structure":
        venue = f"v{2 * label + rng.integers(2)}"
        words = words[:4]
        words += [NAMES[label]] if rng.random() < 0.3 else []
    else:
        dialect = "old" if i % 2 else "new"
        words = [f"{dialect}noise{k}" for k in rng.integers(60, size=8)]
        words += [f"{dialect}{NAMES[label]}{k}" for k in rng.integers(8, size=8)]
        words += [NAMES[label]] if dialect == "old" and rng.random() < 0.5 else []
        author = [f"{NAMES[label]}-{k}" for k in (0, 1)]
    return {"id": f"d{i}", "text": " ".join(rng.permutation(words)), "author": author, "venue": [venue]}


def accuracy(outcome, truth):
    return float(np.mean(outcome.labels == truth))
