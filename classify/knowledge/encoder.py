"""Transformer encoders: far better vectors than static ones, for as many documents as the time allows.

A text is read alone or beside others of exactly its length, on one core, so that its vector depends on nothing else:
not on its neighbours, not on the number of threads, not on what a cache already holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.knowledge.base import telling_pieces
from embed.vectors import unit_rows
from hin.errors import BadInput

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["EncoderModel", "Network", "EncoderFormat", "reading_of"]

Floats = npt.NDArray[np.float32]

#: Only the beginning of a document is read; twice as many documents help more than twice as much of each.
_TOKENS = 128
_BATCH = 256


@dataclass(frozen=True)
class EncoderFormat:
    """How a model wants texts.

    Attributes
    ----------
    pooling : "mean" of the tokens' vectors, or the "first" token's.
    prefix : what stands before every text.
    length : most tokens of a text.
    """

    pooling: str = "mean"
    prefix: str = ""
    length: int = _TOKENS


@dataclass(frozen=True, eq=False)
class Network:
    """How a model is run.

    Attributes
    ----------
    forward : from token numbers, texts x tokens, to one vector a text or one a token.
    size : multiplications for each token.
    alone : a context in which nothing but our own threads runs.
    begin : what each thread does first.
    """

    forward: Callable[[npt.NDArray[np.int64]], Floats]
    size: float
    alone: Callable[[], AbstractContextManager[Any]] = nullcontext
    begin: Callable[[], None] = lambda: None


@dataclass(frozen=True, eq=False)
class EncoderModel:
    """A network and the tokeniser it belongs to."""

    name: str
    fingerprint: str
    tokenizer: Tokenizer
    network: Network
    reading: EncoderFormat
    quick: bool = False

    def encode(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the vectors of some texts, length 1."""
        if not texts:
            return np.zeros((0, 1), dtype=np.float32)
        cut = [encoding.ids for encoding in self._cut(texts)]
        groups = list(_groups([len(ids) for ids in cut]))

        def work(rows: list[int]) -> Floats:
            return self._pooled(self.network.forward(np.array([cut[row] for row in rows], dtype=np.int64)))

        with self.network.alone(), ThreadPoolExecutor(max(1, threads), initializer=self.network.begin) as pool:
            found = list(pool.map(work, groups))
        vectors = np.zeros((len(texts), found[0].shape[1]), dtype=np.float32)
        for rows, part in zip(groups, found, strict=True):
            vectors[rows] = part
        return unit_rows(vectors)

    def read(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the vectors of some documents."""
        return self.encode(texts, threads)

    def knows(self, name: str) -> bool:
        """Return whether no word is cut into single letters."""
        words = name.split()
        ids = self.tokenizer.encode_batch(words, add_special_tokens=False)
        return telling_pieces(words, [len(encoding.ids) for encoding in ids])

    def cost(self, texts: Sequence[str]) -> float:
        """Return how many multiplications these texts take."""
        return self.network.size * float(sum(len(encoding.ids) for encoding in self._cut(texts)))

    def _cut(self, texts: Sequence[str]) -> list[Any]:
        # A token has a few letters; what cannot be reached need not be cut.
        letters = 20 * self.reading.length
        return list(self.tokenizer.encode_batch([self.reading.prefix + text[:letters] for text in texts]))

    def _pooled(self, states: Floats) -> Floats:
        if states.ndim == 2:  # the network pools itself
            return states
        return np.asarray(states[:, 0] if self.reading.pooling == "first" else states.mean(axis=1), dtype=np.float32)


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Rows of equal length, at most some tokens together, so that nothing is padded.

    >>> list(_groups([100, 3, 100, 100, 3]))
    [[1, 4], [0, 2], [3]]
    """
    order = np.argsort(lengths, kind="stable").tolist()
    group: list[int] = []
    for row in order:
        if group and (lengths[row] != lengths[group[0]] or (len(group) + 1) * lengths[row] > _BATCH):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def reading_of(folder: Path) -> EncoderFormat:
    """Return how the model in a folder wants texts: as its files say, else as its family is known to.

    Raises
    ------
    BadInput
        Where the model has a layer of another kind.
    """
    family = folder.name.lower() + " ".join(path.name.lower() for path in folder.glob("*.onnx"))
    prefix = "query: " if "e5" in family else ""
    pooling = "first" if "bge" in family else "mean"
    for module in _json(folder / "modules.json") or []:
        kind = str(module.get("type", "")).rpartition(".")[2]
        if kind == "Pooling":
            config = _json(folder / str(module.get("path", "1_Pooling")) / "config.json") or {}
            pooling = "first" if config.get("pooling_mode_cls_token") else "mean"
        elif kind not in ("Transformer", "Normalize"):
            raise BadInput(
                f"{folder} has a layer {kind}, which is not supported",
                hint="name a model of a transformer and pooling, such as sentence-transformers/all-MiniLM-L6-v2",
            )
    prompts = (_json(folder / "config_sentence_transformers.json") or {}).get("prompts") or {}
    prefix = str(prompts.get("query") or prefix)
    most = (_json(folder / "sentence_bert_config.json") or {}).get("max_seq_length") or _TOKENS
    return EncoderFormat(pooling, prefix, min(int(most), _TOKENS))


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
