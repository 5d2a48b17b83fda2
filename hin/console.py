"""The output of the commands: results on stdout, everything else on stderr, plain text if not on a terminal."""

from __future__ import annotations

import json
import logging
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from hin.errors import HinError, in_options
from hin.human import duration
from hin.option_fields import option
from hin.progress import Progress, silent
from hin.progress_bars import is_terminal, progress_bars
from hin.visible import visible, visible_json

#: The least width of a wrapped column.
_WRAPPED = 24


def to_json(value: Any, indent: bool = True) -> str:
    """Convert a value to JSON without escaping characters; numpy numbers are accepted.

    >>> to_json({"a": 1}, indent=False)
    '{"a":1}'
    """
    import orjson

    options = orjson.OPT_SERIALIZE_NUMPY | (orjson.OPT_INDENT_2 if indent else 0)
    try:
        return orjson.dumps(value, option=options).decode()
    except TypeError:  # half of a surrogate pair, as in a file name that is not UTF-8
        return json.dumps(value, indent=2 if indent else None, default=str)


@dataclass
class Console:
    """The output of a command.

    Attributes
    ----------
    as_json : bool
        Results and errors are for machines.
    quiet, verbose : bool
        Fewer or more messages.
    graph, model : str, optional
        The names the user gave, which the suggested next command needs too.
    """

    as_json: bool = option(False, "Print the result as JSON.", "--json", common=True)
    quiet: bool = option(False, "Print no messages and no progress.", "--quiet", "-q", common=True)
    verbose: bool = option(False, "Show more messages.", "--verbose", "-v", common=True)
    graph: str | None = None
    model: str | None = None

    @property
    def live(self) -> bool:
        """Whether the messages go to a terminal."""
        return is_terminal()

    def line(self, text: str = "") -> None:
        """Print a line of the result."""
        print(visible(text), file=sys.stdout)

    def data(self, text: str) -> None:
        """Print the result as it would be in a file; escaped only where a terminal would interpret it."""
        print(visible(text) if sys.stdout.isatty() else text, file=sys.stdout)

    def json(self, value: Any, indent: bool = True) -> None:
        """Print the result for machines."""
        print(visible_json(to_json(value, indent)), file=sys.stdout)

    def note(self, text: str) -> None:
        """Print a message for the user, in one line."""
        if not self.quiet:
            sys.stdout.flush()  # if both go to one file, the result comes first
            print(visible(text, one_line=True), file=sys.stderr, flush=True)

    def detail(self, text: str) -> None:
        """Print a message that only `--verbose` shows."""
        if self.verbose:
            self.note(text)

    def next(self, text: str) -> None:
        """Print the closing line: the next command, ready to be pasted."""
        if not self.as_json:
            self.note("Next: " + self.pasteable(text))

    def pasteable(self, text: str) -> str:
        """Add the place of the graph to the commands in a text."""
        # Inside quotes, a backtick is part of a pattern's name.
        return re.sub(r"""`hin (\w+)((?:'[^']*'|"[^"]*"|[^`'"])*)`""", self._with_place, text)

    def _with_place(self, command: re.Match[str]) -> str:
        place = f" --graph {shlex.quote(self.graph)}" if self.graph else ""
        if self.model and command[1] not in ("load", "info", "export", "query"):
            place += f" --model {shlex.quote(self.model)}"
        return f"`hin {command[1]}{command[2]}{place}`"

    def error(self, error: HinError) -> None:
        """Print the error and its remedy in one line."""
        hint = None if error.hint is None else in_options(error.hint)
        if self.as_json:
            body = {"kind": error.kind, "message": error.message, "hint": hint}
            print(visible_json(to_json({"error": body}, indent=False)), file=sys.stderr)
        else:
            print(f"hin: {error.message}; {hint}" if hint else f"hin: {error.message}", file=sys.stderr)

    def table(
        self,
        rows: Iterable[Sequence[Any]],
        columns: Sequence[str],
        title: str | None = None,
        *,
        exact: bool = False,
        as_message: bool = False,
        wrapped: Sequence[str] = (),
    ) -> None:
        """Print rows under headings, numbers aligned right, long cells shortened to the width of the terminal.

        With `exact`, small and large decimal numbers have their significant digits; with `as_message`, the table is a
        message; cells of the columns in `wrapped` continue on the next line instead of being shortened.
        """
        line = self.note if as_message else self.line
        rows = list(rows)
        cell = _exact_cell if exact else _cell
        cells = [[cell(value) for value in row] for row in rows]
        columns = [visible(column, one_line=True) for column in columns]
        numeric = [
            any(row[i] is not None for row in rows) and all(row[i] is None or _is_number(row[i]) for row in rows)
            for i in range(len(columns))
        ]
        widths = [max([len(columns[i]), *(len(row[i]) for row in cells)]) for i in range(len(columns))]
        if (sys.stderr if as_message else sys.stdout).isatty():
            limit = shutil.get_terminal_size().columns
            if columns[-1] in wrapped:
                room = limit - sum(widths[:-1]) - 2 * (len(widths) - 1)
                widths[-1] = min(widths[-1], max(room, _WRAPPED))
            _squeeze(widths, numeric, limit)
            if wrapped:
                rooms = [width if name in wrapped else 0 for name, width in zip(columns, widths, strict=True)]
                cells = [part for row in cells for part in _wrap_cells(row, rooms)]
        if title:
            line(title)
        line(_row(columns, widths, numeric))
        line("  ".join("-" * width for width in widths))
        for row in cells:
            line(_row(row, widths, numeric))

    @contextmanager
    def log(self) -> Iterator[None]:
        """Show the library's log records as messages."""
        logger, handler = logging.getLogger("hin"), _Notes(self)
        before = logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(before)

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Show progress on a terminal only; otherwise one line per step with --verbose."""
        if self.quiet:
            yield silent
        elif self.live:
            with progress_bars() as bars:
                yield bars
        else:
            yield _Lines(self)


class _Notes(logging.Handler):
    """A log handler that prints the records as messages."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self.console = console

    def emit(self, record: logging.LogRecord) -> None:
        self.console.note(record.getMessage())


