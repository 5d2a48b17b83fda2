"""Fields of options dataclasses that also are options of the command line.

A stage's dataclass is the only place where an option's default, its help and its limits are written. The command line
(`hin.commands.command_line`) makes its options from them, and `check_limits` checks the same limits for Python.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache, wraps
from importlib import import_module
from numbers import Integral, Real
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from hin.errors import BadUsage

T = TypeVar("T")
O = TypeVar("O")
R = TypeVar("R")
P = ParamSpec("P")

_KEY = "hin"
#: Headings at the end of a command's help, in this order.
RARELY_NEEDED, ABLATIONS = "Rarely needed", "Ablations"
#: The help of the engine option, wherever there is one.
ENGINE_HELP = "Where the work runs: local, local:THREADS or spark://HOST:PORT. Default: $HIN_ENGINE, or local."
THREADS_HELP = "The number of threads; does not change results. Default: all cores."


@dataclass(frozen=True)
class Shown:
    """How a field is shown on the command line.

    Attributes
    ----------
    help : what it does, in one or two sentences.
    flags : how it is written; by default `--` and the field's name. `--yes/--no` gives a switch with two sides.
    metavar : what stands for the value in the help.
    least, most : the limits of a number.
    choices : the registry of the allowed names: `package.module:REGISTRY`. It is imported when a name is checked.
    argument : whether it is a positional argument rather than a flag.
    kind : the type of one value on the command line, where Python accepts more types.
    common : whether the help shows it among the command's own options rather than under its stage.
    heading : the heading it has in the help, wherever it comes from.
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
    heading: str | None = None


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
    if isinstance(default, list):  # each instance needs a list of its own
        made: Any = field(default_factory=lambda: list(default), metadata=metadata)
    else:
        made = field(default=default, metadata=metadata)
    # A type checker takes the default for the field's type, as with `dataclasses.field`.
    return made  # type: ignore[no-any-return]


def nested(kind: type[T], *only: str, heading: str | None = None) -> T:
    """Return a field that holds the options of a stage; the command line shows its fields, or `only` some of them.

    `stage.part` names the fields of one part of it.

    Their heading is `heading`, or the first words of the stage's docstring; an empty one lists them among the command's
    own options.
    """
    made: Any = field(default_factory=kind, metadata={"only": only or None, "heading": heading})
    return made  # type: ignore[no-any-return]


def flag_of(name: str, how: Shown | None) -> str:
    """Return the flag of a field: the first of its own, or its name with dashes.

    >>> flag_of("min_count", None), flag_of("phrases", Shown("...", ("--phrases/--no-phrases",)))
    ('--min-count', '--phrases')
    """
    first = how.flags[0] if how is not None and how.flags else "--" + name.replace("_", "-")
    return first.partition("/")[0]


def check_limits(options: Any, what: str = "") -> None:
    """Raise if the value of a field is not allowed: a number outside its limits, or a name that is not a choice.

    >>> @dataclass
    ... class Options:
    ...     dim: int = option(100, "Length of the vectors.", least=1)
    >>> check_limits(Options(dim=0), "embed")
    Traceback (most recent call last):
    hin.errors.BadUsage: embed: dim is 0; give 1 or more
    """
    kind: Any = type(options)
    literals = _literals(kind)
    for entry in fields(options):
        how: Shown | None = entry.metadata.get(_KEY)
        value = getattr(options, entry.name)
        allowed = literals[entry.name]
        if allowed and value not in allowed and (value is not None or entry.default is not None):
            where = f"{what}: {entry.name}" if what else entry.name
            raise BadUsage(f"{where} is {value!r}", hint=f"expected {' or '.join(map(repr, allowed))}")
        if how is not None and how.choices is not None and value is not None and value != entry.default:
            check_choices(how.choices, value)
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


@cache
def _literals(options: Any) -> dict[str, tuple[Any, ...]]:
    """Return the values allowed for fields of a `Literal` type, by the fields' names."""
    kinds = {name: (kind, *get_args(kind)) for name, kind in get_type_hints(options).items()}
    return {name: next((get_args(k) for k in some if get_origin(k) is Literal), ()) for name, some in kinds.items()}


def check_choices(place: str, value: Any) -> None:
    """Raise with the nearest names if a name, or one of several, is not in a registry; objects are accepted as given.

    >>> check_choices("hin.engines.base:ENGINES", ["local", "lokal"])
    Traceback (most recent call last):
    hin.errors.BadUsage: there is no engine called lokal; did you mean local? there are: local, spark
    """
    for name in [value] if isinstance(value, str) else value:
        if isinstance(name, str):
            registry_at(place).get(name)


def registry_at(place: str) -> Any:
    """Import the registry that is written as `package.module:REGISTRY`.

    >>> registry_at("hin.engines.base:ENGINES").names()[:1]
    ['local']
    """
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def takes_options(kind: Callable[P, O]) -> Callable[[Callable[[Any, O], R]], Callable[Concatenate[Any, P], R]]:
    """Let a function of an input and options be called with the options' fields as keywords.

    Its signature and its docstring list them all; a type checker sees them too.

    Examples
    --------
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Options:
    ...     top: int = option(3, "How many.")
    >>> @takes_options(Options)
    ... def first(words, options):
    ...     return words[: options.top]
    >>> first("abcdef", top=2)
    'ab'
    >>> first("abcdef", to=2)
    Traceback (most recent call last):
    hin.errors.BadUsage: first() has no option 'to'; did you mean 'top'?
    """
    make: Any = kind
    entries = fields(make)
    names = [entry.name for entry in entries]

    def decorate(run: Callable[[Any, O], R]) -> Callable[Concatenate[Any, P], R]:
        work: Callable[..., R] = run
        given = next(iter(inspect.signature(run).parameters.values()))

        @wraps(run)
        def call(*first: Any, **options: Any) -> R:
            if given.name in options:
                first = (*first, options.pop(given.name))
            unknown = next((name for name in options if name not in names), None)
            if unknown is not None:
                near = difflib.get_close_matches(unknown, names, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
                raise BadUsage(f"{run.__name__}() has no option {unknown!r}", hint=hint)
            return work(*first, make(**options))

        keyword = inspect.Parameter.KEYWORD_ONLY
        shown_as = [inspect.Parameter(e.name, keyword, default=e.default, annotation=e.type) for e in entries]
        returns = inspect.signature(run).return_annotation
        call.__signature__ = inspect.Signature([given, *shown_as], return_annotation=returns)  # type: ignore[attr-defined]
        listed = "".join(f"{e.name} : {e.type}\n    {_help(e)}\n" for e in entries)
        text = inspect.cleandoc(run.__doc__ or "")  # as Python 3.13 keeps it; older ones keep the indentation
        call.__doc__ = text.replace("\nReturns\n", f"{listed}\nReturns\n", 1)
        return call

    return decorate


def _help(entry: Field[Any]) -> str:
    how: Shown | None = entry.metadata.get(_KEY)
    return how.help if how is not None else ""
