"""The nearest category name by a sentence encoder: what a user with a pretrained model would try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.comparators.parts.language_models import batches, document_texts, load, torch_set_up
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task

__all__ = ["ZeroShot"]


@SYSTEMS.register("zero-shot")
@dataclass(frozen=True)
class ZeroShot(System):
    """Cosine between the encoder's vectors of text and name (name and keywords in one line)."""

    about = About(
        title="Zero-shot encoder",
        paper="Reimers and Gurevych, Sentence-BERT, EMNLP 2019 (the use of an encoder by cosine)",
        follows="Mean of the last layer's token vectors, unit length, cosine with the names' vectors.",
        differs="Metadata are not read. The model is the user's choice: --model encoder=FOLDER.",
        transformer=True,
    )
    length: int = 256
    batch: int = 32

    def run(self, task: Task) -> Outcome:
        """Encode documents and names."""
        tokenizer, model = load(task.model("encoder", "sentence encoder"), "AutoModel")
        texts = document_texts(task)
        names = [", ".join([category.name, *category.keywords]) for category in task.categories]
        with torch_set_up(task) as torch, torch.inference_mode():
            model.eval()
            vectors = self._encode(torch, tokenizer, model, texts, task)
            targets = self._encode(torch, tokenizer, model, names, task)
        return Outcome(vectors @ targets.T)

    def _encode(self, torch: Any, tokenizer: Any, model: Any, texts: list[str], task: Task) -> Any:
        out = np.zeros((len(texts), model.config.hidden_size), dtype=np.float64)
        done = 0
        for rows in batches(texts, self.batch):
            given = tokenizer(
                [texts[i] or "." for i in rows],
                padding=True,
                truncation=True,
                max_length=self.length,
                return_tensors="pt",
            )
            states = model(**given).last_hidden_state
            mask = given["attention_mask"].unsqueeze(-1)
            means = (states * mask).sum(dim=1) / mask.sum(dim=1)
            out[rows] = torch.nn.functional.normalize(means, dim=1).numpy()
            done += len(rows)
            task.progress("encoding", done, len(texts))
        return out
