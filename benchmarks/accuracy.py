"""Micro- and macro-F1 from category names alone, over seeds and kinds of corpora, stage by stage.

    python -m benchmarks.accuracy [--corpus arxiv-cs --corpus debian] [--seeds 3] [--stages] [--preset paper]
                                  [--documents N] [--words N] [--without FIELD] [--knowledge MODEL] [--speed]
                                  [--keep FILE] [--table FILE]

All corpora, unless some are named; at the end a table of all with their mean. `--documents` takes a random sample,
`--words` cuts texts, `--without` leaves metadata out: corpora of other sizes and kinds from those that are there.
`--keep` adds what was measured to a file, a line for each corpus and seed, and `--table` prints the table of such
files, so that corpora can be measured one by one. True labels are read to print the figures, by nothing else. Where a
document has several (tmdb), any of them is right. `--speed` adds how many documents a second a saved model labels.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import hin
from benchmarks.common import cores, corpus, rows_of
from classify import MotifClassifier, Run, evaluate, read_categories, true_codes

#: What the default must reach, all documents, mean of three seeds (micro-F1, macro-F1).
PROMISED = {
    "amazon-mixed": (0.89, 0.88),
    "aiconf": (0.54, 0.43),
    "newsgroups": (0.82, 0.80),
    "debian": (0.855, 0.72),
    "arxiv-cs": (0.66, 0.635),
    "gnad": (0.42, 0.36),
}
#: From the quickest to the slowest.
CORPORA = ("gnad", "tmdb", "aiconf", "newsgroups", "amazon-mixed", "debian", "arxiv-cs")
#: The mean is promised for these.
FIVE = ("amazon-mixed", "aiconf", "newsgroups", "debian", "arxiv-cs")
FIVE_PROMISED = (0.755, 0.695)


def records(name: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The documents of a corpus, sampled and cut as asked for."""
    rows = rows_of(name, arguments.documents or None)
    for row in rows:
        if arguments.words:
            row["text"] = " ".join(row["text"].split()[: arguments.words])
        for field in arguments.without:
            row.pop(field, None)
    return rows


def true_labels(graph: Any, rows: list[dict[str, Any]], names: list[str]) -> Any:
    """From predictions to the true labels they are compared with: any of a document's own is right."""
    if not isinstance(rows[0]["label"], list):
        codes = true_codes(graph.labels, names)
        return lambda predicted: codes
    own = [[names.index(label) for label in row["label"]] for row in rows]
    return lambda predicted: np.array([p if p in given else given[0] for p, given in zip(predicted, own, strict=True)])


