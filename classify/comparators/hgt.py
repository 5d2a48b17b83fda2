"""HGT without labels and attributes: a heterogeneous graph transformer trained to predict edges; the nearest name."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from classify.comparators.parts.language_models import torch_set_up
from classify.comparators.parts.nodes import NumberedNodes, nearest_names, nodes_of
from classify.comparators.parts.system import SYSTEMS, About, MissingModel, Outcome, System, Task
from hin.arrays.types import Floats, Int64


@SYSTEMS.register("hgt")
@dataclass(frozen=True)
class HGT(System):
    """`steps` parts of the graph are drawn, each around `batch` nodes."""

    about = About(
        title="HGT",
        paper="Hu et al., Heterogeneous Graph Transformer, WWW 2020",
        follows="The unsupervised, unattributed version of HNE: fixed random features, 3 layers, 5 heads, dropout .2, "
        "parts drawn by HGSampling (depth 6, 128 nodes per kind), edges against as many random pairs, Adam, gradients "
        "cut at .25; dimension 100 (appendix A.3); PyTorch Geometric's HGTConv; nearest name by cosine.",
        differs="500 steps instead of 500 epochs of 64 steps: hours on two cores, for the weakest row of the paper's "
        "table. No temporal encoding (all edges have one time in HNE's version, too). One thread.",
    )
    dim: int = 100
    heads: int = 5
    layers: int = 3
    dropout: float = 0.2
    depth: int = 6
    width: int = 128
    batch: int = 256
    steps: int = 500
    rate: float = 1e-3
    clip: float = 0.25

    def run(self, task: Task) -> Outcome:
        """Train on sampled subgraphs, then embed all documents and names."""
        nodes = nodes_of(task)
        names = np.array(sorted({i for seeds in nodes.seeds for i in seeds}), dtype=np.int64)
        return nearest_names(nodes, self.place(task, nodes, np.concatenate([names, np.arange(nodes.documents)])))

    def place(self, task: Task, nodes: NumberedNodes, wanted: Int64) -> Floats:
        """Train, and return the vectors of the wanted nodes; zeros for the others."""
        with torch_set_up(task, threads=1) as torch:
            features = torch.from_numpy(task.rng(0x467).standard_normal((nodes.size, self.dim)).astype(np.float32))
            network = _network(torch, nodes, self)
            self._train(torch, network, features, nodes, task)
            vectors = np.zeros((nodes.size, self.dim), dtype=np.float32)
            network.eval()
            rng = task.rng(0x468)
            with torch.inference_mode():
                for start in range(0, len(wanted), self.batch):
                    task.progress("placing documents", start, len(wanted))
                    rows = wanted[start : start + self.batch]
                    part = sample_part(nodes, rows, self.depth, self.width, rng)
                    placed = network(features[part], nodes.kinds[part], nodes.edges[part][:, part])
                    vectors[rows] = placed[: len(rows)].numpy()
        return vectors

    def _train(self, torch: Any, network: Any, features: Any, nodes: NumberedNodes, task: Task) -> None:
        optimizer = torch.optim.Adam(network.parameters(), lr=self.rate)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, self.steps, eta_min=1e-6)
        rng, each = task.rng(0x469), max(1, self.batch // len(nodes.names))
        network.train()
        for step in range(self.steps):
            task.progress("HGT", step, self.steps)
            seeds = [rng.permutation(np.flatnonzero(nodes.kinds == kind))[:each] for kind in range(len(nodes.names))]
            part = sample_part(nodes, np.concatenate(seeds), self.depth, self.width, rng)
            edges = nodes.edges[part][:, part]
            states = network(features[part], nodes.kinds[part], edges)
            first, second = edges.nonzero()
            real = first < second
            made = rng.integers(len(part), size=(2, int(real.sum())))
            pairs = np.concatenate([np.stack([first[real], second[real]]), made], axis=1)
            truth = torch.from_numpy((np.arange(pairs.shape[1]) < made.shape[1]).astype(np.float32))
            scores = (states[pairs[0]] * states[pairs[1]]).sum(dim=1)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, truth)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), self.clip)
            optimizer.step()
            schedule.step()


def sample_part(nodes: NumberedNodes, seeds: Int64, depth: int, width: int, rng: np.random.Generator) -> Int64:
    """Return the seeds, in their order, and the nodes drawn around them (HGSampling, the paper's algorithm 1).

    Every node drawn adds 1/degree to its neighbours' budgets; of each kind `width` nodes are drawn with a probability
    proportional to the squared budget.
    """
    degrees = np.maximum(np.diff(nodes.edges.indptr), 1)
    budget = np.zeros(nodes.size)
    taken = np.zeros(nodes.size, dtype=np.bool_)
    drawn, new = [np.asarray(seeds, dtype=np.int64)], np.asarray(seeds, dtype=np.int64)
    for _ in range(depth):
        taken[new] = True
        near = nodes.edges[new]
        budget += np.bincount(near.indices, np.repeat(1 / degrees[new], np.diff(near.indptr)), minlength=nodes.size)
        fresh = []
        for kind in range(len(nodes.names)):
            open_ = np.flatnonzero((budget > 0) & ~taken & (nodes.kinds == kind))
            if len(open_) > width:
                chance = budget[open_] ** 2
                open_ = rng.choice(open_, width, replace=False, p=chance / chance.sum())
            fresh.append(open_)
        new = np.concatenate(fresh)
        drawn.append(new)
    return np.concatenate(drawn)


def _network(torch: Any, nodes: NumberedNodes, options: HGT) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it uses deprecated parts of Torch
            from torch_geometric.nn import HGTConv
    except ImportError:
        raise MissingModel(
            "torch-geometric is not installed", hint="install it with `pip install 'hin-toolkit[compare]'`"
        ) from None
    kinds = list(nodes.names)
    meta = (kinds, [pair for kind in kinds[1:] for pair in (("document", "has", kind), (kind, "of", "document"))])

    class Network(torch.nn.Module):  # type: ignore[misc]
        """Features of each kind through a layer of their own, then the transformer."""

        def __init__(self) -> None:
            super().__init__()
            self.adapt = torch.nn.ModuleList(torch.nn.Linear(options.dim, options.dim) for _ in kinds)
            self.drop = torch.nn.Dropout(options.dropout)
            self.convs = torch.nn.ModuleList(
                HGTConv(options.dim, options.dim, meta, options.heads) for _ in range(options.layers)
            )

        def forward(self, features: Any, kind: npt.NDArray[np.int8], edges: Any) -> Any:
            place = [np.flatnonzero(kind == k) for k in range(len(kinds))]
            within = np.zeros(len(kind), dtype=np.int64)
            for rows in place:
                within[rows] = np.arange(len(rows))
            states = {name: self.drop(torch.tanh(self.adapt[k](features[place[k]]))) for k, name in enumerate(kinds)}
            first, second = edges.nonzero()
            index = {}
            for source, relation, target in meta[1]:
                mine = (kind[first] == kinds.index(source)) & (kind[second] == kinds.index(target))
                index[(source, relation, target)] = torch.from_numpy(
                    np.stack([within[first[mine]], within[second[mine]]])
                )
            for conv in self.convs:
                states = {name: self.drop(state) for name, state in conv(states, index).items()}
            out = torch.zeros_like(features)
            for k, name in enumerate(kinds):
                out[place[k]] = states[name]
            return out

    return Network()
