"""The source of a report: the graph, the findings, and values derived from them for all parts, computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from classify.report.documents import top_per_row
from classify.report.options import ReportOptions
from hin.arrays.types import Int32, Ints, Reals

if TYPE_CHECKING:
    from classify.documents.own_vectors import DocumentVectors
    from classify.model.decision import Decision, Given
    from hin.graph import Graph
    from hin.stores.findings import Findings


@dataclass(frozen=True, eq=False)
class Reasons:
    """The instances that contribute most to each document's category, strongest first; -1 where there are fewer."""

    motifs: Int32
    weights: Reals


@dataclass(frozen=True, eq=False)
class ReportInputs:
    """Everything a report may draw on; only the graph is needed.

    Attributes
    ----------
    findings : Findings
        Motifs, kappa, categories, their indicative instances, the documents' categories.
    vectors : float[motifs, dim], optional
        The instances in the joint space.
    category_vectors : float[categories, dim], optional
        The category names in it; by default, the mean of their strongest instances.
    own : DocumentVectors, optional
        The user's vectors of the documents; the map also places instances by them, with the weight of their view.
    probabilities : float[documents, categories], optional
        Give the confidence of documents without a category, and each document's second category.
    reasons : Reasons, optional
        By default, the indicative instances that the document holds.
    truth : int[documents], optional
        The true category of each document, -1 where unknown. Only shown and counted, never used to choose.
    pseudo : list of int arrays, optional
        The pseudo-labelled documents of each category, best first.
    decision : Decision, optional
        How the probabilities became categories.
    notes : list of str
        Remarks on the run; one that begins with a category's name and a colon is shown with it.
    help : list of mappings, optional
        Suggestions for each category (`CategoryHelp.as_dict`, with the `line` for a labels file).
    settings : mapping, optional
        Stage to options, for the page's last section.
    comparison : mapping, optional
        What `hin compare` stored: `documents`, `documents_of_graph` and one row per system in `systems`.
    """

    graph: Graph
    findings: Findings
    name: str = "graph"
    vectors: Reals | None = None
    category_vectors: Reals | None = None
    own: DocumentVectors | None = None
    probabilities: Reals | None = None
    reasons: Reasons | None = None
    truth: Int32 | None = None
    pseudo: Sequence[Ints] | None = None
    notes: Sequence[str] = ()
    decision: Decision | None = None
    abstain_below: float | None = None
    help: Sequence[Mapping[str, Any]] | None = None
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    comparison: Mapping[str, Any] | None = None


class Motifs(NamedTuple):
    """The instances: their names (an Arrow array), the patterns in the order given, and each instance's pattern."""

    names: Any
    patterns: list[str]
    pattern_of: Int32


class Ranked(NamedTuple):
    """Each document's likeliest category (given or not), the second with its probability, and the confidence."""

    best: Int32
    second: tuple[Int32, Reals] | None
    confidence: Reals


@dataclass(frozen=True, eq=False)
class ChartSource:
    """The inputs of a report with everything that its parts derive from them.

    Attributes
    ----------
    categories : the names of the categories.
    predicted, confidence : each document's category, -1 for none, and its confidence, 0 for none.
    chosen : the indicative instances by category and position, as arrays.
    reasons : the instances that contribute most to each document's category.
    """

    inputs: ReportInputs
    options: ReportOptions

    @cached_property
    def categories(self) -> list[str]:
        """The names of the categories."""
        found = self.inputs.findings.categories
        return [] if found is None else [str(name) for name in found.column("name").to_pylist()]

    @property
    def predicted(self) -> Int32:
        """The position of each document's category, -1 for none."""
        return self._classified[0]

    @property
    def confidence(self) -> Reals:
        """The confidence of each document's category, 0 for none."""
        return self._classified[1]

    @cached_property
    def _classified(self) -> tuple[Int32, Reals]:
        n, found = len(self.inputs.graph), self.inputs.findings.classified
        predicted = np.full(n, -1, dtype=np.int32)
        confidence = np.zeros(n, dtype=np.float64)
        if found is not None:
            # The surest of a document's categories comes first, so it is written last and remains.
            rows, codes, sure = (found.column(c).to_numpy()[::-1] for c in ("document", "category", "confidence"))
            predicted[rows], confidence[rows] = codes, sure
        return predicted, confidence

    @cached_property
    def several(self) -> Given | None:
        """The categories given to the documents; None where a document has one at most."""
        decision, probabilities = self.inputs.decision, self.inputs.probabilities
        if decision is None or decision.sets is None or probabilities is None:
            return None
        return decision.given(np.asarray(probabilities))

    @cached_property
    def ranked(self) -> Ranked:
        """Each document's likeliest and second category."""
        predicted, confidence = self._classified
        if self.inputs.probabilities is None:
            return Ranked(predicted, None, confidence)
        values = np.array(self.inputs.probabilities, dtype=np.float64)
        rows = np.arange(len(values))
        best = np.where(predicted >= 0, predicted, values.argmax(axis=1)).astype(np.int32)
        highest = values[rows, best]
        # Where no category was given, the likeliest one is the second.
        given = predicted >= 0
        values[rows[given], best[given]] = -1.0
        second = values.argmax(axis=1).astype(np.int32)
        return Ranked(best, (second, values[rows, second].clip(0)), np.where(given, confidence, highest))

    @cached_property
    def motifs(self) -> Motifs:
        """The instances and their patterns."""
        import pyarrow as pa

        found = self.inputs.findings.motifs
        if found is None:
            return Motifs(pa.array([], type=pa.large_string()), [], np.empty(0, np.int32))
        coded = found.column("pattern").combine_chunks().dictionary_encode()
        names = found.column("name").combine_chunks()
        return Motifs(names, coded.dictionary.to_pylist(), coded.indices.to_numpy().astype(np.int32))

    @cached_property
    def chosen(self) -> dict[str, Any]:
        """The indicative instances by category and position, as arrays."""
        found = self.inputs.findings.indicates
        columns = ("motif", "category", "position", "cosine")
        if found is None:
            return {name: np.empty(0, np.float64 if name == "cosine" else np.int64) for name in columns}
        table = {name: found.column(name).to_numpy() for name in columns}
        order = np.lexsort((table["position"], table["category"]))
        return {name: values[order] for name, values in table.items()}

    @cached_property
    def reasons(self) -> Reasons | None:
        """The stored reasons; where there are none, the category's indicative instances in the document, by cosine."""
        edges, chosen, predicted = self.inputs.findings.has_motif, self.chosen, self.predicted
        if self.inputs.reasons is not None or edges is None or not len(chosen["motif"]):
            return self.inputs.reasons
        unique, local = np.unique(chosen["motif"], return_inverse=True)
        weight = np.zeros((len(unique) + 1, len(self.categories)), dtype=np.float32)
        weight[local, chosen["category"]] = np.maximum(chosen["cosine"], 0)
        slot = np.full(max(int(edges.targets.max(initial=0)), int(unique.max())) + 1, len(unique), dtype=np.int32)
        slot[unique] = np.arange(len(unique))
        rows = edges.rows()
        keep = (slot[edges.targets] < len(unique)) & (predicted[rows] >= 0)
        rows, targets = rows[keep], edges.targets[keep]
        weights = weight[slot[targets], predicted[rows]]
        positive = weights > 0
        motifs, values = top_per_row(
            rows[positive], targets[positive], weights[positive], len(edges), self.options.reasons
        )
        return Reasons(motifs, values)
