"""The body of `hin ask`: choose documents, ask for consent, ask the teacher, store the answers, show what changed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from classify.answers.asking import Asking, Round, make_fit, resolve_settings, split_evenly
from classify.answers.measured import draw_for_measuring, measured_accuracy
from classify.answers.prompt import DEFAULT_PROMPT, fill, names_prompt, read_template, read_words
from classify.answers.questions import questions_about
from classify.answers.task import LabelTask, Question
from classify.answers.teachers.base import Desk, Teacher, open_teacher
from classify.answers.words import offered_words, write_words
from classify.categories.category_file import Category, read_categories, typed_names
from classify.commands.arguments import AskCommand
from classify.commands.evaluation import accuracy_line
from classify.commands.opening import open_workspace
from classify.stored_classification import stored_classification
from hin.errors import BadUsage
from hin.files.atomic import check_outputs
from hin.files.graph_folder import ANSWERS
from hin.human import plural
from hin.stores.answers import PERSON, AnswerLog

if TYPE_CHECKING:
    from classify.documents.own_vectors import DocumentVectors
    from classify.options import ClassifyOptions
    from hin.console import Console
    from hin.progress import Progress
    from hin.stores.base import Store


def run_ask(command: AskCommand, console: Console, read_key: Callable[[], str]) -> None:
    """Ask a teacher about documents in rounds, store the answers beside the graph, and show how many labels changed."""
    if command.show_prompt and command.categories is None:
        console.line(DEFAULT_PROMPT if command.teaching.prompt is None else command.teaching.prompt.read_text("utf-8"))
        return
    check_outputs([command.write], [path for path in (command.categories, command.teaching.prompt) if path])
    with open_workspace(command, console) as (workspace, run):
        categories, options, vectors = _resolve_settings(command, workspace.store)  # type: ignore[arg-type]
        task = LabelTask(categories, options.sets is not None)
        desk = Desk(read_key, _show(console), workspace.store.workspace / ANSWERS)  # type: ignore[union-attr]
        log = AnswerLog(workspace.store)  # type: ignore[arg-type]
        asking = Asking(make_fit(workspace, categories, options, run, vectors), task, log, options.first_seed)
        if command.show_prompt:
            (question,) = asking.choose(1)
            template = read_template(command.teaching.prompt)
            console.line(fill(template, question, task, command.teaching.characters))
            return
        teacher = open_teacher(command.teaching, desk)
        if command.measure is not None:
            _measure(command, teacher, asking, console, desk, run.progress)
        elif command.names:
            _ask_names(command, teacher, asking, console, desk)
        else:
            _ask_documents(command, teacher, asking, console, desk, run.progress)


def _resolve_settings(
    command: AskCommand, store: Store
) -> tuple[tuple[Category, ...], ClassifyOptions, DocumentVectors | None]:
    """Return the categories and options asked for, by default those of the last `hin classify`, and its vectors."""
    if command.categories is None:
        return resolve_settings(store, None)
    _, options, vectors = resolve_settings(store, ())
    several = options.sets is not None
    return tuple(read_categories(command.categories, several, command.max_categories)), options, vectors


def _ask_documents(
    command: AskCommand, teacher: Teacher, asking: Asking, console: Console, desk: Desk, progress: Progress
) -> None:
    sizes = split_evenly(command.documents, command.rounds)
    total = 0
    for number, size in enumerate(sizes, start=1):
        questions = asking.choose(size)
        if not questions:
            console.note("Every document has an answer already.")
            break
        if number == 1 and (announcement := teacher.announce(questions, asking.task, sum(sizes[1:]))):
            (console.note if command.yes else _agreement(console, desk))(announcement)
        made = _ask_round(teacher, asking, questions, total, console, progress)
        total += made.answered
        for note in (*teacher.notes, *asking.notes):
            console.note(note)
        teacher.notes.clear()
        if not console.as_json:
            _show_round(number, made, console)
        # A limit is reached, or the person stopped or skipped some.
        if teacher.stopped or (made.answered < made.asked and teacher.source == PERSON):
            break
    if console.as_json:
        last = asking.rounds[-1] if asking.rounds else None
        console.json(
            {
                "source": teacher.source,
                "answered": total,
                "rounds": [{"asked": r.asked, "answered": r.answered, "moved": r.moved} for r in asking.rounds],
                "next_50_would_move": None if last is None or last.next_moves is None else round(last.next_moves, 1),
                "enough": last is not None and last.enough,
            }
        )
        return
    console.line(f"{plural(total, 'answer')} by {teacher.source} stored")
    given = command.categories
    labels = typed_names(asking.task.categories) if given is None else shlex.quote(str(given))
    several = " --several" if asking.task.several else ""
    console.next(f"`hin classify --categories {labels}{several}` learns from them")


def _measure(
    command: AskCommand, teacher: Teacher, asking: Asking, console: Console, desk: Desk, progress: Progress
) -> None:
    store = asking.log.store
    stored, graph = stored_classification(store), store.read_graph()
    rows = draw_for_measuring(store, graph, stored, command.measure or 0, asking.seed)
    questions = questions_about(graph, rows, asking.task.names, stored.exact)
    announcement = teacher.announce(questions, asking.task)
    if announcement is not None:
        (console.note if command.yes else _agreement(console, desk))(announcement)
    done = 0
    progress("asking", 0, len(questions))
    for done, _ in enumerate(asking.take(teacher, questions, "measure"), start=1):
        progress("asking", done, len(questions))
    store.show_answers()
    for note in teacher.notes:
        console.note(note)
    found = measured_accuracy(store, graph, stored)
    if console.as_json:
        measured = None if found is None else found.as_dict()
        console.json({"source": teacher.source, "asked": len(rows), "answered": done, "measured": measured})
        return
    console.line(f"{done} of {len(rows)} answered for measuring; the model does not learn from them")
    if found is not None:
        console.line(accuracy_line(found))
    console.next("`hin evaluate`")


def _ask_round(
    teacher: Teacher,
    asking: Asking,
    questions: Sequence[Question],
    before: int,
    console: Console,
    progress: Progress,
) -> Round:
    """Ask a round; after an interruption, report the number of answers that are stored."""
    done = 0

    def count(number: int) -> None:
        nonlocal done
        done = number
        progress("asking", number, len(questions))

    progress("asking", 0, len(questions))
    try:
        return asking.round(teacher, questions, count)
    except KeyboardInterrupt:
        console.note(f"{plural(before + done, 'answer')} stored; run the same command again to continue")
        raise


def _show_round(number: int, made: Round, console: Console) -> None:
    moved = f"{plural(made.moved, 'label')} of other documents moved"
    line = f"round {number}: {made.answered} of {made.asked} answered; {moved}"
    if made.next_moves is not None:
        line += f"; 50 more answers would move about {made.next_moves:,.0f}"
    if made.enough:
        line += " (less than one in 200): another round will hardly change anything"
    console.line(line)


def _ask_names(command: AskCommand, teacher: Teacher, asking: Asking, console: Console, desk: Desk) -> None:
    prompt = names_prompt(asking.task, command.words)
    price = f"one request, about {len(prompt) // 3 + 2000:,} tokens, to {teacher.source}: your categories"
    (console.note if command.yes else _agreement(console, desk))(price)
    content = teacher.ask_text(prompt)
    if content is None:
        raise BadUsage(f"{teacher.source} cannot name words", hint="use --teacher URL --teacher-model NAME")
    offers = offered_words(read_words(content, asking.task), asking.grounds)
    chosen = [offer for offer in offers if not offer.clashes]
    if console.as_json:
        console.json([offer.as_dict() for offer in offers])
    else:
        rows = [[offer.category, offer.word, offer.documents, offer.share, offer.clashes] for offer in offers]
        console.table(rows, ["category", "word", "documents", "of them here", "clashes with"])
    if command.write is not None:
        if not command.yes:
            _agreement(console, desk)(f"write {plural(len(chosen), 'word')} to {command.write}")
        write_words(command.write, asking.task.categories, offers)
        console.next(f"`hin classify --categories {shlex.quote(str(command.write))}`")
    elif not console.as_json:
        console.next("`hin ask --names --write better.txt` for a labels file with them")


def _agreement(console: Console, desk: Desk) -> Callable[[str], None]:
    """Return a function that announces what is about to happen, and continues only if the user agrees by a key."""

    def agree(what: str) -> None:
        console.note(what)
        if not sys.stdin.isatty():
            raise BadUsage("nothing was sent: nobody is there to agree", hint="add --yes to continue without asking")
        console.note("Go on? y / n")
        if desk.read_key().lower() != "y":
            raise BadUsage("nothing was sent", hint="press y, or add --yes")

    return agree


def _show(console: Console) -> Callable[[str], None]:
    def show(text: str) -> None:
        for line in text.splitlines() or [""]:
            console.note(line)

    return show
