"""All failures a user can meet, as one family of exceptions.

A message says what went wrong and where, the hint says what to do next. The command line prints both on one
line and never a traceback.
"""

from __future__ import annotations

import ast
import re
import shlex

from hin.visible import visible

_QUOTES = ("'", '"')
# A quoted value may contain anything but the quote itself, which `argument` escapes.
_PARAMETER = re.compile(r"""`([a-z][a-z_]*)=("(?:[^"\\`]|\\.)*"|'(?:[^'\\`]|\\.)*'|[^`"']*)`""")


def in_options(hint: str) -> str:
    """Rewrite the parameters in a hint as options of the command line.

    A hint names parameters of the library, in backquotes; the command line shows them as its own options.

    Examples
    --------
    >>> in_options("name another place with `graph=`, or use `replace=True`")
    'name another place with --graph, or use --replace'
    >>> in_options('use `on_error="skip"`, or `phrases=False`; see `hin load`')
    'use --on-error skip, or --no-phrases; see `hin load`'
    >>> in_options(f"use {argument('metadata', 'year,*')}")
    "use --metadata 'year,*'"
    """

    def option(found: re.Match[str]) -> str:
        name, value = found[1].replace("_", "-"), found[2]
        if value in ("", "True", "False"):
            return f"--no-{name}" if value == "False" else f"--{name}"
        return f"--{name} {for_shell(ast.literal_eval(value)) if value[0] in _QUOTES else value}"

    return _PARAMETER.sub(option, hint)


def for_shell(value: str) -> str:
    r"""Quote a value for a shell; control characters become escapes that the shell decodes.

    >>> print(for_shell("a b"), for_shell("a\tb"))
    'a b' $'a\tb'
    """
    if visible(value, one_line=True) == value:
        return shlex.quote(value)
    return f"$'{''.join(map(_escaped, value))}'"


def _escaped(character: str) -> str:
    if character.isprintable():
        return f"\\{character}" if character in "\\'" else character
    code = ord(character)
    return character.encode("unicode_escape").decode() if code < 0x80 or code > 0xFF else f"\\u{code:04x}"


def argument(name: str, value: str) -> str:
    """Return a parameter with its value as a hint writes it, whatever the value contains.

    >>> print(argument("ignore", "a `b`"))
    `ignore='a \\x60b\\x60'`
    """
    literal = repr(value).replace("`", "\\x60")
    return f"`{name}={literal}`"


class HinError(Exception):
    """A failure with a remedy, in one printable line: control characters in names and messages are escaped.

    Parameters
    ----------
    message : str
        What happened and where.
    hint : str, optional
        What to do next; parameters in backquotes with their `=`, see `in_options`.

    Examples
    --------
    >>> str(HinError("no graph at papers.hin", hint="run `hin load` first"))
    'no graph at papers.hin; run `hin load` first'
    >>> HinError("a\\nb\\x1b").message
    'a\\\\nb\\\\x1b'
    >>> GraphNotFound("x").kind
    'graph_not_found'
    """

    #: Exit code of the command line: 1 failed, 2 bad usage.
    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = visible(message, one_line=True)
        self.hint = None if hint is None else visible(hint, one_line=True)
        super().__init__(self.message)

    @property
    def kind(self) -> str:
        """The failure's name in snake case, for machines."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self).__name__).lower()

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class BadUsage(HinError):
    """Options that contradict one another or make no sense."""

    exit_code = 2


class BadInput(HinError):
    """A file or record that cannot be read as documents."""


class DuplicateDocument(BadInput):
    """Two documents with one id."""


class GraphNotFound(HinError):
    """There is no graph where one was expected."""


class GraphExists(HinError):
    """A graph is already there, and the user did not ask to replace it."""


class GraphBusy(HinError):
    """Another process is writing to the graph."""


class GraphChanged(HinError):
    """The graph was changed by another process, so what was computed from it cannot be stored."""


class NewerFormat(HinError):
    """The graph was written by a newer version."""


class DamagedGraph(HinError):
    """The graph's files are not what its manifest says."""


class MissingStage(HinError):
    """A stage that must run first has not run, or a package that it needs is missing."""


class NameTaken(HinError, ImportError):
    """Another module has the name of one of hin's packages."""


class NoSpace(HinError):
    """The disk is full."""


class StoreError(HinError):
    """The store (a folder or a database) rejected an operation."""


class ReadOnly(BadUsage):
    """A query that writes, without permission to write."""


class QueryTimeout(HinError):
    """A query exceeded its time limit."""


class UnknownName(HinError, KeyError):
    """A name that the graph does not have."""

    __str__ = HinError.__str__
