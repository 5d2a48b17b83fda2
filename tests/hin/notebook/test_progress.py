"""Progress of calls from Python: shown in a notebook and at a prompt, nowhere else."""

from __future__ import annotations

import io
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import hin
from hin.notebook import progress_cell
from hin.notebook.watching import shows_progress, watched
from hin.progress import silent
from motifs import match_all

ROWS = [{"id": f"d{i}", "text": "on graphs", "venue": f"v{i % 3}"} for i in range(20)]


class Display:
    """What a notebook would show."""

    def __init__(self) -> None:
        self.shown: list[dict[str, str]] = []

    def DisplayHandle(self) -> Display:  # noqa: N802
        return self

    def display(self, bundle: dict[str, str], raw: bool) -> None:
        assert raw and not self.shown
        self.shown.append(bundle)

    def update(self, bundle: dict[str, str], raw: bool) -> None:
        assert raw and self.shown
        self.shown.append(bundle)


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Display:
    """A notebook around this test."""
    found = Display()
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setattr(progress_cell, "import_module", lambda name: found)
    return found


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_cell, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(progress_cell, "APART", 0.0)


def test_a_script_is_not_disturbed(capsys: pytest.CaptureFixture[str]) -> None:
    with watched() as progress:
        assert progress is silent
    hin.load(ROWS)
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("at_once")
def test_a_notebook_shows_what_runs_and_keeps_nothing(display: Display) -> None:
    graph = hin.load(ROWS)
    assert display.shown, "loading"
    assert display.shown[-1] == {"text/html": "", "text/plain": ""}
    display.shown.clear()
    match_all(graph, ["venue"])
    assert "<progress value=" in display.shown[0]["text/html"] and "matching" in display.shown[0]["text/plain"]


def test_short_work_leaves_no_trace(display: Display) -> None:
    hin.load(ROWS)
    assert display.shown == []


@pytest.mark.usefixtures("at_once")
def test_what_the_call_says_counts(display: Display) -> None:
    hin.load(ROWS, progress=silent)
    reported: list[str] = []
    hin.load(ROWS, progress=lambda label, done, total, note="": reported.append(label))
    assert reported and display.shown == []


@pytest.mark.usefixtures("at_once")
def test_a_failure_clears_the_bar(display: Display) -> None:
    @shows_progress
    def fail(progress: Any = None) -> None:
        progress("working <b>", 1, 4, "half \u202e way")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    first, last = display.shown
    assert first["text/html"] == (
        '<progress value="0.250"></progress> <bdi>working &lt;b&gt;</bdi> · 25 % · <bdi>half \\u202e way</bdi>'
    )
    assert last["text/html"] == ""


def clock(*times: float) -> Any:
    ticks = iter(times)
    return lambda: next(ticks)


def test_the_time_left_is_estimated_and_updates_are_few(display: Display) -> None:
    with progress_cell.progress_cell(clock(0, 0, 0.1, 10.0, 10.1, 20.0)) as show:
        show("reading", 0, 100)
        show("reading", 1, 100)
        show("reading", 25, 100)
        show("reading", 26, 100)
        show("reading", 50, None)
    reported = [bundle["text/plain"] for bundle in display.shown]
    assert reported == ["reading · 25 % · about 30.0 s left", "reading", ""]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_prompt_shows_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    monkeypatch.setattr(sys, "stderr", prompt)
    with watched() as progress:
        progress("reading", 1, 2)
    assert "reading" in prompt.getvalue()
