"""What a report shows, gathered from the graph and the findings; parts that do not exist are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from classify.report.answers import answers_of, strongest
from classify.report.charts import confidence_bins, kappa_bins, map_of
from classify.report.documents import top_per_row
from classify.report.options import ReportOptions
from classify.report.rows import category_rows, evaluation_of, graph_sizes, pattern_rows
from classify.report.sets import SetColumns, set_columns
from hin.errors import MissingStage

if TYPE_CHECKING:
    from classify.model.decision import Decision
    from hin.graph import Graph
    from hin.stores.findings import Findings

__all__ = ["Reasons", "ReportData", "ReportInputs", "ReportOptions", "report_data"]

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.floating[Any]]


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
    probabilities : float[documents, categories], optional
        Tell how sure the documents are that got no category, and each one's second category.
    reasons : Reasons, optional
        Left out, the indicative instances that the document holds.
    truth : int[documents], optional
        The true category of each document, -1 where unknown. Only shown and counted, never used to choose.
    pseudo : list of int arrays, optional
        The pseudo-labelled documents of each category, best first.
    decision : Decision, optional
        How the probabilities became categories.
    notes : list of str
        Remarks on the run; one that begins with a category's name and a colon is shown with it.
    help : list of mappings, optional
        What would help each category (`CategoryHelp.as_dict`, with the `line` for a labels file).
    settings : mapping, optional
        Stage to options, for the page's last section.
    comparison : mapping, optional
        What `hin compare` kept: `documents`, `documents_of_graph` and one row a system in `systems`.
    """

    graph: Graph
    findings: Findings
    name: str = "graph"
    vectors: Floats | None = None
    category_vectors: Floats | None = None
    probabilities: Floats | None = None
    reasons: Reasons | None = None
    truth: Ints | None = None
    pseudo: Sequence[npt.NDArray[np.integer[Any]]] | None = None
    notes: Sequence[str] = ()
    decision: Decision | None = None
    abstain_below: float | None = None
    abstain_label: str | None = None
    help: Sequence[Mapping[str, Any]] | None = None
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    comparison: Mapping[str, Any] | None = None


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
    sets: SetColumns | None = None


