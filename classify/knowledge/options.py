"""Options of knowledge."""

from __future__ import annotations

from dataclasses import dataclass

from hin.option_fields import check_limits, option

__all__ = ["BUILT_IN", "CACHE", "KnowledgeOptions"]

#: The model whose weights come with the installation.
BUILT_IN = "wordllama"
#: The folder beside the stages of a graph with the cached vectors of encoders, and the worth of the metadata.
CACHE = ".knowledge"


@dataclass(frozen=True)
class KnowledgeOptions:
    """Knowledge of words from outside the corpus.

    Attributes
    ----------
    knowledge : the built-in model, a folder with a model, a name on the model hub, or "none".
    knowledge_seconds : an encoder's time budget, for two ordinary cores.
    """

    knowledge: str = option(
        BUILT_IN,
        "What words mean: wordllama (built in), a model's folder or hub name, or none.",
        metavar="NAME|FOLDER|none",
    )
    knowledge_seconds: float = option(
        60.0,
        "An encoder reads as many documents as 2 cores do in this time; the rest follow.",
        least=0,
        metavar="SECONDS",
    )

    def __post_init__(self) -> None:
        check_limits(self, "knowledge")
