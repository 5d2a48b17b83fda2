"""A corpus with known topics: narrow terms and venues of one topic each, broad ones of all."""

from __future__ import annotations

import numpy as np

from embed import Edges

TOPICS = 4
NARROW = 20  # terms of each topic
BROAD = 10  # terms of every topic
VENUES = TOPICS + 1  # one of each topic, the last of all
TERM_OFFSET = VENUES


def planted_edges(documents: int = 400, length: int = 24, seed: int = 0) -> tuple[Edges, np.ndarray]:
    """Edges with the venues first, then the terms; and each document's topic."""
    generator = np.random.default_rng(seed)
    topics = generator.integers(0, TOPICS, documents)
    tokens, instances, token_ends, instance_ends = [], [], [0], [0]
    for topic in topics:
        narrow = topic * NARROW + generator.integers(0, NARROW, length)
        broad = TOPICS * NARROW + generator.integers(0, BROAD, length)
        text = np.where(generator.random(length) < 0.7, narrow, broad)
        venue = topic if generator.random() < 0.5 else TOPICS
        tokens.append(text)
        instances.append(np.unique(np.concatenate([[venue], TERM_OFFSET + text])))
        token_ends.append(token_ends[-1] + len(text))
        instance_ends.append(instance_ends[-1] + len(instances[-1]))
    n_terms = TOPICS * NARROW + BROAD
    edges = Edges(
        np.array(instance_ends, np.int64), np.concatenate(instances).astype(np.int32),
        np.array(token_ends, np.int64), np.concatenate(tokens).astype(np.int32),
        n_instances=VENUES + n_terms, term_offset=TERM_OFFSET, n_terms=n_terms,
    )  # fmt: skip
    return edges, topics


def is_narrow() -> np.ndarray:
    """Whether each instance belongs to one topic."""
    narrow = np.ones(VENUES + TOPICS * NARROW + BROAD, dtype=bool)
    narrow[TOPICS] = False
    narrow[TERM_OFFSET + TOPICS * NARROW :] = False
    return narrow
