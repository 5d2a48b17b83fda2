"""Training data without labels: documents retrieved by indicative instances, and generated ones (section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from classify.categories.name_vector import NameVector
from classify.documents.encoder import Encoded
from classify.documents.sequences import Sequences, take_sequences
from classify.paper.generation import generate
from classify.paper.options import PaperOptions
from classify.paper.retrieval import Retrieved, count_indicative, retrieve
from classify.paper.selection import Selection, instance_orders
from hin.arrays.types import Floats, Int64

if TYPE_CHECKING:
    from classify.documents.graph_encoding import Corpus
    from motifs import MotifSet


@dataclass(frozen=True, eq=False)
class PseudoDocuments:
    """Training data without labels: retrieved documents, then generated ones, with the category of each."""

    sequences: Sequences
    categories: Int64
    retrieved: tuple[Retrieved, ...]
    generated: Sequences
    generated_categories: Int64
    notes: tuple[str, ...]


def collect_pseudo_documents(
    motif_set: MotifSet,
    sequences: Sequences,
    vectors: Floats,
    names: Sequence[NameVector],
    selection: Selection,
    options: PaperOptions,
    seed: int = 0,
) -> PseudoDocuments:
    """Retrieve and generate pseudo documents for all categories (section 3.2).

    If no document is retrieved for a category and none would be generated, some are generated after all, so that it is
    never without training data; a note reports it.
    """
    scores = count_indicative(motif_set.by_document(), [s.instances for s in selection], motif_set.n_instances)
    retrieved = retrieve(scores, options.retrieved)
    rng = np.random.default_rng([seed, 0x9A9E4])
    singles = np.flatnonzero(instance_orders(motif_set) == 1)
    notes, parts, owners = [], [], []
    for column, (name, found) in enumerate(zip(names, retrieved, strict=True)):
        size = options.generated
        if options.retrieved and len(found.documents) < options.retrieved:
            have = "document holds" if len(found.documents) == 1 else "documents hold"
            notes.append(f"{name.category}: {len(found.documents)} {have} its instances and no other category's")
            if not len(found.documents) and not size:
                size = options.retrieved
                notes[-1] += f", so {size} were generated for it"
        parts.append(generate(vectors, singles, [name.vector], size, sequences.mean_length, rng, options.generation))
        owners.append(np.full(size, column))
    generated = Sequences.joined(parts)
    rows = np.concatenate([found.documents for found in retrieved])
    labels = np.repeat(np.arange(len(names)), [len(found.documents) for found in retrieved])
    made_for = np.concatenate(owners)
    return PseudoDocuments(
        Sequences.joined([take_sequences(sequences, rows), generated]),
        np.concatenate([labels, made_for]).astype(np.int64),
        retrieved,
        generated,
        made_for.astype(np.int64),
        tuple(notes),
    )


def training_documents(pseudo: PseudoDocuments, corpus: Corpus) -> Encoded:
    """Encode the pseudo documents: retrieved ones by their counts in the corpus, generated ones by their sequences."""
    from scipy import sparse

    rows = np.concatenate([found.documents for found in pseudo.retrieved])
    made = Encoded.of(pseudo.generated, corpus.stored.n_instances)
    return Encoded(sparse.vstack([corpus.counts[rows], made.counts], format="csr"), pseudo.sequences)
