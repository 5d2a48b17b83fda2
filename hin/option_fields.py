"""Fields of options dataclasses that also are options of the command line.

A stage's dataclass is the only place where an option's default, its help and its limits are written. The command line
(`hin.commands.command_line`) makes its options from them, and `check_limits` checks the same limits for Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any, TypeVar

from hin.errors import BadUsage

__all__ = ["ENGINE_HELP", "Shown", "check_limits", "flag_of", "nested", "option", "shown"]

T = TypeVar("T")

_KEY = "hin"
#: Said wherever an engine can be chosen.
ENGINE_HELP = "Where the work runs: local, local:THREADS or spark://HOST:PORT. Default: $HIN_ENGINE, or local."


@dataclass(frozen=True)
class Shown:
    """How a field is shown on the command line.

    Attributes
    ----------
    help : what it does, in one or two sentences.
    flags : how it is written; by default `--` and the field's name. `--yes/--no` gives a switch with two sides.
    metavar : what stands for the value in the help.
    least, most : the limits of a number.
    choices : where the allowed names are found: `package.module:REGISTRY`. It is opened when a name is checked.
    argument : whether it is given by its place rather than by a flag.
    kind : what one value is on the command line, where Python takes more kinds of it.
    common : whether the help shows it among the command's own options rather than under its stage.
    """

    help: str
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    least: float | None = None
    most: float | None = None
    choices: str | None = None
    argument: bool = False
    kind: Any = None
    common: bool = False


def shown(help: str, *flags: str, **more: Any) -> Mapping[str, Any]:
    """Return the metadata of a field, for `dataclasses.field(metadata=...)`: a field that must be given.

    >>> shown("The files.", argument=True)["hin"].argument
    True
    """
    return {_KEY: Shown(help, flags, **more)}


def option(default: T, help: str, *flags: str, **more: Any) -> T:
    """Return a field with a default, shown on the command line.

    >>> @dataclass
    ... class Options:
    ...     dim: int = option(100, "Length of the vectors.", least=1)
    >>> Options().dim
    100
    """
    metadata = shown(help, *flags, **more)
    if isinstance(default, list):  # each instance gets a list of its own
        made: Any = field(default_factory=lambda: list(default), metadata=metadata)
    else:
        made = field(default=default, metadata=metadata)
    # To a type checker the field is its default, as with `dataclasses.field`.
    return made  # type: ignore[no-any-return]


def nested(kind: type[T], *only: str, heading: str | None = None) -> T:
    """Return a field that holds the options of a stage; the command line shows its fields, or `only` some of them.

    They stand under the first words of the stage's docstring, or under `heading`; an empty one puts them among the
    command's own.
    """
    made: Any = field(default_factory=kind, metadata={"only": only or None, "heading": heading})
    return made  # type: ignore[no-any-return]


def flag_of(name: str, how: Shown | None) -> str:
    """Return the flag that stands for a field: the first of its own, or its name with dashes.

    >>> flag_of("min_count", None), flag_of("phrases", Shown("...", ("--phrases/--no-phrases",)))
    ('--min-count', '--phrases')
    """
    first = how.flags[0] if how is not None and how.flags else "--" + name.replace("_", "-")
    return first.partition("/")[0]


def check_limits(options: Any, what: str = "") -> None:
    """Raise if a number is outside the limits that its field states.

    >>> @dataclass
    ... class Options:
    ...     dim: int = option(100, "Length of the vectors.", least=1)
    >>> check_limits(Options(dim=0), "embed")
    Traceback (most recent call last):
    hin.errors.BadUsage: embed: dim is 0; give 1 or more
    """
    for entry in fields(options):
        how: Shown | None = entry.metadata.get(_KEY)
        value = getattr(options, entry.name)
        if how is None or (how.least is None and how.most is None):
            continue
        if value is None and entry.default is None:
            continue
        where = f"{what}: {entry.name}" if what else entry.name
        whole = "int" in str(entry.type)
        if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
            raise BadUsage(f"{where} is {value!r}", hint="give a whole number" if whole else "give a number")
        number = float(value)
        if how.least is not None and not number >= how.least:
            raise BadUsage(f"{where} is {value!r}", hint=f"give {how.least} or more")
        if how.most is not None and not number <= how.most:
            raise BadUsage(f"{where} is {value!r}", hint=f"give at most {how.most}")
