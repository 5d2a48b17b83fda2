"""A command ends in one line wherever it is started: closed streams, plain terminals, Ctrl-C at any time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cli
from hin.commands.streams import Interrupts, read_key

ROOT = Path(__file__).parents[1]


def _shell(place: Path, script: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME")}
    environment = {**kept, "PYTHONPATH": str(ROOT), "HIN": f"{sys.executable} -m hin", **more}
    return subprocess.run(["sh", "-c", script], capture_output=True, env=environment, cwd=place)


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        ("$HIN --version >&-", 1, b"the standard output is closed"),
        ("$HIN --version <&-", 0, b""),
        ("$HIN query - <&-", 2, b"an empty query"),
        ("$HIN load - <&- --graph g.hin", 1, b"standard input: empty"),
        ("$HIN --version >/dev/full", 1, b"no space left"),
        ("$HIN info 2>&- >&-", 1, b""),
    ],
)
def test_streams_that_are_closed_or_full(tmp_path: Path, script: str, code: int, said: bytes) -> None:
    ended = _shell(tmp_path, script)
    assert ended.returncode == code
    assert said in ended.stderr
    assert len(ended.stderr.splitlines()) == bool(said)


def test_a_terminal_that_knows_ascii_alone(tmp_path: Path) -> None:
    ended = _shell(tmp_path, "$HIN info --graph 'zürich-\u6771\u4eac.hin'", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert ended.returncode == 1
    assert b"no graph at z\\xfcrich-\\u6771\\u4eac.hin" in ended.stderr


def _ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    return ended.value.code, capsys.readouterr().err


def test_a_fault_of_our_own_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by\nnothing")

    monkeypatch.setattr("hin.commands.info.run_info", broken)
    code, said = _ended(capsys, "info", "--graph", str(tmp_path))
    assert code == 1
    assert said.startswith("hin: unexpected ZeroDivisionError in test_streams.py, line ")
    assert said.count("\n") == 1


def test_ctrl_c_that_a_library_turns_into_another_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ImportError("numpy could not be imported")

    monkeypatch.setattr("hin.commands.info.run_info", broken)
    monkeypatch.setattr(Interrupts, "came", True, raising=False)
    monkeypatch.setattr(Interrupts, "__init__", lambda self: None)
    code, said = _ended(capsys, "info", "--graph", str(tmp_path))
    assert (code, said.startswith("hin: interrupted")) == (130, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("embed", "--seed", "-1"),
        ("classify", "--categories", "x", "--seed", "-1"),
        ("demo", "--seed", "-1"),
        ("report", "--max-megabytes", "inf"),
        ("load", "x.csv", "--max-record", "lots"),
        ("load", "x.csv", "--max-fields", "0"),
    ],
)
def test_numbers_out_of_range_are_bad_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text("id,text\n1,a\n")
    code, said = _ended(capsys, *arguments)
    assert (code, said.count("\n")) == (2, 1)
    assert "unexpected" not in said


@pytest.mark.parametrize(
    "words", ["6559 requested and 4064 written", "Not enough free space to write 794918656 bytes after offset 128"]
)
def test_a_full_disk_is_reported_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    def broken(*_: object) -> None:
        raise OSError(words)  # numpy's

    monkeypatch.setattr("hin.commands.info.run_info", broken)
    code, said = _ended(capsys, "info", "--graph", str(tmp_path))
    assert (code, said.startswith("hin: no space left")) == (1, True)


def test_ctrl_c_while_it_is_imported_is_one_line(tmp_path: Path) -> None:
    """The signal comes while `cli` is being imported: a finder sends it when `cli` asks for Typer."""
    lines = (
        "import os, signal, sys, time",
        "class Interrupt:",
        "    def find_spec(self, name, path=None, target=None):",
        "        if name == 'typer':",
        "            os.kill(os.getpid(), signal.SIGINT)",
        "            time.sleep(9)",
        "sys.meta_path.insert(0, Interrupt())",
        "import hin.__main__ as start",
        "start.main()",
    )
    (tmp_path / "start.py").write_text("\n".join(lines) + "\n")
    command = f"{sys.executable} start.py"
    ended = _shell(tmp_path, command)
    assert (ended.returncode, ended.stderr) == (130, b"hin: interrupted\n")


def test_the_process_ends_when_all_is_written_and_what_was_registered_has_run(tmp_path: Path) -> None:
    start = tmp_path / "start.py"
    start.write_text("import atexit, hin.__main__ as start\natexit.register(print, 'bye')\nstart.main()\n")
    ends = {}
    for argument in ("--version", "no-such-command"):
        ended = subprocess.run([sys.executable, start, argument], capture_output=True, text=True, cwd=ROOT)
        ends[argument] = ended.returncode, ended.stdout.splitlines()[-1]
    assert ends == {"--version": (0, "bye"), "no-such-command": (2, "bye")}


def test_keys_that_arrive_together_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    arrived = iter(["12\r", "\x1b[A\x1b[1;5Cé", "3\x03", "\x04"])
    monkeypatch.setattr("click.getchar", lambda: next(arrived))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert [read_key() for _ in range(7)] == ["1", "2", "\r", "\x1b[A", "\x1b[1;5C", "é", "3"]
    with pytest.raises(KeyboardInterrupt):
        read_key()
    assert read_key() == ""
