"""What a few labels add: names only, ten random labels per category, and as many that `suggest` asks for.

    python -m benchmarks.known [--corpus aiconf ...] [--labels 10] [--draws 3] [--documents 20000] [--classifier linear]

Random labels are drawn evenly from the categories; labels that `suggest` asks for are compared with as many drawn from
all documents. Every figure (micro/macro-F1) leaves out the labelled documents: for the last two, those of both. Beside
them stands logistic regression on tf-idf with the same labels. True labels are read to draw and to print, by nothing
else. The embedding is trained, and the views are placed, once for each corpus.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
import numpy.typing as npt

import hin
from benchmarks.common import corpus, rows_of
from classify import MotifClassifier, Workspace, evaluate, read_categories, true_codes

Rows = npt.NDArray[np.int64]

#: The corpora with one label per document, and the four whose mean is promised to rise by .03.
PROMISED = ("aiconf", "amazon-mixed", "newsgroups", "arxiv-cs")


class Labelled:
    """One corpus, embedded once: what any choice of labels gives."""

    def __init__(self, name: str, arguments: argparse.Namespace) -> None:
        categories = read_categories(corpus(name) / "labels.txt")
        self.names = [category.name for category in categories]
        self.graph = hin.load(rows_of(name, arguments.documents if name == "arxiv-cs" else None))
        self.truth = true_codes(self.graph.labels, self.names)
        self.model = MotifClassifier(categories, classifier=arguments.classifier, n_jobs=arguments.threads)
        self.workspace = Workspace()

    def fitted(self, rows: Rows | None = None) -> npt.NDArray[np.int64]:
        """The labels of all documents, from the names and the true labels of some."""
        y = None
        if rows is not None:
            y = [None] * len(self.truth)
            for row in rows.tolist():
                y[row] = self.names[self.truth[row]]  # type: ignore[call-overload]
        self.model.fit(self.graph, y, workspace=self.workspace)
        return np.asarray(self.model.labels_)

    def supervised(self, rows: Rows) -> npt.NDArray[np.int64]:
        """The labels of logistic regression on tf-idf, from the same documents and nothing else."""
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        from classify.documents.encoder import joined_texts

        bags = TfidfVectorizer(sublinear_tf=True, min_df=2).fit_transform(joined_texts(self.graph, 0, len(self.truth)))
        model = LogisticRegression(C=10, max_iter=1000).fit(bags[rows], self.truth[rows])
        return np.asarray(model.predict(bags))

    def figures(self, labels: npt.NDArray[np.int64], *left_out: Rows) -> tuple[float, float]:
        """Micro- and macro-F1 on what nobody labelled."""
        truth = self.truth.copy()
        for rows in left_out:
            truth[rows] = -1
        found = evaluate(truth, labels, self.names)
        return found["micro_f1"], found["macro_f1"]


def measure(name: str, arguments: argparse.Namespace) -> tuple[float, float]:
    """Print a corpus's figures; return micro-F1 without and with random labels."""
    start = time.process_time()
    data = Labelled(name, arguments)
    bare = data.fitted()
    wanted = arguments.labels * len(data.names)
    asked = np.array(
        [data.graph.documents.index(one.document) for one in data.model.suggest_documents(wanted)], dtype=np.int64
    )
    asked = asked[data.truth[asked] >= 0]
    kept: dict[str, list[tuple[float, float]]] = {}
    by_asked = data.fitted(asked)
    for draw in range(arguments.draws):
        rng = np.random.default_rng(draw)
        own = [np.flatnonzero(data.truth == code) for code in range(len(data.names))]
        even = np.sort(
            np.concatenate([rng.choice(some, min(arguments.labels, len(some)), replace=False) for some in own])
        )
        free = rng.choice(np.flatnonzero(data.truth >= 0), len(asked), replace=False)
        for what, labels, left in (
            ("names only", bare, (even,)),
            ("names and random labels, evenly drawn", data.fitted(even), (even,)),
            ("logistic regression on them", data.supervised(even), (even,)),
            ("names and as many random labels", data.fitted(free), (free, asked)),
            ("names and labels that suggest asks for", by_asked, (free, asked)),
        ):
            kept.setdefault(what, []).append(data.figures(labels, *left))
    print(f"\n{name}, {len(data.truth):,} documents, {wanted} labels, {arguments.draws} draws (micro/macro-F1)")
    for what, pairs in kept.items():
        print("  {:40s} {:.3f} / {:.3f}".format(what, *np.mean(pairs, axis=0)))
    print(f"  {time.process_time() - start:.0f} s of processor time")
    sys.stdout.flush()
    means = [float(np.mean(pairs, axis=0)[0]) for pairs in kept.values()]
    return means[0], means[1]


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", choices=[*PROMISED, "debian", "gnad"])
    parser.add_argument("--labels", type=int, default=10, help="labels per category")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--documents", type=int, default=20_000, help="a sample of arxiv-cs")
    parser.add_argument("--classifier", help="what is trained in the end")
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    pairs = [measure(name, arguments) for name in arguments.corpus or PROMISED]
    names, labels = np.mean(pairs, axis=0)
    print(f"\nmean micro-F1 of {len(pairs)}: names only {names:.3f}, with labels {labels:.3f} ({labels - names:+.3f})")


if __name__ == "__main__":
    main()
