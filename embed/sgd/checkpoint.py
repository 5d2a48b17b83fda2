"""Checkpoints: the parameters after a whole round, and the hash of their run."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np

from embed.edges import Edges
from embed.options import EmbedOptions
from embed.sgd.trainer import Parameters, aligned_zeros
from hin.errors import DamagedGraph
from hin.files.atomic import atomic_folder
from hin.files.checked import load_array, read_json
from hin.files.mapped import release_pages

_FORMAT = 1
_STATE = {"format": int, "run?": str, "step?": int, "edges?": float, "seconds?": float}
#: How many numbers are hashed together.
_AT_ONCE = 1 << 23


def fingerprint(edges: Edges, options: EmbedOptions) -> str:
    """Return a hash of a run's edges and of the options that shape training (specificity is chosen afterwards)."""
    digest = hashlib.sha256()
    shaping = {name: value for name, value in options.shaping.items() if name != "specificity"}
    digest.update(json.dumps(shaping, sort_keys=True).encode())
    for array in (edges.instance_offsets, edges.instances, edges.token_offsets, edges.tokens):
        for first in range(0, len(array), _AT_ONCE):
            digest.update(np.ascontiguousarray(array[first : first + _AT_ONCE]).data)
            release_pages(array)
    digest.update(f"{edges.n_instances} {edges.term_offset} {edges.n_terms}".encode())
    return digest.hexdigest()


def _unreadable(folder: Path, why: str) -> DamagedGraph:
    hint = "delete it, or train without `resume=True`"
    return DamagedGraph(f"the checkpoint {folder} cannot be read ({why})", hint=hint)


class Checkpoint:
    """A folder with the last saved state of one run."""

    def __init__(self, folder: str | Path, run: str) -> None:
        self.folder, self.run = Path(folder), run

    def save(self, parameters: Parameters) -> None:
        """Write the state beside the old one, then replace that."""
        state = {
            "format": _FORMAT,
            "run": self.run,
            "step": parameters.step,
            "edges": parameters.edges,
            "seconds": parameters.seconds,
        }
        with atomic_folder(self.folder, "checkpoint", own=True) as fresh:
            np.save(fresh / "table.npy", parameters.table, allow_pickle=False)
            np.save(fresh / "kappa.npy", parameters.kappa, allow_pickle=False)
            (fresh / "state.json").write_text(json.dumps(state) + "\n", encoding="utf-8")

    def load(self) -> Parameters | None:
        """Return the saved state of this run; None if there is none or it belongs to another run."""
        place = self.folder
        if not (place / "state.json").exists() or place.is_symlink():
            return None
        try:
            state = read_json(place / "state.json", _STATE)
            if state["format"] != _FORMAT or state["run"] != self.run:
                return None
            stored = load_array(place / "table.npy", "float32", (None, None))
            table = aligned_zeros(stored.shape)
            table[:] = stored
            kappa = load_array(place / "kappa.npy", "float32", mapped=False)
            return Parameters(table, kappa, int(state["step"]), float(state["edges"]), float(state["seconds"]))
        except (OSError, ValueError, KeyError, TypeError, OverflowError, DamagedGraph) as error:
            raise _unreadable(self.folder, str(getattr(error, "message", error))) from error

    def clear(self) -> None:
        """Remove the state."""
        shutil.rmtree(self.folder, ignore_errors=True)
