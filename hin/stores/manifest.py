"""The manifest of a graph's folder: read, checked to the last entry, written.

A manifest names folders and files. It may have been altered, so a name that would lead out of the graph's folder, or a
link that does, is refused here.
"""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePosixPath
from typing import Any

from hin.errors import DamagedGraph, GraphNotFound, NewerFormat
from hin.files.atomic import atomic_file
from hin.files.checked import plain_file
from hin.files.graph_folder import MANIFEST, is_stage_folder
from hin.files.json_shapes import Shape, mismatch
from hin.stages import MADE_FROM, Stage

FORMAT = 1
_HINT = "load the documents again"
_ENTRY = {"folder": str, "files": {str: str}, "inputs": (None, str)}
#: A category as classifications and models hold it.
CATEGORY = {"name": str, "keywords?": [str], "excluded?": [str], "path?": [str], "share?": (None, float)}
#: The options of a classification that later commands read.
CLASSIFY_OPTIONS: dict[Any, Shape] = {
    "abstain_below?": (None, float),
    "categories?": [CATEGORY],
    "knowledge?": (None, str),
    "known?": (None, {str: (str, [str])}),
    "min_count?": (None, int),
    "other?": (None, bool),
    "others?": {str: object},
    "seed?": int,
    "used?": (None, {str: object}),
}
#: The same for each stage.
_OPTIONS: dict[str, dict[Any, Shape]] = {
    "embed": {"embed?": {str: (None, bool, float, str)}, "patterns?": {str: object}},
    "classify": CLASSIFY_OPTIONS,
}


def read_manifest(root: Path) -> dict[str, dict[str, Any]]:
    """Return the manifest's entry of each stage.

    Examples
    --------
    >>> read_manifest(Path("nowhere.hin"))
    Traceback (most recent call last):
    hin.errors.GraphNotFound: no graph at nowhere.hin; ...
    """
    path = root / MANIFEST
    try:
        if path.is_symlink():
            raise DamagedGraph(f"{path} is a link", hint=_HINT)
        manifest = json.loads(plain_file(path).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise GraphNotFound(
            f"no graph at {root}", hint="make one with `hin load FILE --graph PATH`, or name another"
        ) from None
    except (ValueError, OSError, RecursionError) as error:
        raise DamagedGraph(f"cannot read {path}: {error}", hint=_HINT) from None
    if mismatch(manifest, {"format": int, "stages": {str: object}}) is not None:
        raise DamagedGraph(f"{path} is not the manifest of a graph", hint=_HINT)
    number = manifest["format"]
    if number > FORMAT:
        raise NewerFormat(
            f"{root} has format {number}, this version reads up to {FORMAT}",
            hint="upgrade with `pip install --upgrade hin-toolkit`",
        )
    stages: dict[str, dict[str, Any]] = manifest["stages"]
    for name, entry in stages.items():
        fault = mismatch(entry, {**_ENTRY, "options": _OPTIONS.get(name, {})}, name) or _fault(name, entry, stages)
        if fault is not None:
            raise DamagedGraph(f"{path} is damaged: {fault}", hint=_HINT)
    return stages


def _fault(name: str, entry: Any, stages: dict[str, Any]) -> str | None:
    """Return the fault of an entry, or None."""
    if name not in MADE_FROM:
        return f"there is no stage {name!r}"
    if not is_stage_folder(entry["folder"]) or not entry["folder"].startswith(f"{name}-"):
        return f"the stage {name} has an odd folder"
    if not all(map(_inside, entry["files"])):
        return f"the stage {name} has odd files"
    source = MADE_FROM[name]
    above = stages.get(source) if source is not None else None
    made_from = above.get("folder") if isinstance(above, dict) else None
    if entry["inputs"] != made_from:
        return f"the stage {name} was made from something else"
    return None


def _inside(file: str) -> bool:
    """Check whether a relative path stays inside its folder."""
    path = PurePosixPath(file)
    return bool(file) and not path.is_absolute() and ".." not in path.parts and "\\" not in file and "\0" not in file


def stage_of(root: Path, name: str, entry: dict[str, Any]) -> Stage:
    """Return a stage that a manifest describes, if no link leads out of its folder."""
    path = root / entry["folder"]
    if path.is_symlink():
        raise DamagedGraph(f"{path} is a link", hint=_HINT)
    home = os.path.realpath(path)
    for file in entry["files"]:
        if os.path.dirname(os.path.realpath(path / file)) != os.path.normpath(
            os.path.join(home, os.path.dirname(file))
        ):
            raise DamagedGraph(f"{path / file} is a link that leads out of the graph", hint=_HINT)
    return Stage(name, path, entry["options"], entry["inputs"], entry["folder"], entry["files"])


def write_manifest(root: Path, stages: dict[str, dict[str, Any]]) -> None:
    """Replace the manifest in one step."""
    with atomic_file(root / MANIFEST, own=True) as temporary:
        text = json.dumps({"format": FORMAT, "stages": stages}, indent=1, sort_keys=True)
        temporary.write_text(text, encoding="utf-8")
