"""Downloads: labels file, answers, predictions, the report, the log; and the commands that reproduce them."""

from __future__ import annotations

import csv
import io
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.responses import Response

from classify.explore.flags import option_flags
from classify.explore.resources.base import RequestParameters, get
from classify.explore.source_file import write_labelled_file
from classify.suggestions.category_lines import category_line
from hin.errors import HinError, UnknownName
from hin.visible import guard_cell

if TYPE_CHECKING:
    from classify.explore.session import Session


def labels_text(session: Session) -> str:
    """Return the categories as a labels file."""
    return "".join(f"{category_line(category)}\n" for category in session.edits.categories)


def answers_text(session: Session) -> str:
    """Return the answers as a file that `hin classify --known` takes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["document", "category"])
    writer.writerows([guard_cell(cell) for cell in pair] for pair in session.answers.current().items())
    return out.getvalue()


def predictions(session: Session) -> bytes:
    """Return the same bytes that `hin classify --plain --out predictions.csv` writes."""
    from classify.model.prediction_files import write_predictions

    stored = session.classified().stored
    with tempfile.TemporaryDirectory(prefix="hin-") as folder:
        place = Path(folder) / "predictions.csv"
        write_predictions(
            place, session.graph.documents.tolist(), stored.categories, stored.probabilities,
            decision=stored.decision, all_scores=False,
        )  # fmt: skip
        return place.read_bytes()


def report(session: Session) -> bytes:
    """Return the page that `hin report` writes."""
    from classify.report.page import write_report
    from classify.report.sources import inputs_of

    session.classified()
    with tempfile.TemporaryDirectory(prefix="hin-") as folder:
        place = Path(folder) / "report.html"
        write_report(place, inputs_of(session.store))
        return place.read_bytes()


def log(session: Session) -> bytes:
    """Return the log of edits and runs; answers are in a log of their own, beside the graph."""
    path = session.edits.journal.path
    return path.read_bytes() if path.exists() else b""


def commands_text(session: Session) -> str:
    """Return the commands that reproduce the labels of a run with the current categories and answers."""
    text = labels_text(session)
    if not session.edits.categories:
        raise HinError("there is no category yet", hint="name your categories first")
    end = "END"
    while end in text.splitlines():
        end += "_"
    place = session.store.location
    if session.store.database is None:
        place = str(Path(place).absolute())
    flags = " ".join(["--graph", shlex.quote(place), *option_flags(session.run_options)])
    return (
        f"cat > labels.txt <<'{end}'\n{text}{end}\n"
        f"hin classify --categories labels.txt {flags} --plain --out predictions.csv\n"
    )


def _file(session: Session, request: RequestParameters) -> Response:
    name = request.text("name")
    if name != "labelled" and name not in _FILES:
        raise UnknownName(f"no file {name!r}", hint=f"there are labelled, {', '.join(_FILES)}")
    session.check_graph()
    if name == "labelled":
        with tempfile.TemporaryDirectory(prefix="hin-") as folder:
            place = write_labelled_file(session, Path(folder))
            name, content, kind = place.name, place.read_bytes(), "application/octet-stream"
    else:
        made, kind = _FILES[name]
        content = made(session)
    # A report is a page of its own: it is downloaded, and never runs with this page's origin.
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type=kind, headers=headers)


def _commands(session: Session, request: RequestParameters) -> dict[str, Any]:
    return {"commands": commands_text(session)}


_FILES: dict[str, tuple[Any, str]] = {
    "labels.txt": (labels_text, "text/plain; charset=utf-8"),
    "answers.csv": (answers_text, "text/csv; charset=utf-8"),
    "predictions.csv": (predictions, "text/csv; charset=utf-8"),
    "report.html": (report, "application/octet-stream"),
    "log.jsonl": (log, "application/x-ndjson"),
}

RESOURCES = [get("/file", _file), get("/commands", _commands)]
