"""The interface of teachers: persons or programs that are asked which category a document has.

A teacher is a file in this folder that registers itself; other packages add theirs through the entry points
`hin.teachers`. Its answers are matched to the list of categories before they are stored.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from classify.answers.options import TeacherOptions
from classify.answers.task import LabelTask, Question, Reply
from hin.errors import BadUsage
from hin.registry import Registry


class Teacher(ABC):
    """A person or program that answers questions about documents.

    Attributes
    ----------
    source : the name under which the answers are stored.
    notes : problems, one line each, for the user.
    stopped : whether a limit of time or tokens ended the asking, so that another round would get no answer.
    """

    source: str

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.stopped = False

    @classmethod
    @abstractmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> Teacher:
        """Make the teacher that the options name."""

    @classmethod
    def takes(cls, name: str) -> bool:
        """Check whether `--teacher NAME` means this kind, for a name that is not its registered one."""
        return False

    def announce(self, questions: Sequence[Question], task: LabelTask, later: int = 0) -> str | None:
        """Return the text that the user must agree to before these questions, and a number of `later` ones, are sent.

        None if nothing leaves the machine.
        """
        return None

    @abstractmethod
    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Yield replies as they come, in any order; a question may stay without one."""

    def ask_text(self, prompt: str) -> str | None:
        """Answer a free question, as `hin ask --names` has one; None where this kind of teacher cannot."""
        return None


@dataclass(frozen=True)
class Desk:
    """The terminal and the folder that a teacher works with.

    Attributes
    ----------
    read_key : waits for a key and returns it; "" at the end of the input.
    show : prints a line for the person in front of it.
    folder : where paid replies are cached; None caches nothing.
    """

    read_key: Callable[[], str]
    show: Callable[[str], None]
    folder: Path | None = None


#: Kinds of teachers by name.
TEACHERS: Registry[type[Teacher]] = Registry("teacher", package="classify.answers.teachers", group="hin.teachers")


def open_teacher(options: TeacherOptions, desk: Desk) -> Teacher:
    """Open the teacher of this name: a registered kind, else the first kind that takes it, else a command."""
    wanted = (options.teacher or os.environ.get("HIN_TEACHER") or "person").strip()
    if not wanted:
        raise BadUsage("no teacher is named", hint=f"give one of {', '.join(TEACHERS.names())}, a file or a command")
    model = options.teacher_model or os.environ.get("HIN_TEACHER_MODEL", "")
    options = replace(options, teacher=wanted, teacher_model=model)
    if wanted in TEACHERS.names():
        return TEACHERS.get(wanted).open(options, desk)
    kinds = [TEACHERS.get(name) for name in TEACHERS.names() if name != "command"]
    kind = next((kind for kind in kinds if kind.takes(wanted)), TEACHERS.get("command"))
    return kind.open(options, desk)
