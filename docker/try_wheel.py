"""The wheel in an empty environment and an empty folder: every command, every public name, the report in a browser.

    try_wheel.py UV [OPTION OF `uv pip install`]...

Every command that `hin --help` lists has to be in a line of STEPS: a new one without a line fails here. What a machine
lacks (Java, Chromium) is left out, with a note; in CI it has to be there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.conftest import FLAGS  # noqa: E402  (the browser is opened as the report's tests open it)

#: The ending by which `hin load` recognises an export; csv and parquet are folders. It reads no ladybug, neo4j-import
#: or pyg.
ENDINGS = {
    "csv": "",
    "graphml": ".graphml",
    "igraph": ".graphml",
    "jsonl": ".jsonl",
    "networkx": ".json",
    "parquet": "",
}

#: What is run after the README's lines, and what its output must hold, as regular expressions.
STEPS = [
    ("hin info", r"600 documents?|document +600", "agent"),
    ("hin motifs --pattern product-agent --top 3", r"PRODUCT\[.+\]-AGENT\[.+\]|AGENT\[.+\]-PRODUCT\[.+\]"),
    ("hin embed --pattern product-agent --epochs 2", "instances"),
    ("hin embed --nearest 'TERM[refund]' --of term --top 3", r"TERM\["),
    ("hin select --categories topics.txt --top 2", "billing", r"TERM\[.*bill"),
    ("hin classify --categories topics.txt --out predictions.csv && head -2 predictions.csv",
     "micro-F1 0.9", "id,subject,.*,category,confidence,because\nT-0001,.*,login,0.9"),
    ("hin classify tickets.csv -c 'billing, delivery, login, repair, returns' --text subject,body --out own.xlsx",
     "600 documents classified", "own.xlsx: your rows"),
    ("hin evaluate --confusion", "micro-F1", "returns"),
    ("hin predict tickets_new.csv --out new.csv --quiet && cat new.csv",
     "document,category,confidence.*\nT-0601,", "T-0612,delivery,0.9"),
    ("hin explain T-0001 --top 3 --flip", r"T-0001: login", "add up to the score", "Without .* it would be "),
    ("hin suggest --categories topics.txt --top 2", "billing"),
    ("hin ask --documents 3 --teacher predictions.csv --json", '"answered": 3'),
    ("hin classify --categories topics.txt --classifier linear && hin diff", "of 600 documents moved", "classifier: "),
    ("hin compare --categories topics.txt --system tf-idf,westclass --seeds 1",
     r"tf-idf +\.\d{3} ", r"westclass +\.9\d\d "),
    ("hin query 'MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category) RETURN c.name AS name, count(d) AS n' --format csv",
     "name,n\n", r"repair,1\d\d"),
    ("hin copy graph.hin copied.hin", "copied.hin"),
    ("hin query 'MATCH (c:Category) RETURN count(c) AS n' --graph copied.hin --format csv", "n\n5\n"),
    ("hin report --out report.html", "report.html"),
    ("timeout --preserve-status -s INT 30 hin explore --no-browser",
     r"http://127\.0\.0\.1:\d+/\?token=", "stored with the graph"),
    ("hin demo --documents 300 --out demo && ls demo", "micro-F1", "report.html"),
    ("hin export neo4j-import --out import && ls import", "node-1-Document.csv"),
    ("hin load nothing.csv --replace || true", "hin: nothing.csv: "),
]  # fmt: skip

#: Without Torch: all but the CNN.
LIGHT = [
    ("hin load tickets.csv --text subject,body --replace", "600 documents"),
    ("hin motifs --pattern product-agent --top 3 --quiet", "AGENT"),
    ("hin classify --categories topics.txt --classifier linear --out linear.csv", "600 documents classified"),
    ("hin predict tickets_new.csv --out new.csv --quiet && cat new.csv", "document,category,confidence"),
    ("hin explain T-0001 --top 3 --quiet", "T-0001: "),
    ("hin query 'MATCH (d:Document)-[:CLASSIFIED_AS]->(c:Category) RETURN count(d)' --quiet", "600"),
]

#: On a Spark of this machine, whose workers run in the same folder.
SPARK = [
    ("hin load tickets.csv --text subject,body --graph spark.hin --engine 'spark:local[2]'", "600 documents"),
    ("hin motifs --pattern product-agent --graph spark.hin --engine 'spark:local[2]' --top 3 --quiet", "AGENT"),
]

EVERY_NAME = """
import importlib, pkgutil
count = 0
for package in ("hin", "motifs", "embed", "classify", "cli"):
    module = importlib.import_module(package)
    inside = pkgutil.walk_packages(getattr(module, "__path__", []), package + ".")
    for name in [package, *(found.name for found in inside)]:
        module = importlib.import_module(name)
        for public in getattr(module, "__all__", []):
            getattr(module, public)
            count += 1
