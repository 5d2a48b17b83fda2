"""Transformer encoders: far better vectors than static ones, for as many documents as the budget allows.

A text is read alone or in a batch of texts of exactly its length, on one core. So its vector depends neither on the
other texts, nor on the number of threads, nor on the cache.
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

from classify.knowledge.base import meaningful_pieces
from embed.vectors import unit_rows
from hin.arrays.types import Floats, Int64
from hin.errors import BadInput

if TYPE_CHECKING:
    from tokenizers import Tokenizer


#: Only the beginning of a document is read; twice as many documents help more than twice as much of each.
_TOKENS = 128
_BATCH = 256


@dataclass(frozen=True)
class EncoderFormat:
    """The input and pooling that a model was trained with.

    Attributes
    ----------
    pooling : "mean" of the tokens' vectors, or the "first" token's.
    prefix : added before every text.
    length : the most tokens of a text.
    """

    pooling: str = "mean"
    prefix: str = ""
    length: int = _TOKENS


@dataclass(frozen=True, eq=False)
class Network:
    """A network that can be run.

    Attributes
    ----------
    forward : from token numbers, texts x tokens, to one vector per text or one per token.
    size : multiplications for each token.
    alone : a context in which the library starts no threads of its own.
    begin : called first in each thread.
    """

    forward: Callable[[Int64], Floats]
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
        """Whether no word is cut into single letters."""
        words = name.split()
        ids = self.tokenizer.encode_batch(words, add_special_tokens=False)
        return meaningful_pieces(words, [len(encoding.ids) for encoding in ids])

    def cost(self, texts: Sequence[str]) -> float:
        """Return the number of multiplications for these texts."""
        return self.network.size * float(sum(len(encoding.ids) for encoding in self._cut(texts)))

    def _cut(self, texts: Sequence[str]) -> list[Any]:
        # A token has a few letters; text beyond the last token need not be tokenised.
        letters = 20 * self.reading.length
        return list(self.tokenizer.encode_batch([self.reading.prefix + text[:letters] for text in texts]))

    def _pooled(self, states: Floats) -> Floats:
        if states.ndim == 2:  # the network pools itself
            return states
        return np.asarray(states[:, 0] if self.reading.pooling == "first" else states.mean(axis=1), dtype=np.float32)


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield batches of rows of equal length, so that nothing is padded, with a limit on their tokens.

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
    """Return the format of the model in a folder: from its files, else from what is known of its family.

    Raises
    ------
    BadInput
        If the model has a layer of another kind.
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
