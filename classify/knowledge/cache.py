"""A cache of an encoder's vectors in the graph's folder, keyed by the model and the text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from classify.knowledge.encoder import EncoderModel
from hin.arrays.types import Floats
from hin.errors import HinError
from hin.files.atomic import atomic_file
from hin.files.checked import plain_file

Keys = npt.NDArray[np.uint64]

#: The number of texts cached for a model; the oldest are dropped.
_MOST = 50_000


@dataclass(frozen=True, eq=False)
class CachedEncoder:
    """An encoder with a cache of the texts it has read; a cache that cannot be read or written is ignored."""

    model: EncoderModel
    folder: Path
    quick: bool = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint."""
        return self.model.fingerprint

    def knows(self, name: str) -> bool:
        """Whether the model knows the name."""
        return self.model.knows(name)

    def cost(self, texts: Sequence[str]) -> float:
        """Return the cost without the cache, so that the cache does not change how many documents are read."""
        return self.model.cost(texts)

    def read(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the vectors of some documents."""
        return self.encode(texts, threads)

    def encode(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the vectors of some texts; the model reads only those that are not cached."""
        wanted = np.array([_key(text) for text in texts], dtype=np.uint64)
        known, vectors = self._stored()
        place = np.searchsorted(known, wanted)
        there = np.zeros(len(wanted), dtype=np.bool_)
        inside = place < len(known)
        there[inside] = known[place[inside]] == wanted[inside]
        new = np.flatnonzero(~there)
        if not len(new):
            return np.asarray(vectors[place], dtype=np.float32)
        read = self.model.encode([texts[i] for i in new.tolist()], threads)
        found = np.zeros((len(texts), read.shape[1]), dtype=np.float32)
        found[new] = read
        if there.any():
            found[there] = vectors[place[there]]
        self._keep(wanted[new], read, known, vectors)
        return found

    @property
    def _file(self) -> Path:
        return self.folder / f"{self.fingerprint}.safetensors"

    def _stored(self) -> tuple[Keys, Floats]:
        from safetensors.numpy import load

        with suppress(Exception):  # a damaged cache is as good as none; safetensors has an error of its own
            stored = load(plain_file(self._file).read_bytes())
            keys, vectors = stored["keys"], stored["vectors"]
            if keys.dtype == np.uint64 and vectors.dtype == np.float32 and vectors.shape[:1] == keys.shape:
                return keys, vectors
        return np.zeros(0, dtype=np.uint64), np.zeros((0, 0), dtype=np.float32)

    def _keep(self, keys: Keys, vectors: Floats, old_keys: Keys, old: Floats) -> None:
        from safetensors.numpy import save

        if old.shape[1:] == vectors.shape[1:]:
            keys, vectors = np.concatenate([keys, old_keys]), np.concatenate([vectors, old])
        unique, first = np.unique(keys[:_MOST], return_index=True)  # of equal keys the newest
        with suppress(OSError, HinError):  # a folder that cannot be written
            self.folder.mkdir(parents=True, exist_ok=True)
            with atomic_file(self._file, own=True) as temporary:
                temporary.write_bytes(save({"keys": unique, "vectors": np.ascontiguousarray(vectors[first])}))


def _key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