print(count, "names")
"""


class Trial:
    """An environment with the wheel in it, and a folder to work in."""

    def __init__(self, work: Path, uv: str, options: list[str]) -> None:
        self.uv, self.python = uv, work / "venv" / "bin" / "python"
        self.folder = work / "empty"
        self.folder.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HIN_", "VIRTUAL"))}
        # Spark's workers have to run this Python; nothing of the checkout is on any path.
        self.environment = {**kept, "PYSPARK_PYTHON": str(self.python), "COLUMNS": "200"}
        self.environment["PATH"] = f"{self.python.parent}:{os.environ['PATH']}"
        self.ran: list[str] = []
        subprocess.run([uv, "build", "--quiet", "--out-dir", work / "dist", ROOT], check=True)
        subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, work / "venv"], check=True)
        (wheel,) = (work / "dist").glob("*.whl")
        what = f"{wheel}[spark]" if shutil.which("java") else str(wheel)
        self.pip("install", *options, what)
        for name in ("tickets.csv", "tickets_new.csv", "topics.txt"):
            shutil.copy(ROOT / "examples" / name, self.folder)

    def pip(self, verb: str, *arguments: str) -> None:
        """Install into the environment, or uninstall from it."""
        command = [self.uv, "pip", verb, "--quiet", "--python", str(self.python), *arguments]
        subprocess.run(command, check=True, cwd=ROOT)

    def run(self, line: str, *expected: str) -> str:
        """Run a line of the shell in the folder; its output must match what is expected of it."""
        start = time.monotonic()
        done = subprocess.run(
            ["sh", "-c", line], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        print(f"{time.monotonic() - start:5.1f} s  {line.splitlines()[0]}", flush=True)
        self.ran.append(line)
        missing = [pattern for pattern in expected if not re.search(pattern, done.stdout)]
        if done.returncode or missing or "Traceback" in done.stdout:
            sys.exit(f"exit code {done.returncode}, not found: {missing}, in the output:\n{done.stdout}")
        return done.stdout

    def counts(self, graph: str) -> dict[str, Any]:
        """How many documents, nodes and edges a graph has."""
        about = json.loads(self.run(f"hin info --json --graph {graph}"))
        return {name: about[name] for name in ("documents", "nodes", "edges")}


def run_readme(trial: Trial) -> None:
    """Run the README's ten lines, so that it cannot promise what the wheel does not do."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").split("## Ten lines")[1].split("\n## ")[0]
    commands = re.findall(r"^\$ (hin .*)$", lines, flags=re.MULTILINE)
    (code,) = re.findall(r"```python\n(.*?)```", lines, flags=re.DOTALL)
    assert commands
    for command in commands:
        trial.run(command, r"600 documents|score")
    (trial.folder / "lines.py").write_text(code + "print(len(labels), sorted(set(labels)))\n", encoding="utf-8")
    trial.run("python lines.py", r"600 \[.*billing.*returns.*\]")
    (trial.folder / "lines.py").unlink()


def export_and_back(trial: Trial) -> None:
    """Write the graph in each format that there is, and read it back."""
    listed = re.search(r"\[(\w[\w-]*(?:\|[\w-]+)+)\]", trial.run("hin export --help"))
    assert listed, "`hin export --help` lists no formats"
    there = listed[1].split("|")
    assert set(there) == {*ENDINGS, "ladybug", "neo4j-import", "pyg"}, f"a format without an ending here: {there}"
    wanted = trial.counts("graph.hin")
    for kind, ending in ENDINGS.items():
        trial.run(
            f"hin export {kind} --out exported-{kind}{ending} && hin load exported-{kind}{ending} --graph {kind}.hin"
        )
        assert trial.counts(f"{kind}.hin") == wanted, kind


def open_report(trial: Trial, name: str) -> None:
    """Open a report in a headless Chromium: it has its title and charts, and nothing goes wrong."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        lacking("Chromium")
        return
    troubles: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page()
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto((trial.folder / name).as_uri())
        page.wait_for_selector("canvas, svg")
        headings, said = page.locator("h2").count(), page.inner_text("body")
        browser.close()
    assert not troubles, troubles
    assert headings > 3, headings
    assert "documents" in said
    print(f"         {name} opened: {headings} sections, no error", flush=True)


def lacking(what: str) -> None:
    """Say that a part was left out; in CI that is a failure."""
    if os.environ.get("CI"):
        sys.exit(f"{what} must be here in CI")
    print(f"         left out: there is no {what} here", flush=True)


def main(uv: str, *options: str) -> None:
    """Try the wheel; the first thing that is not as it should be ends it."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        trial = Trial(Path(work).resolve(), str(Path(uv).resolve()), list(options))
        print(f"{time.monotonic() - start:5.1f} s  built and installed", flush=True)
        run_readme(trial)
        for line, *expected in STEPS:
            trial.run(line, *expected)
        export_and_back(trial)
        for name in ("report.html", "demo/report.html"):
            open_report(trial, name)
        for line, *expected in SPARK if shutil.which("java") else ():
            trial.run(line, *expected)
        if not shutil.which("java"):
            lacking("Java")
        commands = re.findall(r"^  (\w+)  ", trial.run("hin --help").split("Commands:")[1], flags=re.MULTILINE)
        tried = "\n".join(trial.ran)
        untried = [name for name in commands if not re.search(rf"\bhin {name}\b(?! --help)", tried)]
        assert len(commands) > 10, commands
        assert not untried, f"commands without a line in STEPS: {untried}"
        trial.run(f"python -c '{EVERY_NAME}'", r"\d{3,} names")
        trial.pip("uninstall", "torch")
        for line, *expected in LIGHT:
            trial.run(line, *expected)
    print(f"the wheel works, with Torch and without: {len(commands)} commands, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
