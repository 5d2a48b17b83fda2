"""How often the intervals of `hin ask --measure` hold the truth, and how wide they are.

    python -m benchmarks.measuring [--corpus gnad ...] [--answers 100] [--draws 500] [--documents 5000]

The labels are those of one fit from the names; only the draws differ. Beside them a plain random sample of as many
answers (Wilson's interval for accuracy). True labels answer the drawn documents and give the figures to be covered.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import hin
from benchmarks.common import corpus, rows_of
from classify import MotifClassifier, evaluate, read_categories, true_codes
from classify.answers.measured_f1 import estimate_f1
from classify.answers.measuring import draw_documents, estimate_share


def measure(name: str, arguments: argparse.Namespace) -> None:
    """Print coverage and mean width of each figure on one corpus."""
    categories = read_categories(corpus(name) / "labels.txt")
    names = [category.name for category in categories]
    graph = hin.load(rows_of(name, arguments.documents))
    model = MotifClassifier(categories, classifier="linear").fit(graph)
    real = true_codes(graph.labels, names)
    free = real >= 0
    truth, given = real[free], np.asarray(model.labels_)[free]
    found = np.asarray(model.probabilities_, dtype=np.float64)[free]
    whole = evaluate(truth, given, names)
    right, sure = truth == given, found.max(axis=1)
    goal = {"accuracy": float(right.mean()), **{key: whole[key] for key in ("micro_f1", "macro_f1")}}
    covered, widths = dict.fromkeys((*goal, "plain"), 0), {key: [] for key in (*goal, "plain")}
    for draw in range(arguments.draws):
        rng = np.random.default_rng(draw)
        everyone = np.ones(len(truth), dtype=np.bool_)
        rows, strata, sizes = draw_documents(sure, given, everyone, arguments.answers, rng)
        share = estimate_share(right[rows].tolist(), strata.tolist(), sizes, sure[rows].tolist())
        flat = rng.choice(len(truth), arguments.answers, replace=False)
        plain = estimate_share(right[flat].tolist(), [0] * len(flat), [len(truth)], [0.5] * len(flat))
        made = {
            "accuracy": share,
            "plain": plain,
            **estimate_f1(given, found, rows, truth[rows], strata.tolist(), sizes),
        }
        for key, figure in made.items():
            covered[key] += figure.low <= goal[key if key != "plain" else "accuracy"] <= figure.high
            widths[key].append(figure.high - figure.low)
    for key in filter(widths.get, covered):
        value = goal[key if key != "plain" else "accuracy"]
        share, width = covered[key] / arguments.draws, float(np.mean(widths[key]))
        print(f"{name:14s} {key:9s} {value:.3f}  covered {share:.3f}  width {width:.3f}", flush=True)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--documents", type=int, default=5000, help="a sample of larger corpora")
    arguments = parser.parse_args()
    for name in arguments.corpus or ["gnad", "aiconf"]:
        measure(name, arguments)


if __name__ == "__main__":
    sys.exit(main())
