"""The paper as written, end to end: select, retrieve, generate, train the CNN alone (sections 3.1.2 to 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.categories.finding import CategoryFinding, name_vectors
from classify.documents.encoder import Encoded
from classify.documents.features import inverse_frequency
from classify.documents.sequences import Sequences, join_sequences, take_sequences
from classify.learners.base import LEARNERS, Learner, Lesson
from classify.learners.cnn_options import PAPER, CNNOptions
from classify.paper.generation import GenerationOptions, generate
from classify.paper.retrieval import Retrieved, count_indicative, retrieve
from classify.paper.selection import NameVector, Selection, SelectionOptions, instance_orders, select_instances
from hin.errors import BadUsage
from hin.progress import Progress, silent

if TYPE_CHECKING:
    from motifs import MotifSet

__all__ = ["PaperOptions", "PaperRun", "PseudoDocuments", "collect_pseudo_documents", "run_paper"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class PaperOptions:
    """Every size and switch of the paper's pipeline.

    Attributes
    ----------
    retrieved, generated : pseudo documents a category (the paper: 50 and 50 for MAG-CS, 100 and 100 for Amazon; its
        table 6 tries other pairs, 0 among them).
    classifier : what is trained on them, by name.
    """

    selection: SelectionOptions = field(default_factory=SelectionOptions)
    retrieved: int = 50
    generated: int = 50
    generation: GenerationOptions = field(default_factory=GenerationOptions)
    classifier: str = "cnn"
    cnn: CNNOptions = PAPER

    def __post_init__(self) -> None:
        if self.retrieved < 0 or self.generated < 0 or self.retrieved + self.generated == 0:
            raise BadUsage(
                f"{self.retrieved} retrieved and {self.generated} generated documents are nothing to learn from",
                hint="the paper uses 50 and 50",
            )


@dataclass(frozen=True, eq=False)
class PseudoDocuments:
    """Training data without labels: retrieved documents, then generated ones, with the category each stands for."""

    sequences: Sequences
    categories: npt.NDArray[np.int64]
    retrieved: tuple[Retrieved, ...]
    generated: Sequences
    generated_categories: npt.NDArray[np.int64]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class PaperRun:
    """What the pipeline found on the way and in the end."""

    names: list[NameVector]
    selection: Selection
    pseudo: PseudoDocuments
    classifier: Learner
    scores: npt.NDArray[np.float64]
    notes: tuple[str, ...]


def collect_pseudo_documents(
    motif_set: MotifSet,
    sequences: Sequences,
    vectors: Floats,
    names: Sequence[NameVector],
    selection: Selection,
    options: PaperOptions,
    rng: np.random.Generator,
    categories: Sequence[str],
    closeness: Floats | None = None,
) -> PseudoDocuments:
    """Retrieve and generate (section 3.2).

    A category that retrieves nothing and would generate nothing is given generated documents, so that it is never
    without training data; the notes say so.
    """
    scores = count_indicative(motif_set.by_document(), [s.instances for s in selection], motif_set.n_instances)
    retrieved = retrieve(scores, options.retrieved, closeness)
    singles = np.flatnonzero(instance_orders(motif_set) == 1)
    lengths = np.diff(sequences.offsets)
    length = max(1, round(float(lengths.mean()))) if len(lengths) else 1
    notes, parts, owners = [], [], []
    for column, (category, name, found) in enumerate(zip(categories, names, retrieved, strict=True)):
        size = options.generated
        if options.retrieved and len(found.documents) < options.retrieved:
            have = "document holds" if len(found.documents) == 1 else "documents hold"
            notes.append(f"{category}: {len(found.documents)} {have} its instances and no other category's")
            if not len(found.documents) and not size:
                size = options.retrieved
                notes[-1] += f", so {size} were generated for it"
        parts.append(generate(vectors, singles, [name.vector], size, length, rng, options.generation))
        owners.append(np.full(size, column))
    generated = Sequences.of([])
    for part in parts:
        generated = join_sequences(generated, part)
    rows = np.concatenate([found.documents for found in retrieved])
    labels = np.repeat(np.arange(len(names)), [len(found.documents) for found in retrieved])
    made_for = np.concatenate(owners)
    return PseudoDocuments(
        join_sequences(take_sequences(sequences, rows), generated),
        np.concatenate([labels, made_for]).astype(np.int64),
        retrieved,
        generated,
        made_for.astype(np.int64),
        tuple(notes),
    )


def run_paper(
    documents: Sequence[Encoded],
    motif_set: MotifSet,
    vectors: Floats,
    kappa: npt.NDArray[np.floating[Any]],
    findings: Sequence[CategoryFinding],
    options: PaperOptions | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = silent,
) -> PaperRun:
    """Classify every document of the graph from the category names alone.

    Parameters
    ----------
    documents
        The documents as the classifier reads them: it is trained on some of them and predicts all.
    motif_set, findings
        As `prepare` gave them.
    vectors, kappa
        The joint embedding of the motif set: unit vectors and learned specificities.
    """
    options = options or PaperOptions()
    rng = np.random.default_rng([seed, 0x9A9E4])
    sequences = Sequences.joined([block.sequences for block in documents])
    names = name_vectors(findings, motif_set, vectors, kappa)
    progress("selecting instances", 0, None)
    selection = select_instances(vectors, kappa, instance_orders(motif_set), names, options.selection)
    progress("retrieving and generating documents", 0, None)
    titles = [finding.category for finding in findings]
    pseudo = collect_pseudo_documents(motif_set, sequences, vectors, names, selection, options, rng, titles)
    targets = np.eye(len(names))[pseudo.categories]
    # A category with fewer documents counts as much as any other, as if its documents were repeated.
    counts = np.bincount(pseudo.categories, minlength=len(names))
    weights = 1.0 / counts[pseudo.categories]
    classifier = LEARNERS.get(options.classifier)({"cnn": options.cnn})
    idf = inverse_frequency(motif_set.documents, sequences.n_documents)
    lesson = Lesson([_training_documents(documents, pseudo, motif_set.n_instances)], targets, vectors, idf, weights)
    classifier.fit(lesson, seed, threads, progress)
    progress("predicting", 0, None)
    scores = np.concatenate([classifier.scores(block, threads) for block in documents])
    notes = tuple(f"{f.category}: {s.note}" for f, s in zip(findings, selection, strict=True) if s.note)
    return PaperRun(names, selection, pseudo, classifier, scores, notes + pseudo.notes)


def _training_documents(documents: Sequence[Encoded], pseudo: PseudoDocuments, n_instances: int) -> Encoded:
    """Return retrieved documents as they are, generated ones as their sequences."""
    from scipy import sparse

    rows = np.concatenate([found.documents for found in pseudo.retrieved])
    counts = sparse.vstack([block.counts for block in documents], format="csr")[rows]
    made = Encoded.of(pseudo.generated, n_instances)
    return Encoded(sparse.vstack([counts, made.counts], format="csr"), pseudo.sequences)
