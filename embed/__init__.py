"""The joint embedding: edges and samplers, the training kernel, the trainer, the model (section 3.1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hin.lazy_names import lazy_names

if TYPE_CHECKING:
    from embed.edges import Edges
    from embed.learn import edges_of, train
    from embed.model import JointEmbedding, Neighbour
    from embed.options import EmbedOptions
    from embed.specificity import Specificity, estimate_specificity

__all__ = [
    "Edges",
    "EmbedOptions",
    "JointEmbedding",
    "Neighbour",
    "Specificity",
    "edges_of",
    "estimate_specificity",
    "train",
]

__getattr__, __dir__ = lazy_names(__name__)
