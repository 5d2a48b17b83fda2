"""A stranger's data: every corpus as a new user would run it, beside the simplest ways to the same labels.

    python -m benchmarks.stranger [--corpus X] [--seeds 3] [--documents N] [--classifier linear] [--threads N]
        [--knowledge FOLDER]

No option is given but `--several` where documents have several labels; a corpus with more than N documents is sampled.
For each: whether a category name stopped the run, micro/macro-F1 with all metadata and with the texts alone, mean
confidence - accuracy, AUROC of being right, categories flagged as weak (rightly/flagged/all with a precision below .3);
beside them the largest category for all, a tf-idf match of the name's words, and the nearest name by the built-in
vectors (half of the mean removed). `--knowledge` names another model, whose own nearest names are
measured on at most 1,000 documents. Of several labels these ways take the mean true number a document, which needs the
labels. True labels are read to print the figures, by nothing else.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import hin
from benchmarks.common import cores, corpus, rows_of
from classify import MotifClassifier, read_categories
from classify.evaluation import evaluate_sets, true_sets
from classify.figures import figures_of
from classify.knowledge.corpus_knowledge import document_texts
from classify.knowledge.opening import open_model
from classify.knowledge.options import BUILT_IN
from classify.knowledge.static import built_in_model
from classify.recipe.meaning import nearness
from hin.errors import UnknownName

#: From the quickest to the slowest.
CORPORA = (
    "gnad", "nsf-grants", "bolivia-news-es", "github-issues", "petitions-ko", "tmdb", "un-rollcalls", "aiconf",
    "newsgroups", "amazon-mixed", "debian", "arxiv-cs",
)  # fmt: skip


def measure(name: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of a corpus, means over the seeds."""
    rows = rows_of(name, arguments.documents)
    several = any(isinstance(row.get("label"), list) for row in rows)
    categories = read_categories(corpus(name) / "labels.txt", several)
    graph = hin.load(rows)
    names = [category.name for category in categories]
    found: dict[str, Any] = {"corpus": name, **simple_ways(graph, names, arguments)}
    for column, patterns in (("all", None), ("text", [])):
        runs = []
        for seed in range(arguments.seeds):
            model = MotifClassifier(
                categories,
                patterns,
                several=several,
                classifier=arguments.classifier,
                knowledge=arguments.knowledge,
                random_state=seed,
                n_jobs=arguments.threads,
            )
            try:
                model.fit(graph)
            except UnknownName as error:
                found["stopped"] = str(error)
                break
            runs.append(figures(model, graph, names))
        if runs:
            found[column] = np.mean([run["f1"] for run in runs], axis=0)
            found[f"{column}_over"] = np.mean([run["over"] for run in runs])
            found[f"{column}_auroc"] = np.mean([run["auroc"] for run in runs])
            found[f"{column}_weak"] = np.sum([run["weak"] for run in runs], axis=0)
    return found


def figures(model: MotifClassifier, graph: hin.Graph, names: list[str]) -> dict[str, Any]:
    """Return micro- and macro-F1, how far the mean confidence is above the share that is right, its AUROC, weak ones.

    Of several labels a document may truly have none: then each that it gets is wrong. Of one, it has no true label.
    """
    from sklearn.metrics import roc_auc_score

    found = figures_of(graph.labels, names, model.probabilities_, model.decision())
    truth, given = true_sets(graph.labels, names), model.decision().given(model.probabilities_)
    known = truth.any(axis=1)[given.documents] | (model.decision().sets is not None)
    right, sure = truth[given.documents, given.categories][known], given.confidence[known]
    counts = np.bincount(given.categories[known], minlength=len(names))
    bad = np.bincount(given.categories[known], weights=right, minlength=len(names)) < 0.3 * counts
    flagged = np.isin(names, [weak.category for weak in model.reliability_.weak])
    return {
        "f1": (found["micro_f1"], found["macro_f1"]),
        "over": float(sure.mean() - right.mean()),
        "auroc": float(roc_auc_score(right, sure)) if 0 < right.sum() < len(right) else np.nan,
        "weak": (int((bad & flagged).sum()), int(flagged.sum()), int(bad.sum())),
    }


