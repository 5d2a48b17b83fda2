"""metapath2vec: skip-gram on walks that follow the meta-paths; the nearest category name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classify.comparators.parts.nodes import nearest_names, nodes_of
from classify.comparators.parts.skip_gram import SkipGramOptions, skip_gram
from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task
from classify.comparators.parts.walks import meta_path, neighbours_by_kind, walk_along
from classify.documents.sequences import Sequences


@SYSTEMS.register("metapath2vec")
@dataclass(frozen=True)
class Metapath2Vec(System):
    """`walks` start at each document for each meta-path; they are read again until this many `tokens` are seen."""

    about = About(
        title="Metapath2Vec",
        paper="Dong et al., metapath2vec: Scalable Representation Learning for Heterogeneous Networks, KDD 2017",
        follows="Walks along the meta-paths there and back, heterogeneous skip-gram with 5 negatives; the meta-paths "
        "are the motif patterns and the terms, dimension 100 (table 8 and appendix A.3); nearest name by cosine.",
        differs="A window of 2, the pairs within a meta-path, and node and context vectors added up: as in HNE's "
        "version, which the paper ran and which trains one vector per node on single path instances, neighbours lie "
        "near each other. Negatives are of any kind (HNE's: of the context's). Fewer and shorter walks than "
        "the authors' 1,000 of 100 nodes. Stop words and nodes in fewer than --min-count documents are left out, so "
        "are patterns that pass through other documents.",
    )
    dim: int = 100
    window: int = 2
    negatives: int = 5
    walks: int = 5
    length: int = 80
    tokens: int = 20_000_000
    rate: float = 0.05

    def run(self, task: Task) -> Outcome:
        """Walk, embed, compare."""
        from motifs import Pattern

        nodes = nodes_of(task)
        neighbours = neighbours_by_kind(nodes)
        starts = np.tile(np.arange(nodes.documents), self.walks)
        parts, notes = [], []
        for number, text in enumerate(["term", *task.pattern_names]):
            pattern = Pattern(text)
            if not pattern.is_star:
                notes.append(f"no meta-path is made of the pattern {pattern.name}")
                continue
            task.progress("walking", number, 1 + len(task.pattern_names))
            path = meta_path(nodes, list(pattern.fields))
            parts.append(walk_along(neighbours, starts, path, self.length, (task.seed, 0x3A70, number)))
        options = SkipGramOptions(
            self.dim,
            self.window,
            self.negatives,
            epochs=1,
            tokens=self.tokens,
            rate=self.rate,
            subsample=0.0,
            both=True,
        )
        vectors = skip_gram(Sequences.joined(parts), nodes.size, options, task)
        return nearest_names(nodes, vectors, tuple(notes))
