"""Static models: a vector for each token; a text is the mean of its tokens' vectors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.features import inverse_frequency, scaled
from classify.knowledge.base import meaningful_pieces
from classify.knowledge.options import BUILT_IN
from classify.knowledge.word_pieces import token_counts
from embed.vectors import unit_rows
from hin.arrays.linalg import product
from hin.arrays.stored_rows import row_blocks
from hin.arrays.types import Floats
from hin.errors import BadInput, BadUsage

if TYPE_CHECKING:
    from tokenizers import Tokenizer


#: Only the beginning of a long document is read; its subject does not change after this many letters.
_LETTERS = 6_000


@dataclass(frozen=True, eq=False)
class StaticModel:
    """Token vectors and the tokeniser they belong to."""

    name: str
    vectors: Floats
    tokenizer: Tokenizer
    fingerprint: str
    quick: bool = True

    def encode(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the mean of the tokens' vectors, length 1."""
        blocks = [texts[first:last] for first, last in row_blocks(len(texts))] or [[]]
        return np.concatenate([unit_rows(product(self._known_counts(some), self.vectors, threads)) for some in blocks])

    def read(self, texts: Sequence[str], threads: int = 1) -> Floats:
        """Return the idf-weighted mean of the tokens' vectors, as unit vectors.

        Frequent tokens distinguish the documents of a corpus least; in a language that the model hardly knows, they are
        the pieces that all words are split into.
        """
        counts = self._counts(texts)
        held = np.bincount(counts.indices, minlength=counts.shape[1])
        return unit_rows(product(scaled(counts, inverse_frequency(held, len(texts))), self.vectors, threads))

    def knows(self, name: str) -> bool:
        """Whether no word is cut into single letters."""
        words = name.split()
        return meaningful_pieces(words, [int(row.sum()) for row in self._counts(words)])

    def characters_per_token(self, texts: Sequence[str]) -> float:
        """Return the mean number of visible characters of a token; a character outside the vocabulary is three bytes.

        >>> model = built_in_model()
        >>> model.characters_per_token(["the cat sat"]) > 2, model.characters_per_token(["안녕하세요"]) < 1
        (True, True)
        """
        characters = sum(len("".join(text[:_LETTERS].split())) for text in texts)
        return characters / max(float(self._known_counts(texts).sum()), 1.0)

    def _counts(self, texts: Sequence[str]) -> Any:
        return token_counts([text[:_LETTERS] for text in texts], self.tokenizer, len(self.vectors))

    def _known_counts(self, texts: Sequence[str]) -> Any:
        return _cached_counts(tuple(text[:_LETTERS] for text in texts), self.tokenizer, len(self.vectors))


@lru_cache(maxsize=64)
def _cached_counts(texts: tuple[str, ...], tokenizer: Tokenizer, n_tokens: int) -> Any:
    """Count the tokens of terms or a few texts: every question about the same documents asks for these again."""
    return token_counts(texts, tokenizer, n_tokens)


@lru_cache(maxsize=1)
def built_in_model() -> StaticModel:
    """Load the model that comes with the installation, without a download.

    >>> model = built_in_model()
    >>> film, movie, tax = model.encode(["film", "movie", "tax"])
    >>> bool(film @ movie > 0.5 > film @ tax)
    True
    """
    from importlib.util import find_spec

    spec = find_spec(BUILT_IN)
    if spec is None or not spec.submodule_search_locations:
        raise BadUsage(
            f"the package {BUILT_IN}, which holds the built-in word vectors, is not installed",
            hint=f"`pip install {BUILT_IN}`, or go without with --knowledge none",
        )
    # Its own loader downloads the tokeniser if it does not find it; its two files are all we need.
    home = Path(spec.submodule_search_locations[0])
    weights, tokenizer = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
    return _load(BUILT_IN, home / weights, home / tokenizer)


def read_static_folder(folder: Path, name: str | None = None) -> StaticModel:
    """Load a model2vec folder: `model.safetensors` and `tokenizer.json`."""
    return _load(name or folder.name, folder / "model.safetensors", folder / "tokenizer.json")


def _load(name: str, weights: Path, tokenizer: Path) -> StaticModel:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    try:
        tensors = load_file(weights)
        cutter = Tokenizer.from_file(str(tokenizer))
        digest = hashlib.sha256(weights.read_bytes()).hexdigest()[:16]
    except Exception as error:  # both libraries raise classes of their own
        raise BadInput(
            f"cannot read the word vectors in {weights.parent}: {error}", hint="name another model, or --knowledge none"
        ) from error
    cutter.no_padding()
    cutter.no_truncation()
    return StaticModel(name, _token_vectors(tensors, weights), cutter, digest)


def _token_vectors(tensors: dict[str, Any], where: Path) -> Floats:
    """Return one row per token; newer model2vec files hold fewer vectors, and a mapping from tokens to them."""
    rows = tensors.get("embeddings", next((t for t in tensors.values() if t.ndim == 2), None))
    if rows is None or rows.ndim != 2:
        raise BadInput(f"{where} holds no table of vectors", hint="name a model2vec folder")
    vectors = rows.astype(np.float32)
    if "mapping" in tensors:
        vectors = vectors[tensors["mapping"]]
    if "weights" in tensors:
        vectors = vectors * tensors["weights"].astype(np.float32)[:, None]
    return np.ascontiguousarray(vectors)


def is_static_folder(folder: Path) -> bool:
    """Whether a folder holds static vectors rather than a network."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        config = {}
    whole = (folder / "model.safetensors").exists() and (folder / "tokenizer.json").exists()
    return whole and "hidden_size" not in config