def simple_ways(graph: hin.Graph, names: list[str], arguments: argparse.Namespace) -> dict[str, Any]:
    """Return micro- and macro-F1 of the largest category, of a match of the name's words, and of the nearest name."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    truth = true_sets(graph.labels, names)
    texts = document_texts(graph, np.arange(len(graph)))
    words = TfidfVectorizer(token_pattern=r"\w+").fit(texts)
    model = built_in_model()
    read = model.read(texts)
    scores = {
        "majority": np.tile(truth.sum(axis=0, dtype=np.float64), (len(truth), 1)),
        "match": (words.transform(texts) @ words.transform(names).T).toarray(),
        "static": nearness(read, model.encode(names), read.mean(axis=0)),
    }
    rows = dict.fromkeys(scores, np.arange(len(graph)))
    if arguments.knowledge != BUILT_IN and (encoder := open_model(arguments.knowledge)) is not None:
        rows["encoder"] = np.random.default_rng(1).permutation(len(graph))[:1_000]
        own = encoder.read([texts[row] for row in rows["encoder"].tolist()], arguments.threads)
        scores["encoder"] = nearness(own, encoder.encode(names), own.mean(axis=0))
    each = max(1, round(float(truth.sum(axis=1)[truth.any(axis=1)].mean())))
    found = {}
    for way, values in scores.items():
        here = truth[rows[way]]
        given = np.zeros(here.shape, dtype=np.bool_)
        np.put_along_axis(given, np.argsort(-values, axis=1, kind="stable")[:, :each], True, axis=1)
        if way == "match":
            given &= values > 0
        result = evaluate_sets(here, given, given.astype(np.float64), names)
        found[way] = np.array([result["micro_f1"], result["macro_f1"]])
    return found


def main() -> None:
    """Measure every corpus asked for, and print a line for each and their mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=5_000, help="a sample of larger corpora (default 5000)")
    parser.add_argument("--classifier", help="what is trained in the end; the default's own unless named")
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument(
        "--knowledge", default=BUILT_IN, help="a model's folder or name (default: the built-in vectors)"
    )
    arguments = parser.parse_args()
    columns = ("all", "text", "majority", "match", "static") + (("encoder",) if arguments.knowledge != BUILT_IN else ())
    print(
        "corpus            "
        + "".join(f"{c:12}" for c in columns)
        + "over, all/text  AUROC      weak      stopped by a name"
    )
    measured = []
    for name in arguments.corpus or CORPORA:
        found = measure(name, arguments)
        measured.append(found)
        print(f"{name:18}{_cells(found, columns)}{_beside(found)}{found.get('stopped', 'no')}", flush=True)
    ran = [found for found in measured if "stopped" not in found]
    if ran:
        means: dict[str, Any] = {column: np.mean([found[column] for found in ran], axis=0) for column in columns}
        for way in columns[:2]:
            means[f"{way}_over"] = np.mean([abs(found[f"{way}_over"]) for found in ran])
            means[f"{way}_auroc"] = np.nanmean([found[f"{way}_auroc"] for found in ran])
            means[f"{way}_weak"] = np.sum([found[f"{way}_weak"] for found in ran], axis=0)
        print(f"{'mean of those run':18}{_cells(means, columns)}{_beside(means)}{len(measured) - len(ran)} stopped")


def _beside(found: dict[str, Any]) -> str:
    """Format the figures of confidence, with all metadata and with the texts alone; of weak categories with all."""
    over, auroc = (
        "/".join(f"{found.get(f'{way}_{figure}', np.nan):{form}}" for way in ("all", "text"))
        for figure, form in (("over", "+.3f"), ("auroc", ".3f"))
    )
    return f"{over:16}{auroc:12}{'/'.join(map(str, found.get('all_weak', ()))):10}"


def _cells(found: dict[str, Any], columns: tuple[str, ...]) -> str:
    nothing = np.full(2, np.nan)
    return "".join(f"{'/'.join(f'{value:.3f}' for value in found.get(column, nothing)):12}" for column in columns)


if __name__ == "__main__":
    main()
