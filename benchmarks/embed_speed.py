"""Positive edges a second of the trainer, against gensim's skip-gram in the same run.

    python -m benchmarks.embed_speed [--documents 20000] [--threads 2] [--repeat 3]

Same documents, dim, window, negatives and threads for both, no subsampling for the comparison, so that gensim's
positive pairs can be counted exactly; the default options are timed as well. Best of several runs.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.common import cores, print_table
from benchmarks.embed_common import prepared
from embed import EmbedOptions, edges_of
from embed.sgd.trainer import Report, Trainer

#: What the authors' C++ reached with 2 threads on this kind of machine (it shares one random generator).
AUTHORS = 0.47e6


def ours(edges, options: EmbedOptions, repeat: int) -> Report:  # type: ignore[no-untyped-def]
    """The fastest of several runs of one epoch."""
    return max((Trainer(edges, options).run() for _ in range(repeat)), key=lambda r: r.edges_per_second)


def expected_pairs(lengths: np.ndarray, window: int) -> float:
    """Skip-gram pairs when each centre's window is drawn from 1..window."""
    total = 0.0
    for reach in range(1, window + 1):
        inside = np.minimum(lengths, reach + 1)
        # positions nearer to the end than the reach see fewer neighbours on that side
        missing = np.where(lengths > reach, reach * (reach + 1) / 2, inside * (inside - 1) / 2 + 0.0)
        one_side = np.where(lengths > reach, lengths * reach - missing, lengths * (lengths - 1) / 2)
        total += float(np.sum(2 * np.maximum(one_side, 0))) / window
    return total


def gensim_speed(sentences: list[list[str]], options: EmbedOptions, threads: int) -> float:
    """Positive pairs a second of gensim's Word2Vec in one epoch."""
    from gensim.models import Word2Vec

    model = Word2Vec(
        vector_size=options.dim,
        window=options.window,
        negative=options.negatives,
        sg=1,
        hs=0,
        sample=0,
        min_count=5,
        workers=threads,
        seed=1,
    )
    model.build_vocab(sentences)
    start = time.perf_counter()
    model.train(sentences, total_examples=len(sentences), epochs=1)
    seconds = time.perf_counter() - start
    known = model.wv.key_to_index
    lengths = np.array([sum(word in known for word in sentence) for sentence in sentences])
    return expected_pairs(lengths, options.window) / seconds


def main() -> None:
    """Time both and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    corpus = prepared("arxiv-cs", arguments.documents)
    edges = edges_of(corpus.graph, corpus.motif_set)
    plain = EmbedOptions(epochs=1, subsample=0, threads=arguments.threads)
    Trainer(edges, EmbedOptions(epochs=1, threads=1)).run()  # compile
    terms = corpus.graph.names("term").tolist()
    tokens = corpus.graph.tokens
    sentences = [[terms[t] for t in tokens.row(i)] for i in range(len(tokens))]
    best_gensim = max(gensim_speed(sentences, plain, arguments.threads) for _ in range(max(arguments.repeat - 1, 1)))
    best_plain = ours(edges, plain, arguments.repeat)
    one = ours(edges, EmbedOptions(epochs=1, subsample=0, threads=1), arguments.repeat)
    default = ours(edges, EmbedOptions(epochs=2, threads=arguments.threads), arguments.repeat)
    paper = ours(edges, EmbedOptions(epochs=2, threads=arguments.threads, objective="paper"), arguments.repeat)
    ratio = best_plain.edges_per_second / best_gensim
    print(
        f"arxiv-cs, {arguments.documents:,} documents, {arguments.threads} threads, {cores()} cores; M positive edges/s"
    )
    print_table(
        [
            ("", "measured", "promised"),
            ("gensim skip-gram", f"{best_gensim / 1e6:.2f}", ""),
            ("this trainer, same settings", f"{best_plain.edges_per_second / 1e6:.2f}", "7.4"),
            ("ratio to gensim", f"{ratio:.1f}x", "4x"),
            ("ratio to the authors' C++ (0.47)", f"{best_plain.edges_per_second / AUTHORS:.1f}x", "15x"),
            ("one thread", f"{one.edges_per_second / 1e6:.2f}", ""),
            ("default options (subsampled)", f"{default.edges_per_second / 1e6:.2f}", ""),
            ("--objective paper (sphere)", f"{paper.edges_per_second / 1e6:.2f}", ""),
        ]
    )


if __name__ == "__main__":
    main()
