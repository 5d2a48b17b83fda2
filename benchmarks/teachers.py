"""What answers add: teachers of several accuracies, by the number of answers.

    python -m benchmarks.teachers [--corpus gnad ...] [--answers 50 200] [--right .5 .65 .8 1] [--seeds 3]
                                  [--documents 5000] [--person] [--teacher 'python ... '] [--keep FILE] [--table FILE]

Documents are chosen in rounds of 50 as `hin ask` does. A teacher's errors are random; `--teacher` asks a command,
whose errors are its own, and only those simulated teachers that `--right` names. `--person` holds answers that are all
right, as a person's are. Micro/macro-F1 of the documents that nobody answered, beside names alone on the same ones, and
the share of right answers as estimated. `--keep` adds what was measured to a file, a line each, and `--table` prints
the table of such a file. Lines that are `advised` follow a round after which another was not advised; `seconds` is the
processor time of a round. True labels are read to answer and to print, by nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import hin
from benchmarks.common import cores, corpus, rows_of
from benchmarks.stranger import CORPORA
from classify import ClassifyOptions, Workspace, read_categories
from classify.answers.asking import Asking, expected_moves, make_fit
from classify.answers.options import TeacherOptions
from classify.answers.task import LabelTask, Question, Reply
from classify.answers.teachers.base import Desk, Teacher, open_teacher
from classify.evaluation import evaluate_sets, true_sets
from classify.run import Run
from classify.several.options import SeveralOptions

_EACH = 50
#: How often a simulated teacher is right, unless said.
_RIGHT = (0.5, 0.65, 0.8, 1.0)


class Simulated(Teacher):
    """Answers rightly with some probability, else with a category that is wrong."""

    def __init__(self, truth: dict[str, tuple[str, ...]], right: float, seed: int, person: bool) -> None:
        super().__init__()
        self.truth, self.right, self.rng = truth, right, np.random.default_rng([seed, 0x7EA])
        self.source = "person" if person and right == 1 else f"simulated-{right:g}"

    @classmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> Simulated:
        """Not opened by name."""
        raise NotImplementedError

    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Answer from the true labels; a document without one belongs to none of the categories."""
        for question in questions:
            said = self.truth[question.document]
            if not said:
                yield Reply(question.document, (), "none")
                continue
            if self.rng.random() >= self.right:
                said = (str(self.rng.choice([name for name in task.names if name not in said])),)
            yield Reply(question.document, said)


