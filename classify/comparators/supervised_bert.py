"""Supervised BERT: fine-tuned on true labels, the ceiling of the paper's table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classify.comparators.parts.language_models import (
    Descent,
    document_texts,
    encode_texts,
    infer,
    load,
    padded,
    torch_set_up,
)
from classify.comparators.parts.sampling import split_documents
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task


@SYSTEMS.register("supervised-bert")
@dataclass(frozen=True)
class SupervisedBert(System):
    """The seed determines the split; the epoch that is best on the dev part is used."""

    about = About(
        title="Supervised BERT",
        paper="Devlin et al., BERT: Pre-training of Deep Bidirectional Transformers, NAACL 2019",
        follows="BertForSequenceClassification on a random 80/10/10 split, batches of 16, 10 epochs, AdamW, rate 5e-5 "
        "falling to 0 (appendix A.3); figures are of the last 10 %.",
        differs="Texts are cut at 256 tokens; the epoch with the best accuracy on the dev part is kept. Any model of "
        "transformers may stand in by name.",
        supervision="labels",
        transformer=True,
    )
    batch: int = 16
    epochs: int = 10
    rate: float = 5e-5
    length: int = 256

    def run(self, task: Task) -> Outcome:
        """Fine-tune on 80 %, choose on 10 %, label all."""
        assert task.truth is not None
        place = task.model("bert", "BERT model")
        with torch_set_up(task) as torch:
            tokenizer, model = load(place, "AutoModelForSequenceClassification", num_labels=len(task.categories))
            rows = encode_texts(tokenizer, document_texts(task), self.length)
            blank, rng = tokenizer.pad_token_id, task.rng(0xBE27)
            split = split_documents(task.truth, task.rng(0x80))
            steps = -(-len(split.train) // self.batch)
            descent = Descent(torch, model.parameters(), self.rate, steps * self.epochs, warm_up=0.0)

            def forward(ids, mask):  # type: ignore[no-untyped-def]
                return torch.softmax(model(input_ids=ids, attention_mask=mask).logits, dim=1)

            best, highest = None, -1.0
            for epoch in range(self.epochs):
                model.train()
                order = split.train[rng.permutation(len(split.train))]
                for step in range(steps):
                    task.progress("fine-tuning", epoch * steps + step, self.epochs * steps)
                    chosen = order[step * self.batch : (step + 1) * self.batch]
                    ids, mask = padded(torch, [rows[i] for i in chosen], blank)
                    truth = torch.from_numpy(task.truth[chosen].astype(np.int64))
                    descent.step(model(input_ids=ids, attention_mask=mask, labels=truth).loss)
                model.eval()
                right = infer(torch, [rows[i] for i in split.dev], 64, blank, forward, task, "choosing").argmax(axis=1)
                accuracy = float(np.mean(right == task.truth[split.dev]))
                if accuracy > highest:
                    best, highest = {k: v.clone() for k, v in model.state_dict().items()}, accuracy
            model.load_state_dict(best)
            found = infer(torch, [rows[i] for i in split.test], 64, blank, forward, task, "predicting")
        scores = np.zeros((len(rows), len(task.categories)), dtype=np.float32)
        scores[split.test] = found
        tested = np.zeros(len(rows), dtype=np.bool_)
        tested[split.test] = True
        return Outcome(scores, tested)
