"""Skip-gram vectors of anything that comes in sequences: words of texts, nodes of walks.

The trainer is the one of the joint embedding (`embed.sgd`): without document edges its context windows are skip-gram
with negative sampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.sequences import Sequences, keep_known
from hin.arrays.types import Floats

if TYPE_CHECKING:
    from classify.comparators.parts.system import Task
    from embed import Edges


@dataclass(frozen=True)
class SkipGramOptions:
    """The settings of word2vec as WeSTClass and HNE use them, except for the number of passes.

    Attributes
    ----------
    epochs : passes over the sequences (gensim's default is 5); small corpora get more, until `tokens` were seen.
    both : add a node's context vector to its own vector, so that neighbours are near each other, too.
    rate : the initial learning rate; twice gensim's .025, because the trainer sums lanes and damps shared updates.
    """

    dim: int = 100
    window: int = 5
    negatives: int = 5
    epochs: int = 5
    tokens: int = 10_000_000
    rate: float = 0.05
    subsample: float = 1e-3
    shrink_window: bool = True
    both: bool = False

    def passes(self, n_tokens: int) -> int:
        """Return the number of epochs for sequences of this many tokens.

        >>> SkipGramOptions().passes(1_000_000), SkipGramOptions().passes(10**8), SkipGramOptions().passes(100)
        (10, 5, 50)
        """
        return int(np.clip(-(-self.tokens // max(1, n_tokens)), self.epochs, max(self.epochs, 50)))


def skip_gram(sequences: Sequences, size: int, options: SkipGramOptions, task: Task) -> Floats:
    """Return unit vectors of the ids 0 to `size`, trained with the task's seed and threads.

    Examples
    --------
    >>> from classify.categories.category_file import Category
    >>> from classify.comparators import Task
    >>> from motifs.samples import tiny_graph
    >>> rows = Sequences.of([[0, 1, 0, 1], [2, 3, 2, 3]] * 50)
    >>> vectors = skip_gram(rows, 4, SkipGramOptions(dim=16), Task(tiny_graph(), (Category("web"),)))
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True
    """
    from embed import Edges
    from embed.vectors import unit_rows

    offsets, tokens = keep_known(*sequences)
    none = np.zeros(len(offsets), dtype=np.int64)
    edges = Edges(none, np.empty(0, np.int32), offsets, np.ascontiguousarray(tokens, np.int32), size, 0, size)
    table = train_on_edges(
        edges,
        task,
        dim=options.dim,
        window=options.window,
        negatives=options.negatives,
        epochs=options.passes(len(tokens)),
        learning_rate=options.rate,
        subsample=options.subsample,
        shrink_window=options.shrink_window,
        document_passes=0,
    )
    return unit_rows(table[:size] + table[size : 2 * size] if options.both else table[:size], rounded=True)


def train_on_edges(edges: Edges, task: Task, **options: Any) -> Floats:
    """Train the joint embedding with every kappa fixed to 1; return its table: instances, then contexts."""
    from embed import EmbedOptions
    from embed.sgd.trainer import Trainer

    settings = EmbedOptions(kappa_start=1.0, kappa_speed=0.0, threads=task.threads, seed=task.seed, **options)
    trainer = Trainer(edges, settings)
    trainer.run(task.progress)
    return trainer.parameters.table[:, : settings.dim]
