"""The figures of the paper's own tables, to be shown beside our measurements."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """Micro- and macro-F1 on the paper's two data sets (Table 2, mean of five runs)."""

    mag_micro: float
    mag_macro: float
    amazon_micro: float
    amazon_macro: float


TABLE_2 = {
    "westclass": Published(0.464, 0.326, 0.519, 0.547),
    "westclass-metadata": Published(0.525, 0.369, 0.610, 0.603),
    "metacat": Published(0.488, 0.403, 0.664, 0.657),
    "meta": Published(0.398, 0.373, 0.664, 0.662),
    "lotclass": Published(0.124, 0.107, 0.658, 0.589),
    "metapath2vec": Published(0.436, 0.414, 0.619, 0.611),
    "hin2vec": Published(0.408, 0.350, 0.628, 0.566),
    "hgt": Published(0.151, 0.136, 0.272, 0.211),
    "motifclass-no-higher-order": Published(0.549, 0.476, 0.682, 0.670),
    "motifclass-no-specificity": Published(0.553, 0.499, 0.675, 0.664),
    "motifclass": Published(0.571, 0.501, 0.689, 0.670),
    "supervised-bert": Published(0.798, 0.717, 0.952, 0.952),
}

#: Running time in hours on MAG-CS (203,157 documents) and Amazon (100,000), ten cores and a GPU (Table 5).
HOURS = {
    "westclass": (2.9, 0.2),
    "metacat": (0.4, 0.3),
    "lotclass": (6.1, 1.1),
    "meta": (74.7, 11.0),
    "motifclass": (2.8, 2.1),
}

#: Share of each pattern among the selected instances, all categories of MAG-CS (Table 3).
PATTERN_SHARES = {
    "venue": 0.003, "author": 0.211, "term": 0.301, "venue-year": 0.248, "venue-author": 0.186,
    "author-author": 0.032, "author-year": 0.019,
}  # fmt: skip

#: Retrieved and generated documents per category, in units of X, and the F1 of each (Table 6).
RETRIEVED_GENERATED = {
    (1, 1): Published(0.571, 0.501, 0.689, 0.670),
    (1, 0): Published(0.555, 0.489, 0.657, 0.642),
    (2, 0): Published(0.527, 0.469, 0.667, 0.662),
    (0, 1): Published(0.491, 0.449, 0.614, 0.598),
    (0, 2): Published(0.486, 0.452, 0.623, 0.610),
}