def report_data(inputs: ReportInputs, options: ReportOptions | None = None) -> ReportData:
    """Gather what the page shows.

    Examples
    --------
    >>> import tempfile, pathlib, hin
    >>> from hin.stores.findings import Findings
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
    categories = category_rows(inputs, options, category_names, predicted, confidence, names, pattern_of, chosen)
    evaluation = evaluation_of(inputs, category_names, predicted, categories)
    best, second, confidence = _ranked(inputs, predicted, confidence)
    used = inputs.settings.get("classify", {}).get("used") or {}
    summary = {
        "title": options.title or inputs.name,
        "answers": answers_of(
            categories,
            predicted,
            confidence,
            _words(reasons, predicted, names, len(category_names)),
            None if second is None else second[0],
            inputs.truth,
            inputs.abstain_below,
        ),
        "graph": graph_sizes(graph),
        "patterns": pattern_rows(inputs, patterns, pattern_of, chosen),
        "kappa": kappa_bins(found.kappa, pattern_of, patterns, np.unique(chosen["motif"])),
        "categories": categories,
        "map": map_of(inputs, chosen, len(category_names), options.map_instances, options.seed),
        "evaluation": evaluation,
        "comparison": inputs.comparison,
        "confidence": _confidence(inputs, best, predicted, confidence),
        "notes": [note for note in inputs.notes if not any(note.startswith(f"{name}: ") for name in category_names)],
        "views": [{"view": name, "share": share} for name, share in (used.get("views") or {}).items()],
        "knowledge": used.get("knowledge"),
        "abstain_label": inputs.abstain_label or "no category",
        "settings": [
            {
                "stage": stage,
                "options": sorted(row for row in _flat(chosen_options) if row[1] and not row[0].startswith("used.")),
            }
            for stage, chosen_options in inputs.settings.items()
        ],
    }
    return ReportData(
        graph,
        summary,
        predicted,
        confidence,
        second,
        inputs.truth,
        reasons,
        names,
        pattern_of,
        found.kappa,
        set_columns(inputs, category_names),
    )


def _words(reasons: Reasons | None, predicted: Ints, names: Any, n_categories: int) -> list[list[str]] | None:
    if reasons is None:
        return None
    found = strongest(reasons.motifs, reasons.weights, predicted, n_categories)
    return [[names[motif].as_py() for motif in motifs] for motifs in found]


def _classified(found: Findings, n: int) -> tuple[Ints, Floats]:
    predicted = np.full(n, -1, dtype=np.int32)
    confidence = np.zeros(n, dtype=np.float64)
    if found.classified is not None:
        # The surest of a document's categories stands first, so it is written last.
        rows, codes, sure = (
            found.classified.column(c).to_numpy()[::-1] for c in ("document", "category", "confidence")
        )
        predicted[rows], confidence[rows] = codes, sure
    return predicted, confidence


def _ranked(
    inputs: ReportInputs, predicted: Ints, confidence: Floats
) -> tuple[Ints, tuple[Ints, Floats] | None, Floats]:
    """Return each document's likeliest category (given or not), the next one with its probability, and the
    confidence.
    """
    probabilities = inputs.probabilities
    if probabilities is None:
        return predicted, None, confidence
    values = np.array(probabilities, dtype=np.float64)
    rows = np.arange(len(values))
    best = np.where(predicted >= 0, predicted, values.argmax(axis=1)).astype(np.int32)
    highest = values[rows, best]
    # Where no category was given, the likeliest is the first that could follow.
    given = predicted >= 0
    values[rows[given], best[given]] = -1.0
    second = values.argmax(axis=1).astype(np.int32)
    return best, (second, values[rows, second].clip(0)), np.where(given, confidence, highest)


def _confidence(inputs: ReportInputs, best: Ints, predicted: Ints, confidence: Floats) -> dict[str, Any] | None:
    if not (best >= 0).any():
        return None
    truth = None if inputs.decision is not None and inputs.decision.sets is not None else inputs.truth
    bins = confidence_bins(confidence, best, truth, inputs.abstain_below)
    return bins | {"without": int((predicted < 0).sum())}


def _motifs(found: Findings) -> tuple[Any, list[str], Ints]:
    """Return the names of the instances, the patterns in the order they were given, and each instance's pattern."""
    import pyarrow as pa

    if found.motifs is None:
        return pa.array([], type=pa.large_string()), [], np.empty(0, np.int32)
    coded = found.motifs.column("pattern").combine_chunks().dictionary_encode()
    names = found.motifs.column("name").combine_chunks()
    return names, coded.dictionary.to_pylist(), coded.indices.to_numpy().astype(np.int32)


def _indicates(found: Findings) -> dict[str, Any]:
    """Return the indicative instances by category and position, as arrays."""
    columns = ("motif", "category", "position", "cosine")
    if found.indicates is None:
        return {name: np.empty(0, np.float64 if name == "cosine" else np.int64) for name in columns}
    table = {name: found.indicates.column(name).to_numpy() for name in columns}
    order = np.lexsort((table["position"], table["category"]))
    return {name: values[order] for name, values in table.items()}


def _indicative_reasons(
    inputs: ReportInputs, predicted: Ints, chosen: Mapping[str, Any], n_categories: int, wanted: int
) -> Reasons:
    """Return where no explanation was stored: the category's indicative instances in the document, by cosine."""
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


def _flat(options: Mapping[str, Any], before: str = "") -> list[list[str]]:
    """Nested options as pairs such as `["embed.dim", "100"]`."""
    rows: list[list[str]] = []
    for key, value in options.items():
        name = f"{before}{key}"
        rows += _flat(value, f"{name}.") if isinstance(value, Mapping) else [[name, _plain(value)]]
    return rows


def _plain(value: Any) -> str:
    """Return an option's value for people.

    >>> _plain([{"bytes": 7, "file": "a.csv"}, {"name": "games", "keywords": ["chess", "go"], "share": None}])
    'a.csv (bytes 7), games (keywords chess, go)'
    """
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(item) for item in value)
    if isinstance(value, Mapping):
        head = next((_plain(value[key]) for key in ("file", "name") if key in value), "")
        more = [
            f"{key} {_plain(item)}"
            for key, item in sorted(value.items())
            if key not in ("file", "name") and item not in (None, [], ())
        ]
        return f"{head} ({', '.join(more)})".strip() if more else head
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
