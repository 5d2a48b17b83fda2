"""Fine-tuning of language models: batches of token ids, AdamW with a linear schedule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from classify.comparators.parts.system import Task

__all__ = ["Descent", "encode_texts", "infer", "padded"]


def encode_texts(tokenizer: Any, texts: Sequence[str], length: int) -> list[list[int]]:
    """Return each text's token ids, special tokens and all, cut at `length`."""
    return list(tokenizer([text or "." for text in texts], truncation=True, max_length=length)["input_ids"])


def padded(torch: Any, rows: Sequence[Sequence[int]], blank: int) -> tuple[Any, Any]:
    """Return rows of ids as one table, and which places are real."""
    longest = max(len(row) for row in rows)
    table = np.full((len(rows), longest), blank, dtype=np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    real = np.arange(longest) < np.array([[len(row)] for row in rows])
    return torch.from_numpy(table), torch.from_numpy(real.astype(np.int64))


class Descent:
    """AdamW whose rate rises over the first `warm_up` share of the steps and then falls to zero."""

    def __init__(self, torch: Any, parameters: Any, rate: float, steps: int, warm_up: float, clip: float = 1.0) -> None:
        self.torch, self.clip = torch, clip
        self.parameters = [p for p in parameters if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.parameters, lr=rate)
        rise = max(1, round(warm_up * steps))

        def factor(step: int) -> float:
            falling = max(0.0, (steps - step) / max(1, steps - rise))
            return min(falling, (step + 1) / rise) if warm_up else falling

        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimizer, factor)

    def step(self, loss: Any) -> None:
        """Move the parameters down the gradient."""
        self.optimizer.zero_grad()
        loss.backward()
        self.torch.nn.utils.clip_grad_norm_(self.parameters, self.clip)
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
) -> npt.NDArray[np.float32]:
    """Return what `forward` makes of ids and mask, one row a text; texts of about one length go together."""
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
