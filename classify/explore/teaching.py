"""Ask a language model from the workbench: first the cost, then the answers in the background.

Only endpoints can be asked from the page, and only with the key of the variable that `hin ask` takes by default: a page
must neither start commands nor send another secret of the environment somewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from classify.answers.options import TeacherOptions
from classify.answers.questions import questions_about
from classify.answers.task import LabelTask, Question
from classify.answers.teachers.base import Desk, Teacher
from classify.answers.teachers.endpoint import Endpoint
from hin.errors import BadUsage
from hin.files.graph_folder import ANSWERS
from hin.stores.answers import Answer

if TYPE_CHECKING:
    from classify.explore.session import Session
    from hin.progress import Progress


@dataclass(frozen=True)
class Offer:
    """Questions that are ready to be asked, and what asking them costs and sends."""

    teacher: Teacher
    questions: list[Question]
    task: LabelTask
    said: str


def make_offer(session: Session, url: str, model: str, number: int) -> Offer:
    """Choose the documents most worth asking about, and estimate the cost; nothing is sent."""
    if not Endpoint.takes(url):
        raise BadUsage(f"{url!r} is no address of a model", hint="give one such as https://host/v1")
    desk = Desk(lambda: "", lambda text: None, session.store.workspace / ANSWERS)
    teacher = Endpoint.open(TeacherOptions(teacher=url, teacher_model=model), desk)
    rows = session.worth_asking(number, fresh=True).tolist()
    stored = session.classified().stored
    task = LabelTask(session.edits.categories, session.several)
    questions = questions_about(session.graph, rows, list(stored.categories), stored.exact)
    if not questions:
        raise BadUsage("every document has an answer already", hint="run to learn from them")
    return Offer(teacher, questions, task, teacher.announce(questions, task) or "")


def ask_teacher(session: Session, offer: Offer, progress: Progress) -> dict[str, Any]:
    """Ask, and store each answer as it comes; they are evidence for the next run."""
    answered, total = 0, len(offer.questions)
    try:
        progress("asking the model", 0, total)
        for reply in offer.teacher.ask(offer.questions, offer.task):
            answer = Answer(
                reply.document, reply.categories, offer.teacher.source, reply.confidence, "teach", reply.verdict
            )
            session.answers.log.append([answer], session.graph)
            answered += 1
            progress("asking the model", answered, total)
    finally:
        session.store.show_answers()
    return {"asked": total, "answered": answered, "source": offer.teacher.source, "notes": list(offer.teacher.notes)}
