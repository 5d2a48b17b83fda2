"""Shape and training of the CNN, and the settings of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hin.errors import BadUsage


@dataclass(frozen=True)
class CNNOptions:
    """Shape and training of the CNN; the defaults train on soft labels of many documents.

    `PAPER` holds the paper's and its authors' training settings.

    Attributes
    ----------
    widths, maps : the filters' widths in words, rising, and the number of filters of each width.
    hidden : units between pooling and softmax, 0 for none.
    length : the longest sequence read.
    optimizer, learning_rate, momentum, batch, epochs : the settings of the training.
    decay : whether the learning rate falls linearly to zero.
    dropout : share of pooled features set to 0 in training.
    patience : training stops after this many epochs without a lower loss on held-out pseudo documents, but not before
        the training loss has halved; 0 never stops early.
    held_out : share of the training documents held out for that.
    documents : the most training documents, drawn evenly from the categories; None for all.
    steps : the least number of steps, in more epochs where there are fewer documents.
    balance : a document's weight is (mean size / size of its category) to this power.
    """

    widths: tuple[int, ...] = (2, 3, 4, 5)
    maps: int = 20
    hidden: int = 0
    length: int = 200
    optimizer: Literal["adam", "sgd"] = "adam"
    learning_rate: float = 0.01
    momentum: float = 0.9
    batch: int = 256
    epochs: int = 2
    decay: bool = True
    dropout: float = 0.0
    patience: int = 0
    held_out: float = 0.1
    documents: int | None = None
    steps: int = 0
    balance: float = 0.0

    def __post_init__(self) -> None:
        if not self.widths or min(self.widths) < 1 or self.maps < 1 or self.length < 1:
            raise BadUsage(
                "the CNN needs at least one filter width, map and word", hint="e.g. widths (2, 3, 4, 5), 20 maps"
            )
        if list(self.widths) != sorted(self.widths):
            raise BadUsage(f"the widths {self.widths} do not rise", hint="e.g. widths (2, 3, 4, 5)")
        if self.optimizer not in ("adam", "sgd"):
            raise BadUsage(f"no optimizer {self.optimizer!r}", hint="choose adam or sgd")
        if self.epochs < 1 or self.batch < 1 or self.learning_rate <= 0:
            raise BadUsage("epochs, batch and learning rate must be positive")
        if not (0 <= self.held_out < 1 and 0 <= self.dropout < 1):
            raise BadUsage("held_out and dropout are shares from 0 to below 1")


#: The paper's settings; momentum and rate are those of its authors' code. That code also has a hidden layer of 20, the
#: paper does not name one, and it costs .07 of F1 on arxiv-cs (decision 0036).
PAPER = CNNOptions(
    hidden=0, optimizer="sgd", learning_rate=0.1, momentum=0.9, epochs=100, decay=False, patience=5, held_out=0.1
)
