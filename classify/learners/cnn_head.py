"""The CNN's layers after max-pooling: for prediction in NumPy, for the gradient in Torch, and for reasons.

The three belong together: another activation or layer is a change of this file alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from classify.learners.cnn_forward import multiply
from hin.arrays.types import Doubles, Floats, Ints


class HeadOutput(NamedTuple):
    """The layers after pooling: features after their ReLU, the hidden layer (or the features again), probabilities."""

    features: Doubles
    inner: Doubles
    proba: Doubles


def apply_head(parameters: Mapping[str, Floats], pooled: Floats) -> HeadOutput:
    """Compute probabilities from pooled sums; a hidden layer with no columns is left out."""
    features = np.maximum(pooled.astype(np.float64) + parameters["bias"], 0.0)
    inner = features
    if parameters["hidden"].size:
        product = multiply(features, parameters["hidden"].astype(np.float64))
        inner = np.maximum(product + parameters["hidden_bias"], 0.0)
    logits = multiply(inner, parameters["out"].astype(np.float64)) + parameters["out_bias"]
    proba = np.exp(logits - logits.max(axis=1, keepdims=True))
    return HeadOutput(features, inner, proba / proba.sum(axis=1, keepdims=True))


def torch_log_proba(parameters: Mapping[str, Any], pooled: Any, mask: Floats | None) -> Any:
    """Compute log probabilities as `apply_head` does, on tensors; `mask` is the dropout of the pooled features."""
    import torch

    features = torch.relu(pooled + parameters["bias"])
    if mask is not None:
        features = features * torch.from_numpy(mask)
    if parameters["hidden"].numel():
        features = torch.relu(features @ parameters["hidden"] + parameters["hidden_bias"])
    return torch.log_softmax(features @ parameters["out"] + parameters["out_bias"], dim=1)


def attribute_logits(parameters: Mapping[str, Floats], head: HeadOutput, categories: Ints) -> tuple[Doubles, Doubles]:
    """Return the weight of each pooled sum in the logit of a document's category, less its mean logit, and the rest."""
    p = {name: value.astype(np.float64) for name, value in parameters.items()}
    weight = (p["out"] - p["out"].mean(axis=1, keepdims=True)).T[categories]
    rest = (p["out_bias"] - p["out_bias"].mean())[categories]
    if p["hidden"].size:
        weight = weight * (head.inner > 0)
        rest = rest + weight @ p["hidden_bias"]
        weight = weight @ p["hidden"].T
    weight = weight * (head.features > 0)
    return weight, rest + weight @ p["bias"]
