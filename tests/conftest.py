"""What every test can use: small corpora, the command line, the real corpora where they are."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "hin")
# The same examples on every machine, however slow or busy it is; `make quick` tries fewer, `make fuzz` other ones.
settings.register_profile(
    "hin", deadline=None, print_blob=True, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("hin"), max_examples=20)
settings.register_profile("fuzz", settings.get_profile("hin"), derandomize=False, max_examples=1000)
settings.load_profile(PROFILE)
if PROFILE != "fuzz":
    # Hypothesis also draws literals of the modules imported so far: examples would depend on which tests ran before.
    with contextlib.suppress(ImportError):  # a Hypothesis too old to do so
        from hypothesis.internal.conjecture import providers
        from hypothesis.internal.constants_ast import Constants

        providers._get_local_constants = Constants

ROOT = Path(__file__).parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip

# Output is compared to the letter: no colours and the usual width, whatever the terminal or the CI machine asks for.
for variable in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PY_COLORS", "CLICOLOR_FORCE", "GITHUB_ACTIONS"):
    os.environ.pop(variable, None)

# They are read as plugins; collected for doctests, one would hide the others, which have the same name.
collect_ignore_glob = ["*conftest.py"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests that share one server on one worker, when there are several (`-n 2 --dist loadgroup`)."""
    for item in items:
        for server in ("neo4j", "spark"):
            if item.get_closest_marker(server):
                item.add_marker(pytest.mark.xdist_group(server))


@dataclass
class Run:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _away_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tests out of the user's folders and free of the user's settings."""
    monkeypatch.chdir(tmp_path)
    for name in ("GRAPH", "ENGINE", "MODEL", "TRACEBACK", "TEACHER", "TEACHER_MODEL"):
        monkeypatch.delenv(f"HIN_{name}", raising=False)
    monkeypatch.setenv("HIN_KNOWLEDGE", "wordllama")  # whatever encoder this machine has
    for name in ("NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    # The user's data on Linux and macOS, and on Windows.
    for name in ("XDG_DATA_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "user-data"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; tests that use it are marked `browser`."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium here (on Debian: apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def hin(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Run the command line in this process."""

    def run(*arguments: object) -> Run:
        import cli

        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            cli.main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Run(int(stop.value.code or 0), out, err)

    return run


@pytest.fixture
def hin_process() -> Callable[..., Run]:
    """Run the command line in a process of its own."""

    def run(*arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None, stdin: str = "") -> Run:
        command = [sys.executable, "-m", "hin", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
        done = subprocess.run(
            command, cwd=cwd, env=environment, input=stdin, capture_output=True, text=True, check=False
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run


PAPERS = [
    {"id": "p1", "title": "Mining graphs", "abstract": "Data mining of large graphs.", "author": ["Ann", "Bob"],
     "venue": "KDD", "year": 2008, "cites": ["p2"], "label": "data mining"},
    {"id": "p2", "title": "Fast queries", "abstract": "Database queries over graphs.", "author": ["Ann"],
     "venue": "VLDB", "year": 2009, "cites": ["p9"], "label": "database"},
    {"id": "p3", "title": "More queries", "abstract": "Query plans in a database.", "author": ["Cleo", "Ann"],
     "venue": "VLDB", "year": 2008, "cites": [], "label": "database"},
]  # fmt: skip


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A file of three papers."""
    path = tmp_path / "papers.jsonl"
    path.write_text("".join(json.dumps(paper) + "\n" for paper in PAPERS), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of the real corpora, or a skip that says why."""
    folder = Path(os.environ.get("HIN_CORPORA") or ROOT.parent / "shared" / "corpora")
    if not (folder / "debian" / "documents.jsonl.xz").exists():
        pytest.skip("the real corpora are not here (set HIN_CORPORA to their folder)")
    return folder
