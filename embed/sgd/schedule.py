"""The schedule of training as a plain value: epochs of rounds, rounds of lanes, lanes of pieces of documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from embed.edges import Edges
from embed.options import EmbedOptions
from embed.sgd.kernel_tables import INSTANCES_END, INSTANCES_START, TOKENS_END, TOKENS_START
from hin.arrays.types import Int64

#: The most instances and tokens of a piece; longer documents are trained in several pieces.
PIECE_LIMIT = 2048


@dataclass(frozen=True)
class EpochPlan:
    """One pass over all edges, in order.

    Attributes
    ----------
    pieces : int64[n, 5]
        The columns that `kernel_tables` names: document, range of instance edges, range of tokens.
    lanes : int64[rounds * lanes + 1]
        Lane ``l`` of round ``r`` holds the pieces from ``lanes[r * n + l]`` to ``lanes[r * n + l + 1]``.
    """

    pieces: Int64
    lanes: Int64


@dataclass(frozen=True)
class Plan:
    """The assignment of work to rounds and lanes, with the learning rates.

    It depends on the edges' sizes, the options and the seed only, never on the machine, so several machines with the
    same plan do the same work.
    """

    seed: int
    epochs: int
    rounds: int
    lanes: int
    pieces: Int64
    lane_starts: Int64
    lane_rows: int
    lane_pieces: int
    lane_instances: int
    lane_tokens: int
    rate: float
    rate_floor: float

    def learning_rate(self, step: int) -> float:
        """Return the learning rate of round ``step`` counted over all epochs: linear decay to the floor."""
        left = 1.0 - step / max(self.epochs * self.rounds, 1)
        return self.rate * max(left, self.rate_floor)

    def epoch(self, index: int) -> EpochPlan:
        """Return the pieces of one epoch in their shuffled order."""
        generator = np.random.Generator(np.random.Philox(key=[self.seed & (2**64 - 1), index]))
        order = generator.permutation(len(self.pieces))
        return EpochPlan(self.pieces[order], self.lane_starts)


def cut_pieces(edges: Edges, limit: int = PIECE_LIMIT) -> Int64:
    """Cut documents into pieces: one per document, several for documents longer than ``limit``."""
    instances, tokens = np.diff(edges.instance_offsets), np.diff(edges.token_offsets)
    parts = np.maximum(-(-(instances + tokens) // limit), 1)
    document = np.repeat(np.arange(edges.n_documents, dtype=np.int64), parts)
    first = np.cumsum(parts) - parts
    part = np.arange(len(document)) - first[document]
    columns = [document]
    for offsets, size in ((edges.instance_offsets, instances), (edges.token_offsets, tokens)):
        step = size[document]
        columns.append(offsets[document] + step * part // parts[document])
        columns.append(offsets[document] + step * (part + 1) // parts[document])
    return np.stack(columns, axis=1).astype(np.int64)


def default_epochs(n_edges: int) -> int:
    """Return the epochs for a corpus of this many document-instance edges: few for large ones, more for small ones.

    The work still grows with the number of edges; a small corpus needs more visits of each.

    Examples
    --------
    >>> default_epochs(100_000_000), default_epochs(10_000_000), default_epochs(1_000_000), default_epochs(1_000)
    (4, 7, 13, 30)
    """
    return int(np.clip(round(7 * (1e7 / max(n_edges, 1)) ** 0.28), 4, 30))


def make_plan(edges: Edges, options: EmbedOptions, pool_rows: int) -> Plan:
    """Divide the corpus into rounds of `options.lanes` lanes of about `options.lane_documents` documents.

    Small corpora get smaller lanes, so that an epoch has at least some 16 rounds.
    """
    pieces = cut_pieces(edges)
    n, lanes = len(pieces), options.lanes
    per_lane = max(1, min(options.lane_documents, n // (lanes * 16)))
    rounds = max(1, -(-n // (lanes * per_lane)))
    starts = np.minimum(np.arange(rounds * lanes + 1, dtype=np.int64) * per_lane, n)
    lane_instances = _largest(pieces[:, INSTANCES_END] - pieces[:, INSTANCES_START], per_lane)
    lane_tokens = _largest(pieces[:, TOKENS_END] - pieces[:, TOKENS_START], per_lane)
    return Plan(
        seed=options.seed,
        epochs=options.epochs or default_epochs(len(edges.instances)),
        rounds=rounds,
        lanes=lanes,
        pieces=pieces,
        lane_starts=starts,
        lane_rows=per_lane + lane_instances + 2 * lane_tokens + pool_rows,
        lane_pieces=per_lane,
        lane_instances=lane_instances,
        lane_tokens=lane_tokens,
        rate=options.starting_rate,
        rate_floor=1e-4,
    )


def _largest(sizes: Int64, count: int) -> int:
    """Return the largest total size of `count` pieces."""
    return int(np.sort(sizes)[::-1][:count].sum()) if len(sizes) else 0
