"""Run the examples of a Markdown page, in a folder of their own, from top to bottom.

What a fenced block means:

- `console`: lines after `$ ` are commands, the lines below them what they print. Spans of time may differ, numbers with
  decimals a little (processors round differently); `...` stands for anything.
- `pycon`: a doctest. `python`: is executed. Both share one namespace a page.
- `cypher`: is asked of the page's graph with `hin query`, and must answer.
- any block after `<!-- file: NAME -->`: is written to that file. `text` is only shown.

Comments at the top of a page: `<!-- files: examples/tickets.csv ... -->` are copied in; `<!-- start: STATE -->` begins
with a graph made by the commands of `STATES`. `<!-- not run: reason -->` before a block excuses it; a block after
`<!-- needs: neo4j -->` is run where there is a server, by tests/neo4j. `<!-- learned: why -->` says that training
shaped the numbers: they may differ by a tenth, and other instances may stand in the lines that name one.

    python tests/docs/page_examples.py PAGE...       writes what the commands print now into the pages

With a server, `python docker/neo4j_server.py run -- python tests/docs/page_examples.py docs/how-to/neo4j.md`.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
FENCE = re.compile(r"^(?P<fence>```+)(?P<language>\S*)[^\n]*\n(?P<body>.*?)^(?P=fence) *$", re.MULTILINE | re.DOTALL)
#: A command goes on after a backslash at the end of a line, and while a quote is open.
STEP = re.compile(
    r"""^\$ (?P<command>(?:\\\n|'[^']*'|"[^"]*"|[^\n'"])*)\n(?P<expected>(?:(?!\$ ).*\n)*)""", re.MULTILINE
)
COMMENT = re.compile(r"<!-- *(?P<key>[\w ]+): *(?P<value>.*?) *-->")
#: Graphs that pages can begin with, each made once a session.
STATES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tickets": (
        ("examples/tickets.csv", "examples/topics.txt"),
        ("hin load tickets.csv --text subject,body --label topic",),
    ),
    "classified": (
        ("examples/tickets.csv", "examples/topics.txt", "examples/tickets_new.csv"),
        (
            "hin load tickets.csv --text subject,body --label topic",
            "hin classify --categories topics.txt --out predictions.csv",
        ),
    ),
    "demo": ((), ("hin demo --documents 400 --out made --quiet", "mv made/graph.hin graph.hin")),
}
#: The server that pages show; a test puts its own in its place.
SERVER = "neo4j://localhost:7687"
DURATION = re.compile(r"\b\d+ h \d+ min\b|\b\d+ min \d+ s\b|\b\d+(\.\d+)? m?s\b")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
INSTANCE = re.compile(r"[A-Z]\w*\[|the words together|how common the category is|\d+ more$|score")
DECIMAL = re.compile(r"[-−]?\d*\.\d+")
TOLERANCE = 0.02


@dataclass(frozen=True)
class Block:
    """A fenced block and the comment before it."""

    language: str
    body: str
    line: int
    start: int
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """A command and what the page says it prints."""

    command: str
    expected: str
    span: tuple[int, int]
    line: int


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for match in FENCE.finditer(text):
        before = text[: match.start()].rstrip().rpartition("\n\n")[2].splitlines()
        notes = {}
        for line in reversed(before):
            found = COMMENT.fullmatch(line.strip())
            if not found:
                break
            notes[found["key"]] = found["value"]
        line = text.count("\n", 0, match.start()) + 1
        yield Block(match["language"], match["body"], line, match.start("body"), notes)


def steps(block: Block) -> Iterator[Step]:
    """The commands of a console block; a line that ends in a backslash goes on."""
    for match in STEP.finditer(block.body):
        span = (block.start + match.start("expected"), block.start + match.end("expected"))
        line = block.line + 1 + block.body.count("\n", 0, match.start())
        yield Step(match["command"].replace("\\\n", " "), match["expected"], span, line)


