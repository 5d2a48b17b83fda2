"""The motif instances that indicate each category: near its name, and more specific than it (section 3.1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.name_vector import NameVector
from classify.paper.options import SelectionOptions
from hin.arrays.one_thread import one_blas_thread
from hin.arrays.types import Floats, Int32, Int64, Ints, Reals

if TYPE_CHECKING:
    from embed import JointEmbedding
    from motifs import MotifSet

__all__ = ["Selected", "Selection", "SelectionOptions", "select", "select_instances",
           "selection_rows"]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Selected:
    """The indicative instances of one category, the name first, then by falling cosine.

    Attributes
    ----------
    eta : the factor that was used, lower than the option's where too few instances passed.
    note : why it was lowered, or empty.
    """

    instances: Int32
    cosines: Floats
    eta: float
    note: str = ""


Selection = tuple[Selected, ...]


def select_instances(
    vectors: Floats,
    kappa: Reals,
    orders: Ints,
    names: Sequence[NameVector],
    options: SelectionOptions | None = None,
) -> Selection:
    """Rank instances by cosine with the category name, among those with ``kappa >= eta * kappa_name``.

    Of fewer than size × categories candidates (or half of all, in a small corpus) the nearest would be just the most
    specific instances of the corpus. Then eta is lowered for that category until that many pass, and its note reports
    it.

    Parameters
    ----------
    vectors : float32[instances, dim]
        Unit vectors.
    kappa : float[instances]
        Specificities.
    orders : int[instances]
        The number of metadata nodes or terms in each instance; above 1 is higher order.

    Examples
    --------
    >>> vectors = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1]], dtype=np.float32)
    >>> names = [NameVector((0,), vectors[0], 1.0), NameVector((3,), vectors[3], 1.0)]
    >>> chosen = select_instances(vectors, np.array([1, 1.5, 4, 4]), np.ones(4), names, SelectionOptions(size=2))
    >>> chosen[0].instances.tolist()
    [0, 2]
    """
    options = options or SelectionOptions()
    asked = options.eta_for("learned")
    allowed = np.ones(len(vectors), dtype=np.bool_) if options.higher_order else np.asarray(orders) <= 1
    with one_blas_thread():
        cosines = vectors @ np.stack([name.vector for name in names]).T.astype(np.float32)
    n_allowed = int(allowed.sum())
    pool = min(n_allowed, max(options.size, min(options.size * len(names), n_allowed // 2)))
    falling = -np.sort(-np.asarray(kappa, dtype=np.float64)[allowed])
    chosen = []
    for column, name in enumerate(names):
        eta, note = asked, ""
        passed = allowed
        if options.specificity:
            passed = allowed & (kappa >= eta * name.kappa)
            if (n := int(passed.sum())) < pool:
                eta = float(falling[pool - 1] / name.kappa) if name.kappa > 0 else 0.0
                passed = allowed & (kappa >= falling[pool - 1])
                note = _lowered(n, asked, eta)
        own = np.array(name.instances, dtype=np.int32)
        others = np.flatnonzero(passed if len(own) else np.zeros_like(passed))  # none for an unknown name
        others = others[~np.isin(others, own)]
        ranked = others[np.argsort(-cosines[others, column], kind="stable")]
        instances = np.concatenate([own, ranked[: max(0, options.size - len(own))]]).astype(np.int32)
        chosen.append(Selected(instances, cosines[instances, column], eta, note))
    return tuple(chosen)


def select(
    embedding: JointEmbedding, motif_set: MotifSet, names: Sequence[NameVector], options: SelectionOptions
) -> Selection:
    """Select the indicative instances of each category in an embedding, with the eta for its kind of kappa."""
    options = replace(options, eta=options.eta_for(embedding.specificity))
    vectors, kappa = np.asarray(embedding.vectors), np.asarray(embedding.kappa)
    return select_instances(vectors, kappa, instance_orders(motif_set), names, options)


def _lowered(n: int, asked: float, eta: float) -> str:
    """Return the note on how far the bound on kappa was lowered, and why.

    >>> _lowered(1, 1.0, 0.62)
    "only 1 instance has at least the name's kappa; those down to 0.62 times that of the name are taken too"
    """
    bound = "the name's kappa" if asked == 1 else f"{asked:g} times the name's kappa"
    have = "instance has" if n == 1 else "instances have"
    return f"only {n:,} {have} at least {bound}; those down to {eta:.2f} times that of the name are taken too"


def instance_orders(motif_set: MotifSet) -> Int64:
    """Return the number of parts of each instance of a motif set; a path through another document counts one more.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> instance_orders(match_all(tiny_graph(), ["venue", "venue-year"], min_count=2)).tolist()
    [1, 2]
    """
    parts = [len(table.fields) + (not table.pattern.is_star) for table in motif_set.tables]
    return np.repeat(np.array(parts, dtype=np.int64), np.diff(motif_set.offsets))


def selection_rows(
    selection: Selection,
    categories: Sequence[str],
    motif_set: MotifSet,
    kappa: Reals,
) -> list[dict[str, Any]]:
    """Return the selection as records: category, position, pattern, instance, kappa, cosine, documents."""
    counts = np.concatenate([table.documents for table in motif_set.tables])
    return [
        {
            "category": category,
            "position": position,
            "pattern": motif_set.pattern_of(int(i)).name,
            "instance": motif_set.name(int(i)),
            "kappa": float(kappa[i]),
            "cosine": float(cosine),
            "documents": int(counts[i]),
        }
        for category, selected in zip(categories, selection, strict=True)
        for position, (i, cosine) in enumerate(zip(selected.instances, selected.cosines, strict=True), start=1)
    ]
