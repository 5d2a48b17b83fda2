"""`hin report`: one self-contained HTML file that loads nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import html
from pathlib import Path
from typing import Any

from classify.report.charts.base import CHARTS
from classify.report.data import ReportData, report_data
from classify.report.documents import pack_documents
from classify.report.gathering import ReportInputs
from classify.report.options import ReportOptions
from hin.files.atomic import atomic_file

#: The chart library, unmodified; why this one: docs/decisions/0050-report.md.
ECHARTS = {
    "name": "Apache ECharts",
    "version": "6.1.0",
    "licence": "Apache-2.0",
    "file": "echarts/echarts.common.min.js",
    "sha256": "61f13280aba3161f77fc801bf5f9c786f55f10432153a0683fc5cc0700b013d5",
}
_ASSETS = Path(__file__).parent / "assets"
#: In the order they run, the charts' own before the last; each is a plain script that extends the object `report`.
_SCRIPTS = ("base.js", "charts.js", "answers.js", "graph.js", "categories.js", "evaluation.js", "documents.js")


def write_report(path: str | Path, inputs: ReportInputs, options: ReportOptions | None = None) -> dict[str, Any]:
    """Write a report; the file appears under its name only when it is complete.

    Returns
    -------
    dict
        `bytes`, `documents` and how many of them are `shown`.

    Examples
    --------
    >>> import tempfile, hin
    >>> from hin.stores.findings import Findings
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "papers.jsonl").write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> made = write_report(folder / "report.html", ReportInputs(hin.load(folder / "papers.jsonl"), Findings()))
    >>> made["documents"], made["shown"], (folder / "report.html").stat().st_size == made["bytes"]
    (1, 1, True)
    """
    options = options or ReportOptions()
    data = report_data(inputs, options)
    page, packed = render_report(data, options)
    body = page.encode("utf-8")
    with atomic_file(Path(path)) as temporary:
        temporary.write_bytes(body)
    return {"bytes": len(body), "documents": packed["total"], "shown": packed["shown"]}


def render_report(data: ReportData, options: ReportOptions | None = None) -> tuple[str, dict[str, Any]]:
    """Return the page as text, and how many documents are shown.

    Names and titles are never part of the markup: they are in a compressed block, and the scripts insert them as text
    only. The content security policy allows the scripts and the style sheet of this file by their hashes, and nothing
    else, so that even an injected element could not run or load anything.
    """
    import orjson

    options = options or ReportOptions()
    style = _asset("report.css")
    library = _asset(ECHARTS["file"])
    charts = {name: CHARTS.get(name) for name in CHARTS.names()}
    drawings = [chart.drawing.read_text(encoding="utf-8") for chart in charts.values()]
    program = "\n".join([*map(_asset, _SCRIPTS), *drawings, _asset("main.js")])
    summary = data.summary | {"version": _version(), "library": ECHARTS}
    fixed = len(style) + len(library) + len(program) + 20_000
    packed_summary = _deflate(orjson.dumps(summary, option=orjson.OPT_SERIALIZE_NUMPY))
    room = options.max_bytes - fixed - len(packed_summary)
    packed, documents = pack_documents(data, room, options.seed)
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"script-src {_hash(library)} {_hash(program)}; style-src {_hash(style)}"
    )
    page = _asset("template.html")
    values = {
        "POLICY": policy,
        "TITLE": html.escape(str(summary["title"])),
        "STYLE": style,
        "SUMMARY": packed_summary,
        "INDEX": _deflate(orjson.dumps(packed)),
        "DOCUMENTS": documents,
        "LIBRARY": library,
        "PROGRAM": program,
    }
    for name, chart in charts.items():
        values[f"CHARTS {chart.section}"] = values.get(f"CHARTS {chart.section}", "") + chart.block(name)
    pieces = page.split("%%")
    # Odd pieces are the names between %% marks; the values filled in are not searched for marks.
    return "".join(values.get(piece, "") if i % 2 else piece for i, piece in enumerate(pieces)), packed


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"


def _deflate(data: bytes) -> str:
    import zlib

    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def _version() -> str:
    from hin import __version__

    return __version__
