"""What a report shows, gathered from the graph and the findings; parts that do not exist are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.report_charts import confidence_bins, kappa_bins, map_of, quantiles
from classify.report_documents import short_title, top_per_row
from hin.errors import BadUsage, MissingStage

if TYPE_CHECKING:
    from hin.findings import Findings
    from hin.graph import Graph

__all__ = ["Reasons", "ReportData", "ReportInputs", "ReportOptions", "report_data"]

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class ReportOptions:
    """What goes into a report.

    Attributes
    ----------
    title : str, optional
        The heading; left out, the name of the graph.
    instances : int
        Indicative instances shown per category.
    map_instances : int
        Of these, how many stand in the map (the paper's figure 5 has 7).
    examples : int
        Titles of example documents per instance.
    reasons : int
        Instances named per document.
    max_bytes : int
        The size the file stays below; documents are left out (and the page says so) where they do not fit.
    """

    title: str | None = None
    instances: int = 50
    map_instances: int = 20
    examples: int = 3
    reasons: int = 3
    max_bytes: int = 10_000_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.max_bytes < 1_500_000:
            raise BadUsage(f"a report cannot be {self.max_bytes:,} bytes", hint="allow at least 1,500,000")
        for name in ("instances", "map_instances", "examples", "reasons"):
            if getattr(self, name) < 0:
                raise BadUsage(f"{name} is {getattr(self, name)}", hint="give 0 or more")


@dataclass(frozen=True, eq=False)
class Reasons:
    """The instances that speak most for each document's category, strongest first; -1 where there are fewer."""

    motifs: Ints
    weights: Floats


@dataclass(frozen=True, eq=False)
class ReportInputs:
    """Everything a report may draw on; only the graph is needed.

    Attributes
    ----------
    findings : Findings
        Motifs, kappa, categories, what indicates what, the documents' categories.
    vectors : float[motifs, dim], optional
        The instances in the joint space.
    category_vectors : float[categories, dim], optional
        The category names in it; left out, the middle of their strongest instances.
    runner_up : (int[documents], float[documents]), optional
        Each document's second category (-1 none) and its score.
    reasons : Reasons, optional
        Left out, the indicative instances that the document holds.
    truth : int[documents], optional
        The true category of each document, -1 where unknown. Only shown and counted, never used to choose.
    pseudo : list of int arrays, optional
        The pseudo-labelled documents of each category, best first.
    notes : list of str, optional
        A remark on each category (eta lowered, its name not in the corpus, ...).
    settings : mapping, optional
        Stage to options, for the page's last section.
    """

    graph: Graph
    findings: Findings
    name: str = "graph"
    vectors: Floats | None = None
    category_vectors: Floats | None = None
    runner_up: tuple[Ints, Floats] | None = None
    reasons: Reasons | None = None
    truth: Ints | None = None
    pseudo: Sequence[npt.NDArray[np.integer[Any]]] | None = None
    notes: Sequence[str] | None = None
    abstain_below: float | None = None
    abstain_label: str | None = None
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ReportData:
    """What the page shows: `summary` as plain JSON, the documents' columns apart.

    Attributes
    ----------
    predicted : int[documents]
        Position of the category, -1 where the document has none.
    """

    graph: Graph
    summary: dict[str, Any]
    predicted: Ints
    confidence: Floats
    runner_up: tuple[Ints, Floats] | None
    truth: Ints | None
    reasons: Reasons | None
    motif_names: Any
    motif_patterns: Ints
    motif_kappa: Floats | None


def report_data(inputs: ReportInputs, options: ReportOptions | None = None) -> ReportData:
    """Gather what the page shows.

    Examples
    --------
    >>> import tempfile, pathlib, hin
    >>> from hin.findings import Findings
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "papers.jsonl"
    >>> _ = path.write_text('{"id": "p1", "text": "Mining graphs", "venue": "KDD"}')
    >>> found = Findings.of(motifs=[("venue", "VENUE[KDD]", 1, [("venue", 0)])])
    >>> data = report_data(ReportInputs(hin.load(path), found))
    >>> data.summary["patterns"][0]["name"], data.summary["graph"]["nodes"][0]
    ('venue', {'type': 'document', 'count': 1})
    """
    options = options or ReportOptions()
    graph, found = inputs.graph, inputs.findings
    if len(graph) == 0:
        raise MissingStage("the graph has no documents to report on", hint="load some with `hin load`")
    predicted, confidence = _classified(found, len(graph))
    names, patterns, pattern_of = _motifs(found)
    chosen = _indicates(found)
    category_names = [] if found.categories is None else found.categories.column("name").to_pylist()
    reasons = inputs.reasons
    if reasons is None and found.has_motif is not None and len(chosen["motif"]):
        reasons = _indicative_reasons(inputs, predicted, chosen, len(category_names), options.reasons)
    categories = _category_rows(inputs, options, category_names, predicted, confidence, names, pattern_of, chosen)
    evaluation = _evaluation(inputs, category_names, predicted, categories)
    shown = inputs.abstain_below
    summary = {
        "title": options.title or inputs.name,
        "graph": graph_sizes(graph),
        "patterns": _pattern_rows(inputs, patterns, pattern_of, chosen),
        "kappa": kappa_bins(found.kappa, pattern_of, patterns, np.unique(chosen["motif"])),
        "categories": categories,
        "map": map_of(inputs, chosen, len(category_names), options.map_instances, options.seed),
        "evaluation": evaluation,
        "confidence": confidence_bins(confidence, predicted, inputs.truth, shown) if (predicted >= 0).any() else None,
        "abstain_label": inputs.abstain_label or "no category",
        "settings": [
            {"stage": stage, "options": [[key, _plain(value)] for key, value in sorted(chosen_options.items())]}
            for stage, chosen_options in inputs.settings.items()
        ],
    }
    return ReportData(
        graph, summary, predicted, confidence, inputs.runner_up, inputs.truth, reasons, names, pattern_of, found.kappa
    )


def graph_sizes(graph: Graph) -> dict[str, Any]:
    """The kinds of nodes and edges with their numbers, and how many documents have each."""
    edges = []
    for name in graph.edge_types:
        csr = graph.edges(name)
        kind = "link" if name in graph.links else "term" if name == "term" else "field"
        covered = int((csr.degrees() > 0).sum())
        edges.append({"type": name, "kind": kind, "count": csr.n_edges, "documents": covered})
    return {
        "documents": len(graph),
        "nodes": [{"type": name, "count": len(graph.names(name))} for name in graph.node_types],
        "edges": edges,
        "extra": [
            {"type": name, "source": extra.source_type, "target": extra.target_type, "count": len(extra.sources)}
            for name, extra in graph.extra.items()
        ],
        "texts": list(graph.texts.fields),
        "tokens": graph.tokens.n_edges,
        "labels": 0 if graph.labels is None else len(graph.labels.names),
    }


def _classified(found: Findings, n: int) -> tuple[Ints, Floats]:
    predicted = np.full(n, -1, dtype=np.int32)
    confidence = np.zeros(n, dtype=np.float64)
    if found.classified is not None:
        rows = found.classified.column("document").to_numpy()
        predicted[rows] = found.classified.column("category").to_numpy()
        confidence[rows] = found.classified.column("confidence").to_numpy()
    return predicted, confidence


def _motifs(found: Findings) -> tuple[Any, list[str], Ints]:
    """The names of the instances, the patterns in the order they were given, and each instance's pattern."""
    import pyarrow as pa

    if found.motifs is None:
        return pa.array([], type=pa.large_string()), [], np.empty(0, np.int32)
    coded = found.motifs.column("pattern").combine_chunks().dictionary_encode()
    names = found.motifs.column("name").combine_chunks()
    return names, coded.dictionary.to_pylist(), coded.indices.to_numpy().astype(np.int32)


def _indicates(found: Findings) -> dict[str, Any]:
    """The indicative instances by category and position, as arrays."""
    columns = ("motif", "category", "position", "cosine")
    if found.indicates is None:
        return {name: np.empty(0, np.float64 if name == "cosine" else np.int64) for name in columns}
    table = {name: found.indicates.column(name).to_numpy() for name in columns}
    order = np.lexsort((table["position"], table["category"]))
    return {name: values[order] for name, values in table.items()}


def _pattern_rows(
    inputs: ReportInputs, patterns: Sequence[str], pattern_of: Ints, chosen: Mapping[str, Any]
) -> list[dict[str, Any]]:
    found, n = inputs.findings, len(inputs.graph)
    selected = np.bincount(pattern_of[chosen["motif"]], minlength=len(patterns) + 1)
    rows = []
    for code, name in enumerate(patterns):
        mine = pattern_of == code
        covered = _documents_with(found, mine)
        rows.append(
            {
                "name": name,
                "instances": int(mine.sum()),
                "documents": covered,
                "share": None if covered is None else covered / n,
                "selected": int(selected[code]),
                "kappa": None if found.kappa is None else quantiles(found.kappa[mine]),
            }
        )
    return rows


def _documents_with(found: Findings, mine: npt.NDArray[np.bool_]) -> int | None:
    """How many documents hold at least one of these instances."""
    if found.has_motif is None:
        return None
    edges = found.has_motif
    held = np.zeros(len(edges.targets) + 1, dtype=np.int64)
    np.cumsum(mine[edges.targets], out=held[1:])
    return int((np.diff(held[edges.offsets]) > 0).sum())


def _category_rows(
    inputs: ReportInputs,
    options: ReportOptions,
    names: Sequence[str],
    predicted: Ints,
    confidence: Floats,
    motif_names: Any,
    pattern_of: Ints,
    chosen: Mapping[str, Any],
) -> list[dict[str, Any]]:
    found = inputs.findings
    if found.categories is None:
        return []
    kappas = found.categories.column("kappa").to_pylist()
    counts = None if found.motifs is None else found.motifs.column("documents").to_numpy()
    n_patterns = int(pattern_of.max()) + 1 if len(pattern_of) else 0
    rows = []
    for code, name in enumerate(names):
        mine = predicted == code
        picked = np.flatnonzero(chosen["category"] == code)
        motifs, cosines = chosen["motif"][picked], chosen["cosine"][picked]
        shares = np.bincount(pattern_of[motifs], minlength=n_patterns) / max(1, len(motifs))
        motifs, cosines = motifs[: options.instances], cosines[: options.instances]
        examples = _examples(inputs, motifs, mine, confidence, options.examples)
        rows.append(
            {
                "name": name,
                "kappa": _number(kappas[code]),
                "documents": int(mine.sum()),
                "confidence": float(confidence[mine].mean()) if mine.any() else None,
                "note": inputs.notes[code] if inputs.notes is not None else "",
                "selected": len(picked),
                "shares": shares.round(4).tolist(),
                "instances": [
                    {
                        "name": motif_names[int(motif)].as_py(),
                        "pattern": int(pattern_of[motif]),
                        "kappa": None if found.kappa is None else _number(found.kappa[motif]),
                        "cosine": round(float(cosine), 4),
                        "documents": None if counts is None else int(counts[motif]),
                        "examples": titles,
                    }
                    for motif, cosine, titles in zip(motifs, cosines, examples, strict=True)
                ],
            }
        )
    return rows


def _examples(
    inputs: ReportInputs, motifs: Ints, mine: npt.NDArray[np.bool_], confidence: Floats, wanted: int
) -> list[list[str]]:
    """Titles of documents that hold each instance: those of the category first, the surest before the others."""
    edges = inputs.findings.has_motif
    if edges is None or not len(motifs):
        return [[] for _ in motifs]
    slot = np.full(int(max(edges.targets.max(initial=0), motifs.max())) + 1, -1, dtype=np.int32)
    slot[motifs] = np.arange(len(motifs))
    at = np.flatnonzero(slot[edges.targets] >= 0)
    documents = (np.searchsorted(edges.offsets, at, side="right") - 1).astype(np.int64)
    groups = slot[edges.targets[at]]
    order = np.lexsort((documents, -confidence[documents], ~mine[documents], groups))
    starts = np.searchsorted(groups[order], np.arange(len(motifs) + 1))
    return [
        [short_title(inputs.graph.texts, int(d)) for d in documents[order[start : min(stop, start + wanted)]]]
        for start, stop in zip(starts, starts[1:], strict=False)
    ]


def _indicative_reasons(
    inputs: ReportInputs, predicted: Ints, chosen: Mapping[str, Any], n_categories: int, wanted: int
) -> Reasons:
    """Where no explanation was stored: the category's indicative instances in the document, by cosine."""
    edges = inputs.findings.has_motif
    assert edges is not None
    unique, local = np.unique(chosen["motif"], return_inverse=True)
    weight = np.zeros((len(unique) + 1, n_categories), dtype=np.float32)
    weight[local, chosen["category"]] = np.maximum(chosen["cosine"], 0)
    slot = np.full(max(int(edges.targets.max(initial=0)), int(unique.max())) + 1, len(unique), dtype=np.int32)
    slot[unique] = np.arange(len(unique))
    rows = edges.rows()
    keep = (slot[edges.targets] < len(unique)) & (predicted[rows] >= 0)
    rows, targets = rows[keep], edges.targets[keep]
    weights = weight[slot[targets], predicted[rows]]
    positive = weights > 0
    motifs, values = top_per_row(rows[positive], targets[positive], weights[positive], len(edges), wanted)
    return Reasons(motifs, values)


def _evaluation(
    inputs: ReportInputs, names: Sequence[str], predicted: Ints, categories: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """The figures against the true labels; each category's are put into its row."""
    from classify.evaluate import evaluate

    truth = inputs.truth
    if truth is None or not names or not (truth >= 0).any():
        return None
    pseudo = _pseudo_quality(inputs, truth, categories)
    if not (predicted >= 0).any():
        return {"pseudo": pseudo} if pseudo else None
    shown = predicted.copy()
    figures = evaluate(truth, shown, names)
    for row, scores in zip(categories, figures.pop("categories"), strict=True):
        row["figures"] = {
            "precision": scores["precision"],
            "recall": scores["recall"],
            "f1": scores["f1"],
            "documents": scores["documents"],
        }
    return figures | {"pseudo": pseudo}


def _pseudo_quality(inputs: ReportInputs, truth: Ints, categories: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    """How many pseudo labels are the true ones, by category and by how many are taken (figure 4)."""
    if inputs.pseudo is None:
        return None
    for code, (row, documents) in enumerate(zip(categories, inputs.pseudo, strict=True)):
        codes = truth[np.asarray(documents, dtype=np.int64)]
        row["pseudo"] = {
            "documents": len(codes),
            "known": int((codes >= 0).sum()),
            "right": int((codes == code).sum()),
        }
    longest = max((len(documents) for documents in inputs.pseudo), default=0)
    rows = []
    for size in [size for size in (10, 50, 100, 200, 1000) if size < longest] + [longest]:
        heads = [truth[np.asarray(documents[:size], dtype=np.int64)] for documents in inputs.pseudo]
        known = sum(int((codes >= 0).sum()) for codes in heads)
        right = sum(int((codes == code).sum()) for code, codes in enumerate(heads))
        rows.append({"size": size, "documents": known, "accuracy": right / known if known else 0.0})
    return rows


def _number(value: Any) -> float | None:
    return None if value is None or not np.isfinite(value) else round(float(value), 3)


def _plain(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    return "" if value is None else str(value)
