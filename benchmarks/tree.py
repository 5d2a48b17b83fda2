"""A tree of categories from their names alone: leaves against the same names side by side, and every level above.

    python -m benchmarks.tree [--corpus newsgroups] [--seeds 1] [--documents N] [--threads N]

The corpus has `labels.txt` and `labels-tree.txt`. Also what climbing is worth: with `--abstain-below` unsure leaves
become parents, so more documents have a true path of some length. Labels are read to print the figures only.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import hin
from benchmarks.common import cores, corpus, print_table, rows_of
from classify import MotifClassifier, Workspace, evaluate, read_categories, true_codes
from classify.figures import figures_of

#: What the top level must reach (micro-F1).
PROMISED = {"newsgroups": 0.90}


def measure(name: str, arguments: argparse.Namespace) -> None:
    """Fit flat and as a tree with every seed, and print the means."""
    flat, tree = (read_categories(corpus(name) / file) for file in ("labels.txt", "labels-tree.txt"))
    rows = rows_of(name, arguments.documents)
    graph = hin.load(rows)
    leaves, levels, climbed = [], [], []
    for seed in range(arguments.seeds):
        side, model = (MotifClassifier(given, random_state=seed, n_jobs=arguments.threads) for given in (flat, tree))
        workspace = Workspace()
        side.fit(graph, workspace=workspace)
        names = side.classes_.tolist()
        leaves.append(evaluate(true_codes(graph.labels, names), side.labels_, names))
        model.fit(graph, workspace=workspace)
        workspace.close()
        levels.append(figures_of(graph.labels, model.classes_.tolist(), model.probabilities_, model.decision()))
        climbed.append(_true_paths(model, graph))
    lines = [("figure (micro/macro-F1)", "measured", "promised")]
    lines.append(("leaves, side by side", _mean(leaves), ""))
    lines.append(("leaves of the tree", _mean(levels), "no worse"))
    for number, level in enumerate(levels[0]["levels"][:-1]):
        promised = f"{PROMISED.get(name, '-')}" if not number else ""
        lines.append((f"level {level['level']}", _mean([found["levels"][number] for found in levels]), promised))
    for below in climbed[0]:
        means = np.mean([found[below] for found in climbed], axis=0)
        what = f"abstain below {below}: right leaf or parent / wrong / none"
        lines.append((what, " / ".join(f"{value:.3f}" for value in means), ""))
    print(f"{name}: {len(graph)} documents, {arguments.seeds} seeds, names only")
    print_table(lines)


def _mean(found: list[dict[str, Any]]) -> str:
    return "/".join(f"{np.mean([figures[key] for figures in found]):.3f}" for key in ("micro_f1", "macro_f1"))


def _true_paths(model: MotifClassifier, graph: hin.Graph) -> dict[float, tuple[float, float, float]]:
    truth = true_codes(graph.labels, model.classes_.tolist())
    found = {}
    for below in (0.0, 0.5, 0.7, 0.9):
        decision = model.decision(below)
        assert decision.tree is not None
        given = decision.given(model.probabilities_).first()
        right = [node >= 0 and node in decision.tree.above(leaf) for node, leaf in zip(given, truth, strict=True)]
        share = float(np.mean(np.array(right)[truth >= 0]))
        none = float((given[truth >= 0] < 0).mean())
        found[below] = (share, 1 - share - none, none)
    return found


def main() -> None:
    """Measure every corpus asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--documents", type=int)
    parser.add_argument("--threads", type=int, default=cores())
    arguments = parser.parse_args()
    for name in arguments.corpus or ["newsgroups"]:
        measure(name, arguments)


if __name__ == "__main__":
    main()
