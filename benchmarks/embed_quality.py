"""Time to quality: train with default options, then ask for the documents nearest to each category name.

    python -m benchmarks.embed_quality [--corpus arxiv-cs] [--documents N] [--seeds 3] [--objective free|paper]

p50: of the 50 documents nearest to each name (documents' mean off documents, names' mean off names), the share with
that label. Pseudo labels: the paper's selection (50 instances, eta) and retrieval (50 documents a category). The
labels are read for these figures only.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np

from benchmarks.common import cores, peak, print_table
from benchmarks.embed_common import Prepared, prepared
from classify.categories.finding import name_vectors
from classify.paper.retrieval import count_indicative, retrieve
from classify.paper.selection import SelectionOptions, instance_orders, select_instances
from classify.paper.tables import retrieved_accuracy
from embed import EmbedOptions, JointEmbedding, train
from embed.vectors import centred_units, unit_rows
from hin.engines.local import LocalEngine


class Elsewhere(LocalEngine):
    """Threads that are worked with as if they were a cluster's."""

    here = False


def truth(corpus: Prepared) -> np.ndarray:
    """The label of each document as a position among the categories; -1 where it is none of them."""
    position = {finding.category: i for i, finding in enumerate(corpus.findings)}
    order = np.array([position.get(name, -1) for name in corpus.labels.names])
    return order[np.asarray(corpus.labels.codes)]


def precision_at(documents: np.ndarray, names: np.ndarray, labels: np.ndarray, k: int = 50) -> float:
    """Share of right labels among the k documents nearest to each name."""
    cosines = unit_rows(names) @ centred_units(documents).T
    return float(np.mean([np.mean(labels[np.argsort(-row, kind="stable")[:k]] == i) for i, row in enumerate(cosines)]))


def pseudo_accuracy(corpus: Prepared, model: JointEmbedding, labels: np.ndarray, eta: float) -> tuple[float, int]:
    """Accuracy of the paper's pseudo labels, and how many there are."""
    names = name_vectors(corpus.findings, corpus.motif_set, np.asarray(model.vectors), np.asarray(model.kappa))
    chosen = select_instances(
        np.asarray(model.vectors),
        np.asarray(model.kappa),
        instance_orders(corpus.motif_set),
        names,
        SelectionOptions(size=50, eta=eta),
    )
    counts = count_indicative(corpus.motif_set.by_document(), [c.instances for c in chosen], len(model))
    closeness = np.asarray(model.documents) @ np.stack([name.vector for name in names]).T
    found = retrieve(counts, 50, closeness)
    row = retrieved_accuracy([part.documents for part in found], labels, [50])[0]
    return row["accuracy"], row["documents"]


def main() -> None:
    """Train with several seeds and print the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", default="arxiv-cs")
    parser.add_argument("--documents", type=int)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--objective", choices=("free", "paper"), default="free")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--groups", action="store_true", help="train in groups, as on a cluster, on this machine")
    arguments = parser.parse_args()
    corpus = prepared(arguments.corpus, arguments.documents)
    labels = truth(corpus)
    options = EmbedOptions(objective=arguments.objective, epochs=arguments.epochs, threads=arguments.threads)
    rows = []
    for seed in range(arguments.seeds):
        start = time.perf_counter()
        engine = Elsewhere(f"local:{arguments.threads}") if arguments.groups else None
        model = train(corpus.graph, corpus.motif_set, replace(options, seed=seed), engine=engine)
        seconds = time.perf_counter() - start
        vectors = np.asarray(model.vectors)
        names = np.stack([n.vector for n in name_vectors(corpus.findings, corpus.motif_set, vectors, model.kappa)])
        mean = names.mean(axis=0)
        folded = centred_units(model.documents)
        row = {
            "seconds (all of train)": seconds,
            "M edges/s": (model.report or {})["edges_per_second"] / 1e6,
            "p50": precision_at(model.documents, names - mean, labels),
            "p50, documents' mean off the names": precision_at(model.documents, names - model.centre, labels),
            "accuracy, nearest name": float(np.mean((unit_rows(names - mean) @ folded.T).argmax(axis=0) == labels)),
        }
        for eta in (1.0, 1.5, 2.0):
            row[f"pseudo labels, eta {eta:g}"], row[f"their number, eta {eta:g}"] = pseudo_accuracy(
                corpus, model, labels, eta
            )
        print(f"seed {seed}: " + ", ".join(f"{key} {value:.3f}" for key, value in row.items()), flush=True)
        rows.append(row)
    promised = {"seconds (all of train)": "40", "p50": ".80", "M edges/s": "7.4"}
    table = [("mean", "measured", "promised (arxiv-cs)")]
    table += [(key, f"{np.mean([r[key] for r in rows]):.3f}", promised.get(key, "")) for key in rows[0]]
    table.append(("peak memory, MB (loading and judging included)", f"{peak():.0f}", "1500 (training)"))
    print(f"{arguments.corpus}, {len(corpus.graph):,} documents, {arguments.threads} threads, {cores()} cores")
    print_table(table)


if __name__ == "__main__":
    main()
