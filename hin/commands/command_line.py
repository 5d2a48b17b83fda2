"""Commands of the command line whose options are built from dataclasses.

`@with_options` reads the dataclasses that a command's function takes and gives Typer one option for each field with
display metadata. A flag that several stages have, such as `--seed`, is one option and is passed to all of them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from hin.option_fields import ABLATIONS, RARELY_NEEDED, Shown, check_choices, flag_of, registry_at


@dataclass(frozen=True)
class _Parameter:
    """One option of a command, and the first field that defines it."""

    name: str
    kind: Any
    default: Any
    how: Shown
    panel: str | None


def with_options(run: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of the dataclasses that it takes, and call it with those filled in."""
    kinds = {name: kind for name, kind in get_type_hints(run).items() if name != "return"}
    parameters: dict[str, _Parameter] = {}
    for kind in kinds.values():
        _collect(kind, None, None, parameters)

    @wraps(run)
    def command(**given: Any) -> None:
        values = {flag: given[parameter.name] for flag, parameter in parameters.items()}
        run(**{name: _build(kind, values) for name, kind in kinds.items()})

    # Arguments first, in their positions; then required options; last the options common to all commands, and the rare
    # ones.
    order = sorted(parameters, key=lambda flag: _rank(parameters[flag]))
    made = [_signature(flag, parameters[flag]) for flag in order]
    command.__signature__ = inspect.Signature(made)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in made}
    places = {p.name: p.how.choices for p in parameters.values() if p.how.choices is not None}
    command.choices = places  # type: ignore[attr-defined]
    return command


def _rank(parameter: _Parameter) -> int:
    if parameter.how.argument:
        return 0
    if parameter.panel in (RARELY_NEEDED, ABLATIONS):
        return 5 if parameter.panel == ABLATIONS else 4
    return 3 if parameter.how.common else 1 if parameter.default is MISSING else 2


def _collect(kind: type, only: tuple[str, ...] | None, panel: str | None, into: dict[str, _Parameter]) -> None:
    hints = get_type_hints(kind)
    for entry in fields(kind):
        how: Shown | None = entry.metadata.get("hin")
        if how is not None and (only is None or entry.name in only):
            flag = flag_of(entry.name, how)
            name = flag.lstrip("-").replace("-", "_")
            heading = None if how.common else _inherited_panel(kind, entry.name) if panel is None else panel or None
            heading = how.heading or heading
            into.setdefault(flag, _Parameter(name, how.kind or hints[entry.name], _default(entry), how, heading))
        elif "only" in entry.metadata:
            within = tuple(name.partition(".")[2] for name in only or () if name.startswith(f"{entry.name}."))
            if only is None or entry.name in only or within:
                heading = entry.metadata["heading"]
                inner = _panel(hints[entry.name]) if heading is None else heading
                _collect(hints[entry.name], within or entry.metadata["only"], inner, into)


def _inherited_panel(kind: type, name: str) -> str | None:
    """Return the heading for an option that a command inherits from the options of a stage."""
    owner = next(base for base in kind.__mro__ if name in base.__dict__.get("__annotations__", {}))
    return _panel(owner) if owner is not kind and owner.__name__.endswith("Options") else None


def _panel(kind: type) -> str:
    """Return the heading for the options of a stage: the first words of its docstring."""
    return (kind.__doc__ or "").partition("\n")[0].rstrip(".").partition(" (")[0].partition(";")[0]


def _default(entry: Field[Any]) -> Any:
    if entry.default is not MISSING:
        return entry.default
    return MISSING if entry.default_factory is MISSING else entry.default_factory()


def _signature(flag: str, parameter: _Parameter) -> inspect.Parameter:
    how = parameter.how
    settings: dict[str, Any] = {"help": how.help, "metavar": how.metavar, "min": how.least, "max": how.most}
    if how.choices is not None:
        settings |= {"callback": _check(how.choices), "autocompletion": _complete(how.choices)}
    kind, default = parameter.kind, parameter.default
    if default == [] or (how.argument and default is None):
        settings["show_default"] = False
    if how.argument:
        info = typer.Argument(**settings)
    else:
        if parameter.panel is not None:
            settings["rich_help_panel"] = parameter.panel
        info = typer.Option(*(how.flags or (flag,)), **settings)
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is MISSING else default,
        annotation=Annotated[kind, info],
    )


def _build(kind: type, values: dict[str, Any]) -> Any:
    """Build a dataclass from the values given on the command line."""
    hints = get_type_hints(kind)
    filled = {}
    for entry in fields(kind):
        if "only" in entry.metadata:
            filled[entry.name] = _build(hints[entry.name], values)
            continue
        # A field that is not shown here takes the value of its flag from the stage that shows it.
        flag = flag_of(entry.name, entry.metadata.get("hin"))
        if flag in values and not is_dataclass(hints[entry.name]):
            if values[flag] is None and _default(entry) is not None:
                continue  # the flag's stage chooses by itself
            filled[entry.name] = values[flag]
    return kind(**filled)


def names_in(place: str) -> list[str]:
    """Return the names in a registry that is written as `package.module:REGISTRY`."""
    return list(registry_at(place).names())


def _check(place: str) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is not None:
            check_choices(place, value)
        return value

    return check


def _complete(place: str) -> Callable[[str], list[str]]:
    return lambda incomplete: [name for name in names_in(place) if name.startswith(incomplete)]


def help_record(parameter: Any, ctx: Any) -> tuple[str, str] | None:
    """Return the two columns that the help has for a parameter, with types and limits in words.

    Typer writes Python's types (`FILE <list[str]>`, `--top <int range>`) and limits such as `0<=x<=1`.
    """
    record = parameter.get_help_record(ctx)
    if record is None:
        return None
    written, said = record
    if parameter.param_type_name == "argument":
        return re.sub(r" <[^<>]*>$", "", written), _spell_limits(said)
    written = re.sub(r"<(?:int|float)(?: range)?>", "NUMBER", written)
    written = re.sub(r"<(?:str|list\[str\])>", "TEXT", written)
    written = re.sub(r"<(\w+(?:\|\w+)+)>", r"[\1]", written)
    return written, _spell_limits(said)


def _spell_limits(said: str) -> str:
    """Rewrite the limits of a number.

    >>> _spell_limits("Rows.  [default: 5; x>=1]"), _spell_limits("[0<=x<=1]")
    ('Rows.  [default: 5; at least 1]', '[from 0 to 1]')
    """
    said = re.sub(r"([\d.]+?)(?:\.0)?<=x<=([\d.]+?)(?:\.0)?(?=[];])", r"from \1 to \2", said)
    return re.sub(r"x>=([\d.]+?)(?:\.0)?(?=[];])", r"at least \1", said)


class Command(TyperCommand):
    """A command whose help names the choices of registries and shows the options of each stage together."""

    def name_choices(self) -> None:
        """Insert the names of registries into the help of their options; imports those registries."""
        places: dict[str, str] = getattr(self.callback, "choices", {})
        for parameter in self.params:
            if parameter.name in places:
                parameter.metavar = f"[{'|'.join(names_in(places[parameter.name]))}]"

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the command's own options, then those of each stage."""
        self.name_choices()
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = help_record(parameter, ctx)
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            if record is not None:
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or usual, []).append(record)
        for heading, records in panels.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
