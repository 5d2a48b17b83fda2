"""The network of the learner "cnn": Kim's CNN over frozen motif-instance vectors (section 3.3).

`cnn_forward` has convolution and pooling, `cnn_head` the layers after them, `cnn_training` the training.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from classify.documents.sequences import Sequences, take_sequences
from classify.learners.cnn_forward import Words, cut, lay_out, places, pool_windows, tabulate
from classify.learners.cnn_head import HeadOutput, apply_head, attribute_logits
from classify.learners.cnn_options import CNNOptions
from classify.learners.cnn_training import SequenceSet, train
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Doubles, Floats, Int32, Int64, Ints, Reals
from hin.errors import BadUsage, DamagedGraph
from hin.files.checked import load_array, read_json
from hin.progress import Progress

#: Documents in a block: bounds the memory of the table of projections, and does not change results.
_BLOCK = 16384


_OPTIONS = {
    **dict.fromkeys(("maps", "hidden", "length", "batch", "epochs", "patience?", "steps?"), int),
    **dict.fromkeys(("learning_rate", "momentum", "dropout", "held_out", "balance?"), float),
    "widths": [int],
    "optimizer": str,
    "decay?": bool,
    "documents?": (None, int),
}
_SAVED = {"options": _OPTIONS, "history": [{str: float}]}


class Parts(NamedTuple):
    """The attribution of one category's logit in each document, after subtracting the mean of the document's logits.

    Attributes
    ----------
    offsets, instances : the documents' instances, as in sequences; below 0 for a word without a vector.
    added : float64[instances]
        The part of each of them.
    rest : float64[documents]
        The remaining part, so that all parts add up to the logit.
    proba : float32[documents, categories]
        The probabilities, as `predict_proba` returns them.
    """

    offsets: Int64
    instances: Int32
    added: Doubles
    rest: Doubles
    proba: Floats


class _Block(NamedTuple):
    """A block of documents with intermediate results: projections of their words, chosen windows, and the head."""

    here: slice
    words: Words
    table: Floats
    where: Int64
    head: HeadOutput


class CNNClassifier:
    """Widths 2 to 5 with 20 maps each, max-pooling, softmax, on sequences of motif instances.

    Examples
    --------
    >>> sequences = Sequences.of([[0, 1], [1, 0], [2, 3], [3, 2]])
    >>> vectors = np.eye(4, dtype=np.float32)
    >>> targets = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    >>> model = CNNClassifier(CNNOptions(epochs=60, learning_rate=0.05, held_out=0))
    >>> model.fit(sequences, vectors, targets, seed=0).predict_proba(sequences).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, options: CNNOptions | None = None) -> None:
        self.options = options or CNNOptions()
        #: Initial parameters, such as `parameters_` of a network of the same shape.
        self.start: Mapping[str, Floats] | None = None
        self.parameters_: dict[str, Floats] = {}
        self.history_: list[dict[str, float]] = []
        self._vectors: Floats | None = None

    def fit(
        self,
        sequences: tuple[Int64, Int32],
        vectors: Floats,
        targets: Floats,
        seed: int = 0,
        threads: int = 1,
        weights: Reals | None = None,
        progress: Progress | None = None,
    ) -> CNNClassifier:
        """Train on sequences with hard or soft labels, from `start` where there is one.

        Parameters
        ----------
        sequences : (offsets, ids)
            Rows of vector ids; an id below 0 is a word without a vector and counts as zeros.
        vectors : float32[n, dim]
            The frozen input vectors.
        targets : float32[documents, categories]
            One distribution over the categories for each document.
        weights : float[documents], optional
            The weight of each document.
        """
        rows = _checked(sequences, vectors)
        if targets.ndim != 2 or len(targets) != rows.n_documents or rows.n_documents == 0:
            raise BadUsage(f"{rows.n_documents} sequences but targets of shape {targets.shape}")
        if weights is not None and (len(weights) != len(targets) or not np.sum(weights) > 0):
            raise BadUsage("weights must be one positive number per document")
        self._vectors = _contiguous(vectors)
        data = SequenceSet(rows, self._vectors, targets, np.ones(len(targets)) if weights is None else weights)
        self.parameters_, self.history_ = train(self.options, data, seed, threads, progress, self.start)
        return self

    def take(self, vectors: Floats, parameters: dict[str, Floats], history: list[dict[str, float]]) -> None:
        """Take over the parameters of a network that was trained elsewhere."""
        self._vectors, self.parameters_, self.history_ = _contiguous(vectors), parameters, history

    def predict_proba(self, sequences: tuple[Int64, Int32], threads: int = 1) -> Floats:
        """Return probabilities of the categories, the same bits for a document whatever other documents there are."""
        rows = cut(_checked(sequences, self._require_trained()), self.options.length)
        proba = np.empty((rows.n_documents, len(self.parameters_["out_bias"])), dtype=np.float32)
        for block in self._blocks(rows, threads):
            proba[block.here] = block.head.proba
        return proba

    def parts(
        self,
        sequences: tuple[Int64, Int32],
        categories: Ints,
        threads: int = 1,
    ) -> Parts:
        """Attribute logits to the words of each map's largest window: the network is piecewise linear in them."""
        rows = cut(_checked(sequences, self._require_trained()), self.options.length)
        added, rest = np.zeros(len(rows.ids)), np.zeros(rows.n_documents)
        proba = np.empty((rows.n_documents, len(self.parameters_["out_bias"])), dtype=np.float32)
        for block in self._blocks(rows, threads):
            here = block.here
            proba[here] = block.head.proba
            own, rest[here] = self._attributed(block, np.asarray(categories)[here])
            added[rows.offsets[here.start] : rows.offsets[here.stop]] = own
        return Parts(rows.offsets, rows.ids, added, rest, proba)

    def _attributed(self, block: _Block, categories: Ints) -> tuple[Doubles, Doubles]:
        """Attribute the logit of each document's category, less the mean logit, to the words of its windows."""
        words = block.words
        weight, rest = attribute_logits(self.parameters_, block.head, categories)
        _, first_maps, columns = places(self.options)
        added = np.zeros(len(words.tokens))
        for j, first in enumerate(first_maps):
            at = words.starts[:-1, None] + block.where[:, first:] + j
            sums = block.table[words.tokens[at], np.arange(columns[j], columns[j + 1])]
            np.add.at(added, at, sums * weight[:, first:])
        return added[words.given], rest

    def _blocks(self, rows: Sequences, threads: int) -> Iterator[_Block]:
        """Run the documents through the network, in blocks that bound the memory of the table of projections."""
        vectors, options = self._require_trained(), self.options
        with one_blas_thread(), ThreadPoolExecutor(max(1, threads)) as pool:
            for start in range(0, rows.n_documents, _BLOCK):
                here = slice(start, min(start + _BLOCK, rows.n_documents))
                words = lay_out(options, take_sequences(rows, np.arange(here.start, here.stop)), vectors)
                table = tabulate(options, self.parameters_["filters"], words, pool)
                pooled, where = pool_windows(options, table, words, pool)
                yield _Block(here, words, table, where, apply_head(self.parameters_, pooled))

    def _require_trained(self) -> Floats:
        if self._vectors is None or not self.parameters_:
            raise BadUsage("the CNN has not been trained", hint="call fit or load first")
        return self._vectors

    def save(self, path: str | Path) -> None:
        """Write the parameters as .npy files and the options as JSON into a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for name in sorted(self.parameters_):
            np.save(folder / f"cnn-{name}.npy", self.parameters_[name], allow_pickle=False)
        text = json.dumps({"options": asdict(self.options), "history": self.history_}, indent=1, sort_keys=True)
        (folder / "cnn.json").write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path, vectors: Floats) -> CNNClassifier:
        """Read what `save` wrote; the input vectors are stored with the embedding and passed in."""
        folder = Path(path)
        try:
            saved = read_json(folder / "cnn.json", _SAVED)
            options = CNNOptions(**{**saved["options"], "widths": tuple(saved["options"]["widths"])})
            model = cls(options)
            model.parameters_ = _read_parameters(folder, options)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedGraph(f"no readable CNN in {folder}: {error}", hint="run `hin classify` again") from error
        model.history_ = saved["history"]
        dim = model.parameters_["filters"].shape[0]
        if dim != vectors.shape[1]:
            raise DamagedGraph(
                f"the CNN in {folder} reads {dim} numbers per word, the vectors have {vectors.shape[1]}",
                hint="run `hin classify` again",
            )
        model._vectors = _contiguous(vectors)
        return model


def _read_parameters(folder: Path, options: CNNOptions) -> dict[str, Floats]:
    """Read the parameters and check their shapes against the options."""
    pooled = len(options.widths) * options.maps
    hidden = load_array(folder / "cnn-hidden.npy", "float32", (pooled, options.hidden), mapped=False)
    out = load_array(folder / "cnn-out.npy", "float32", (options.hidden or pooled, None), mapped=False)
    shapes: dict[str, tuple[int | None, ...]] = {
        "bias": (pooled,),
        "filters": (None, sum(options.widths) * options.maps),
        "hidden_bias": (options.hidden,),
        "out_bias": (out.shape[1],),
    }
    read = {
        name: load_array(folder / f"cnn-{name}.npy", "float32", shape, mapped=False) for name, shape in shapes.items()
    }
    return {**read, "hidden": hidden, "out": out}


def _checked(sequences: tuple[Int64, Int32], vectors: Floats) -> Sequences:
    offsets, ids = sequences
    if len(ids) and (ids.max() >= len(vectors) or ids.min() < -1):
        raise BadUsage(f"sequences use ids from {ids.min()} to {ids.max()}, there are {len(vectors)} vectors")
    return Sequences(np.ascontiguousarray(offsets, dtype=np.int64), np.ascontiguousarray(ids, dtype=np.int32))


def _contiguous(vectors: Floats) -> Floats:
    return np.ascontiguousarray(vectors, dtype=np.float32)
