"""The model used where the user names none: an encoder that is on this machine, else the built-in word vectors."""

from __future__ import annotations

import os
from importlib.util import find_spec

#: The model whose weights come with the installation.
BUILT_IN = "wordllama"
#: The option value for the best model that is on this machine.
AUTO = "auto"
#: Sentence encoders that are looked up in the user's model cache, in this order; none is downloaded.
RECOMMENDED = ("sentence-transformers/all-MiniLM-L6-v2", "BAAI/bge-small-en-v1.5", "intfloat/e5-small-v2")
#: The encoder that is recommended for texts in another language than English, which those above hardly know.
MULTILINGUAL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
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


def encoder_advice(language: str | None = None) -> str:
    """Describe, for the user, how to install and use a sentence encoder for texts in this language (None: unknown).

    >>> encoder_advice("chinese").endswith("paraphrase-multilingual-MiniLM-L12-v2")
    True
    """
    install = "" if find_spec("transformers") is not None else "`pip install 'hin-toolkit[encoder]'`, then "
    better = "a sentence encoder knows texts better than word vectors do"
    if language not in (None, "english"):
        better = "its word vectors are English; a multilingual encoder knows more"
    name = RECOMMENDED[0] if language in (None, "english") else MULTILINGUAL
    return f"{better}: {install}--knowledge {name}"
