"""What the commands show, and what they say when something is wrong."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hin.console import Console
from hin.errors import BadInput


def test_tables_align_and_keep_hostile_names_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Console().table([["KDD\n\x1b[31m", 1200, 0.5, None]], ["venue", "documents", "kappa", "note"])
    head, rule, row = capsys.readouterr().out.splitlines()
    assert head == "venue          documents  kappa  note"
    assert set(rule) == {"-", " "}
    assert row == "KDD\\n\\x1b[31m      1,200  0.500"


def test_errors_are_one_line_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    error = BadInput("papers.jsonl, line 3: not JSON", hint="mend it")
    Console().error(error)
    Console(as_json=True).error(error)
    plain, machine = capsys.readouterr().err.splitlines()
    assert plain == "hin: papers.jsonl, line 3: not JSON; mend it"
    expected = {"kind": "bad_input", "message": "papers.jsonl, line 3: not JSON", "hint": "mend it"}
    assert json.loads(machine) == {"error": expected}


def test_quiet_says_nothing_and_verbose_more(capsys: pytest.CaptureFixture[str]) -> None:
    Console(quiet=True).note("a")
    Console().detail("b")
    with Console(verbose=True).progress() as progress:
        progress("reading", 1, 2)
        progress("reading", 2, 2)
    assert capsys.readouterr().err.count("reading") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["lod"], 2, "No such command 'lod'"),
        (["load"], 2, "Missing argument 'FILE'; see `hin load --help`"),
        (["load", "x.jsonl", "--min-count", "none"], 2, "Invalid value for '--min-count'"),
        (["load", "missing.jsonl"], 1, "hin: missing.jsonl: no such file; check the name and the folder"),
    ],
)
def test_bad_usage(hin: Callable, arguments: list[str], code: int, said: str) -> None:
    done = hin(*arguments)
    assert done.code == code
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert not Path("graph.hin").exists()


def test_bad_usage_for_machines(hin: Callable) -> None:
    done = hin("load", "--json")
    assert json.loads(done.err)["error"]["kind"] == "bad_usage"


def test_interrupts_end_in_one_line(hin: Callable, papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hin.commands.load.load_into", stop)
    done = hin("load", papers)
    assert (done.code, len(done.err.splitlines())) == (130, 1)


@pytest.mark.parametrize(
    ("error", "said"),
    [(MemoryError(), "out of memory"), (OSError(13, "Permission denied", "x"), "x: Permission denied")],
)
def test_what_the_system_refuses(
    hin: Callable, papers: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:  # fmt: skip
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("hin.commands.load.load_into", fail)
    done = hin("load", papers)
    assert done.code == 1
    assert said in done.err


def test_version_and_module(hin: Callable, hin_process: Callable) -> None:
    from hin import __version__

    assert hin("--version").out == f"hin {__version__}\n"
    assert hin_process("--version").out == f"hin {__version__}\n"


def test_help_does_not_wait_for_heavy_packages() -> None:
    import subprocess
    import sys

    from tests.conftest import ROOT

    script = "import sys, cli\ntry: cli.main(['--help'])\nexcept SystemExit: pass\nprint(sorted(set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for package in ("torch", "numpy", "numba", "pyarrow", "sklearn", "networkx", "neo4j", "rich"):
        assert f"'{package}'" not in out


def test_labelling_does_not_wait_for_packages_that_it_does_not_use() -> None:
    import subprocess
    import sys

    from tests.conftest import ROOT

    script = (
        "import sys, cli, classify.commands.classification, classify.commands.prediction\n"
        "import classify.commands.explain, classify.commands.suggest\n"
        "from hin.text.languages import stop_words\nstop_words('english')\nprint(sorted(set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for package in ("torch", "sklearn", "scipy.stats"):
        assert f"'{package}'" not in out


def test_the_next_command_names_the_same_place(capsys: pytest.CaptureFixture[str]) -> None:
    next_ = "`hin info`, or `hin classify --categories labels.txt`"
    Console().next(next_)
    Console(graph="my papers.hin", model="m").next(next_)
    Console(graph="x", as_json=True).next(next_)
    Console(graph="x").next("`hin classify --pattern '`Handled by`-site'`, or `hin report`")
    assert capsys.readouterr().err == (
        f"Next: {next_}\n"
        "Next: `hin info --graph 'my papers.hin'`, or "
        "`hin classify --categories labels.txt --graph 'my papers.hin' --model m`\n"
        "Next: `hin classify --pattern '`Handled by`-site' --graph x`, or `hin report --graph x`\n"
    )


ODD = "x\ty", "x\ny", "x\r\ny", "x\x1by", "x\u2028y", "x\u202ey", "x\x85y"


@pytest.mark.parametrize("odd", ODD)
def test_an_error_is_one_printable_line_whatever_it_speaks_of(odd: str) -> None:
    error = BadInput(f"{odd}: bad", hint=f"not {odd}")
    for text in (error.message, error.hint, str(error), *error.args):
        assert text is not None
        assert text.isprintable()


def _write_odd(path: Path, odd: str, number: int) -> None:
    rows = [{"id": f"d{i}", "text": "graphs", "x y": "v"} for i in range(5000)]
    rows[number][odd] = "w"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("odd", ODD)
def test_fields_of_one_name_get_two_and_are_printable(hin: Callable, tmp_path: Path, odd: str) -> None:
    _write_odd(tmp_path / "odd.jsonl", odd, 0)
    done = hin("load", tmp_path / "odd.jsonl", "--graph", tmp_path / "g.hin")
    assert done.code == 0 and "called x y_2 in the graph, where x y is another field" in done.out
    assert all(line.isprintable() for line in (done.out + done.err).split("\n"))


@pytest.mark.parametrize("odd", ODD)
def test_fields_of_one_name_found_late_are_one_line_with_the_file(hin: Callable, tmp_path: Path, odd: str) -> None:
    path = tmp_path / "odd.jsonl"
    _write_odd(path, odd, 4999)
    done = hin("load", path, "--graph", tmp_path / "g.hin")
    assert done.code == 1
    assert done.err.startswith(f"hin: {path.name}, line 5000: the fields ")
    assert done.err.removesuffix("\n").isprintable()
    quoted = done.err.partition("--metadata ")[2].partition(" (name")[0]
    command, locale = ["bash", "-c", f"printf %s {quoted}"], {"LC_ALL": "C.UTF-8"}
    renamed = subprocess.run(command, capture_output=True, check=True, env=locale).stdout.decode()
    assert renamed.partition("=")[2] in (odd, "x y"), "the remedy can be pasted"


def test_notes_and_closing_lines_hold_no_control_characters(hin: Callable, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    row = {"id": "a", "text": "graphs", "left\tout": {"b": {"c": 1}}, "in\nside\x1b": "v"}
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "id": "b", "in\nside\x1b": "w"}) + "\n")
    done = hin("load", path, "--graph", tmp_path / "g.hin")
    assert done.code == 0, done.err
    assert r"left\tout" in done.out
    assert r"in\nside\x1b" in done.out
    assert all(line.isprintable() for line in (done.out + done.err).split("\n"))


def test_a_bad_pattern_is_one_line(hin: Callable, papers: Path, tmp_path: Path) -> None:
    assert hin("load", papers, "--graph", tmp_path / "g.hin").code == 0
    done = hin("motifs", "--graph", tmp_path / "g.hin", "--pattern", "venue-\n-year")
    assert (done.code, done.err.count("\n")) == (2, 1)
