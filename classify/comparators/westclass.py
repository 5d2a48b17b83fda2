"""WeSTClass and WeSTClass+Metadata: pseudo documents from word vectors, a CNN, self-training."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from classify.comparators.parts.pseudo_documents import draw_documents, fit_vmf, grow_seeds
from classify.comparators.parts.reading import read_documents
from classify.comparators.parts.self_training import SelfTrainingOptions, self_train
from classify.comparators.parts.skip_gram import SkipGramOptions, skip_gram
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task
from classify.learners.cnn_options import CNNOptions

_PAPER = "Meng et al., Weakly-Supervised Neural Text Classification, CIKM 2018"
_FOLLOWS = (
    "Skip-gram vectors; seeds grown until two categories would share a word; one von Mises-Fisher distribution per "
    "category; 500 pseudo documents each, a fifth of their words from the background; CNN with a hidden layer of 20; "
    "self-training on q²/f until fewer than .1 % of the labels change, at most 1,000 batches (the appendix). Settings "
    "of the authors' code for AG's News."
)
_DIFFERS = (
    "The trainer is ours (more passes on small corpora); filters start with Glorot's widths instead of ±.01; momentum "
    "restarts in each pass over the documents; stop words and words in fewer than --min-count documents are left out, "
    "and padding has no vector."
)

#: The network of the authors' code, trained for 20 epochs on pseudo documents.
CNN = CNNOptions(hidden=20, optimizer="sgd", learning_rate=0.1, momentum=0.9, epochs=20, decay=False)


@SYSTEMS.register("westclass")
@dataclass(frozen=True)
class WeSTClass(System):
    """Text only. `background` is the authors' alpha, `documents` their beta, `words` their gamma."""

    about = About(title="WeSTClass", paper=_PAPER, follows=_FOLLOWS, differs=_DIFFERS)
    background: float = 0.2
    documents: int = 500
    words: int = 50
    length: int = 200
    vectors: SkipGramOptions = field(default_factory=SkipGramOptions)
    cnn: CNNOptions = CNN
    self_training: SelfTrainingOptions = field(default_factory=SelfTrainingOptions)
    metadata: ClassVar[bool] = False

    def run(self, task: Task) -> Outcome:
        """Train on pseudo documents, then on the documents themselves."""
        from classify.learners.cnn_model import CNNClassifier

        reading = read_documents(task, task.field_names if self.metadata else [], self.length)
        vectors = skip_gram(reading.sequences, reading.size, self.vectors, task)
        rng = task.rng(0x3E57)
        grown = grow_seeds(vectors, reading.seeds)
        occurrences = np.bincount(reading.sequences.ids, minlength=reading.size).astype(np.float64)
        made = draw_documents(
            vectors,
            [fit_vmf(vectors[words]) for words in grown],
            self.documents,
            reading.sequences.mean_length,
            self.words,
            rng,
            (occurrences, self.background),
        )
        n = len(task.categories)
        # A document with a share of background words stands for its category by the rest, for all by that share.
        targets = np.full((n * self.documents, n), self.background / n)
        targets[np.arange(len(targets)), np.repeat(np.arange(n), self.documents)] += 1 - self.background
        model = CNNClassifier(self.cnn)
        model.fit(made, vectors, targets.astype(np.float32), task.seed, task.threads, progress=task.progress)
        return Outcome(self_train(model, reading.sequences, vectors, self.self_training, task))


@SYSTEMS.register("westclass-metadata")
@dataclass(frozen=True)
class WeSTClassMetadata(WeSTClass):
    """WeSTClass that reads a document's metadata before its text."""

    about = About(
        title="WeSTClass+Metadata",
        paper=_PAPER,
        follows="Section 4.1 of MotifClass: all metadata in front of the text, in the order of the fields. " + _FOLLOWS,
        differs=_DIFFERS,
    )
    metadata = True
