"""Train PyTorch Geometric's HGT on a graph of `hin export pyg`, on the labels of hin and on the true ones.

python train_hgt.py papers.pt
"""

import sys

import torch
from torch_geometric.nn import HGTConv
from torch_geometric.transforms import ToUndirected

from hin.exchange.pyg import read_pyg


class Network(torch.nn.Module):
    """Two layers of HGT over the features of documents, if there are any, and learned vectors of all other nodes."""

    def __init__(self, data, classes, dim):
        super().__init__()
        sizes = {kind: data[kind].num_nodes for kind in data.node_types}
        sizes["document"] = 1  # without features, what a document is its neighbours say
        self.vectors = torch.nn.ModuleDict({kind: torch.nn.Embedding(n, dim) for kind, n in sizes.items()})
        self.features = torch.nn.Linear(data["document"].x.size(1), dim) if "x" in data["document"] else None
        self.layers = torch.nn.ModuleList(HGTConv(dim, dim, data.metadata(), heads=4) for _ in range(2))
        self.out = torch.nn.Linear(dim, classes)

    def forward(self, data):
        """Return a score of each document in each category."""
        x = {kind: vectors.weight for kind, vectors in self.vectors.items()}
        x["document"] = x["document"].expand(data["document"].num_nodes, -1)
        if self.features is not None:
            x["document"] = x["document"] + self.features(data["document"].x)
        for layer in self.layers:
            x = {kind: rows.relu() for kind, rows in layer(x, data.edge_index_dict).items()}
        return self.out(torch.nn.functional.dropout(x["document"], 0.2, self.training))


def train(data, labels, chosen, classes, epochs, dim):
    """Train on the labels of the chosen documents; return the label of every document."""
    torch.manual_seed(0)
    network = Network(data, classes, dim)
    adam = torch.optim.Adam(network.parameters(), lr=0.02, weight_decay=1e-4)
    for _ in range(epochs):
        network.train()
        loss = torch.nn.functional.cross_entropy(network(data)[chosen], labels[chosen])
        adam.zero_grad()
        loss.backward()
        adam.step()
    with torch.no_grad():
        return network.eval()(data).argmax(dim=1)


def main(file, epochs=80, dim=32):
    """Print how many documents of the second half have their true label, by who labelled the first half."""
    data = read_pyg(file)
    names = data.category_names
    codes = torch.tensor([names.index(name) if name in names else -1 for name in data.label_names])
    truth = torch.where(data["document"].y >= 0, codes[data["document"].y], -1)
    given = data["document"].category
    first = torch.randperm(len(truth), generator=torch.Generator().manual_seed(0)) < len(truth) // 2
    tested = ~first & (truth >= 0)
    # the parts of motifs are there; with the motifs it takes twice as long
    kinds = [kind for kind in data.node_types if kind != "motif"]
    data = ToUndirected()(data.node_type_subgraph(kinds))  # messages go both ways
    found = {"hin itself": given}
    for said, labels in (("HGT on hin's labels", given), ("HGT on the true labels", truth)):
        found[said] = train(data, labels, first & (labels >= 0), len(names), epochs, dim)
    right = {said: (labels == truth)[tested].float().mean().item() for said, labels in found.items()}
    for said, share in right.items():
        print(f"{said}: {share:.3f}")
    return right


if __name__ == "__main__":
    main(sys.argv[1])
