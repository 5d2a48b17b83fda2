"""Hostile names: as ids, values, fields, texts and categories, through everything that is printed or written."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path

from benchmarks.campaign.attempts import Attempt, call, complaints
from motifs.language.template import quote_name

__all__ = ["NAMES_EACH", "name_attempts"]

#: How many hostile names one graph has.
NAMES_EACH = 40
_PARTS = (
    "\x1b[31m",
    "\x1b]0;owned\x07",
    "\x9b2J",
    "\x07",
    "\x00",
    "\r",
    "\n",
    "\t",
    "\x7f",
    "\x85",
    "\u2028",
    "\u202e",
    "\u2066",
    "\u200f",
    "\ufeff",
    "=1+1",
    "+1+cmd|'/C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "'",
    '"',
    "`",
    "\\",
    "$(reboot)",
    "; rm -rf /",
    "`id`",
    "{{7*7}}",
    "${7*7}",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</script>",
    "<!--",
    "-->",
    "]]>",
    "&amp;",
    "__proto__",
    "constructor",
    "toString",
    "../../etc/passwd",
    "C:\\con",
    "%s%n",
    "%00",
    "'; DROP TABLE x; --",
    "}) DETACH DELETE n //",
    "\u0130",
    "\u00df",
    "e\u0301",
    "\U0001f469\u200d\U0001f4bb",
    "\U000e0041",
    "\u0627\u0644",
    "[x]",
    "VENUE[KDD]",
    "a-b",
    "a.b",
    "*",
    "?",
    "~",
    "-",
    "--help",
    "--",
    "null",
    "None",
    "NaN",
    "1e999",
    "",
    " ",
    "a" * 300,
)
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
_FORMULA = re.compile(r"[=+\-@\t\r](?!\d*\.?\d*(e[+-]?\d+)?$)")


def name_attempts(count: int, seed: int) -> list[Attempt]:
    """Return attempts with at least this many hostile names in all."""
    graphs = -(-count // NAMES_EACH)
    return [Attempt("names", _attempt(random.Random(f"names {seed} {i}"))) for i in range(graphs)]


def _name(rng: random.Random) -> str:
    return "".join(rng.choice(_PARTS) for _ in range(rng.choice((1, 1, 2, 3)))) + rng.choice(("", "", "x"))


def _attempt(rng: random.Random):  # type: ignore[no-untyped-def]
    names = list(dict.fromkeys(_name(rng) for _ in range(3 * NAMES_EACH)))
    names = [name for name in names if name.strip()][:NAMES_EACH]

    def run(folder: Path) -> list[str]:
        field = rng.choice(("venue", "__proto__", "constructor", rng.choice(names).strip() or "x"))
        rows = [
            {
                "id": name,
                "title": f"{name} title",
                "text": f"games chess {name}" if i % 2 else f"fonts serif {name}",
                "label": ("games", "fonts")[i % 2],
                field: [name, names[i // 2]],
            }
            for i, name in enumerate(names)
        ]
        (folder / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
        (folder / "labels.txt").write_text("games\nfonts\n")
        found: list[str] = []
        for step in _steps(rng.choice(names), field):
            code, out, err = call(folder, *step, "--graph", "g.hin")
            found += complaints(code, err, " ".join(step)[:80])
            raw = bool({"csv", "--csv", "html"} & set(step))  # data for a file: a terminal gets it escaped
            for reported in (err, "" if raw else out):
                if acting := _ACTING.search(reported):
                    found.append(f"acts on a terminal | {' '.join(step)[:80]}: {acting[0]!r}")
            if step == ("load", "a.jsonl", "--min-count", "1", "--metadata", "*") and code:
                return found  # a name that cannot be a field: one line is all there is
        return found + _written(folder)

    return run


def _steps(name: str, field: str) -> list[tuple[str, ...]]:
    patterns = ("--pattern", "term", "--pattern", quote_name(field), "--min-count", "1")
    small = ("--categories", "labels.txt", "--dim", "8", "--epochs", "1", "--min-count", "1")
    return [
        ("load", "a.jsonl", "--min-count", "1", "--metadata", "*"),
        ("info",),
        ("info", "--json"),
        ("motifs", *patterns),
        ("motifs", "--json"),
        ("motifs", "--csv"),
        ("motifs", "--out", "motifs.csv"),
        ("motifs", "--discover"),
        ("query", "MATCH (d:Document) RETURN d.id, d.title"),
        ("query", "MATCH (d:Document) RETURN d", "--format", "json"),
        ("query", "MATCH (d:Document) RETURN d.id AS `x\u202ey`"),
        ("query", "MATCH (d:Document) RETURN d.id", "--format", "csv", "--out", "query.csv"),
        ("query", "MATCH (d:Document)-[r]->(m) RETURN d, r, m", "--format", "html", "--out", "query.html"),
        ("query", "MATCH (d {id: $name}) RETURN d.id", "--param", f"name={name}"),
        ("classify", *small, "--out", "predictions.csv"),
        ("select", *small),
        ("explain", name),
        ("evaluate",),
        ("evaluate", "--json"),
        ("report", "--out", "report.html"),
        ("predict", "a.jsonl"),
        ("predict", "a.jsonl", "--out", "predicted.csv"),
        ("export", "csv", "--out", "tables"),
        ("export", "graphml", "--out", "g.graphml"),
        ("export", "networkx", "--out", "g.json"),
        ("export", "jsonl", "--out", "g.jsonl"),
        ("export", "neo4j-import", "--out", "neo4j"),
        ("explain", f"no {name}"),
        ("query", f"MATCH (x:`{name}`) RETURN x"),
        ("motifs", "--pattern", name),
        ("load", f"{name}.csv"),
    ]


def _written(folder: Path) -> list[str]:
    """List the faults of the files that were written."""
    found = []
    for name in ("motifs.csv", "query.csv", "predictions.csv", "predicted.csv", "tables/nodes.csv"):
        path = folder / name
        if not path.exists():
            found.append(f"not written | {name}")
            continue
        with path.open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        found += [f"formula | {name}: {cell!r}" for cell in cells if _FORMULA.match(cell)][:1]
    for name in ("report.html", "query.html"):
        text = (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""
        if "<script>alert" in text or "<img src=x" in text:
            found.append(f"markup | {name}")
    return found
