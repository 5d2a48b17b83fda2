"""A workbench for tests: a small classified graph, a server in a process of its own, a page that must stay clean."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import hin
from classify import ClassifyOptions, Pipeline, Workspace, as_categories

ROOT = Path(__file__).parent.parent.parent.parent
HOSTILE = "<img src=x onerror=window.hacked=1>"
HOSTILE_FIELD = "<script>alert(1)</script>"
NAMES = ["billing", "delivery", "login"]
_SAID = {
    "billing": "the invoice shows the wrong amount and the refund of the payment is late billing",
    "delivery": "the parcel of the courier came late and the delivery van lost the address",
    "login": "the password of the account does not work at the login page",
}


def write_tickets(path: Path, documents: int = 90) -> Path:
    """Write tickets of three kinds; one has hostile text, values and links in it."""
    lines = []
    for number in range(documents):
        kind = NAMES[number % 3]
        words = _SAID[kind].split()
        text = " ".join(words[(number + i) % len(words)] for i in range(8)) + f" case {number}"
        agent = f"Agent {number % 3}-{number % 2}"
        lines.append({"id": f"t{number:03}", "title": f"Ticket {number}", "text": text, "agent": agent})
    lines[1] |= {"title": f"{HOSTILE} title", "text": f"</p><script>window.hacked=1</script> {_SAID['delivery']}"}
    lines[1]["agent"] = HOSTILE
    lines[4]["agent"] = HOSTILE
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def classified_graph(folder: Path, field: str | None = None) -> Path:
    """Load the tickets, with one more field if it is named, and classify them, quickly."""
    place, file, metadata = folder / "tickets.hin", write_tickets(folder / "tickets.jsonl"), ["agent"]
    if field is not None:
        lines = file.read_text(encoding="utf-8").splitlines()
        more = [json.loads(line) | {field: f"part {i % 9}"} for i, line in enumerate(lines)]
        file.write_text("".join(json.dumps(line) + "\n" for line in more), encoding="utf-8")
        metadata.append(field)
    hin.load(file, text=["title", "text"], metadata=metadata, graph=place)
    with Workspace(hin.open_store(place)) as workspace:
        options = ClassifyOptions(classifier="linear")
        _ = Pipeline(workspace.graph, as_categories(NAMES), options, workspace=workspace).stored
    return place


class Served:
    """A `hin explore` in a process of its own."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "hin", "explore", "--no-browser", *options]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().decode().strip()
        parts = urlsplit(self.address)
        assert parts.port, "it did not start"
        self.port, self.token = parts.port, parse_qs(parts.query)["token"][0]

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """Ask as a program that knows the token; the status and the JSON, or the text."""
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        return request(self.port, method, path, body, given if headers is None else headers)

    def state(self) -> Any:
        return self.ask("GET", "/api/v1/state")[1]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def request(port: int, method: str, path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any]:
    """Send a request as it is, and return the status and what came."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        if "json" in (response.headers["content-type"] or ""):
            return response.status, json.loads(text)
        return response.status, text.decode("utf-8", "replace")
    finally:
        connection.close()


@contextmanager
def serving(place: Path, *options: str) -> Iterator[Served]:
    """Serve until the block ends."""
    served = Served("--graph", str(place), *options)
    try:
        yield served
    finally:
        served.kill()


@contextmanager
def serving_file(file: Path, *options: str) -> Iterator[Served]:
    """Serve a file that is loaded first."""
    served = Served(str(file), *options)
    try:
        yield served
    finally:
        served.kill()


#: What keys change on the page: the message, the line of the list, the lines selected.
_SHOWN = """() => ({
  message: document.querySelector(".message").textContent.trim(),
  here: [...document.querySelectorAll("#documents tbody tr")].findIndex((line) => line.matches(".here")),
  selected: document.querySelectorAll("#documents tbody input:checked").length,
})"""


class Bench:
    """The page in a browser; any line in its console and any request elsewhere is a trouble."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.troubles: list[str] = []
        self.home = address.split("?")[0]
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        self.page.on("request", self._asked)
        self.page.goto(address)
        self.page.locator("#documents table.list, #documents .empty, #columns table").first.wait_for()

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.home, "data:")):
            self.troubles.append(request.url)

    def press(self, *keys: str) -> None:
        """Press keys one after another, each after the page has done what the one before asked for."""
        for key in keys:
            self.settled()
            before = self.page.evaluate(_SHOWN)
            self.page.keyboard.press(key)
            if key == "/":
                self.page.locator("#search:focus").wait_for()
            else:
                part = {"j": "here", "k": "here", " ": "here", "x": "selected"}.get(key, "message")
                changed = f"before => ({_SHOWN})()['{part}'] !== before['{part}']"
                self.page.wait_for_function(changed, arg=before)
        self.settled()

    def settled(self) -> None:
        """Wait until no list is being loaded and the page listens with what it shows: it does so after a frame."""
        self.page.locator("#documents [role=status]:not(:empty)").wait_for(state="attached")
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")

    def tab_to(self, name: str) -> None:
        """Press Tab until an element with this text or label has the focus."""
        here = """() => { const one = document.activeElement; const label = one.labels && one.labels[0];
          return (one.getAttribute("aria-label") || (label || one).textContent).replace(/\\s+/g, " ").trim(); }"""
        for _ in range(200):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(here) == name:
                return
        raise AssertionError(f"no key leads to {name}")

    def search(self, text: str) -> None:
        """Search, and wait for the list."""
        self.page.get_by_role("searchbox").fill(text)
        self.page.keyboard.press("Enter")
        self.settled()

    def axe(self) -> list[Any]:
        """What axe-core finds wrong with the page as it is now."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate((Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8"))
        found = "axe.run().then(found => found.violations.map(v => [v.id, v.nodes.map(n => n.html)]))"
        return list(self.page.evaluate(found))

    def said(self, text: str) -> None:
        """Wait until the line of messages says something."""
        self.page.locator(".message", has_text=text).wait_for()

    def close(self) -> None:
        """Close the page; it must have been clean."""
        self.context.close()
        assert self.troubles == []