def measure(name: str, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Fit with every seed; the figures of each."""
    categories = read_categories(corpus(name) / "labels.txt")
    names = [category.name for category in categories]
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        rows = records(name, arguments)
        graph = hin.load(rows)
        truth = true_labels(graph, rows, names)
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            model = MotifClassifier(
                categories,
                preset=arguments.preset,
                random_state=seed,
                n_jobs=arguments.threads,
                knowledge=arguments.knowledge,
                classifier=arguments.classifier,
            )
            stages: dict[str, tuple[float, float]] = {}

            def watch(stage: str, scores: Any, stages: dict[str, tuple[float, float]] = stages) -> None:
                predicted = np.asarray(scores).argmax(axis=1)
                found = evaluate(truth(predicted), predicted, names)
                stages[stage] = found["micro_f1"], found["macro_f1"]

            start, work = time.monotonic(), time.process_time()
            model.fit(graph, run=Run(watch=watch) if arguments.stages else None)
            seconds, work = time.monotonic() - start, time.process_time() - work
            watch("labels", model.scores_)
            confidence, right = model.probabilities_.max(axis=1), model.labels_ == truth(model.labels_)
            measured.append(
                {
                    "corpus": name,
                    "kind": kind_of(len(graph), arguments),
                    "whole": whole(arguments),
                    "seed": seed,
                    "knowledge": str(Path(str(arguments.knowledge)).name),
                    "stages": stages,
                    "seconds": seconds,
                    "processor": work,
                    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                    "confidence": float(confidence.mean()),
                    "accuracy": float(right.mean()),
                    "calibration": calibration(confidence, right),
                    "used": model.used_,
                }
            )
            if arguments.keep:
                with arguments.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(measured[-1]) + "\n")
        if arguments.speed:
            speed(model, rows, Path(folder))
    return measured


def calibration(confidence: Any, right: Any) -> float:
    """Expected calibration error: how far confidence and accuracy lie apart, in ten bins."""
    bins = np.minimum((confidence * 10).astype(int), 9)
    return float(
        sum(abs(confidence[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean() for b in set(bins))
    )


def whole(arguments: argparse.Namespace) -> bool:
    """Whether the corpora are taken as they are."""
    return not (arguments.documents or arguments.words or arguments.without) and arguments.preset == "default"


def kind_of(documents: int, arguments: argparse.Namespace) -> str:
    """What was made of the corpus."""
    parts = [f"{documents:,} documents", *([f"{arguments.words} words"] if arguments.words else [])]
    return ", ".join([*parts, *(f"without {field}" for field in arguments.without)])


def spread(pairs: list[tuple[float, float]]) -> str:
    """Mean and half of the range of micro- and macro-F1."""
    (micro, macro), (around, about) = np.mean(pairs, axis=0), np.ptp(pairs, axis=0) / 2
    return f"{micro:.3f} / {macro:.3f}" + (f"  ±{around:.3f} / {about:.3f}" if len(pairs) > 1 else "")


def report(measured: list[dict[str, Any]], stages: bool) -> None:
    """Print a corpus's figures."""
    first = measured[0]
    print(f"\n{first['corpus']}, {first['kind']}, {first['knowledge']}, {len(measured)} seed(s), micro / macro-F1")
    for stage in first["stages"] if stages else ("labels",):
        print(f"  {stage:36s} {spread([tuple(one['stages'][stage]) for one in measured])}")
    if first["whole"] and first["corpus"] in PROMISED:
        print(f"  {'promised':36s} {PROMISED[first['corpus']][0]:.3f} / {PROMISED[first['corpus']][1]:.3f}")
    mean = {key: np.mean([one[key] for one in measured]) for key in ("confidence", "accuracy", "calibration", "seconds",
                                                                     "processor", "megabytes")}  # fmt: skip
    print(f"  confidence {mean['confidence']:.3f}, accuracy {mean['accuracy']:.3f}, "
          f"calibration error {mean['calibration']:.3f}")  # fmt: skip
    print(f"  {mean['seconds']:.0f} s a fit ({mean['processor']:.0f} s of processor time) on {cores()} cores, "
          f"peak {mean['megabytes']:,.0f} MB")  # fmt: skip
    print("  views: " + ", ".join(f"{name} {share:.0%}" for name, share in first["used"].get("views", {}).items()))
    sys.stdout.flush()


def table(measured: list[dict[str, Any]]) -> None:
    """Print all corpora, and their means."""
    by: dict[str, list[dict[str, Any]]] = {}
    for one in measured:
        by.setdefault(one["corpus"], []).append(one)
    print("\n| corpus | seeds | micro / macro-F1 | promised | confidence - accuracy | seconds |")
    print("|---|---|---|---|---|---|")
    means = {}
    for name in sorted(by, key=lambda name: CORPORA.index(name)):
        several = by[name]
        means[name] = np.mean([one["stages"]["labels"] for one in several], axis=0)
        wanted = "{:.3f} / {:.3f}".format(*PROMISED[name]) if name in PROMISED else ""
        off = np.mean([one["confidence"] - one["accuracy"] for one in several])
        seconds = np.mean([one["seconds"] for one in several])
        figures = spread([tuple(one["stages"]["labels"]) for one in several])
        print(f"| {name} | {len(several)} | {figures} | {wanted} | {off:+.3f} | {seconds:.0f} |")
    print("| mean of {} | | {:.3f} / {:.3f} | | | |".format(len(means), *np.mean(list(means.values()), axis=0)))
    if all(name in means for name in FIVE):
        five = np.mean([means[name] for name in FIVE], axis=0)
        print("| mean of {} | | {:.3f} / {:.3f} | {:.3f} / {:.3f} | | |".format(", ".join(FIVE), *five, *FIVE_PROMISED))


def speed(model: MotifClassifier, rows: list[dict[str, Any]], folder: Path) -> None:
    """Documents a second of a saved model, read from a file."""
    from classify.commands.arguments import PredictCommand
    from classify.commands.prediction import run_predict
    from hin.console import Console

    model.save(folder / "model")
    path = folder / "new.jsonl"
    sample = rows[:20_000]
    path.write_text("\n".join(json.dumps(row) for row in sample), encoding="utf-8")
    command = PredictCommand([str(path)], out=folder / "out.jsonl", model=str(folder / "model"))
    run_predict(command, Console(quiet=True))
    start = time.monotonic()
    run_predict(command, Console(quiet=True))
    print(
        f"  predict: {len(sample) / (time.monotonic() - start):,.0f} documents/s, model and file read, {cores()} cores"
    )


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", choices=CORPORA)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--stages", action="store_true", help="every stage's figures")
    parser.add_argument("--preset", default="default", choices=["default", "paper"])
    parser.add_argument("--documents", type=int)
    parser.add_argument("--words", type=int)
    parser.add_argument("--without", action="append", default=[], metavar="FIELD")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--classifier", help="what is trained in the end")
    parser.add_argument("--knowledge", default="wordllama", metavar="NAME|FOLDER|none")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("--table", type=Path, action="append", metavar="FILE")
    arguments = parser.parse_args()
    measured: list[dict[str, Any]] = []
    for file in arguments.table or ():
        measured += [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for name in () if arguments.table else arguments.corpus or CORPORA:
        found = measure(name, arguments)
        report(found, arguments.stages)
        measured += found
    table(measured)


if __name__ == "__main__":
    main()