def same(expected: str, actual: str, learned: bool = False) -> bool:
    """Whether an output is as shown, but for times, the last digits and `...`."""
    want, have = _lines(expected), _lines(actual)
    return _alike(want, have) if learned else _match(want, have)


def _alike(want: list[str], have: list[str]) -> bool:
    """Whether two outputs say the same of slightly different vectors."""
    if abs(len(want) - len(have)) > len(want) // 4:
        return False
    kept, seen = ([line for line in lines if not INSTANCE.search(line)] for lines in (want, have))
    if [NUMBER.sub("#", line).split() for line in kept] != [NUMBER.sub("#", line).split() for line in seen]:
        return False
    numbers = ([float(n.replace(",", "")) for n in NUMBER.findall("\n".join(lines))] for lines in (kept, seen))
    return all(abs(a - b) <= max(0.1 * abs(a), TOLERANCE) for a, b in zip(*numbers, strict=True))


def _lines(text: str) -> list[str]:
    return [DURATION.sub("<time>", line.rstrip()) for line in text.strip("\n").splitlines()]


def _match(want: list[str], have: list[str]) -> bool:
    for i, line in enumerate(want):
        if line.strip() == "...":
            return any(_match(want[i + 1 :], have[k:]) for k in range(i, len(have) + 1))
        if i >= len(have) or not _line_matches(line, have[i]):
            return False
    return len(want) == len(have)


def _line_matches(want: str, have: str) -> bool:
    if "..." in want:
        pattern = ".*".join(re.escape(piece) for piece in want.split("..."))
        return re.fullmatch(pattern, have) is not None
    # Columns move when a number gets longer, so rules and gaps are not compared.
    wanted, got = ([w for w in re.split(r"\s+", text) if w.strip("-")] for text in (want, have))
    return len(wanted) == len(got) and all(_word_matches(a, b) for a, b in zip(wanted, got, strict=True))


def _word_matches(want: str, have: str) -> bool:
    if want == have:
        return True
    numbers = [DECIMAL.findall(word) for word in (want, have)]
    if not numbers[0] or DECIMAL.sub("#", want) != DECIMAL.sub("#", have):
        return False
    return all(abs(float(a) - float(b)) <= TOLERANCE for a, b in zip(*numbers, strict=True))


