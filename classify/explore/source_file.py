"""The file that a graph was loaded from: the use of its columns, corrected, and its rows with the categories."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.errors import BadUsage, in_options
from hin.files.atomic import atomic_file
from hin.loading import load_into, plan_columns
from hin.reading.columns.plan import KINDS, PlannedColumn, plan_text
from hin.reading.options import LoadOptions

if TYPE_CHECKING:
    from classify.explore.session import Session
    from hin.progress import Progress

#: The file of the corrected columns, in the folder of the session.
PLAN = "columns.toml"
#: The option that takes a column for the true label, which the page has as a choice.
_LABEL = re.compile(r"`label=[^`]*`")


def source_file(session: Session) -> Path | None:
    """Return the file that the graph was loaded from, if it is one that is still there and unchanged."""
    from classify.labelled.rows import files_of_graph

    files = session.remember(f"files {session.loaded}", lambda: files_of_graph(session.store))
    return Path(files[0]) if len(files) == 1 else None


def _require_file(session: Session) -> Path:
    file = source_file(session)
    if file is None:
        raise BadUsage("the file of this graph is not there, or has changed", hint="begin with `hin explore FILE`")
    return file


def _plan(session: Session) -> list[PlannedColumn]:
    file, stage = _require_file(session), session.store.stage("load")
    assert stage is not None
    options = LoadOptions(**stage.options["read"], on_error="skip", phrases=False)
    return session.remember(f"plan {session.loaded}", lambda: plan_columns(str(file), options)[0])


def column_records(session: Session) -> list[dict[str, Any]]:
    """Return each column of the file: its use, the reason, its number of values, an example."""
    return [
        {**row._asdict(), "kind": row.kind.partition("=")[0], "why": in_options(_LABEL.sub('"true label"', row.why)),
         "change": None}
        for row in _plan(session)
    ]  # fmt: skip


def reload_file(session: Session, kinds: Mapping[str, str], progress: Progress) -> dict[str, Any]:
    """Load the file with corrected columns in place of the graph; categories and answers stay."""
    file, rows = _require_file(session), _plan(session)
    there = {row.column for row in rows}
    if wrong := [name for name, kind in kinds.items() if name not in there or kind not in KINDS]:
        raise BadUsage(f"{wrong[0]!r} cannot be {kinds[wrong[0]]!r}", hint=f"a column is one of {', '.join(KINDS)}")
    corrected = [row if kinds.get(row.column, row.kind) in (row.kind, row.kind.partition("=")[0])
                 else row._replace(kind=kinds[row.column]) for row in rows]  # fmt: skip
    plan = session.folder / PLAN
    with atomic_file(plan, own=True) as place:
        place.write_text(plan_text(corrected), encoding="utf-8")
    options = LoadOptions(columns=str(plan), replace=True, on_error="skip")
    result = load_into(session.store.location, str(file), options, progress=progress)
    session.reopen()
    return {"documents": len(result.graph), "rejected": result.rejected}


def write_labelled_file(session: Session, folder: Path) -> Path:
    """Write the user's own rows with category, confidence and because, as `hin classify --out` does."""
    from classify.labelled.added import added_columns
    from classify.labelled.rows import rows_of_documents, rows_of_graph
    from classify.labelled.writing import ENDINGS, LabelledTable

    stored = session.classified().stored
    added = added_columns(stored.open_model(), session.graph, stored.probabilities, stored.decision)
    rows = rows_of_graph(session.store, session.graph) or rows_of_documents(session.graph)
    name = Path(rows.file).name if rows.file else "documents.csv"
    stem, ending = name.partition(".")[0], next((e for e in ENDINGS if e in f".{name.partition('.')[2]}"), ".csv")
    place = folder / f"{stem}-categories{ending}"
    LabelledTable(rows, added).write(place)
    return place
