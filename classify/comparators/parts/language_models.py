"""Pretrained language models through transformers (extra `hin-toolkit[compare]`): loading, fine-tuning, inference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from classify.comparators.parts.system import MissingModel, Task
from hin.arrays.types import Floats
from hin.errors import HinError

#: Gradients with a larger norm are scaled down to it, as in BERT's own fine-tuning.
_CLIP = 1.0


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
            "transformers is not installed", hint="install it with `pip install 'hin-toolkit[compare]'`"
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
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise MissingModel(
            f"no {kind} can be made of {place}: {reason}",
            hint="name a folder that save_pretrained wrote, or a hub's name",
        ) from None


@contextmanager
def torch_set_up(task: Task, threads: int | None = None) -> Iterator[Any]:
    """Yield Torch with the task's seed and threads (or `threads`); restore the former settings at the end."""
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


def encode_texts(tokenizer: Any, texts: Sequence[str], length: int) -> list[list[int]]:
    """Return each text's token ids, special tokens and all, cut at `length`."""
    return list(tokenizer([text or "." for text in texts], truncation=True, max_length=length)["input_ids"])


def padded(torch: Any, rows: Sequence[Sequence[int]], blank: int) -> tuple[Any, Any]:
    """Return padded rows of ids as one matrix, and its attention mask."""
    longest = max(len(row) for row in rows)
    table = np.full((len(rows), longest), blank, dtype=np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    real = np.arange(longest) < np.array([[len(row)] for row in rows])
    return torch.from_numpy(table), torch.from_numpy(real.astype(np.int64))


class Descent:
    """AdamW whose learning rate rises over the first `warm_up` share of the steps and then falls to zero."""

    def __init__(self, torch: Any, parameters: Any, rate: float, steps: int, warm_up: float) -> None:
        self.torch = torch
        self.parameters = [p for p in parameters if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.parameters, lr=rate)
        rise = max(1, round(warm_up * steps))

        def factor(step: int) -> float:
            falling = max(0.0, (steps - step) / max(1, steps - rise))
            return min(falling, (step + 1) / rise) if warm_up else falling

        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer, factor)

    def step(self, loss: Any) -> None:
        """Take one gradient step."""
        self.optimizer.zero_grad()
        loss.backward()
        self.torch.nn.utils.clip_grad_norm_(self.parameters, _CLIP)
        self.optimizer.step()
        self.schedule.step()


def infer(
    torch: Any,
    rows: Sequence[Sequence[int]],
    size: int,
    blank: int,
    forward: Callable[[Any, Any], Any],
    task: Task,
    label: str,
) -> Floats:
    """Apply `forward` to ids and mask, one row per text; texts of similar length are batched."""
    order = np.argsort([len(row) for row in rows], kind="stable")
    parts = []
    with torch.inference_mode():
        for start in range(0, len(order), size):
            task.progress(label, start, len(order))
            parts.append(forward(*padded(torch, [rows[i] for i in order[start : start + size]], blank)).numpy())
    found = np.concatenate(parts)
    out = np.empty_like(found)
    out[order] = found
    return out