def run(command: str) -> tuple[int, str]:
    """Run a command as a shell would; a plain `hin` command runs in this process."""
    words = shlex.split(command)
    if words[0] == "hin" and not re.search(r"(?<!\\)[|<>&;]|\$\(", _unquoted(command)):
        return _hin(words[1:])
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", command],
        env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def _unquoted(command: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", command)


def _hin(arguments: list[str]) -> tuple[int, str]:
    import cli

    out = _Screen()
    os.environ["COLUMNS"] = "80"
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(_Messages(out)):
        try:
            cli.main(arguments)
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue()


class _Screen(io.StringIO):
    """Results as a terminal of 80 columns shows them."""

    def isatty(self) -> bool:
        return True


class _Messages(io.TextIOBase):
    """Messages go among the results, but nobody watches, so there are no bars."""

    def __init__(self, screen: _Screen) -> None:
        self.screen = screen

    def write(self, text: str) -> int:
        return self.screen.write(text)


class Page:
    """A page with its folder and namespace."""

    def __init__(self, path: Path, folder: Path, states: dict[str, Path], name: str, server: str | None = None) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.folder = folder
        self.server = server
        self.namespace: dict[str, Any] = {"__name__": name}
        self.updates: list[tuple[tuple[int, int], str]] = []
        self.failures: list[str] = []
        notes = {m["key"]: m["value"] for m in COMMENT.finditer(self.text)}
        if "start" in notes:
            shutil.copytree(_state(notes["start"], states), folder, dirs_exist_ok=True)
        for name in notes.get("files", "").split():
            shutil.copy(ROOT / name, folder)

    def run(self) -> list[str]:
        """What does not hold, one text each."""
        with contextlib.chdir(self.folder):
            for block in blocks(self.text):
                if "not run" not in block.notes and (self.server or "needs" not in block.notes):
                    self._block(block)
        return self.failures

    def _block(self, block: Block) -> None:
        if "file" in block.notes:
            Path(block.notes["file"]).write_text(block.body, encoding="utf-8")
        elif block.language == "console":
            for step in steps(block):
                self._step(step, block.notes)
        elif block.language == "cypher":
            code, out = run(shlex.join(["hin", "query", block.body]))
            if code:
                self._fail(block.line, block.body, "an answer", out)
        elif block.language == "python":
            exec(compile("\n" * block.line + block.body, str(self.path), "exec"), self.namespace)
        elif block.language == "pycon":
            self._doctest(block)
        elif block.language != "text" and not block.language.startswith("{"):
            self._fail(block.line, block.body, "a language that is run, or text", block.language or "no language")

    def _step(self, step: Step, notes: dict[str, str]) -> None:
        code, out = run(step.command.replace(SERVER, self.server or SERVER))
        out = out.replace(self.server or SERVER, SERVER)
        self.updates.append((step.span, out if out.endswith("\n") or not out else out + "\n"))
        meant_to_fail = step.expected.startswith(("hin: ", '{"error":'))
        shown = step.expected or "needs" not in notes  # what a server prints need not be shown
        if bool(code) != meant_to_fail or (shown and not same(step.expected, out, "learned" in notes)):
            self._fail(step.line, step.command, step.expected, f"{out}(exit code {code})")

    def _doctest(self, block: Block) -> None:
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        test = doctest.DocTestParser().get_doctest(
            block.body, self.namespace, str(self.path), str(self.path), block.line
        )
        said = io.StringIO()
        doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=said.write, clear_globs=False)
        self.namespace.update(test.globs)
        if said.getvalue():
            self.failures.append(said.getvalue())

    def _fail(self, line: int, what: str, expected: str, got: str) -> None:
        self.failures.append(f"{self.path.name}, line {line}: {what}\nexpected:\n{expected}\ngot:\n{got}")

    def updated(self) -> str:
        """The page with what the commands print now, but where it shows `...`."""
        text = self.text
        for (start, end), out in sorted(self.updates, reverse=True):
            if "..." not in text[start:end] and not same(text[start:end], out):
                text = text[:start] + "".join(line.rstrip() + "\n" for line in out.splitlines()) + text[end:]
        return text


def _state(name: str, states: dict[str, Path]) -> Path:
    if name not in states:
        folder = Path(tempfile.mkdtemp(prefix="hin-docs-"))
        files, commands = STATES[name]
        for file in files:
            shutil.copy(ROOT / file, folder)
        with contextlib.chdir(folder):
            for command in commands:
                code, out = run(command)
                if code:
                    raise AssertionError(f"{command}: {out}")
        states[name] = folder
    return states[name]


def pages() -> list[Path]:
    """The README and every hand-written page."""
    docs = [p for p in sorted((ROOT / "docs").rglob("*.md")) if not {"decisions", "experiments"} & set(p.parts)]
    return [ROOT / "README.md", *docs]


def main(paths: list[str]) -> None:
    """Write the present outputs into pages."""
    sys.path.insert(0, str(ROOT))
    states: dict[str, Path] = {}
    server = os.environ.pop("HIN_GRAPH", None)  # the pages name the graph themselves
    for path in map(Path, paths):
        with tempfile.TemporaryDirectory() as folder:
            page = Page(path.resolve(), Path(folder), states, "__main__", server)
            failures = page.run()
        updated = page.updated()
        if updated != page.text:
            path.write_text(updated, encoding="utf-8")
        print(f"{path}: {len(failures)} differences", *failures, sep="\n")
    for folder in states.values():
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
