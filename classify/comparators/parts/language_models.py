"""Pretrained language models by name or folder, through transformers (the extra `hin[compare]`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.comparators.parts.system import MissingModel
from hin.errors import HinError

if TYPE_CHECKING:
    from classify.comparators.parts.system import Task

__all__ = ["batches", "document_texts", "load", "torch_set_up"]


def load(place: str, kind: str, **settings: Any) -> tuple[Any, Any]:
    """Return tokenizer and model; `kind` is the class of transformers, such as AutoModel.

    Raises
    ------
    MissingModel
        When transformers is not installed, or finds no such model.
    """
    try:
        transformers: Any = import_module("transformers")
    except ImportError:
        raise MissingModel(
            "transformers is not installed", hint="install it with `pip install 'hin[compare]'`"
        ) from None
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    where = str(Path(place).expanduser()) if Path(place).expanduser().exists() else place
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(where)
        return tokenizer, getattr(transformers, kind).from_pretrained(where, **settings)
    except HinError:
        raise
    except Exception as error:
        told = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise MissingModel(
            f"no {kind} can be made of {place}: {told}",
            hint="name a folder that save_pretrained wrote, or a hub's name",
        ) from None


@contextmanager
def torch_set_up(task: Task, threads: int | None = None) -> Iterator[Any]:
    """Torch with the task's seed and threads (or `threads`); what was set before is put back."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(max(1, task.threads if threads is None else threads))
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(task.seed)
            yield torch
    finally:
        torch.set_num_threads(before)


def document_texts(task: Task) -> list[str]:
    """Return the documents as they were written, text fields joined."""
    columns = [column.to_pylist() for column in task.graph.texts.table.columns]
    return [" ".join(part for part in parts if part) for parts in zip(*columns, strict=True)]


def batches(texts: Sequence[str], size: int) -> Iterator[np.ndarray[Any, Any]]:
    """Yield rows in batches of texts of about one length, so that little is padded.

    >>> [batch.tolist() for batch in batches(["aaa", "a", "bb"], 2)]
    [[1, 2], [0]]
    """
    order = np.argsort([len(text) for text in texts], kind="stable")
    for start in range(0, len(order), size):
        yield order[start : start + size]
