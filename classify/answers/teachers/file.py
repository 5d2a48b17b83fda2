"""A file of answers as a teacher: CSV, TSV or JSONL with document and category, as `hin classify --known` reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from classify.answers.options import TeacherOptions
from classify.answers.task import LabelTask, Question, Reply, match_reply
from classify.answers.teachers.base import TEACHERS, Desk, Teacher
from classify.categories.known_labels import known_lines
from hin.human import plural


@TEACHERS.register("file")
class AnswerFile(Teacher):
    """Answers from a file; documents that it does not have get no reply."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.source = path, f"file:{path.name}"

    @classmethod
    def takes(cls, name: str) -> bool:
        """Check whether a name is a file of answers."""
        return Path(name).suffix.lower() in (".csv", ".tsv", ".jsonl", ".ndjson")

    @classmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> AnswerFile:
        """Open the file that is named as the teacher."""
        return cls(Path(options.teacher))

    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Yield the answers that the file has about these documents."""
        wanted = {question.document for question in questions}
        given: dict[str, list[str]] = {}
        sure: dict[str, float | None] = {}
        for line in known_lines(self.path, task.several):
            if line.document in wanted and line.category:
                given.setdefault(line.document, []).append(line.category)
                sure[line.document] = float(line.confidence) if _is_number(line.confidence) else None
        wrong = 0
        for document, categories in given.items():
            reply = match_reply(document, categories, task, sure[document])
            wrong += reply is None
            if reply is not None:
                yield reply
        if wrong:
            self.notes.append(f"{self.path}: {plural(wrong, 'answer')} outside the list of categories")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
