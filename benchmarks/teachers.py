"""What answers add: teachers of several accuracies, by the number of answers.

    python -m benchmarks.teachers [--corpus gnad ...] [--answers 50 200] [--right .5 .65 .8 1] [--seeds 3]
                                  [--documents 5000] [--person] [--teacher 'python ... ']

Documents are chosen in rounds of 50 as `hin ask` does. A teacher's errors are random; `--teacher` asks a command
instead, whose errors are its own. `--person` holds the answers, as `--known` does. Micro/macro-F1 of the documents
that nobody answered, beside names alone on the same documents, and the share of right answers as estimated. True labels
are read to answer and to print, by nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import hin
from benchmarks.accuracy import records
from benchmarks.common import corpus
from classify import ClassifyOptions, Workspace, evaluate, read_categories, true_codes
from classify.answers.asking import Asking, fitting
from classify.answers.options import TeacherOptions
from classify.answers.task import LabelTask, Question, Reply
from classify.answers.teachers.base import Desk, Teacher, open_teacher
from classify.run import Run


class Simulated(Teacher):
    """Answers rightly with some probability, else with any other category."""

    def __init__(self, truth: dict[str, str], right: float, seed: int, person: bool) -> None:
        super().__init__()
        self.truth, self.right, self.rng = truth, right, np.random.default_rng([seed, 0x7EA])
        self.source = "person" if person else f"simulated-{right:g}"

    @classmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> Simulated:
        """Not opened by name."""
        raise NotImplementedError

    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Answer where there is a true label."""
        for question in questions:
            said = self.truth.get(question.document)
            if said is None:
                continue
            if self.rng.random() >= self.right:
                said = str(self.rng.choice([name for name in task.names if name != said]))
            yield Reply(question.document, (said,))


def measure(name: str, arguments: argparse.Namespace) -> None:
    """Print one corpus's figures."""
    categories = tuple(read_categories(corpus(name) / "labels.txt"))
    names = [category.name for category in categories]
    some = argparse.Namespace(documents=arguments.documents, words=None, without=[])
    with tempfile.TemporaryDirectory() as folder:
        path, place = Path(folder) / "documents.jsonl", Path(folder) / "graph.hin"
        path.write_text("\n".join(json.dumps(row) for row in records(name, some)), encoding="utf-8")
        hin.load(path, graph=place)
        store = hin.open_store(place)
        log = hin.AnswerLog(store)
        with Workspace(store) as workspace:
            truth = true_codes(workspace.graph.labels, names)
            said = {d: names[c] for d, c in zip(workspace.graph.documents, truth.tolist(), strict=True) if c >= 0}
            options = ClassifyOptions(classifier="linear")
            fit = fitting(workspace, categories, options, Run())
            for right in arguments.right if arguments.teacher is None else [None]:
                kept: dict[int, list[list[float]]] = {}
                for seed in range(arguments.seeds):
                    log.path.unlink(missing_ok=True)
                    desk = Desk(lambda: "", print)
                    teacher = (
                        open_teacher(TeacherOptions(teacher=arguments.teacher), desk)
                        if right is None
                        else Simulated(said, right, seed, arguments.person)
                    )
                    asking = Asking(fit, LabelTask(categories), log, seed)
                    bare = asking.classification.labels.copy()
                    answered = 0
                    while answered < max(arguments.answers):
                        asking.round(teacher, asking.choose(50), lambda done: None)
                        answered += 50
                        if answered in arguments.answers:
                            kept.setdefault(answered, []).append(_figures(asking, truth, bare, names))
                for answered, rows in kept.items():
                    mean = np.mean(rows, axis=0)
                    print(
                        f"{name:14s} {teacher.source:18s} {answered:4d} answers  names {mean[0]:.3f}/{mean[1]:.3f}"
                        f"  with {mean[2]:.3f}/{mean[3]:.3f}  right {mean[4]:.2f}, estimated {mean[5]:.2f}",
                        flush=True,
                    )


def _figures(asking: Asking, truth: np.ndarray, bare: np.ndarray, names: list[str]) -> list[float]:
    graph = asking.log.store.read_graph()
    given = asking.log.current(graph)
    rows = np.array([graph.documents.index(answer.document) for answer in given])
    right = float(np.mean([names[truth[row]] == a.categories[0] for row, a in zip(rows, given, strict=True)]))
    left = truth.copy()
    left[rows] = -1
    found = [evaluate(left, labels, names) for labels in (bare, asking.classification.labels)]
    soft = asking.pipeline.training_set.soft
    estimated = soft.sources[0].right if soft is not None and soft.sources else 1.0
    return [*(one[key] for one in found for key in ("micro_f1", "macro_f1")), right, estimated]


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--answers", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--right", type=float, nargs="+", default=[0.5, 0.65, 0.8, 1.0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=5000, help="a sample of larger corpora")
    parser.add_argument("--person", action="store_true")
    parser.add_argument("--teacher")
    arguments = parser.parse_args()
    for name in arguments.corpus or ["gnad", "aiconf", "newsgroups", "amazon-mixed"]:
        measure(name, arguments)


if __name__ == "__main__":
    sys.exit(main())
