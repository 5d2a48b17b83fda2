"""The joint embedding: edges and samplers, the training kernel, the trainer, the model (section 3.1.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hin.lazy_names import lazy_names

if TYPE_CHECKING:
    from embed.edges import Edges
    from embed.learn import edges_of, train
    from embed.model import JointEmbedding, Neighbour
    from embed.options import EmbedOptions
    from embed.sgd.schedule import Plan, make_plan
    from embed.specificity import Specificity, estimate_specificity

__all__ = [
    "Edges",
    "EmbedOptions",
    "JointEmbedding",
    "Neighbour",
    "Plan",
    "Specificity",
    "edges_of",
    "estimate_specificity",
    "make_plan",
    "train",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Edges": "embed.edges",
        "EmbedOptions": "embed.options",
        "JointEmbedding": "embed.model",
        "Neighbour": "embed.model",
        "Plan": "embed.sgd.schedule",
        "Specificity": "embed.specificity",
        "edges_of": "embed.learn",
        "estimate_specificity": "embed.specificity",
        "make_plan": "embed.sgd.schedule",
        "train": "embed.learn",
    },
)
