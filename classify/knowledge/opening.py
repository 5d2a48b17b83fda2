"""From what the user names to a model: the built-in one, a folder, or a name on the model hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from classify.knowledge.base import KnowledgeModel
from classify.knowledge.options import BUILT_IN
from classify.knowledge.static import built_in_model, is_static_folder, read_static_folder
from hin.errors import BadInput

__all__ = ["open_model"]


def open_model(wanted: Any) -> KnowledgeModel | None:
    """Return the model of that name; None for `none`.

    Parameters
    ----------
    wanted : "wordllama" (built in), "none" or None, a folder, a name on the hub, or a model itself.

    Examples
    --------
    >>> open_model("none") is None, open_model("wordllama").name
    (True, 'wordllama')
    """
    if wanted is None or wanted == "none":
        return None
    if wanted == BUILT_IN:
        return built_in_model()
    if isinstance(wanted, KnowledgeModel):
        return wanted
    folder = Path(wanted)
    if not folder.is_dir():
        raise BadInput(
            f"there is no folder {wanted} with word vectors",
            hint=f"name a model2vec folder, {BUILT_IN} (built in), or none",
        )
    if is_static_folder(folder):
        return read_static_folder(folder)
    raise BadInput(f"{folder} holds no model that can be read", hint=f"name a model2vec folder, {BUILT_IN}, or none")
