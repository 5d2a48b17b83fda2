"""Several categories per document from the names alone: micro, macro and example F1, ranking loss, confidence.

    python -m benchmarks.several [--corpus tmdb] [--seeds 1] [--expected-number N] [--threads N]

Beside it the two simplest ways: the best two of the categories' scores, and always the two largest categories (which
needs the labels). True labels are read to print the figures, by nothing else.
"""

from __future__ import annotations

import argparse

import numpy as np

import hin
from benchmarks.common import cores, corpus, print_table
from classify import MotifClassifier, read_categories
from classify.evaluation import evaluate_sets, true_sets
from classify.figures import figures_of
from classify.several.options import SeveralOptions

#: What names alone must reach (micro-F1, macro-F1).
PROMISED = {"tmdb": (0.50, 0.40)}


def measure(name: str, arguments: argparse.Namespace) -> None:
    """Fit with every seed and print the means beside what was promised."""
    categories = read_categories(corpus(name) / "labels.txt")
    names = [category.name for category in categories]
    graph = hin.load(corpus(name) / "documents.jsonl.xz")
    truth = true_sets(graph.labels, names)
    found, sure, right = [], [], []
    for seed in range(arguments.seeds):
        options = SeveralOptions(True, expected_number=arguments.expected_number)
        model = MotifClassifier(categories, several=options, random_state=seed, n_jobs=arguments.threads).fit(graph)
        found.append(figures_of(graph.labels, names, model.probabilities_, model.decision()))
        given = model.decision().given(model.probabilities_)
        sure.append(given.confidence.mean())
        right.append(truth[given.documents, given.categories].mean())
    mean = {key: float(np.mean([f[key] for f in found])) for key in found[0] if isinstance(found[0][key], float)}
    best_two = np.argsort(-model.probabilities_, axis=1)[:, :2]
    largest = np.argsort(-truth.sum(axis=0))[:2]
    simple = []
    for chosen in (best_two, np.tile(largest, (len(truth), 1))):
        sets = np.zeros(truth.shape, dtype=np.bool_)
        np.put_along_axis(sets, chosen, True, axis=1)
        simple.append(evaluate_sets(truth, sets, sets, names))
    promised = PROMISED.get(name, (None, None))
    print(f"{name}: {len(graph)} documents, {len(names)} categories, {arguments.seeds} seeds, names only")
    print_table(
        [
            ("figure", "measured", "promised"),
            ("micro-F1", f"{mean['micro_f1']:.3f}", f"{promised[0] or '-'}"),
            ("macro-F1", f"{mean['macro_f1']:.3f}", f"{promised[1] or '-'}"),
            ("example-F1", f"{mean['example_f1']:.3f}", ""),
            ("ranking loss", f"{mean['ranking_loss']:.3f}", ""),
            ("categories per document, given / true", f"{mean['given_number']:.2f} / {mean['true_number']:.2f}", ""),
            ("confidence of the given / share that is right", f"{np.mean(sure):.3f} / {np.mean(right):.3f}", ""),
            ("the best two of the same scores", f"{simple[0]['micro_f1']:.3f}/{simple[0]['macro_f1']:.3f}", ""),
            ("always the two largest", f"{simple[1]['micro_f1']:.3f}/{simple[1]['macro_f1']:.3f}", ""),
        ]
    )


def main() -> None:
    """Measure every corpus asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--expected-number", type=float)
    parser.add_argument("--threads", type=int, default=cores())
    arguments = parser.parse_args()
    for name in arguments.corpus or ["tmdb"]:
        measure(name, arguments)


if __name__ == "__main__":
    main()
