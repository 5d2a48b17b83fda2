"""The nearest category name by a sentence encoder: what a user with a pretrained model would try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from classify.comparators.parts.language_models import document_texts, encode_texts, infer, load, torch_set_up
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task


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
        names = [", ".join([category.name, *category.keywords]) for category in task.categories]
        with torch_set_up(task) as torch:
            model.eval()

            def forward(ids: Any, mask: Any) -> Any:
                states, real = model(input_ids=ids, attention_mask=mask).last_hidden_state, mask.unsqueeze(-1)
                return torch.nn.functional.normalize((states * real).sum(dim=1) / real.sum(dim=1), dim=1)

            vectors, targets = (
                infer(torch, rows, self.batch, tokenizer.pad_token_id, forward, task, "encoding").astype(np.float64)
                for rows in (encode_texts(tokenizer, texts, self.length) for texts in (document_texts(task), names))
            )
        return Outcome(vectors @ targets.T)
