"""HIN2Vec: nodes and meta-paths embedded by classifying real and sampled pairs; the nearest category name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from classify.comparators.parts.language_models import torch_set_up
from classify.comparators.parts.nodes import NumberedNodes, nearest_names, nodes_of
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task
from classify.comparators.parts.walks import neighbours_by_kind, walk_along
from classify.documents.sequences import Sequences
from hin.arrays.types import Int64


@SYSTEMS.register("hin2vec")
@dataclass(frozen=True)
class Hin2Vec(System):
    """`walks` start at every node; `shared` negatives serve a whole batch and weigh `negatives` together."""

    about = About(
        title="HIN2Vec",
        paper="Fu et al., HIN2Vec: Explore Meta-paths in Heterogeneous Information Networks, CIKM 2017",
        follows="Free walks of 100 nodes; pairs up to 3 steps apart without cycles, with the meta-path between them; "
        "sigmoid of the product of both nodes' vectors where the meta-path's is not negative (binary step); dimension "
        "100, 5 negatives (HNE's settings, appendix A.3); nearest name by cosine.",
        differs="Batches instead of one pair at a time, with shared negatives; the summed gradient of n pairs that "
        "share a node is divided by the root of n. So the rate is .05 instead of .025: of .05, .1, .2 and .4 "
        "the one that best separates real from sampled pairs on held-out walks, on three corpora. Its score "
        "has three factors, so it cannot use the skip-gram kernels and is trained in Torch on one thread.",
    )
    dim: int = 100
    window: int = 3
    negatives: int = 5
    walks: int = 10
    length: int = 100
    rate: float = 0.05
    batch: int = 4096
    shared: int = 64

    def run(self, task: Task) -> Outcome:
        """Walk, embed, compare."""
        nodes = nodes_of(task)
        neighbours, anywhere = neighbours_by_kind(nodes), [len(nodes.names)]
        starts = np.flatnonzero(np.diff(nodes.edges.indptr) > 0)
        with torch_set_up(task, threads=1) as torch:
            model = Model(torch, nodes, self, task.rng(0x41B2))
            for number in range(self.walks):
                order = task.rng(0x41B3 + number).permutation(starts)
                walks = walk_along(neighbours, order, anywhere, self.length, (task.seed, 0x41B, number))
                steps = -(-walks.n_documents // _WALKS)
                for done, part in enumerate(_blocks(walks)):
                    share = (number + done / steps) / self.walks
                    task.progress("HIN2Vec", round(1000 * share), 1000)
                    model.learn(pairs_of(part, nodes, self.window), self.rate * max(1e-4, 1 - share))
            return nearest_names(nodes, model.table.numpy())


#: The number of walks whose pairs are made at a time.
_WALKS = 2000


def _blocks(walks: Sequences) -> Iterator[Sequences]:
    for start in range(0, walks.n_documents, _WALKS):
        cut = walks.offsets[start : start + _WALKS + 1]
        yield Sequences(cut - cut[0], walks.ids[cut[0] : cut[-1]])


class Pairs(NamedTuple):
    """Nodes seen near each other, and the number of the meta-path from the first to the second."""

    first: Int64
    second: Int64
    path: Int64


def pairs_of(walks: Sequences, nodes: NumberedNodes, window: int) -> Pairs:
    """Return all pairs up to `window` steps apart, except those whose second node occurs on the way between them.

    A meta-path's number is the kinds on it as digits, so that each sequence of kinds has one of its own.
    """
    ids = walks.ids.astype(np.int64)
    walk = np.repeat(np.arange(walks.n_documents), np.diff(walks.offsets))
    kind = nodes.kinds[ids].astype(np.int64)
    base = len(nodes.names) + 1
    firsts, seconds, paths = [], [], []
    for step in range(1, window + 1):
        here = np.flatnonzero(walk[:-step] == walk[step:]) if len(walk) > step else np.empty(0, np.int64)
        for between in range(1, step):
            here = here[ids[here + between] != ids[here + step]]
        number = np.zeros(len(here), dtype=np.int64)
        for place in range(step + 1):
            number = number * base + kind[here + place] + 1
        firsts.append(ids[here])
        seconds.append(ids[here + step])
        paths.append(number)
    return Pairs(np.concatenate(firsts), np.concatenate(seconds), np.concatenate(paths))


class Model:
    """The vectors of nodes and meta-paths."""

    def __init__(self, torch: Any, nodes: NumberedNodes, options: Hin2Vec, rng: np.random.Generator) -> None:
        from embed.sgd.noise import AliasTable

        self.torch, self.options, self.rng = torch, options, rng
        start = (rng.random((nodes.size, options.dim), dtype=np.float32) - 0.5) / options.dim
        self.table = torch.from_numpy(start)
        codes = (len(nodes.names) + 1) ** (options.window + 1)
        self.paths = torch.from_numpy(rng.random((codes, options.dim), dtype=np.float32) / options.dim)
        degrees = np.diff(nodes.edges.indptr)
        self.noise = AliasTable.of_degrees(degrees, 0.75).probabilities().cumsum()

    def learn(self, pairs: Pairs, rate: float) -> None:
        """Take one gradient step for each batch of pairs, in random order."""
        order = self.rng.permutation(len(pairs.first))
        for start in range(0, len(order), self.options.batch):
            rows = order[start : start + self.options.batch]
            others = np.searchsorted(self.noise, self.rng.random(self.options.shared)).clip(0, len(self.table) - 1)
            first, second, path, far = (self.torch.from_numpy(p) for p in (*(part[rows] for part in pairs), others))
            self.step(first, second, path, far, rate)

    def step(self, first: Any, second: Any, path: Any, others: Any, rate: float) -> None:
        """Take a gradient step on the pairs, and on the first nodes with the `others` as negatives."""
        torch, options = self.torch, self.options
        x, y, z, r = self.table[first], self.table[second], self.table[others], self.paths[path]
        gate = (r >= 0).float()
        gated = x * gate
        near = 1 - torch.sigmoid((gated * y).sum(dim=1))
        far = -torch.sigmoid(gated @ z.T) * (options.negatives / len(others))
        pull = near[:, None] * y + far @ z
        gate = torch.sigmoid(r)
        moved = torch.cat([pull * gate, near[:, None] * gated, far.T @ gated])
        self._add(self.table, torch.cat([first, second, others]), moved, rate)
        self._add(self.paths, path, x * pull * gate * (1 - gate), rate)

    def _add(self, table: Any, rows: Any, change: Any, rate: float) -> None:
        used, place, times = self.torch.unique(rows, return_inverse=True, return_counts=True)
        sums = self.torch.zeros((len(used), table.shape[1])).index_add_(0, place, change)
        table[used] += rate * sums / times.sqrt()[:, None]
