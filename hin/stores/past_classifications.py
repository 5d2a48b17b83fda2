"""The last classifications of a graph: labels and options, and the models of the newest.

Each is a folder beside the stages: `head.json`, `classified.arrow` as the stage has it, and for the newest ones the
model. The large files are hard links to the stage's own. Nothing but newer classifications removes them, so they also
outlast another embedding and `hin load --append`; a hash of the documents' ids shows which graph they belong to.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.arrays.spill import link_or_copy
from hin.errors import BadUsage, MissingStage, UnknownName
from hin.files.atomic import atomic_folder
from hin.files.checked import check_range, damaged, plain_file, read_json, read_table
from hin.stores.findings import FOLDER as FINDINGS
from hin.stores.manifest import CLASSIFY_OPTIONS

if TYPE_CHECKING:
    import pyarrow as pa

    from hin.graph import Graph
    from hin.stages import Stage
    from hin.stores.base import Store

#: The folder beside the stages.
FOLDER = ".classifications"
#: The number of classifications that are stored, and of the newest whose models are stored too.
MOST, MODELS = 10, 3
_NAME = re.compile("[0-9]{6}")
_HEAD = {
    "number": int, "at": str, "identity": str, "names": [str], "documents": int, "ids": str,
    "options": CLASSIFY_OPTIONS,
}  # fmt: skip
_COLUMNS = {"document": "int32", "category": "int32", "confidence": "double"}


@dataclass(frozen=True, eq=False)
class PastClassification:
    """One stored classification.

    Attributes
    ----------
    number : counted from 1, never used again.
    at : when, in UTC.
    identity : the identity of its stage; equal ones have equal labels and options.
    names : the categories and, in a tree, their parents.
    documents : how many documents the graph had.
    ids : a hash of their ids.
    options : the options it was made with.
    """

    path: Path
    number: int
    at: str
    identity: str
    names: tuple[str, ...]
    documents: int
    ids: str
    options: Mapping[str, Any]

    @property
    def model(self) -> Path | None:
        """The folder of its model; None where only the labels are stored."""
        return self.path / "model" if (self.path / "model").is_dir() else None

    @cached_property
    def classified(self) -> pa.Table:
        """The labels: `document, category, confidence`, where the category is a position in `names`."""
        file = self.path / "classified.arrow"
        try:
            table = read_table(file, _COLUMNS)
        except FileNotFoundError:
            raise damaged(file, "it is missing") from None
        for column, below in (("document", self.documents), ("category", len(self.names))):
            check_range(file, table.column(column).to_numpy(), below)
        return table

    def is_of(self, graph: Graph) -> bool:
        """Check whether its documents are the graph's, or the first of them."""
        return self.documents <= len(graph) and self.ids == _hash_ids(graph, self.documents)

    def as_dict(self) -> dict[str, Any]:
        """Return a summary for `hin info --json`."""
        options, labelled = self.options, self.classified.column("document")
        return {
            "number": self.number,
            "at": self.at,
            "documents": self.documents,
            "labelled": len(labelled.unique()),
            "categories": len(options.get("categories") or self.names),
            "keywords": sum(len(one.get("keywords", ())) for one in options.get("categories") or ()),
            "known": len(options.get("known") or ()),
            "taught": sum(map(len, (options.get("taught") or {}).values())),
            "preset": options.get("preset"),
            "classifier": options.get("classifier"),
            "seed": options.get("seed"),
            "reasons": self.model is not None,
        }


class PastClassifications:
    """The last classifications of one graph, the oldest first.

    Parameters
    ----------
    store : where the graph lives; a database's are in the local folder of its models.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.folder: Path = store.workspace / FOLDER

    def entries(self) -> list[PastClassification]:
        """Return the stored classifications, the oldest first."""
        return [self._read(path) for path in self._paths()]

    def find(self, which: str | int) -> PastClassification:
        """Return a classification by its number, or by its place from the end: -1 is the last."""
        found = self.entries()
        try:
            number = int(which)
        except ValueError:
            raise BadUsage(
                f"{which!r} is not a number of a classification", hint="`hin info` lists them; -1 is the last"
            ) from None
        if not found:
            raise MissingStage("the documents have not been classified", hint="run `hin classify -c labels.txt`")
        if -len(found) <= number < 0:
            return found[number]
        for one in found:
            if one.number == number:
                return one
        there = ", ".join(str(one.number) for one in found)
        raise UnknownName(f"there is no classification {which}", hint=f"there are {there}; -1 is the last")

    def add(self, stage: Stage, names: list[str], graph: Graph) -> None:
        """Store a classification unless it is the newest already; remove what is too old."""
        with self.store.lock():
            before = self.entries()
            if before and before[-1].identity == stage.identity:
                return
            number = before[-1].number + 1 if before else 1
            written = (stage.path / "classification.json").stat().st_mtime
            head = {
                "number": number,
                "at": datetime.fromtimestamp(written, UTC).isoformat(timespec="seconds"),
                "identity": stage.identity,
                "names": names,
                "documents": len(graph),
                "ids": _hash_ids(graph, len(graph)),
                "options": stage.options,
            }
            self.folder.mkdir(exist_ok=True)
            with atomic_folder(self.folder / f"{number:06d}", "classification", own=True) as folder:
                (folder / "head.json").write_text(json.dumps(head, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
                link_or_copy(stage.path / FINDINGS / "classified.arrow", folder / "classified.arrow")
                shutil.copytree(stage.path / "model", folder / "model", copy_function=link_or_copy)
            for old in before[: len(before) + 1 - MODELS]:
                shutil.rmtree(old.path / "model", ignore_errors=True)
            for old in before[: max(0, len(before) + 1 - MOST)]:
                shutil.rmtree(old.path, ignore_errors=True)

    def copy_to(self, store: Store) -> None:
        """Copy them to another store, if it has none of its own."""
        target = PastClassifications(store)
        if target._paths():
            return
        for path in self._paths():
            target.folder.mkdir(exist_ok=True)
            with atomic_folder(target.folder / path.name, "classification", own=True) as folder:
                shutil.copytree(path, folder, dirs_exist_ok=True, copy_function=_copy_plain)

    def _paths(self) -> list[Path]:
        if self.folder.is_symlink() or not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if _NAME.fullmatch(path.name) and path.is_dir())

    def _read(self, path: Path) -> PastClassification:
        try:
            head = read_json(path / "head.json", _HEAD)
        except FileNotFoundError:
            raise damaged(path / "head.json", "it is missing") from None
        return PastClassification(path, **{**head, "names": tuple(head["names"])})


def _copy_plain(source: str, target: str) -> None:
    """Copy an ordinary file: a planted link would lead anywhere."""
    shutil.copyfile(plain_file(Path(source)), target)


def _hash_ids(graph: Graph, number: int) -> str:
    """Return a short hash of the ids of the first documents."""
    ids = graph.documents.arrow.slice(0, number).to_pylist()
    return hashlib.blake2b(json.dumps(ids).encode(), digest_size=8).hexdigest()
