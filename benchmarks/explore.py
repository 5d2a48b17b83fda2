"""The workbench on a corpus: how long until it is usable, a key to the next document, a preview, a search; its memory.

python -m benchmarks.explore --corpus gnad            figures; `--graph PLACE` takes a classified graph
python -m benchmarks.explore --corpus gnad --person   accuracy after 40, 80 and 120 answers to what is asked
python -m benchmarks.explore --corpus gnad --minutes 10   memory and descriptors over a scripted session
python -m benchmarks.explore --pictures docs/how-to   pictures of the example's tickets, for the documentation
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import numpy as np

import hin
from benchmarks.common import corpus
from classify import ClassifyOptions, Pipeline, Workspace, read_categories
from tests.conftest import FLAGS, ROOT

#: Keys that are pressed, and words that are previewed.
KEYS, PREVIEWS = 500, 20


class Server:
    """A `hin explore` in a process of its own."""

    def __init__(self, place: Path) -> None:
        start = time.monotonic()
        command = [sys.executable, "-m", "hin", "explore", "--graph", str(place), "--no-browser", "--quiet"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.up = time.monotonic() - start
        parts = urlsplit(self.address)
        self.token = parse_qs(parts.query)["token"][0]
        self.connection = HTTPConnection("127.0.0.1", parts.port or 0)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask as a program that knows the token."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        self.connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
        found = self.connection.getresponse().read()
        return json.loads(found) if found[:1] in (b"{", b"[") else found

    def seconds(self) -> float:
        """The processor time it has used, which other work on the machine does not stretch."""
        used = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")

    def files(self) -> int:
        """The number of its open descriptors."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def memory(self, what: str = "VmHWM") -> int:
        """The most memory it has had, in megabytes; as `VmRSS` what it has now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(what)) // 1000

    def stop(self) -> None:
        """End it."""
        self.process.kill()
        self.process.communicate()


def classified(name: str, folder: Path) -> Path:
    """Load and classify a corpus, with the linear learner."""
    place = folder / f"{name}.hin"
    hin.load(corpus(name) / "documents.jsonl.xz", label="label", graph=place)
    with Workspace(hin.open_store(place)) as workspace:
        names = read_categories(corpus(name) / "labels.txt")
        _ = Pipeline(workspace.graph, names, ClassifyOptions(classifier="linear"), workspace=workspace).stored
    return place


def measure(place: Path) -> None:
    """Print the figures of one graph."""
    server = Server(place)
    print(f"server up: {server.up:.2f} s, {server.seconds():.2f} s of processor time")
    _timed(server, "page usable (with the start of the browser)", lambda: _open(server.address, None))
    # The page asks for both when it opens; what follows is measured without them.
    _timed(server, "suggestions and previews prepared", lambda: server.ask("GET", "/preview/ready"))
    server.ask("GET", "/suggestions")
    state = server.ask("GET", "/state")
    names = [category["name"] for category in state["categories"]]
    listed = server.ask("GET", f"/documents?queue=unsure&limit={KEYS}")["documents"]
    seconds, before = [], server.seconds()
    for number, one in enumerate(listed):
        start = time.monotonic()
        server.ask("POST", "/answers", {"documents": [one["document"]], "category": names[number % len(names)]})
        seconds.append(time.monotonic() - start)
    middle, late = np.percentile(seconds, [50, 95]) * 1000
    each = (server.seconds() - before) / max(len(seconds), 1) * 1000
    said = f"median {middle:.1f} ms, 95th percentile {late:.1f} ms; {each:.1f} ms of processor time"
    print(f"a key, of {len(seconds)}: {said}")
    for said, search in (("words", "new year"), ("a regular expression", r"/(19|20)\d\d/")):
        path = f"/documents?queue=search&search={quote(search)}"
        _timed(server, f"search, {said}", partial(server.ask, "GET", path))
    words = [(one["category"], word["keyword"]) for one in server.ask("GET", "/suggestions") for word in one["words"]]
    before = server.seconds()
    seconds = [_preview(server, state["categories"], *one) for one in words[:PREVIEWS]]
    if seconds:
        each = (server.seconds() - before) / len(seconds)
        said = f"median {np.median(seconds):.2f} s, longest {max(seconds):.2f} s; {each:.2f} s of processor time"
        print(f"a preview, of {len(seconds)}: {said}")
    _timed(server, "why", lambda: server.ask("GET", f"/why?document={quote(listed[0]['document'])}"))
    _timed(server, "worth asking", lambda: server.ask("GET", "/documents?queue=asking"))
    _timed(server, "map, the first time", lambda: server.ask("GET", "/map/points"))
    _timed(server, "map, again", lambda: server.ask("GET", "/map/points"))
    server.ask("POST", "/answers", {"documents": [one["document"] for one in listed], "category": None})
    print(f"{state['documents']:,} documents; peak memory {server.memory():,} MB")
    server.stop()


def answer_what_is_asked(place: Path, rounds: int = 3, each: int = 40) -> None:
    """Answer the documents most worth asking from the true labels, run, and print the accuracy of all others."""
    graph = hin.open_store(place).read_graph()
    assert graph.labels is not None
    server, answered, seconds = Server(place), set[str](), 0.0
    names = {one["name"].casefold(): one["name"] for one in server.ask("GET", "/state")["categories"]}
    labels = [names[str(label).casefold()] for label in graph.labels.of_documents(0, len(graph))]
    truth = dict(zip(graph.documents, labels, strict=True))
    for number in range(rounds + 1):
        if number:
            start = time.monotonic()
            asked = server.ask("GET", f"/documents?queue=asking&limit={each}")["documents"]
            said = {one["document"]: truth[one["document"]] for one in asked}
            assert "error" not in server.ask("POST", "/answers", {"answers": said})
            answered |= said.keys()
            server.ask("POST", "/run", {})
            while server.ask("GET", "/state")["run"]["status"] == "running":
                time.sleep(0.1)
            seconds += time.monotonic() - start
        parts = [server.ask("GET", f"/documents?queue=all&offset={first}") for first in range(0, len(truth), 50)]
        found = [one for part in parts for one in part["documents"] if one["document"] not in answered]
        right = [one["category"] == truth[one["document"]] for one in found]
        print(f"{len(answered):4d} answers: accuracy {np.mean(right):.3f} of {len(right)}, {seconds:.1f} s", flush=True)
    server.stop()


def work_for(place: Path, minutes: float) -> None:
    """Do what a person does over and over, and print the server's memory and descriptors ten times."""
    server = Server(place)
    names = [one["name"] for one in server.ask("GET", "/state")["categories"]]
    rounds, runs, began = 0, 0, time.monotonic()
    for tenth in range(11):
        while time.monotonic() - began < tenth * minutes * 6:
            listed = server.ask("GET", "/documents?queue=unsure")["documents"]
            for one, name in zip(listed, names * len(listed), strict=False):
                server.ask("GET", f"/why?document={quote(one['document'])}")
                server.ask("POST", "/answers", {"documents": [one["document"]], "category": name})
            for path in ("/documents?queue=search&search=new", "/map/colours?by=confidence", "/quality", "/motifs"):
                server.ask("GET", path)
            server.ask("POST", "/preview", {})
            server.ask("POST", "/query", {"query": "MATCH (d:Document)-[r]->(c:Category) RETURN d, r, c LIMIT 40"})
            if rounds % 5 == 0:
                server.ask("POST", "/run", {})
                while server.ask("GET", "/state")["run"]["status"] == "running":
                    time.sleep(0.1)
                server.ask("GET", "/documents?queue=moved")
                server.ask("GET", "/suggestions")
                runs += 1
            server.ask("POST", "/answers", {"documents": [one["document"] for one in listed], "category": None})
            rounds += 1
        print(f"{tenth * minutes / 10:.1f} minutes, {rounds} rounds, {runs} runs: {server.memory('VmRSS'):,} MB, "
              f"{server.files()} descriptors", flush=True)  # fmt: skip
    server.stop()


