"""A pretrained model with the names and the documents of one corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from classify.knowledge.base import SECOND, Costly, KnowledgeModel, Tokenizing
from embed.vectors import unit_rows
from hin.arrays.cache import cached_array
from hin.arrays.types import Floats, Int64
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from hin.graph import Graph


#: Documents that an encoder reads between two progress updates, and the fewest that it reads.
_BLOCK = 128
#: This many documents show whether the model knows their script.
_EXAMINED = 500


@dataclass(frozen=True, eq=False)
class Knowledge:
    """A pretrained model with the names and texts that it reads.

    Attributes
    ----------
    model : the model.
    names : for each category its name, its description and its keywords, as they are written.
    texts : a function from numbers of documents to their texts.
    most : the most documents that are read; vectors of the others follow from these (`classify.recipe.meaning`).
    seconds : an encoder's time budget, for two ordinary cores (`SECOND`).
    keep : a folder for these documents, where the vectors of a static model are cached.
    """

    model: KnowledgeModel
    names: Sequence[Sequence[str]]
    texts: Callable[[Int64], list[str]]
    most: int = 8_000
    seconds: float = 60.0
    keep: Path | None = None

    def name_vectors(self, threads: int = 1) -> Floats:
        """Return each category's direction: the mean of its name's and its keywords' vectors, length 1."""
        flat = [text for given in self.names for text in given]
        vectors = self.model.encode(flat, threads)
        ends = np.cumsum([len(given) for given in self.names])
        return unit_rows(np.stack([part.mean(axis=0) for part in np.split(vectors, ends[:-1])]))

    def read(
        self, n_documents: int, rng: np.random.Generator, threads: int = 1, progress: Progress = silent
    ) -> tuple[Int64, Floats]:
        """Return the numbers and vectors of the documents that are read; a random sample where there are too many."""
        order = rng.permutation(n_documents).astype(np.int64)
        rows = np.sort(order[: min(self.most, self._affordable(order))])
        progress("reading with knowledge", 0, len(rows), self.model.name)
        if self.model.quick:
            return rows, self._read_at_once(rows, threads)
        parts = []
        for start in range(0, len(rows), _BLOCK):
            parts.append(self.model.read(self.texts(rows[start : start + _BLOCK]), threads))
            progress("reading with knowledge", min(start + _BLOCK, len(rows)), len(rows), self.model.name)
        return rows, np.concatenate(parts)

    def knows_script(self, rows: Int64) -> bool:
        """Check that the model does not cut these documents into more tokens than characters: bytes mean nothing."""
        if not isinstance(self.model, Tokenizing) or not len(rows):
            return True
        return self.model.characters_per_token(self.texts(rows[:_EXAMINED])) >= 1

    def _read_at_once(self, rows: Int64, threads: int) -> Floats:
        def read() -> Floats:
            return self.model.read(self.texts(rows), threads)

        if self.keep is None:
            return read()
        made_from = (self.model.fingerprint, blake2b(rows.tobytes(), digest_size=16).hexdigest())
        return cached_array(self.keep, "knowledge", made_from, (len(rows), None), read)

    def _affordable(self, order: Int64) -> int:
        """Count the documents that the budget allows: by their cost, not by the clock, so that results are exact."""
        if not isinstance(self.model, Costly) or not len(order):
            return len(order)
        sample = self.texts(order[:_BLOCK])
        each = self.model.cost(sample) / len(sample)
        return max(_BLOCK, int(self.seconds * SECOND / max(each, 1.0)) // _BLOCK * _BLOCK)


def document_texts(graph: Graph, rows: Int64) -> list[str]:
    """Return the texts of some documents, their fields joined."""
    return ["\n".join(part for part in parts if part) for parts in graph.texts.of_documents(rows)]


def names_of(categories: Sequence[Category]) -> list[list[str]]:
    """Return each category's name, description and keywords, without metadata values, which no model knows.

    >>> from classify.categories.category_file import Category
    >>> names_of([Category("games", ("arcade", "VENUE[CHI]"))])
    [['games', 'arcade']]
    """
    return [
        [c.name, *filter(None, [c.description]), *(word for word in c.keywords if not word.endswith("]"))]
        for c in categories
    ]
