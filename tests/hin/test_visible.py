"""Names never act: what a terminal or a spreadsheet would act on is shown, not sent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.console import Console
from hin.errors import HinError
from hin.visible import guard_cell, unguard_cell, visible, visible_json

HOSTILE = "\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066\u200f\x00\r\u2028\ufeff"


@given(st.text())
def test_nothing_that_acts_is_left(text: str) -> None:
    shown = visible(HOSTILE + text, one_line=True)
    assert all(char.isprintable() or char.isspace() or char in "\u200b\u200c\u200d\u00ad" for char in visible(HOSTILE))
    assert not set(shown) & set(HOSTILE + "\n\t") - set("]0;owned31mgnp.exe")


@given(st.text())
def test_json_says_the_same(text: str) -> None:
    assert json.loads(visible_json(json.dumps(HOSTILE + text, ensure_ascii=False))) == HOSTILE + text


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r0123abc.e ")))
def test_a_guard_can_be_undone(text: str) -> None:
    assert unguard_cell(guard_cell(text)) == text


@pytest.mark.parametrize("cell", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "＝1"])
def test_formulas_become_text(cell: str) -> None:
    assert guard_cell(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["-1.5", "+3e-7", "2024-01-01", "a=b", "", -1.5])
def test_other_cells_stay(cell: object) -> None:
    assert guard_cell(cell) == cell


def test_the_console_escapes_every_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    console.line(HOSTILE)
    console.note(HOSTILE)
    console.error(HinError(HOSTILE, hint=HOSTILE))
    console.table([[HOSTILE, 1]], [HOSTILE, "n"], title=HOSTILE)
    console.json({HOSTILE: HOSTILE})
    machine = Console(as_json=True)
    machine.error(HinError(HOSTILE))
    out, err = capsys.readouterr()
    assert not set(out + err) & (set(HOSTILE) - set("]0;owned31mgnp.exe"))
    assert len(out.splitlines()) == 8  # no name broke a line of the table


def test_names_that_are_no_utf8_can_be_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Console(as_json=True).error(HinError("no file \udcff.csv"))
    assert json.loads(capsys.readouterr().err)["error"]["message"] == r"no file \udcff.csv"
