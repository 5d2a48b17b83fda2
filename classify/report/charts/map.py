"""The chart "map": categories and their strongest instances on a plane (the paper's figure 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classify.documents.own_vectors import join_views
from classify.paper.tables import project
from classify.report.charts.base import chart
from hin.arrays.types import Doubles, Int64, Ints

if TYPE_CHECKING:
    from classify.report.gathering import ChartSource


@chart(
    "map",
    section="map",
    hint="Category names (stars) and the words and values that speak most for them (dots), laid out by t-SNE of their "
    "vectors: what lies near is alike; distances between far groups mean little.",
)
def joint_map(source: ChartSource) -> dict[str, Any] | None:
    """Return points `[x, y, category, position]`; position 0 is the category's name."""
    vectors, chosen, n_categories = source.inputs.vectors, source.chosen, len(source.categories)
    if vectors is None or not n_categories or not len(chosen["motif"]):
        return None
    keep = _first_of_groups(chosen["category"], source.options.map_instances)
    motifs, categories = chosen["motif"][keep], chosen["category"][keep]
    points = np.asarray(vectors[motifs], dtype=np.float64)
    named = source.inputs.category_vectors
    if named is None:
        named = np.stack([_mean_or_zeros(points[categories == code], points.shape[1]) for code in range(n_categories)])
    placed = np.concatenate([named, points])
    if (own := _own_points(source, motifs)) is not None:
        middles = [_mean_or_zeros(own[categories == code], own.shape[1]) for code in range(n_categories)]
        shares = source.inputs.settings["classify"]["used"]["views"]
        placed = join_views(placed, np.concatenate([np.stack(middles), own]), shares)
    plane = project(placed, source.options.seed)
    if plane is None:
        return None
    rank = keep - np.searchsorted(chosen["category"], chosen["category"][keep])
    owner = np.concatenate([np.arange(n_categories), categories])
    position = np.concatenate([np.zeros(n_categories, dtype=np.int64), rank + 1])
    rows = zip(plane.tolist(), owner.tolist(), position.tolist(), strict=True)
    return {"points": [[round(x, 3), round(y, 3), c, p] for (x, y), c, p in rows]}


def _own_points(source: ChartSource, motifs: Ints) -> Doubles | None:
    """Return the mean of the user's vectors over the documents of each instance; None where there are no vectors."""
    given, held = source.inputs.own, source.inputs.findings.has_motif
    if given is None or held is None or source.inputs.findings.motifs is None:
        return None
    if "joint" not in source.inputs.settings["classify"]["used"]["views"]:
        return None
    members = held.to_scipy(source.inputs.findings.motifs.num_rows)[:, motifs]
    return np.asarray(members.T @ given.centred, dtype=np.float64)


def _first_of_groups(groups: Ints, size: int) -> Int64:
    """Return the positions of the first `size` rows of each group; the rows of a group are contiguous."""
    starts = np.searchsorted(groups, groups)
    return np.flatnonzero(np.arange(len(groups)) - starts < size)


def _mean_or_zeros(points: Doubles, dim: int) -> Doubles:
    return points.mean(axis=0) if len(points) else np.zeros(dim)
