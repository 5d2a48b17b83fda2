"""The `hin` command and `python -m hin`: imports the command line and runs it."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn

from hin.errors import NameTaken
from hin.lazy_names import own_module


def main() -> NoReturn:
    """Run the command line; Ctrl-C during the imports prints one line too."""
    # Searching for reference cycles among all that the libraries allocate takes longer than it is worth.
    gc.set_threshold(50_000, 20, 20)
    try:
        own_module("cli").main()
        code: object = 0
    except KeyboardInterrupt:
        print("hin: interrupted", file=sys.stderr)
        code = 130
    except NameTaken as error:
        from hin.console import Console

        Console(as_json="--json" in sys.argv).error(error)
        code = error.exit_code
    except SystemExit as end:
        code = end.code
    _leave(code if isinstance(code, int) else 0 if code is None else 1)


def _leave(code: int) -> NoReturn:
    """Exit once all output is written, without the half second that unloading large libraries takes."""
    with suppress(Exception):  # the message has been printed
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
