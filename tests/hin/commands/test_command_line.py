"""Options come from dataclasses: one place for a default, a help, a limit; one flag for stages that share it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import pytest
import typer
from typer.testing import CliRunner

from hin.commands.command_line import Command, with_options
from hin.errors import BadUsage
from hin.option_fields import check_limits, nested, option, shown
from hin.registry import Registry

SHAPES: Registry[type] = Registry("shape", package="hin.demo", group="hin.test_shapes")
SHAPES.register("round")(int)
SHAPES.register("square")(str)


@dataclass(frozen=True)
class Matching:
    """How things are matched; more."""

    min_count: int = option(5, "Fewest documents.", least=1)
    seed: int = option(0, "The seed.", common=True)
    hidden: int = 7


@dataclass(frozen=True)
class Training:
    """How it is trained."""

    seed: int = option(0, "The seed.", common=True)
    kind: Literal["free", "paper"] = option("free", "Which objective.")
    rate: float | None = option(None, "The rate. Default: by size.", least=0)


@dataclass(frozen=True)
class Wanted:
    """What was asked."""

    files: list[str] = field(metadata=shown("The files.", argument=True, metavar="FILE"))
    patterns: list[str] = option([], "A pattern.", "--pattern", "-p")
    phrases: bool = option(True, "Join words.", "--phrases/--no-phrases")
    shape: str | None = option(None, "A shape.", choices=f"{__name__}:SHAPES")
    matching: Matching = nested(Matching, "min_count")
    training: Training = nested(Training)


@pytest.fixture
def seen() -> list[Wanted]:
    return []


@pytest.fixture
def app(seen: list[Wanted]) -> typer.Typer:
    made = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

    def run(wanted: Wanted) -> None:
        """Do it."""
        seen.append(wanted)

    run.__annotations__ = {"wanted": Wanted, "return": None}
    made.command(cls=Command)(with_options(run))
    return made


def test_what_is_not_given_has_the_defaults_of_the_dataclasses(app: typer.Typer, seen: list[Wanted]) -> None:
    assert CliRunner().invoke(app, ["a", "b"]).exit_code == 0
    assert seen == [Wanted(["a", "b"])]


def test_a_flag_that_stages_share_goes_to_all_of_them(app: typer.Typer, seen: list[Wanted]) -> None:
    arguments = ["a", "--seed", "3", "--min-count", "2", "-p", "x", "-p", "y", "--no-phrases", "--kind", "paper"]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    matching, training = Matching(2, seed=3), Training(seed=3, kind="paper")
    expected = Wanted(["a"], ["x", "y"], phrases=False, shape=None, matching=matching, training=training)
    assert seen == [expected]


@pytest.mark.parametrize("bad", [["--min-count", "0"], ["--kind", "fre"], ["--rate", "-1"], ["--hidden", "3"], []])
def test_what_a_field_does_not_allow_is_refused(app: typer.Typer, seen: list[Wanted], bad: list[str]) -> None:
    assert CliRunner().invoke(app, [*(["a"] if bad else []), *bad]).exit_code == 2
    assert not seen


def test_names_come_from_a_registry(app: typer.Typer, seen: list[Wanted]) -> None:
    CliRunner().invoke(app, ["a", "--shape", "round"])
    assert seen[0].shape == "round"
    error = CliRunner().invoke(app, ["a", "--shape", "squar"]).exception
    assert isinstance(error, BadUsage)
    assert error.hint == "did you mean square? there are: round, square"


def test_the_help_groups_options_by_stage_and_names_the_choices(app: typer.Typer) -> None:
    text = CliRunner().invoke(app, ["--help"]).output
    assert "[round|square]" in text
    assert text.index("Options:") < text.index("--seed") < text.index("How things are matched:")
    assert text.index("How things are matched:") < text.index("--min-count") < text.index("How it is trained:")
    assert "hidden" not in text


def test_the_help_has_no_types_of_python_and_says_limits_in_words(app: typer.Typer) -> None:
    text = " ".join(CliRunner().invoke(app, ["--help"]).output.split())
    assert "--min-count NUMBER Fewest documents. [default: 5; at least 1]" in text
    assert "<" not in text


@pytest.mark.parametrize("value", [0, 2.5, True, "3", None])
def test_limits_hold_in_python_too(value: object) -> None:
    with pytest.raises(BadUsage, match="min_count is"):
        check_limits(Matching(min_count=value))  # type: ignore[arg-type]


def test_every_option_of_the_command_line_comes_from_a_dataclass() -> None:
    import cli

    for name, command in typer.main.get_command(cli.app).commands.items():  # type: ignore[attr-defined]
        assert isinstance(command, Command), name
