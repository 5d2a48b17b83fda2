"""Knowledge in one file: a function from texts and category names to scores.

Put a zero-shot classifier such as GLiClass in its place. Once this module is imported, `--knowledge overlap` and
`MotifClassifier(knowledge="overlap")` find it; `MotifClassifier(knowledge=overlap)` takes the function itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classify.knowledge.scoring import SCORERS


def _trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(len(text) - 2)}


@SCORERS.register("overlap")
def overlap(texts: Sequence[str], names: Sequence[str]) -> np.ndarray:
    """Return the share of each name's three-letter pieces that a text holds: one row per text, one column per name."""
    pieces = [_trigrams(name.lower()) for name in names]
    held = [_trigrams(text.lower()) for text in texts]
    return np.array([[len(own & text) / max(len(own), 1) for own in pieces] for text in held], dtype=np.float32)