class _Lines:
    """Progress for logs: one line when a step begins."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.label: str | None = None
        self.start = time.monotonic()

    def __call__(self, label: str, done: int, total: int | None, note: str = "") -> None:
        if label != self.label:
            self.label = label
            self.console.detail(f"[{duration(time.monotonic() - self.start)}] {label}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:,.1f}"
    # Names may contain anything; a table shows them on one line.
    return visible(str(value), one_line=True)


def _exact_cell(value: Any) -> str:
    """Format a cell with the significant digits of decimal numbers.

    >>> [_exact_cell(value) for value in (0.25, 0.0004, 1234.56, 1e300)]
    ['0.250', '0.0004', '1,234.6', '1e+300']
    """
    if isinstance(value, float) and value and not 0.01 <= abs(value) < 1e12:
        return f"{value:.4g}"
    return _cell(value)


def _squeeze(widths: list[int], numeric: list[bool], limit: int) -> None:
    """Shorten the widest text columns until the row fits."""
    while sum(widths) + 2 * (len(widths) - 1) > limit:
        # The first column names the row, so it is shortened last.
        texts = [i for i in range(1, len(widths)) if not numeric[i] and widths[i] > 16]
        texts = texts or [i for i in range(len(widths)) if not numeric[i] and widths[i] > 8]
        if not texts:
            return
        widest = max(texts, key=lambda i: widths[i])
        widths[widest] -= 1


def _wrap_cells(cells: list[str], widths: Sequence[int]) -> list[list[str]]:
    """Wrap the cells of a row to their columns' widths, where that is not 0: return the row as several.

    >>> _wrap_cells(["a", "one two three"], [0, 8])
    [['a', 'one two'], ['', 'three']]
    """
    parts = [wrap(cell, width) if width else [cell] for cell, width in zip(cells, widths, strict=True)]
    return [list(row) for row in zip_longest(*parts, fillvalue="")]


def _row(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    out = []
    for cell, width, right in zip(cells, widths, numeric, strict=True):
        cell = cell if len(cell) <= width else cell[: width - 1] + "…"
        out.append(cell.rjust(width) if right else cell.ljust(width))
    return "  ".join(out).rstrip()
