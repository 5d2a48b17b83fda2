"""What people see: lines that fit, nothing but text in a pipe, and always a next step."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

import cli
import hin

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
COMMANDS = typer.main.get_command(cli.app).commands
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[(?:[0-9]+;)*(?:3[0-9]|4[0-9]|9[0-7])(?:;[0-9]+)*m")
WIDTH = 80


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Enough documents for counts with separators, and a name that is too long for a column."""
    path = tmp_path / "many.jsonl"
    long = "The International Conference on Very Long Names of Conferences and their Proceedings, Part Two"
    rows = ({"id": f"d{i}", "text": f"word{i % 50} again", "venue": long if i % 2 else "KDD"} for i in range(1500))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def in_terminal(*arguments: object, width: int = WIDTH, **settings: str) -> str:
    """What a terminal shows, control characters included."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    environment |= {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **settings}
    process = subprocess.Popen(
        [sys.executable, "-m", "hin", *map(str, arguments)], stdin=far, stdout=far, stderr=far, env=environment
    )
    os.close(far)
    shown = b""
    while True:
        try:
            piece = os.read(near, 65536)
        except OSError:  # how Linux says that the other end was closed
            break
        if not piece:
            break
        shown += piece
    os.close(near)
    assert process.wait() == 0, shown.decode()
    return shown.decode()


def plain_lines(shown: str) -> list[str]:
    return re.split(r"[\r\n]+", ESCAPE.sub("", shown))


def test_bars_and_results_fit_a_terminal_of_80_columns(many: Path) -> None:
    shown = in_terminal("load", many)
    assert "%" in shown, "a bar is shown while a person watches"
    assert COLOUR.search(shown)
    assert max(map(len, plain_lines(shown))) <= WIDTH


def test_tables_fit_the_terminal_and_are_whole_in_a_pipe(many: Path, hin_process: Callable) -> None:
    hin_process("load", many)
    shown = in_terminal("info")
    assert max(map(len, plain_lines(shown))) <= WIDTH
    assert "…" in shown
    assert "Part Two" in hin_process("info").out


def test_no_bars_without_a_terminal_or_in_a_dumb_one(many: Path) -> None:
    assert "\x1b" not in in_terminal("load", many, TERM="dumb")


def test_no_color_is_respected(many: Path) -> None:
    assert not COLOUR.search(in_terminal("load", many, NO_COLOR="1"))


def test_a_pipe_gets_text_only(many: Path, hin_process: Callable) -> None:
    for arguments in (["load", many, "--verbose"], ["info"], ["load"]):
        done = hin_process(*arguments)
        assert "\x1b" not in done.out + done.err
        assert "\r" not in done.out + done.err


def test_quiet_says_nothing_and_verbose_names_the_steps(many: Path, hin: Callable) -> None:
    assert hin("load", many, "--quiet").err == ""
    usual = hin("load", many, "--replace").err
    more = hin("load", many, "--replace", "--verbose").err
    assert len(more.splitlines()) > len(usual.splitlines())
    assert re.search(r"^\[\d+\.\d+ s\] \w+", more, flags=re.MULTILINE)


def test_counts_and_durations_are_for_people(many: Path, hin: Callable) -> None:
    assert re.match(r"graph\.hin: 1,500 documents added in \d+\.\d+ s, 51 terms\n", hin("load", many).out)
    assert hin("load", many, "--replace", "--json").json["documents"] == 1500


def test_the_closing_line_says_what_to_do_next(many: Path, hin: Callable) -> None:
    last = hin("load", many).err.splitlines()[-1]
    assert last.startswith("Next: ")
    for name in re.findall(r"`hin (\w+)", last):
        assert name in COMMANDS
    assert "Next" not in hin("load", many, "--replace", "--json").err


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_help_fits_and_shows_an_example(name: str | None, hin: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    done = hin(*([name] if name else []), "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: hin {name or '[OPTIONS]'}")
    assert re.search(r"^  Example:\n    hin \w+", done.out, flags=re.MULTILINE)
    assert max(map(len, done.out.splitlines())) <= WIDTH


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands_and_options(shell: str, hin_process: Callable) -> None:
    def complete(line: str) -> str:
        words = line.split(" ")
        environment = {
            "_HIN_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            "_TYPER_COMPLETE_WORD_TO_COMPLETE": words[-1],
        }
        done = hin_process(env=environment)
        assert done.code == 0
        return str(done.out)

    if shell == "bash":
        assert "load" in complete("hin lo")
    assert "--metadata" in complete("hin load --met")


@pytest.mark.parametrize("how", [[], ["--json"], ["--csv"]])
def test_a_reader_that_goes_away_ends_the_command_quietly(how: list[str], tmp_path: Path) -> None:
    names = ({"id": f"p{i}", "text": "x", "author": [f"Author {i} {j}" for j in range(5)]} for i in range(4000))
    rows = [json.dumps(row) for row in names]
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    hin.load(tmp_path / "a.jsonl", graph=tmp_path / "a.hin")
    ask = [sys.executable, "-m", "hin", "motifs", "-p", "author", "--min-count", "1", "--top", "0", *how, "-q"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*ask, "--graph", str(tmp_path / "a.hin")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        # One large write may end without the system saying that nobody read the rest.
        assert process.wait() in ((0, 141) if "--csv" in how else (141,))
