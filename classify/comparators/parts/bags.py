"""Documents as tf-idf rows over terms and single metadata values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from classify.documents.features import inverse_frequency, normalised, weighted

if TYPE_CHECKING:
    from classify.categories.finding import CategoryFinding
    from classify.comparators.parts.system import Task


class Bags(NamedTuple):
    """Unit tf-idf rows of the documents, with the motif set and the idf they were made with."""

    rows: Any
    idf: Any
    motif_set: Any
    findings: list[CategoryFinding]


def bags_of(task: Task, metadata: bool, min_count: int | None = None) -> Bags:
    """Return the documents' terms, with their metadata where asked for, as unit tf-idf rows."""
    options: dict[str, Any] = {} if min_count is None else {"min_count": min_count}
    with task.pipeline(task.field_names if metadata else [], **options) as pipeline:
        counts, motif_set, findings = pipeline.documents.counts, pipeline.motifs, pipeline.names.findings
    documents = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = inverse_frequency(documents, counts.shape[0])
    return Bags(normalised(weighted(counts.astype(np.float32), idf)), idf, motif_set, findings)


def name_rows(bags: Bags) -> Any:
    """Return one unit tf-idf row per category: its name, its keywords and the words of a composed name."""
    from scipy import sparse

    from motifs.instance_names import escape_value

    rows, columns = [], []
    for row, finding in enumerate(bags.findings):
        spelled = [*finding.words, *(keyword.term for keyword in finding.keywords if keyword.term)]
        if finding.term is not None and finding.status != "composed":
            spelled.insert(0, finding.term)
        found = {bags.motif_set.find(f"TERM[{escape_value(term)}]", "term") for term in dict.fromkeys(spelled)}
        for instance in sorted(i for i in found if i is not None):
            rows.append(row)
            columns.append(instance)
    shape = (len(bags.findings), bags.rows.shape[1])
    counts = sparse.coo_array((np.ones(len(rows), np.float32), (rows, columns)), shape=shape).tocsr()
    return normalised(weighted(counts, bags.idf))
