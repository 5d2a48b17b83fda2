"""The paper's Tables 3 and 4 and Figures 4 and 5 for a graph; used by commands, the report and benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.finding import CategoryFinding, name_vectors
from classify.categories.name_vector import NameVector
from classify.paper.retrieval import Retrieved, count_indicative, retrieve
from classify.paper.selection import Selection, SelectionOptions
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Floats, Ints, Reals

if TYPE_CHECKING:
    from classify.documents.sequences import Sequences
    from motifs import MotifSet


#: Documents retrieved per category in Figure 4.
SIZES = (50, 100, 200, 1000)
#: The rows of Table 4 begin at these multiples of the name's kappa; each shows at most this many instances.
_LEVELS, _SHOWN = (0, 1, 2, 3, 4), 3


@dataclass(frozen=True, eq=False)
class PaperSelection:
    """The joint embedding and the instances selected for each category, from which the paper's tables are made.

    Attributes
    ----------
    kappa : float[instances], as SGD learned it. The multiples of Table 4 are of this kappa even if the selection used
        the estimated one, which has another scale.
    """

    motif_set: MotifSet
    vectors: Floats
    kappa: Reals
    findings: Sequence[CategoryFinding]
    selection: Selection

    @cached_property
    def names(self) -> list[NameVector]:
        """Each category's direction and specificity."""
        return name_vectors(self.findings, self.motif_set, self.vectors, self.kappa)

    @property
    def categories(self) -> list[str]:
        """The categories' names."""
        return [finding.category for finding in self.findings]

    def retrieved(self, size: int) -> tuple[Retrieved, ...]:
        """Retrieve `size` documents for each category (section 3.2)."""
        chosen = [selected.instances for selected in self.selection]
        return retrieve(count_indicative(self.motif_set.by_document(), chosen, self.motif_set.n_instances), size)

    def tables(self, truth: Ints) -> dict[str, Any]:
        """Return Tables 3 and 4 and Figure 4; `truth` is each document's true category, -1 where it is not known."""
        documents = [found.documents for found in self.retrieved(max(SIZES))]
        return {
            "pattern_shares": self.pattern_shares(),
            "specificity_levels": self.specificity_levels(),
            "retrieved": retrieved_accuracy(documents, truth),
        }

    def pattern_shares(self) -> list[dict[str, Any]]:
        """Return each pattern's share of the selected instances, one row per category, then overall (Table 3)."""
        patterns = [pattern.name for pattern in self.motif_set.patterns]
        tables = [np.searchsorted(self.motif_set.offsets, c.instances, side="right") - 1 for c in self.selection]
        rows = []
        for category, of in zip([*self.categories, "overall"], [*tables, np.concatenate(tables)], strict=True):
            shares = np.bincount(of, minlength=len(patterns)) / max(1, len(of))
            rows.append({"category": category, "shares": dict(zip(patterns, shares.tolist(), strict=True))})
        return rows

    def specificity_levels(self) -> list[dict[str, Any]]:
        """Return the instances nearest to each name, grouped by the ratio of their kappa to the name's (Table 4).

        The name's own instances are left out, as the table shows its neighbours. `selected` is whether the group passes
        the paper's eta.
        """
        with one_blas_thread():
            cosines = self.vectors @ np.stack([name.vector for name in self.names]).T
        rows, eta = [], SelectionOptions().eta_for("learned")
        for column, (category, name) in enumerate(zip(self.categories, self.names, strict=True)):
            others = np.ones(len(self.vectors), dtype=np.bool_)
            others[list(name.instances)] = False
            for low, high in pairwise((*_LEVELS, None)):
                assert low is not None
                within = others & (self.kappa >= low * name.kappa)
                if high is not None:
                    within &= self.kappa < high * name.kappa
                inside = np.flatnonzero(within)
                best = inside[np.argsort(-cosines[inside, column], kind="stable")][:_SHOWN]
                rows.append({
                    "category": category, "kappa": float(name.kappa), "from": low, "to": high, "selected": low >= eta,
                    "instances": [self.motif_set.name(int(i)) for i in best],
                })  # fmt: skip
        return rows

    def places(self, seed: int, most: int = 7) -> list[dict[str, Any]]:
        """Return points on a plane for names and the first instances selected for each (Figure 5); empty for few."""
        points, labels = [], []
        for category, name, found in zip(self.categories, self.names, self.selection, strict=True):
            others = [int(i) for i in found.instances if i not in name.instances][:most]
            points += [name.vector, *(self.vectors[i] for i in others)]
            labels += [{"category": category, "instance": None}]
            labels += [{"category": category, "instance": self.motif_set.name(i)} for i in others]
        plane = project(np.stack(points).astype(np.float64), seed)
        rows = zip(labels, [] if plane is None else plane.tolist(), strict=plane is not None)
        return [{**row, "x": round(x, 3), "y": round(y, 3)} for row, (x, y) in rows]


