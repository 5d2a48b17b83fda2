"""Previews of a session: the changes that a run with the current edits, or with others, would make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.term_lookup import TermIndex
from classify.explore.previews.preview import Change, Preview
from classify.explore.previews.switches import used_fields
from hin.engines.local import core_count
from hin.errors import BadUsage

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.explore.session import Session

#: The most moves between two categories that are listed.
_MOVES = 12


def preview_of(session: Session) -> Preview:
    """Return the previews of the last labels, prepared once."""
    identity = session.classified().identity

    def make() -> Preview:
        index = session.remember("terms", partial(TermIndex, session.graph))
        return Preview(session.grounds(), index, core_count())

    return session.remember(f"preview {identity}", make)


def preview_change(
    session: Session, categories: Sequence[Category] | None = None, fields: Mapping[str, bool] | None = None
) -> dict[str, Any]:
    """Return about how many documents would move, between which categories, and a list of them.

    Parameters
    ----------
    categories, fields : used instead of the current ones.
    """
    preview = preview_of(session)
    with session.lock:
        wanted = tuple(session.edits.categories if categories is None else categories)
        if len(wanted) < 2:
            raise BadUsage("a preview needs two categories", hint="name at least two")
        change = Change(wanted, _origins(session, wanted), _new_answers(session, wanted),
                        _switched(session, fields))  # fmt: skip
    now, after = preview.labels(change)
    rows = np.flatnonzero(now != after)
    names = [one.name for one in wanted]
    moves = Counter(zip(now[rows].tolist(), after[rows].tolist(), strict=True)).most_common(_MOVES)
    sizes = np.bincount(after, minlength=len(names))
    return {
        "moved": len(rows),
        "documents": len(after),
        "moves": [
            {"before": names[a] if a >= 0 else None, "after": names[b], "documents": number}
            for (a, b), number in moves
        ],
        "sizes": dict(zip(names, sizes.tolist(), strict=True)),
        "lasso": session.lassos.store(rows.tolist(), [names[code] for code in after[rows].tolist()]),
    }  # fmt: skip


def _origins(session: Session, wanted: Sequence[Category]) -> tuple[tuple[int, ...], ...]:
    """Return, for each category, the numbers of those of the last run that it continues."""
    names = {one.name for one in wanted}
    now = {old: old if old in names else session.edits.successor(old) for old in session.classified().stored.categories}
    return tuple(tuple(i for i, new in enumerate(now.values()) if new == one.name) for one in wanted)


def _new_answers(session: Session, wanted: Sequence[Category]) -> dict[int, int]:
    """Return the answers since the last run: rows and numbers of categories."""
    names, known = [one.name for one in wanted], session.classified().stored.known
    given = {doc: one for doc, one in session.answers.current().items() if one in names and known.get(doc) != one}
    return {
        row: names.index(one) for doc, one in given.items() if (row := session.graph.documents.get(doc)) is not None
    }


def _switched(session: Session, fields: Mapping[str, bool] | None) -> dict[str, bool]:
    """Return the fields that the next run would use and the last one did not, or the other way round."""
    stored = session.classified().stored
    worth = session.field_worth()
    used = session.remember(
        f"used {stored.stage.identity}", lambda: used_fields(stored.options(session.store), session.graph, worth)
    )
    wanted = {**session.edits.fields, **(fields or {})}
    return {field: on for field, on in wanted.items() if on != (field in used)}
