"""The model used where the user names none: an encoder that is on this machine, else the built-in word vectors."""

from __future__ import annotations

import os
from importlib.util import find_spec

__all__ = ["AUTO", "BUILT_IN", "RECOMMENDED", "choose_model", "encoder_advice"]

#: The model whose weights come with the installation.
BUILT_IN = "wordllama"
#: The name by which the best model that is on this machine is asked for.
AUTO = "auto"
#: Sentence encoders that are looked for in the user's model cache, in this order; none is ever downloaded unasked.
RECOMMENDED = ("sentence-transformers/all-MiniLM-L6-v2", "BAAI/bge-small-en-v1.5", "intfloat/e5-small-v2")
#: The environment variable that names the model for `auto`.
VARIABLE = "HIN_KNOWLEDGE"


def choose_model() -> str:
    """Choose the model that HIN_KNOWLEDGE names, else a recommended encoder in the user's cache, else the built-in."""
    named = os.environ.get(VARIABLE, "").strip()
    if named and named != AUTO:
        return named
    if find_spec("transformers") is None:  # the extra `encoder` is not installed
        return BUILT_IN
    from huggingface_hub import try_to_load_from_cache

    for name in RECOMMENDED:
        if all(isinstance(try_to_load_from_cache(name, file), str) for file in ("model.safetensors", "tokenizer.json")):
            return name
    return BUILT_IN


def encoder_advice() -> str:
    """Return what a sentence encoder would need here, for the user."""
    install = "" if find_spec("transformers") is not None else "`pip install 'hin-toolkit[encoder]'`, then "
    return f"a sentence encoder knows texts better than word vectors do: {install}--knowledge {RECOMMENDED[0]}"
