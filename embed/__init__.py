"""The joint embedding: edges and samplers, the training kernel, the trainer, the model (section 3.1.1)."""

from __future__ import annotations

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
