"""A zero-shot teacher from a sentence encoder: the category whose name and words are nearest to the document.

    hin ask --documents 200 --rounds 4 --teacher 'python examples/teachers/sentence_encoder.py MODEL'

MODEL is a folder with a sentence-transformers model, such as all-MiniLM-L6-v2, or its name on the Hugging Face hub; it
needs `pip install 'hin-toolkit[encoder]'`. Questions come as JSON lines on the standard input, answers go to the
output.
"""

from __future__ import annotations

import json
import sys

import torch
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

logging.disable_progress_bar()


def main(name: str) -> None:
    """Answer every question of the standard input."""
    torch.set_num_threads(1)
    tokenizer, model = AutoTokenizer.from_pretrained(name), AutoModel.from_pretrained(name).eval()

    @torch.inference_mode()
    def encode(text: str) -> torch.Tensor:
        given = tokenizer(text, truncation=True, max_length=128, return_tensors="pt")
        return torch.nn.functional.normalize(model(**given).last_hidden_state[0].mean(dim=0), dim=0)

    names: dict[str, torch.Tensor] = {}
    for line in sys.stdin:
        question = json.loads(line)
        for one in question["categories"]:
            if one["name"] not in names:
                words = [*one["path"], one["name"], one["description"], *one["keywords"]]
                names[one["name"]] = encode(", ".join(word for word in words if word))
        document = encode(f"{question['title']}. {question['text'][:1000]}")
        scores = {one["name"]: float(names[one["name"]] @ document) for one in question["categories"]}
        best = max(scores, key=lambda name: scores[name])
        print(json.dumps({"document": question["document"], "category": best}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
