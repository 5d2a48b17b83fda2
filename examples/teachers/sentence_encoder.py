"""A zero-shot teacher from a sentence encoder: the category whose name and words are nearest to the document.

    hin ask --documents 200 --rounds 4 --teacher 'python examples/teachers/sentence_encoder.py FOLDER'

FOLDER holds a model with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, such as all-MiniLM-L6-v2; it needs
`pip install onnxruntime tokenizers`. Questions come as JSON lines on the standard input, answers go to the output.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer


def main(folder: Path) -> None:
    """Answer every question of the standard input."""
    model = next(path for path in (folder / "model.onnx", *sorted(folder.glob("onnx/*.onnx"))) if path.exists())
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(128)
    wanted = {entry.name for entry in session.get_inputs()}

    def encode(text: str) -> np.ndarray:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = session.run(None, {name: value for name, value in given.items() if name in wanted})[0]
        vector = states[0].mean(axis=0)
        return vector / np.linalg.norm(vector)

    names: dict[str, np.ndarray] = {}
    for line in sys.stdin:
        question = json.loads(line)
        for one in question["categories"]:
            if one["name"] not in names:
                words = ", ".join([*one["path"], one["name"], one["description"], *one["keywords"]])
                names[one["name"]] = encode(words)
        document = encode(f"{question['title']}. {question['text'][:1000]}")
        scores = {one["name"]: float(names[one["name"]] @ document) for one in question["categories"]}
        best = max(scores, key=lambda name: scores[name])
        print(json.dumps({"document": question["document"], "category": best}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