def measure(name: str, arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield a corpus's figures, one record per teacher, seed and number of answers."""
    rows = rows_of(name, arguments.documents)
    several = any(isinstance(row.get("label"), list) for row in rows)
    categories = tuple(read_categories(corpus(name) / "labels.txt", several))
    options = ClassifyOptions(classifier="linear", several=SeveralOptions(several=several))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "graph.hin"
        hin.load(rows, graph=place)
        store = hin.open_store(place)
        with Workspace(store) as workspace:
            for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
                seeded = replace(options, seed=seed) if seed else options
                fit = make_fit(workspace, categories, seeded, Run(threads=arguments.threads))
                for right in _teachers(arguments):
                    asking = Asking(fit, LabelTask(categories, several), hin.AnswerLog(store), seed)
                    asking.log.path.unlink(missing_ok=True)
                    yield from _measured(name, asking, right, seed, arguments)


def _teachers(arguments: argparse.Namespace) -> list[float | None]:
    """The accuracies to simulate, and None for the command: both where both are given."""
    command: list[float | None] = [None] if arguments.teacher else []
    return [*(arguments.right or ([] if command else _RIGHT)), *command]


def _measured(
    name: str, asking: Asking, right: float | None, seed: int, arguments: argparse.Namespace
) -> Iterator[dict[str, Any]]:
    graph, names = asking.log.store.read_graph(), list(asking.task.names)
    truth = true_sets(graph.labels, names)
    said = {
        document: tuple(names[c] for c in np.flatnonzero(row))
        for document, row in zip(graph.documents, truth, strict=True)
    }
    teacher = (
        open_teacher(TeacherOptions(teacher=arguments.teacher), Desk(lambda: "", print))
        if right is None
        else Simulated(said, right, seed, arguments.person)
    )
    bare, moves = asking.pipeline, None
    for answered in range(_EACH, max(arguments.answers) + 1, _EACH):
        start = time.process_time()
        asking.round(teacher, asking.choose(_EACH), lambda done: None)
        spent = time.process_time() - start
        advised = moves is not None and moves < 0.005 * len(graph)
        moves = expected_moves(asking.rounds, 50)
        if answered not in arguments.answers and not advised:
            continue
        given = asking.log.current(graph)
        rows = [graph.documents.index(answer.document) for answer in given]
        was_right = [set(a.categories) <= set(said[a.document]) for a in given if a.categories and said[a.document]]
        soft = asking.pipeline.training_set.soft
        found = [_figures(pipeline, graph, names, rows) for pipeline in (bare, asking.pipeline)]
        yield {
            "corpus": name,
            "teacher": teacher.source,
            "seed": seed,
            "answers": answered,
            "names": found[0],
            "with": found[1],
            "right": float(np.mean(was_right)) if was_right else None,
            "estimated": soft.sources[0].right if soft is not None and soft.sources else None,
            "confidence": float(asking.classification.probabilities.max(axis=1).mean()),
            "advised": advised,
            "seconds": round(spent, 2),
        }


def _figures(pipeline: Any, graph: Any, names: list[str], rows: list[int]) -> list[float]:
    made, truth = pipeline.classification, true_sets(graph.labels, names)
    truth[rows] = False
    given = np.zeros(truth.shape, dtype=np.bool_) if made.sets is None else made.sets
    if made.sets is None:
        given[np.arange(len(given)), made.labels] = made.labels >= 0
    found = evaluate_sets(truth, given, made.probabilities, names)
    return [float(found[key]) for key in ("micro_f1", "macro_f1")]


def line(found: dict[str, Any]) -> str:
    """One record as a line."""
    names, taught = ("/".join(f"{value:.3f}" for value in found[key]) for key in ("names", "with"))
    right, guess = (float("nan") if found[key] is None else found[key] for key in ("right", "estimated"))
    return (
        f"{found['corpus']:16s} {found['teacher']:28s} seed {found['seed']} {found['answers']:4d} answers"
        f"  names {names}  with {taught}  right {right:.2f}, estimated {guess:.2f}"
    )


def table(rows: list[dict[str, Any]]) -> None:
    """Print the means over the seeds, corpora side by side with teachers, and the means over the corpora."""
    cells: dict[tuple[int, str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        cells[row["answers"], row["corpus"], row["teacher"]].append(row)
    teachers = list(dict.fromkeys(row["teacher"] for row in rows))
    for answered in sorted({row["answers"] for row in rows}):
        print(f"\n| {answered} answers | " + " | ".join(f"{t}: names → with (right, estimated)" for t in teachers))
        print("|---" * (len(teachers) + 1) + "|")
        columns = defaultdict(list)
        for name in dict.fromkeys(row["corpus"] for row in rows):
            shown = []
            for teacher in teachers:
                here = cells.get((answered, name, teacher))
                if not here:
                    shown.append("")
                    continue
                before, after = (np.mean([row[key] for row in here], axis=0) for key in ("names", "with"))
                shares = [[row[key] for row in here if row[key] is not None] for key in ("right", "estimated")]
                columns[teacher].append([*before, *after])
                known = ", ".join(f"{np.mean(share):.2f}" if share else "-" for share in shares)
                shown.append(f"{_pair(before)} → {_pair(after)} ({known})")
            print(f"| {name} | " + " | ".join(shown) + " |")
        means = [np.mean(columns[t], axis=0) if columns[t] else None for t in teachers]
        print("| *mean* | " + " | ".join("" if m is None else f"{_pair(m[:2])} → {_pair(m[2:])}" for m in means) + " |")


def _pair(values: Any) -> str:
    return "/".join(f"{value:.3f}".lstrip("0") for value in values)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--answers", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--right", type=float, nargs="+")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--documents", type=int, default=5000, help="a sample of larger corpora")
    parser.add_argument("--person", action="store_true")
    parser.add_argument("--teacher")
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--keep", type=Path, help="add what was measured to this file")
    parser.add_argument("--table", type=Path, help="print the table of such a file")
    arguments = parser.parse_args()
    if arguments.table:
        table([json.loads(one) for one in arguments.table.read_text(encoding="utf-8").splitlines()])
        return
    for name in arguments.corpus or CORPORA:
        for found in measure(name, arguments):
            print(line(found), flush=True)
            if arguments.keep:
                with arguments.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    sys.exit(main())
