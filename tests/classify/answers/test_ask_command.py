"""`hin ask` from the command line: teachers, rounds, keys, and what is stored."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from classify.answers.ask import ask
from classify.answers.options import TeacherOptions
from classify.answers.task import Reply
from classify.answers.teachers.command import CommandTeacher
from hin.demo.corpus import DemoOptions, write_demo
from hin.errors import BadUsage
from hin.stores.answers import Answer, AnswerLog
from hin.stores.base import open_store
from tests.classify.answers.bad_server import reply, serving

pytestmark = pytest.mark.slow

QUICK = ["--dim", "20", "--epochs", "2", "-p", "venue", "--classifier", "linear"]
TEACHER = """import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print("noise" if asked["document"].endswith("7") else json.dumps(
        {"document": asked["document"], "category": asked["categories"][0]["name"], "confidence": 0.5}), flush=True)
"""


@pytest.fixture
def classified(hin: Callable, tmp_path: Path) -> tuple[Path, Path, list[str]]:
    files, place = write_demo(tmp_path, DemoOptions(documents=200)), tmp_path / "graph.hin"
    hin("load", files.documents, "--graph", place)
    done = hin("classify", "-c", files.labels, *QUICK, "--graph", place)
    assert done.code == 0, done.err
    return place, files.labels, [line.partition(":")[0].strip() for line in files.labels.read_text().splitlines()]


def answers(place: Path) -> list[Any]:
    return AnswerLog(open_store(place)).latest()


def test_a_command_is_asked_in_rounds(hin: Callable, tmp_path: Path, classified: Any) -> None:
    place, _, names = classified
    script = tmp_path / "teacher.py"
    script.write_text(TEACHER)
    done = hin(
        "ask", "--graph", place, "-n", "12", "--rounds", "2", "--teacher", f"{sys.executable} {script}", "--json"
    )
    assert done.code == 0, done.err
    assert [one["asked"] for one in done.json["rounds"]] == [6, 6]
    given = answers(place)
    assert len(given) == done.json["answered"] > 0
    assert {one.source for one in given} == {"command:teacher.py"}
    assert {(one.categories, one.confidence) for one in given} == {((names[0],), 0.5)}
    assert len({one.document for one in given}) == len(given)  # no document twice


def test_a_document_that_got_no_answer_is_not_asked_about_again(hin: Callable, classified: Any) -> None:
    place, _, names = classified
    with serving(lambda _, number: reply({"category": names[0] if number % 2 else "sports"})) as (server, url):
        done = hin("ask", "--graph", place, "-n", "12", "--rounds", "2", "--teacher", url, "--teacher-model", "m",
                   "--yes", "--json")  # fmt: skip
    assert done.code == 0, done.err
    assert [(one["asked"], one["answered"]) for one in done.json["rounds"]] == [(6, 3), (6, 3)]
    assert len(set(server.prompts)) == 12


def test_the_questions_are_the_progress(hin: Callable, classified: Any) -> None:
    words = f"{sys.executable} -c 'import sys; sys.stdin.read()'"
    done = hin("ask", "--graph", classified[0], "-n", "3", "--teacher", words, "--verbose")
    assert "asking" in done.err.split("predicting")[1]  # nothing else is shown while a teacher thinks


def test_the_next_command_can_learn_from_several_categories(hin: Callable, classified: Any) -> None:
    place, labels, names = classified
    assert hin("classify", "-c", labels, *QUICK, "--several", "--graph", place).code == 0
    documents = list(open_store(place).read_graph().documents)
    few = place.with_name("few.csv")
    few.write_text("document,category\n" + "".join(f"{d},{name}\n" for d in documents for name in names[:2]))
    done = hin("ask", "--graph", place, "-n", "3", "--teacher", few)
    assert [one.categories for one in answers(place)] == [tuple(names[:2])] * 3
    assert f"--several --graph {place}`" in done.err


def test_a_command_that_fails_is_reported_in_a_line(hin: Callable, classified: Any) -> None:
    place, _, _ = classified
    done = hin("ask", "--graph", place, "-n", "3", "--teacher", "no-such-command-here")
    assert done.code == 2 and "cannot run no-such-command-here" in done.err and "Traceback" not in done.err
    done = hin("ask", "--graph", place, "-n", "3", "--teacher", f"{sys.executable} -c 'raise SystemExit(3)'")
    assert done.code == 0 and "exit code 3" in done.err


def test_a_person_answers_by_keys(hin: Callable, monkeypatch: pytest.MonkeyPatch, classified: Any) -> None:
    place, _, names = classified
    monkeypatch.setattr(sys, "stdin", io.StringIO("12<3-?. "))
    done = hin("ask", "--graph", place, "-n", "9")
    assert done.code == 0, done.err
    assert [(one.categories, one.verdict) for one in answers(place)] == [
        ((names[0],), "category"),
        ((names[2],), "category"),
        ((), "none"),
        ((), "cannot tell"),
    ]
    asked = {one.document for one in answers(place)}
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))  # tomorrow: Enter takes the guess of another document
    hin("ask", "--graph", place, "-n", "9")
    assert len(answers(place)) == 5 and answers(place)[-1].document not in asked
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    ended = hin("ask", "--graph", place, "-n", "9")
    assert "ask in a terminal" in ended.out + ended.err


def test_a_file_answers_what_it_has(hin: Callable, tmp_path: Path, classified: Any) -> None:
    place, _, names = classified
    graph = open_store(place).read_graph()
    few = tmp_path / "few.csv"
    few.write_text("document,category\n" + "".join(f"{name},{names[1]}\n" for name in graph.documents))
    done = hin("ask", "--graph", place, "-n", "5", "--teacher", few)
    assert done.code == 0, done.err
    assert {one.source for one in answers(place)} == {"file:few.csv"} and len(answers(place)) == 5


def test_nothing_is_sent_unless_somebody_agrees(hin: Callable, classified: Any) -> None:
    place, _, names = classified
    with serving(lambda *_: reply({"category": names[0]})) as (server, url):
        asked = ["ask", "--graph", place, "-n", "4", "--teacher", url, "--teacher-model", "m"]
        done = hin(*asked)
        assert done.code == 2 and "4 requests" in done.err and "add --yes" in done.err
        assert server.prompts == []
        done = hin(*asked, "--yes")
        assert done.code == 0 and "4 requests" in done.err
        assert len(server.prompts) == 4
    assert len(answers(place)) == 4
    assert hin(*asked, "--show-prompt", "-c", classified[1]).out.count("Which category") == 1


def test_the_price_is_that_of_all_rounds(hin: Callable, classified: Any) -> None:
    asked = ["ask", "--graph", classified[0], "-n", "9", "--teacher", "http://127.0.0.1:9/v1", "--teacher-model", "m"]
    whole, first = (hin(*asked, "--rounds", rounds).err for rounds in ("1", "3"))
    assert "9 requests" in whole and "9 requests" in first
    prices = [int(re.search(r"about ([\d,]+) tokens", said)[1].replace(",", "")) for said in (whole, first)]  # type: ignore[index]
    assert abs(prices[0] - prices[1]) < 0.2 * prices[0]


def test_no_round_follows_the_one_in_which_a_limit_was_reached(hin: Callable, tmp_path: Path, classified: Any) -> None:
    place, _, names = classified
    with serving(lambda *_: reply({"category": names[0]}, 500)) as (_, url):
        done = hin("ask", "--graph", place, "-n", "12", "--rounds", "4", "--teacher", url, "--teacher-model", "m",
                   "--yes", "--budget-tokens", "2500", "--concurrency", "1")  # fmt: skip
        assert done.code == 0, done.err
        assert "round 2: 2 of 3 answered" in done.out and "round 3" not in done.out
        assert done.err.count("would pass 2,500 tokens") == 1
        done = hin("ask", "--names", "--graph", place, "--teacher", url, "--teacher-model", "m", "--yes",
                   "--budget-tokens", "99")  # fmt: skip
        assert done.code == 2 and "no reply: the next request would pass 99 tokens" in done.err
    script = tmp_path / "slow.py"
    script.write_text(f"import time\n{TEACHER.replace('    print', '    time.sleep(0.6); print')}")
    done = hin("ask", "--graph", place, "-n", "9", "--rounds", "3", "--teacher", f"{sys.executable} {script}",
               "--seconds", "1")  # fmt: skip
    assert done.code == 0, done.err
    assert "was stopped after 1 s" in done.err and "round 2" not in done.out


def test_ctrl_c_says_how_far_it_got(hin: Callable, classified: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place, _, names = classified

    def two_then_ctrl_c(self: Any, questions: Any, task: Any) -> Iterator[Reply]:
        yield from (Reply(question.document, (names[0],)) for question in questions[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr(CommandTeacher, "ask", two_then_ctrl_c)
    done = hin("ask", "--graph", place, "-n", "5", "--teacher", "anything")
    assert done.code == 130 and "2 answers stored; run the same command again to continue" in done.err
    assert len(answers(place)) == 2


def test_python_asks_too(classified: Any) -> None:
    place, _, names = classified
    found = ask(place, lambda question: names[1] if question.text else None, documents=10, rounds=2)
    assert [(one.asked, one.answered) for one in found] == [(5, 5), (5, 5)]
    assert found[0].next_moves is None and found[1].next_moves is not None
    assert {one.source for one in answers(place)} == {"function:<lambda>"}
    with serving(lambda *_: reply({"category": names[0]})) as (server, url):
        model = TeacherOptions(teacher_model="m")
        with pytest.raises(BadUsage, match="3 requests"):
            ask(place, url, documents=3, options=model)
        assert server.prompts == []
        ask(place, url, documents=3, yes=True, options=model)
        assert len(server.prompts) == 3


def test_words_are_offered_if_the_corpus_has_them(hin: Callable, tmp_path: Path, classified: Any) -> None:
    place, labels, names = classified
    words = hin("suggest", "--graph", place, "--json").json[0]["words"]
    word = words[0]["keyword"] if words else "the"
    content = json.dumps({names[0]: [word, "notinthecorpus"], names[1]: ["x"], "other": ["y"]})
    with serving(lambda *_: reply(content)) as (server, url):
        better = tmp_path / "better.txt"
        done = hin("ask", "--names", "--graph", place, "--teacher", url, "--teacher-model", "m", "--yes",
                   "--write", better, "--json")  # fmt: skip
    assert done.code == 0, done.err
    assert len(server.prompts) == 1
    assert [(one["category"], one["word"]) for one in done.json] == [(names[0], word)]
    assert word in better.read_text() and hin("classify", "-c", better, *QUICK, "--graph", place).code == 0


def test_a_teacher_of_the_environment_is_asked_and_offered(
    hin: Callable, tmp_path: Path, classified: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, labels, _ = classified
    assert "hin ask --names" not in hin("classify", "-c", labels, *QUICK, "--graph", place).err
    monkeypatch.setenv("HIN_TEACHER", "http://127.0.0.1:9/v1")
    offered = f"`hin ask --names --write better.txt --graph {place}`"
    assert offered in hin("classify", "-c", labels, *QUICK, "--graph", place).err
    script = tmp_path / "teacher.py"
    script.write_text(TEACHER)
    monkeypatch.setenv("HIN_TEACHER", f"{sys.executable} {script}")  # a command answers about documents only
    assert "hin ask --names" not in hin("classify", "-c", labels, *QUICK, "--graph", place).err
    assert hin("ask", "--graph", place, "-n", "3", "--json").json["source"] == "command:teacher.py"


def test_a_teachers_answers_are_among_what_a_classification_was_made_with(hin: Callable, classified: Any) -> None:
    place, labels, names = classified
    log, graph = AnswerLog(open_store(place)), open_store(place).read_graph()
    log.append([Answer(name, (names[0],), "m@host") for name in list(graph.documents)[:25]], graph)
    assert hin("classify", "-c", labels, *QUICK, "--graph", place).code == 0
    past = hin("info", "--graph", place, "--json").json["classifications"]
    assert [(one["known"], one["taught"]) for one in past] == [(0, 0), (0, 25)]
    changed = hin("diff", "--graph", place, "--json").json["changed"]
    assert changed == [{"what": "answers of m@host", "before": None, "after": 25}]
