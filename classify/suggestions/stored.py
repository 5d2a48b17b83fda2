"""The grounds of suggestions as a store keeps them of the last classification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classify.classification_stage import stored_classification
from classify.model.motif_model import MotifModel
from classify.suggestions.grounds import Grounds, grounds_of

if TYPE_CHECKING:
    from hin.stores.base import Store

__all__ = ["stored_grounds"]


def stored_grounds(store: Store) -> Grounds:
    """Return what the last `hin classify` left: the model, the probabilities and what the names were found as."""
    stored = stored_classification(store)
    model = MotifModel.load(stored.model)
    return grounds_of(model, store.read_graph(), stored.probabilities, stored.findings, stored.nearest)
