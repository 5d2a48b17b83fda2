"""The `hin` command and `python -m hin`: the command line, once it is imported."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is being imported is one line as well."""
    try:
        from cli import main as run
    except KeyboardInterrupt:
        print("hin: interrupted", file=sys.stderr)
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
