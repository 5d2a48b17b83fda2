"""Options of knowledge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from classify.knowledge.auto import AUTO, BUILT_IN, choose_model
from hin.option_fields import check_limits, option

__all__ = ["AUTO", "BUILT_IN", "CACHE", "KnowledgeOptions"]

#: The folder beside the stages of a graph with the cached vectors of encoders, and the worth of the metadata.
CACHE = ".knowledge"


@dataclass(frozen=True)
class KnowledgeOptions:
    """Knowledge of words from outside the corpus.

    Attributes
    ----------
    knowledge : "auto" (an encoder that is on this machine, else the built-in model), the built-in model, a folder with
        a model, a name on the model hub, a registered scorer, a model itself, or "none".
    knowledge_seconds : an encoder's time budget, for two ordinary cores.
    """

    knowledge: str = option(
        AUTO,
        "The pretrained model: auto (an encoder that is on this machine, else wordllama), wordllama (built in), a "
        "model's folder or hub name, or none.",
        metavar="auto|NAME|FOLDER|none",
    )
    knowledge_seconds: float = option(
        60.0,
        "Time budget of an encoder, in seconds on 2 cores; the vectors of documents beyond it are predicted.",
        least=0,
        metavar="SECONDS",
    )

    def __post_init__(self) -> None:
        check_limits(self, "knowledge")

    @property
    def model(self) -> Any:
        """The model itself: the option, with `auto` resolved."""
        return choose_model() if self.knowledge == AUTO else self.knowledge
