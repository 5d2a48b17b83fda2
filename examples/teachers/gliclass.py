"""A zero-shot teacher from GLiClass, which reads a text and all category names in one pass.

    hin ask --documents 200 --rounds 4 --teacher 'python examples/teachers/gliclass.py knowledgator/gliclass-small-v1.0'

It needs `pip install gliclass`; the model is fetched from the Hugging Face hub unless a folder is named. Questions come
as JSON lines on the standard input, answers go to the output.
"""

from __future__ import annotations

import json
import sys

from gliclass import GLiClassModel, ZeroShotClassificationPipeline
from transformers import AutoTokenizer


def main(name: str) -> None:
    """Answer every question of the standard input."""
    model, tokenizer = GLiClassModel.from_pretrained(name), AutoTokenizer.from_pretrained(name)
    one_label, several = (
        ZeroShotClassificationPipeline(model, tokenizer, classification_type=kind, device="cpu")
        for kind in ("single-label", "multi-label")
    )
    for line in sys.stdin:
        question = json.loads(line)
        text = f"{question['title']}\n{question['text'][:2000]}"
        labels = [one["name"] for one in question["categories"]]
        classify = several if question["several"] else one_label
        found = classify(text, labels, threshold=0.5 if question["several"] else 0.0)[0]
        found.sort(key=lambda one: -one["score"])
        chosen = [one["label"] for one in (found if question["several"] else found[:1])]
        answer = chosen if question["several"] else (chosen or ["cannot tell"])[0]
        sure = float(found[0]["score"]) if found else None
        print(json.dumps({"document": question["document"], "category": answer, "confidence": sure}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
