"""A command as a teacher: it reads questions as JSON lines and writes answers as JSON lines.

In: {"document", "title", "text", "metadata", "categories", "several"}; out: {"document", "category"} (a list where
several are allowed; "none of these", "cannot tell"), and optionally "confidence".
"""

from __future__ import annotations

import json
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from classify.answers.options import TeacherOptions
from classify.answers.task import LabelTask, Question, Reply, match_reply
from classify.answers.teachers.base import TEACHERS, Desk, Teacher
from hin.errors import BadUsage
from hin.human import plural


@TEACHERS.register("command")
class CommandTeacher(Teacher):
    """Runs a command once per round; the answers that it wrote before it failed or timed out count."""

    def __init__(self, words: Sequence[str], seconds: float | None = None) -> None:
        super().__init__()
        self.words, self.seconds = list(words), seconds
        self._ends: float | None = None
        named = next((word for word in self.words[1:] if not word.startswith("-")), self.words[0])
        self.source = f"command:{Path(named).name}"

    @classmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> CommandTeacher:
        """Open the command that is named as the teacher."""
        try:
            words = shlex.split(options.teacher)
        except ValueError as error:
            raise BadUsage(f"--teacher {options.teacher!r}: {error}", hint="quote it as for a shell") from error
        return cls(words, options.seconds)

    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Send all questions, and yield the answers as they are written."""
        asked = {question.document for question in questions}
        lines = "".join(json.dumps(question.as_record(task), ensure_ascii=False) + "\n" for question in questions)
        try:
            process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
        except OSError as error:
            raise BadUsage(
                f"cannot run {self.words[0]}: {error.strerror}", hint="name a command, a file, a URL or `person`"
            ) from None
        feed = threading.Thread(target=_write_questions, args=(process, lines), daemon=True)
        feed.start()
        stop = self._stopping(process)
        wrong = 0
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if not line.strip():
                    continue
                reply = _parse(line, asked, task)
                wrong += reply is None
                if reply is not None:
                    yield reply
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
        finally:
            if stop is not None:
                stop.cancel()
            if process.poll() is None:
                process.kill()
            code = process.wait()
            feed.join(timeout=5)
            process.stdout.close()  # type: ignore[union-attr]
        if wrong:
            self.notes.append(f"{plural(wrong, 'line')} of {self.words[0]} ignored: not an answer to a question")
        if self._ends is not None and time.monotonic() >= self._ends:
            self.stopped = True
            self.notes.append(f"{self.words[0]} was stopped after {self.seconds:g} s")
        elif code > 0:
            self.notes.append(f"{self.words[0]} ended with exit code {code}; its answers so far count")

    def _stopping(self, process: subprocess.Popen[str]) -> threading.Timer | None:
        """Start the timer that kills a round's process when the time of all rounds is up."""
        if not self.seconds:
            return None
        self._ends = self._ends or time.monotonic() + self.seconds
        stop = threading.Timer(self._ends - time.monotonic(), process.kill)
        stop.start()
        return stop


def _write_questions(process: subprocess.Popen[str], lines: str) -> None:
    try:
        assert process.stdin is not None
        with process.stdin:
            process.stdin.write(lines)
    except OSError:  # the command did not read all questions
        return


def _parse(line: str, asked: set[str], task: LabelTask) -> Reply | None:
    try:
        record = json.loads(line)
        document, said = record["document"], record.get("category", record.get("categories"))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return match_reply(document, said, task, record.get("confidence")) if document in asked else None
