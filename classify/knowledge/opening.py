"""Opens the model that the user names: the built-in one, a folder, or a name on the model hub."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from classify.knowledge.base import KnowledgeModel
from classify.knowledge.options import BUILT_IN
from classify.knowledge.scoring import SCORERS, ScoringModel
from classify.knowledge.static import built_in_model, is_static_folder, read_static_folder
from hin.errors import BadInput

_OTHERS = f"name a model's folder, {BUILT_IN} (built in), or none"
#: The files fetched of a model: never a pickle, never code.
_FILES = (
    "config.json",
    "modules.json",
    "tokenizer.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "*_Pooling/config.json",
    "model.safetensors",
)


def open_model(wanted: Any, cache: Path | None = None) -> KnowledgeModel | None:
    """Open a model by its name; None for `none`.

    Parameters
    ----------
    wanted : "wordllama" (built in), "none" or None, a folder, a name on the hub, the name of a registered scorer, a
        function from texts and names to scores, or a model itself.
    cache : the folder in which an encoder's vectors are cached.

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
    if callable(wanted):
        return ScoringModel(wanted, getattr(wanted, "__name__", "scorer"))
    if wanted in SCORERS.names():
        return ScoringModel(SCORERS.get(wanted), wanted)
    folder = Path(wanted).expanduser()
    if not folder.is_dir():
        folder = _from_hub(os.fspath(wanted))
    if is_static_folder(folder):
        return read_static_folder(folder, _short(wanted))
    from classify.knowledge.networks import is_encoder_folder, read_encoder_folder

    if not is_encoder_folder(folder):
        raise BadInput(f"{wanted} holds no model that can be read", hint=_OTHERS)
    model = read_encoder_folder(folder, _short(wanted))
    if cache is None:
        return model
    from classify.knowledge.cache import CachedEncoder

    return CachedEncoder(model, cache)


def _short(wanted: Any) -> str:
    """Return the last part of a model's path or name."""
    return Path(wanted).expanduser().name or str(wanted)


def _from_hub(name: str) -> Path:
    """Return the local folder of a model on the hub; download it unless there is a copy."""
    from huggingface_hub import snapshot_download

    if name.startswith((".", "/", "~")) or name.count("/") > 1 or "\\" in name:
        raise BadInput(f"there is no folder {name} with a model", hint=_OTHERS)
    # The same default owners as in their own libraries.
    owner = "minishlab" if name.lower().startswith(("potion", "m2v")) else "sentence-transformers"
    full = name if "/" in name else f"{owner}/{name}"
    for here in (True, False):
        try:
            return Path(snapshot_download(full, allow_patterns=list(_FILES), local_files_only=here))
        except Exception as error:  # a wrong name, no network, a proxy: a class for each
            if not here:
                kind = type(error).__name__
                raise BadInput(
                    f"there is no folder {name}, and no model {full} is on the hub ({kind})", hint=_OTHERS
                ) from None
    raise AssertionError