def retrieved_accuracy(documents: Sequence[Ints], truth: Ints, sizes: Sequence[int] = SIZES) -> list[dict[str, Any]]:
    """Return the accuracy of the retrieved documents' pseudo labels, for several sizes (Figure 4).

    In the rows, `documents` counts those with a true label. The accuracy is over these; None where there are none.

    Examples
    --------
    >>> retrieved_accuracy([np.array([0, 1]), np.array([2])], np.array([0, 1, 1]), [1, 2])
    [{'size': 1, 'documents': 2, 'accuracy': 1.0}, {'size': 2, 'documents': 3, 'accuracy': 0.6666666666666666}]
    """
    rows = []
    for size in sizes:
        heads = [truth[np.asarray(found[:size], dtype=np.int64)] for found in documents]
        known = sum(int((codes >= 0).sum()) for codes in heads)
        right = sum(int((codes == column).sum()) for column, codes in enumerate(heads))
        rows.append({"size": size, "documents": known, "accuracy": right / known if known else None})
    return rows


def generated_accuracy(
    generated: Sequences, pseudo: Ints, sequences: Sequences, truth: Ints, n_categories: int
) -> float:
    """Return the share of generated documents whose category a naive Bayes trained on the true labels predicts.

    A generated document has no true label; this measures whether its words and metadata are typical of its category.

    Examples
    --------
    >>> from classify.documents.sequences import Sequences
    >>> real = Sequences.of([[0, 1], [2, 3]])
    >>> generated_accuracy(Sequences.of([[0, 0], [3, 2], [1, 1]]), np.array([0, 1, 1]), real, np.array([0, 1]), 2)
    0.6666666666666666
    """
    if generated.n_documents == 0:
        return 0.0
    n = int(max(generated.ids.max(initial=0), sequences.ids.max(initial=0))) + 1
    codes = np.repeat(truth, np.diff(sequences.offsets))
    seen = codes >= 0
    counts = np.bincount(sequences.ids[seen].astype(np.int64) * n_categories + codes[seen], minlength=n * n_categories)
    table = counts.reshape(n, n_categories) + 0.1
    weight = np.log(table / table.sum(axis=0))
    rows = np.repeat(np.arange(generated.n_documents), np.diff(generated.offsets))
    scores = np.zeros((generated.n_documents, n_categories))
    np.add.at(scores, rows, weight[generated.ids])
    return float((scores.argmax(axis=1) == pseudo).mean())


def project(vectors: Reals, seed: int) -> Reals | None:
    """Project unit vectors to a plane by t-SNE, the same for a seed; None for fewer than four.

    Starts from the first two principal components, with signs that make the largest coordinate of each positive, and
    runs on one thread, so that neither the number of cores nor the sign of an eigenvector moves a point.

    Examples
    --------
    >>> points = project(np.eye(12, 5) + np.arange(60).reshape(12, 5) / 100, 0)
    >>> points.shape, float(abs(points).max())
    ((12, 2), 1.0)
    """
    from sklearn.manifold import TSNE

    count = len(vectors)
    if count < 4:
        return None
    with one_blas_thread():
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        centred = unit - unit.mean(axis=0)
        left, size, _ = np.linalg.svd(centred, full_matrices=False)
        start = left[:, :2] * size[:2]
        start *= np.sign(start[np.abs(start).argmax(axis=0), [0, 1]])
        start = start / max(float(start[:, 0].std()), 1e-12) * 1e-4
        plane: Reals = TSNE(
            2,
            perplexity=max(1.0, min(30.0, (count - 1) / 3)),
            init=start.astype(np.float32),
            learning_rate="auto",
            metric="cosine",
            random_state=seed,
            n_jobs=1,
        ).fit_transform(centred.astype(np.float32))
    plane = plane - (plane.max(axis=0) + plane.min(axis=0)) / 2
    # The axes of t-SNE have no meaning, so each is scaled to fill its side of the map.
    return np.asarray(plane / np.maximum(np.abs(plane).max(axis=0), 1e-12))
