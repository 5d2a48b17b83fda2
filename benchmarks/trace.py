"""The way of `hin classify` through the code: modules in the order in which they are first entered.

    python -m benchmarks.trace [--documents 300]

A first run has imported everything, so that only the work is seen. The last line has the functions of commands that
are entered between the first and the last step of the pipeline: those that say what the names were found as.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
ROOMS = ("hin", "motifs", "embed", "classify")


def main() -> None:
    """Classify the demo's corpus and print the trace."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=300)
    arguments = parser.parse_args()
    import cli
    from hin.demo.corpus import DemoOptions, write_demo

    with tempfile.TemporaryDirectory() as folder:
        files = write_demo(Path(folder), DemoOptions(documents=arguments.documents))
        for name in ("first", "second"):
            _run(cli.main, ["load", str(files.documents), "--graph", f"{folder}/{name}.hin"])
        _run(cli.main, ["classify", "--categories", str(files.labels), "--graph", f"{folder}/first.hin"])
        entered: dict[str, None] = {}
        since: list[str] = []
        returns: list[str] = []

        def enter(frame: FrameType, event: str, _: Any) -> None:
            if event == "call" and frame.f_code.co_name != "<module>":
                path = Path(frame.f_code.co_filename)
                if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS:
                    name = str(path.relative_to(ROOT).with_suffix("")).replace("/", ".")
                    entered.setdefault(name)
                    if name == "classify.pipeline":
                        returns.extend(since)
                        since.clear()
                    elif name.startswith("classify.commands") and "classify.pipeline" in entered:
                        since.append(f"{name}.{frame.f_code.co_name}")

        threading.setprofile(enter)
        sys.setprofile(enter)
        _run(cli.main, ["classify", "--categories", str(files.labels), "--graph", f"{folder}/second.hin"])
        sys.setprofile(None)
    print("\n".join(entered))
    print(f"{len(entered)} modules; of commands entered between steps: {list(dict.fromkeys(returns))}")


def _run(main: Any, arguments: list[str]) -> None:
    sys.argv = ["hin", *arguments, "-q"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()


if __name__ == "__main__":
    main()
