"""Options of knowledge."""

from __future__ import annotations

from dataclasses import dataclass

from hin.option_fields import check_limits, option

__all__ = ["BUILT_IN", "KnowledgeOptions"]

#: The model whose weights come with the installation.
BUILT_IN = "wordllama"


@dataclass(frozen=True)
class KnowledgeOptions:
    """Knowledge of words from outside the corpus.

    Attributes
    ----------
    knowledge : the built-in model, a folder with a model, or "none".
    """

    knowledge: str = option(
        BUILT_IN, "What words mean: wordllama (built in), a model's folder, or none.",
        metavar="NAME|FOLDER|none",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_limits(self, "knowledge")
