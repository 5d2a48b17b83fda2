"""The body of `hin demo`: every step on a generated corpus, without network."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from contextlib import nullcontext, redirect_stdout
from typing import Any

from classify.commands.arguments import ClassifyCommand, DemoCommand, ExplainCommand, ReportCommand
from classify.commands.classification import run_classify
from classify.commands.explain import run_explain
from classify.commands.report import run_report
from classify.options import ClassifyOptions
from embed.options import EmbedOptions
from hin.commands.arguments import LoadCommand
from hin.commands.load import run_load
from hin.console import Console
from hin.demo.corpus import write_demo
from hin.errors import BadUsage
from hin.files.atomic import check_outputs, folder_kind
from hin.human import duration
from hin.reading.options import LoadOptions
from motifs.arguments import MotifsCommand
from motifs.commands import run_motifs

#: The paper's patterns (figure 2): here venue-year and author-author indicate categories that their parts do not.
PATTERNS = ["venue", "author", "venue-year", "author-author", "author-venue", "author-year"]


def _check_place(command: DemoCommand) -> None:
    """Raise unless the folder is new, empty, or an earlier demo's that may be replaced."""
    out = command.out
    check_outputs([out / "documents.jsonl"], [])
    if not out.exists():
        return
    if not out.is_dir():
        raise BadUsage(f"{out} is a file", hint="name a folder with --out")
    if any(out.iterdir()):
        if not command.replace:
            raise BadUsage(f"{out} is there already", hint="use --replace, or name another folder with --out")
        if folder_kind(out) != "demo":
            raise BadUsage(f"{out} holds other things than a demo", hint="name another folder with --out")


def run_demo(command: DemoCommand, console: Console) -> None:
    """Generate the corpus, then run the commands a user would run, showing each."""
    _check_place(command)
    start = time.monotonic()
    files = write_demo(command.out, command.corpus)
    graph, predictions, html = (command.out / name for name in ("graph.hin", "predictions.jsonl", "report.html"))
    where: dict[str, Any] = {"graph": str(graph)}
    embedding = EmbedOptions(seed=command.corpus.seed, threads=command.threads)
    options = ClassifyOptions(PATTERNS, embed=embedding)
    classification = ClassifyCommand(files.labels, out=predictions, options=options, **where)
    patterns = " ".join(f"--pattern {pattern}" for pattern in PATTERNS)
    first = json.loads(files.documents.read_text(encoding="utf-8").partition("\n")[0])["document"]
    load = LoadCommand([str(files.documents)], LoadOptions(links="cites", replace=command.replace), **where)
    steps: list[tuple[str, Callable[[Console], None]]] = [
        (f"load {files.documents} --links cites",
         lambda said: run_load(load, said)),
        ("motifs --pattern venue-year --top 5",
         lambda said: run_motifs(MotifsCommand(patterns=["venue-year"], top=5, **where), said)),
        (f"classify --categories {files.labels} {patterns} --out {predictions}",
         lambda said: run_classify(classification, said)),
        (f"explain {first} --top 8", lambda said: run_explain(ExplainCommand(first, top=8, **where), said)),
        (f"report --out {html}", lambda said: run_report(ReportCommand(out=html, **where), said)),
    ]  # fmt: skip
    for shown, run in steps:
        console.note("")
        console.note(f"$ hin {shown} --graph {graph}")
        with redirect_stdout(io.StringIO()) if console.as_json else nullcontext():
            run(Console(quiet=console.quiet or console.as_json, verbose=console.verbose, graph=str(graph)))
    seconds = time.monotonic() - start
    if console.as_json:
        names = {"documents": files.documents, "predictions": predictions, "report": html, "graph": graph}
        console.json({**{name: str(path) for name, path in names.items()}, "seconds": round(seconds, 3)})
    console.note("")
    console.note(f"All steps took {duration(seconds)}; everything is in {command.out}.")
