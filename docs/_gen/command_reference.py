"""The reference of commands and options, read off the command line itself."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from hin.commands.command_line import help_record

__all__ = ["command_page", "commands", "options_of"]

INTRODUCTION = """\
# Commands

This page is made from the command line itself, so it cannot lag behind it.

- Results go to the standard output, messages and progress to the standard error. Bars appear only while a
  terminal is watching; `--quiet` silences messages, `--verbose` adds some, `NO_COLOR` turns colours off.
- Exit codes: 0 done, 1 failed, 2 bad usage, 130 interrupted.
- `hin --install-completion` makes the shell complete commands and options.
- `--graph` names where the graph lives; see [the stores](shapes.md#places).
"""


def commands() -> dict[str, Any]:
    """Every command by name, in the order of `hin --help`."""
    import typer

    import cli

    group = typer.main.get_command(cli.app)
    found: dict[str, Any] = group.commands  # type: ignore[attr-defined]
    return {name: command for name, command in found.items() if not command.hidden}


def options_of(command: Any) -> Iterator[tuple[Any, str, str]]:
    """Each parameter of a command, how it is written, and what its help says."""
    command.name_choices()
    context = command.context_class(command)
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        written, said = help_record(parameter, context) or (parameter.name, "")
        if parameter.param_type_name == "argument":
            written = parameter.metavar or parameter.name.upper()
        yield parameter, written, said


def command_page() -> str:
    """The page, in Markdown."""
    parts = [INTRODUCTION]
    for name, command in commands().items():
        prose, example = _split(command.help or "")
        parts.append(f"## hin {name} {{#{name}}}\n\n{prose}\n")
        parts.append(f"```sh\n{example}\n```\n")
        rows = list(options_of(command))
        for kind, heading in (("argument", "Argument"), ("option", "Option")):
            of_kind = [(written, said) for p, written, said in rows if p.param_type_name == kind]
            if of_kind:
                parts.append(f"| {heading} | What it does |\n|---|---|")
                parts.extend(f"| {_code(written)} | {_cell(said)} |" for written, said in of_kind)
                parts.append("")
    return "\n".join(parts)


def _split(text: str) -> tuple[str, str]:
    """The prose of a command's help and its examples without their indent."""
    prose, _, example = text.replace("\b", "").partition("Example:")
    prose = "\n\n".join(" ".join(p.split()) for p in prose.strip().split("\n\n"))
    return _cell(prose, table=False), "\n".join(line.strip() for line in example.strip().splitlines())


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>".replace("|", "&#124;")


def _cell(text: str, table: bool = True) -> str:
    text = " ".join(text.split()) if table else text
    # What is between backticks is code already; elsewhere Markdown must not see tags or emphasis.
    pieces = re.split(r"(`[^`]*`)", text)
    plain = [p if p.startswith("`") else re.sub(r"([*_<>\[\]])", r"\\\1", p) for p in pieces]
    text = "".join(plain)
    return text.replace("|", "&#124;").replace("$", "&#36;") if table else text
