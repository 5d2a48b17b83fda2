"""The user's file: the use of its columns, corrections of it, and a file dropped on the page.

A dropped file is copied beside the graph in parts, loaded into a graph of its own, and opened.
"""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classify.explore.resources.base import RequestParameters, get, post
from classify.explore.resources.state import state
from classify.explore.source_file import column_records, reload_file
from classify.labelled.rows import file_hash
from hin.errors import BadUsage
from hin.loading import load_into
from hin.reading.options import LoadOptions
from hin.stores.base import open_store

if TYPE_CHECKING:
    from classify.explore.session import Session
    from hin.progress import Progress

#: The largest file that can be dropped, in bytes.
_MOST = 500 << 20


def columns(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return each column: its use, the reason, its number of values, an example."""
    session.check_graph()
    return column_records(session)


def correct(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Load the file again, in the background, with `columns` mapped to id, text, metadata, label, link or left out."""
    kinds = request.mapping("columns")
    if not kinds or not all(isinstance(kind, str) for kind in kinds.values()):
        raise BadUsage("`columns` must map names of columns to their use", hint='such as {"age": "metadata"}')
    with session.lock:
        session.check_writable()
        session.run.start(lambda progress: reload_file(session, kinds, progress))
    return state(session, request)


def drop(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Take a part of a file: `name`, `offset` in bytes, `data` in base64; with `last` it is loaded and opened."""
    name = request.text("name")
    if not name or name != Path(name).name or name.startswith("."):
        raise BadUsage(f"{name!r} is not the name of a file", hint="drop a file such as reviews.csv")
    try:
        data = base64.b64decode(request.text("data", ""), validate=True)
    except binascii.Error:
        raise BadUsage("`data` is not base64", hint="encode the bytes of the file") from None
    with session.lock:
        session.check_writable()
        store, offset = session.store, request.number("offset", 0, most=_MOST)
        home = store.workspace if store.database is not None else Path(store.location).absolute().parent
        part = session.folder / f"{name}.part"
        # Parts come in order: each must begin where the last one ended, and offset 0 begins the file anew.
        if offset != (part.stat().st_size if part.exists() and offset else 0):
            raise BadUsage("a part of the file is missing", hint="drop it again")
        with part.open("ab" if offset else "wb") as file:
            file.write(data)
        if request.values.get("last") is True:
            session.run.start(lambda progress: _open_file(session, part, home / name, progress))
    return state(session, request)


def _open_file(session: Session, part: Path, file: Path, progress: Progress) -> dict[str, Any]:
    """Copy the file beside the graph, load it as `hin explore FILE` does, and go on with its graph."""
    if file.exists() and file_hash(file) != file_hash(part):
        part.unlink()
        raise BadUsage(f"there is another file {file}", hint="rename yours, or move that one away")
    os.replace(part, file)
    place = f"{file}.hin"
    if not open_store(place).exists():
        load_into(place, str(file), LoadOptions(on_error="skip"), progress=progress)
    session.move_to(open_store(place))
    return {"documents": len(session.graph)}


RESOURCES = [get("/columns", columns), post("/columns", correct), post("/drop", drop)]
