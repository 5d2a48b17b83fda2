"""The person at the terminal as a teacher: one key per answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from classify.answers.options import TeacherOptions
from classify.answers.task import LabelTask, Question, Reply
from classify.answers.teachers.base import TEACHERS, Desk, Teacher
from hin.stores.answers import PERSON

_KEYS = "1234567890abcdefghijklmnopqrstuvwxyz"
_HELP = "Enter accept the guess   - none of these   ? cannot tell   space skip   < undo   . stop"


@TEACHERS.register("person")
class Person(Teacher):
    """Shows a document and waits for a key; Enter accepts the guess.

    Examples
    --------
    >>> keys = iter("2<1")
    >>> person = Person(Desk(lambda: next(keys, ""), lambda line: None))
    >>> from classify.categories.category_file import Category
    >>> task = LabelTask((Category("web"), Category("mining")))
    >>> [(reply.categories, reply.undo) for reply in person.ask([Question("d", "", "")], task)]
    [(('mining',), False), ((), True), (('web',), False)]
    """

    source = PERSON

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk

    @classmethod
    def open(cls, options: TeacherOptions, desk: Desk) -> Person:
        """Make the person who sits at the terminal."""
        return cls(desk)

    def ask(self, questions: Sequence[Question], task: LabelTask) -> Iterator[Reply]:
        """Ask about one document after the other; `<` goes back by one."""
        keys = dict(zip(_category_keys(len(task.categories)), task.names, strict=True))
        self._show_keys(keys, task)
        at = 0
        answered: list[str] = []
        while True:
            if at >= len(questions):
                if not answered or questions[-1].document != answered[-1]:
                    return
                # The last answer can still be undone.
                self.desk.show("That was the last one: any key finishes the round, < undoes your last answer.")
                if self.desk.read_key() != "<":
                    return
                key = "<"
            else:
                self._show(questions[at], at, len(questions), task)
                key = self._read(keys, task)
            if key == "" and not answered:
                self.desk.show("The input ended before an answer: ask in a terminal, or name a --teacher.")
            if key in ("", "."):
                return
            if key == "<":
                if answered:
                    document = answered.pop()
                    at = next(i for i, question in enumerate(questions) if question.document == document)
                    yield Reply(document, undo=True)
                continue
            question = questions[at]
            reply = _reply(question, key, keys, task)
            if reply is not None:
                answered.append(question.document)
                yield reply
            elif key != " ":
                self.desk.show(f"No such key: {key}. {_HELP}")
                continue
            at += 1

    def _show_keys(self, keys: dict[str, str], task: LabelTask) -> None:
        for key, name in keys.items():
            self.desk.show(f"  {key}  {name}")
        more = "   several keys, then Enter" if task.several else ""
        self.desk.show(_HELP + more)

    def _show(self, question: Question, at: int, total: int, task: LabelTask) -> None:
        self.desk.show("")
        self.desk.show(f"[{at + 1}/{total}] {question.title or question.document}")
        if question.text.strip() != question.title.strip():
            self.desk.show(question.text[:600])
        for name, values in question.metadata.items():
            self.desk.show(f"  {name}: {', '.join(values[:5])}")
        if question.guess:
            self.desk.show(f"  guess: {question.guess} ({question.confidence:.2f})")

    def _read(self, keys: dict[str, str], task: LabelTask) -> str:
        """Read the keys of one answer: one or two name a category; with several categories, all keys up to Enter."""
        width = len(next(iter(keys)))
        key = self.desk.read_key()
        if key in ("\r", "\n") or key in ("", ".", "<", "-", "?", " ") or (width == 1 and not task.several):
            return key
        while task.several or len(key) < width:
            more = self.desk.read_key()
            if more in ("", "\r", "\n"):
                break
            key += more
        return key


def _category_keys(count: int) -> list[str]:
    """Return a key for each category; two keys each where there are more categories than keys."""
    if count <= len(_KEYS):
        return list(_KEYS[:count])
    return [one + other for one in _KEYS for other in _KEYS][:count]


def _reply(question: Question, key: str, keys: dict[str, str], task: LabelTask) -> Reply | None:
    if key in ("\r", "\n"):
        return Reply(question.document, (question.guess,)) if question.guess else None
    if key == "-":
        return Reply(question.document, (), "none")
    if key == "?":
        return Reply(question.document, (), "cannot tell")
    width = len(next(iter(keys)))
    parts = [key[i : i + width] for i in range(0, len(key), width)]
    if key == " " or not all(part in keys for part in parts):
        return None
    return Reply(question.document, tuple(dict.fromkeys(keys[part] for part in parts)))