def _preview(server: Server, categories: list[dict[str, Any]], name: str, word: str) -> float:
    """Time the preview of one word more."""
    kept = ("name", "keywords", "share", "excluded", "path", "description")
    records = [{key: one[key] for key in kept} for one in categories]
    for one in records:
        one["keywords"] = [*one["keywords"], *([word] if one["name"] == name else [])]
    start = time.monotonic()
    server.ask("POST", "/preview", {"categories": records})
    return time.monotonic() - start


def _timed(server: Server, what: str, work: Callable[[], Any]) -> None:
    start, before = time.monotonic(), server.seconds()
    work()
    took = time.monotonic() - start
    print(f"{what}: {took:.2f} s, {server.seconds() - before:.2f} s of processor time", flush=True)


def _open(address: str, pictures: Path | None) -> None:
    """Open the page in a headless Chromium until its list is there; with a folder, take pictures of its panels."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.goto(address)
        page.locator("#documents table.list").wait_for()
        if pictures is not None:
            page.keyboard.press("j")
            page.locator("#categories button.name").nth(2).click()
            page.locator("#categories .offers small", has_text="would move").first.wait_for()
            page.locator("#why .near li").first.wait_for()
            page.screenshot(path=pictures / "explore-documents.png")
            page.get_by_role("tab", name="Map").click()
            page.locator("#map .chip").first.wait_for()
            page.locator("#map .wait").wait_for(state="detached")
            page.screenshot(path=pictures / "explore-map.png")
        browser.close()


def make_pictures(folder: Path) -> None:
    """Take the pictures of the documentation."""
    with tempfile.TemporaryDirectory() as work:
        place = Path(work) / "tickets.hin"
        hin.load(ROOT / "examples" / "tickets.csv", text=["subject", "body"], graph=place)
        with Workspace(hin.open_store(place)) as workspace:
            names = read_categories(ROOT / "examples" / "topics.txt")
            _ = Pipeline(workspace.graph, names, ClassifyOptions(classifier="linear"), workspace=workspace).stored
        server = Server(place)
        _open(server.address, folder)
        server.stop()


def main() -> None:
    """Measure and print, or take pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", default="gnad")
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--person", action="store_true")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    if arguments.pictures is not None:
        make_pictures(arguments.pictures)
        return
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.graph or classified(arguments.corpus, Path(folder))
        if arguments.minutes is not None:
            work_for(place, arguments.minutes)
        else:
            (answer_what_is_asked if arguments.person else measure)(place)


if __name__ == "__main__":
    main()
