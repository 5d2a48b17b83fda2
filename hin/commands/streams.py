"""Prepare the process's streams and signals for any environment a command may be started in."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from contextlib import suppress
from types import FrameType


def ready_streams() -> bool:
    """Make the standard streams usable in any state; return whether the standard output was closed.

    A closed stream would be None in Python, and its number would go to the next file that is opened. A terminal that
    supports ASCII only, or a name that is not UTF-8, must not prevent output.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)
    closed = sys.stdout is None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as we are
        elif isinstance(stream, io.TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")
    return closed


#: Keys that arrived together with the last one, as over a slow connection.
_waiting: list[str] = []
#: A character, or the sequence that an arrow or another special key sends.
_KEY = re.compile(r"\x1b[\[O][0-9;]*.|.", re.DOTALL)


def read_key() -> str:
    """Wait for a key and return it; "" at the end of the input. Ctrl-C and Ctrl-D end the command, as elsewhere."""
    if not sys.stdin.isatty():
        return sys.stdin.read(1)
    import click

    if not _waiting:
        try:
            _waiting.extend(_KEY.findall(click.getchar()))
        except EOFError:
            return ""
    key = _waiting.pop(0)
    if key == "\x03":
        raise KeyboardInterrupt
    return "" if key == "\x04" else key


def discard_output() -> None:
    """Discard pending output, so that Python reports no error about it at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


class Interrupts:
    """Record Ctrl-C: a library that is being imported may convert it to an error of its own."""

    def __init__(self) -> None:
        self.came = False
        # Not in a thread, and not if another handler is installed.
        with suppress(ValueError):
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, self._take)

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        raise KeyboardInterrupt
