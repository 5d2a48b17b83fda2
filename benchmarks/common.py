"""What the benchmarks share: where the corpora are, and how a child process is measured."""

from __future__ import annotations

import importlib.util
import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hin.engines.local import core_count

__all__ = ["ROOT", "Run", "corpus", "cores", "docker_script", "every_nth", "peak", "print_table", "rows_of", "run"]

ROOT = Path(__file__).resolve().parents[1]


def corpus(name: str) -> Path:
    """The folder of a corpus; ends the program with a reason where it is absent."""
    home = Path(os.environ.get("HIN_CORPORA") or ROOT.parent / "shared" / "corpora")
    if not (home / name).is_dir():
        sys.exit(f"no corpus {name} in {home}; set HIN_CORPORA to the folder that holds it")
    return home / name


def rows_of(name: str, documents: int | None = None, seed: int = 0) -> list[dict[str, Any]]:
    """The documents of a corpus, or a random sample of them in the corpus's order."""
    with lzma.open(corpus(name) / "documents.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    if documents is None or documents >= len(rows):
        return rows
    chosen = np.sort(np.random.default_rng(seed).permutation(len(rows))[:documents])
    return [rows[i] for i in chosen.tolist()]


def every_nth(name: str, documents: int | None) -> Path:
    """The file of a corpus, or one with that many of its documents, evenly spaced."""
    source = corpus(name) / "documents.jsonl.xz"
    if documents is None:
        return source
    with lzma.open(source, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    sample = Path(tempfile.mkdtemp()) / "sample.jsonl"
    sample.write_text("".join(lines[:: max(1, len(lines) // documents)][:documents]), encoding="utf-8")
    return sample


def cores() -> int:
    """How many cores this process may use."""
    return core_count()


def docker_script(name: str) -> ModuleType:
    """Import a script of the folder `docker`, once."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, ROOT / "docker" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def peak(process: int | str = "self") -> float:
    """The most memory a process has held, in MB, by the kernel's own count; 0 for one that has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


@dataclass(frozen=True)
class Run:
    """A child process that has ended: wall clock, processor time, peak memory, what it printed."""

    seconds: float
    processor: float
    megabytes: float
    output: str


def run(*command: str, expect: int = 0) -> Run:
    """Run a command to its end and measure it alone (`wait4`, not the maximum over all children)."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert child.stdout is not None
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != expect:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is bytes there, kilobytes elsewhere
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6, output)


def print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """Print what was measured beside what was promised."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
