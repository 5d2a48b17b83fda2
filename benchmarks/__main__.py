"""`python -m benchmarks` lists the benchmarks, `python -m benchmarks NAME ...` runs one."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path


def benchmarks() -> dict[str, str]:
    """Every benchmark by name, with the first line of what it says of itself."""
    found = {}
    here = Path(__file__).parent
    for path in sorted((*here.glob("*.py"), *here.glob("*/__main__.py"))):
        text = path.read_text(encoding="utf-8")
        name = path.stem if path.parent == here else path.parent.name
        if not name.startswith("__") and '__name__ == "__main__"' in text:
            found[name] = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    return found


def main(arguments: list[str]) -> None:
    """Run the benchmark that is named, or list all."""
    known = benchmarks()
    if not arguments:
        width = max(map(len, known))
        print("\n".join(f"{name:{width}}  {about}" for name, about in known.items()))
        print("\nRun one with `make bench RUN=NAME`; the corpora are looked for in $HIN_CORPORA.")
    elif arguments[0] in known:
        sys.argv = arguments
        runpy.run_module(f"benchmarks.{arguments[0]}", run_name="__main__", alter_sys=True)
    else:
        sys.exit(f"no benchmark {arguments[0]}; there are {', '.join(known)}")


if __name__ == "__main__":
    main(sys.argv[1:])
