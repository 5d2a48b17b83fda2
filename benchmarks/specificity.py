"""Does kappa mean anything: rank correlation with the purity of an instance's documents.

    python -m benchmarks.specificity [--documents 20000] [--corpus arxiv-cs debian]

Purity is minus the entropy of the true labels of the instance's documents, compared among instances in a similar
number of documents (10-30 / 30-100 / 100-1000). Two measures: kappa as learned by SGD, and the estimate
(`--specificity estimated`).
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy import stats

from benchmarks.common import cores
from benchmarks.embed_common import Prepared, prepared
from embed import EmbedOptions, train

BANDS = ((10, 30), (30, 100), (100, 1000))


def purity(corpus: Prepared) -> np.ndarray:
    """Minus the entropy of the labels of each instance's documents."""
    incidence = corpus.motif_set.incidence
    codes = np.asarray(corpus.labels.codes)
    n = len(corpus.labels.names)
    labelled = codes[incidence.targets] >= 0
    flat = incidence.rows().astype(np.int64)[labelled] * n + codes[incidence.targets][labelled]
    share = np.bincount(flat, minlength=corpus.motif_set.n_instances * n).reshape(-1, n).astype(float)
    share /= np.maximum(share.sum(axis=1, keepdims=True), 1)
    return np.sum(share * np.log(np.maximum(share, 1e-12)), axis=1)


def correlations(measure: np.ndarray, pure: np.ndarray, counts: np.ndarray, group: np.ndarray) -> str:
    """Spearman's correlation in each band of document counts; a dash where there are fewer than 20 instances."""
    cells = []
    for low, high in BANDS:
        inside = group & (counts >= low) & (counts < high) & np.isfinite(measure)
        cells.append(f"{stats.spearmanr(measure[inside], pure[inside])[0]:.2f}" if inside.sum() >= 20 else " -  ")
    return " / ".join(cells)


def main() -> None:
    """Train on each corpus and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", nargs="+", default=["arxiv-cs", "debian"])
    parser.add_argument("--documents", type=int, default=None, help="sample of arxiv-cs")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for name in arguments.corpus:
        corpus = prepared(name, arguments.documents if name == "arxiv-cs" else None)
        model = train(corpus.graph, corpus.motif_set, EmbedOptions(seed=arguments.seed))
        measures = (model.kappa_learned, model.kappa_estimated)
        pure, counts = purity(corpus), corpus.motif_set.documents
        print(f"{name}, {len(corpus.graph):,} documents, {cores()} cores; documents 10-30 / 30-100 / 100-1000")
        print(f"{'pattern':22}{'learned':24}{'estimated':24}")
        offsets = corpus.motif_set.offsets
        names = [table.pattern.name for table in corpus.motif_set.tables]
        pattern = np.repeat(np.arange(len(names)), np.diff(offsets))
        rows = [(label, pattern == i) for i, label in enumerate(names)]
        rest = pattern != names.index("term")
        for label, group in [*rows, ("metadata and pairs", rest)]:
            print(f"{label:22}" + "".join(f"{correlations(m, pure, counts, group):24}" for m in measures))
        print(flush=True)


if __name__ == "__main__":
    main()
