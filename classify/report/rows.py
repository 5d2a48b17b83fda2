"""The tables of a report: nodes and edges, patterns, categories, and the figures against true labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classify.paper.tables import retrieved_accuracy
from classify.report.documents import short_titles
from hin.arrays.types import Bools, Int32, Reals
from motifs.language.pattern import Pattern

if TYPE_CHECKING:
    from classify.report.gathering import ChartSource, ReportInputs
    from hin.graph import Graph
    from hin.stores.findings import Findings

#: Pseudo-labelled documents of a category that its figure counts, as many as the paper trains on.
_PSEUDO = 50


def graph_sizes(graph: Graph) -> dict[str, Any]:
    """Count the nodes and edges of each kind, and the documents that have them."""
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


def pattern_rows(source: ChartSource) -> list[dict[str, Any]]:
    """Return, for each pattern, its instances, coverage, how many were selected, kappa, and how many exceed chance."""
    found, n, patterns = source.inputs.findings, len(source.inputs.graph), source.motifs.patterns
    pattern_of = source.motifs.pattern_of
    selected = np.bincount(pattern_of[source.chosen["motif"]], minlength=len(patterns) + 1)
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
                "more": _more_than_chance(found, Pattern(name), mine),
            }
        )
    return rows


def _more_than_chance(found: Findings, pattern: Pattern, mine: Bools) -> int | None:
    """Count a pattern's instances with a q of .05 or less; None for one value, or where there is no comparison."""
    if found.chance is None or not mine.any() or (pattern.is_star and len(pattern.fields) == 1):
        return None
    q = found.chance.column("q").to_numpy()[mine]
    return None if np.isnan(q).all() else int((q <= 0.05).sum())


def quantiles(values: Reals) -> list[float] | None:
    """Return the 5th, 25th, 50th, 75th and 95th percentile, or None without values.

    Examples
    --------
    >>> quantiles(np.arange(101.0))
    [5.0, 25.0, 50.0, 75.0, 95.0]
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    return [round(float(value), 3) for value in np.percentile(finite, [5, 25, 50, 75, 95])]


def _documents_with(found: Findings, mine: Bools) -> int | None:
    """Count the documents that hold at least one of these instances."""
    if found.has_motif is None:
        return None
    edges = found.has_motif
    held = np.zeros(len(edges.targets) + 1, dtype=np.int64)
    np.cumsum(mine[edges.targets], out=held[1:])
    return int((np.diff(held[edges.offsets]) > 0).sum())


def category_rows(source: ChartSource) -> list[dict[str, Any]]:
    """Return, for each category, its documents, its indicative instances and their patterns' shares (table 3)."""
    inputs, options, names, chosen = source.inputs, source.options, source.categories, source.chosen
    predicted, confidence = source.predicted, source.confidence
    motif_names, pattern_of = source.motifs.names, source.motifs.pattern_of
    found = inputs.findings
    if found.categories is None:
        return []
    kappas = found.categories.column("kappa").to_pylist()
    counts = None if found.motifs is None else found.motifs.column("documents").to_numpy()
    several = None if source.several is None else source.several.sets(len(names))
    n_patterns = int(pattern_of.max()) + 1 if len(pattern_of) else 0
    rows = []
    for code, name in enumerate(names):
        mine = predicted == code if several is None else several[:, code]
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
                "note": "; ".join(
                    note.removeprefix(f"{name}: ") for note in inputs.notes if note.startswith(f"{name}: ")
                ),
                "help": _help(inputs, code),
                "selected": len(picked),
                "shares": shares.round(4).tolist(),
                "instances": [
                    {
                        "name": motif_names[int(motif)].as_py(),
                        "pattern": int(pattern_of[motif]),
                        "kappa": None if found.kappa is None else _number(found.kappa[motif]),
                        "cosine": round(float(cosine), 4),
                        "documents": None if counts is None else int(counts[motif]),
                        **_against_chance(found, int(motif)),
                        "examples": titles,
                    }
                    for motif, cosine, titles in zip(motifs, cosines, examples, strict=True)
                ],
            }
        )
    return rows


def _help(inputs: ReportInputs, code: int) -> dict[str, Any] | None:
    """Return the suggestions for a category: problems of its name, words, and a line for the labels file."""
    if inputs.help is None or code >= len(inputs.help):
        return None
    given = inputs.help[code]
    words = [{name: word[name] for name in ("keyword", "documents", "share")} for word in given["words"]]
    return {"problems": list(given["problems"]), "words": words, "line": given["line"]}


def _examples(inputs: ReportInputs, motifs: Int32, mine: Bools, confidence: Reals, wanted: int) -> list[list[str]]:
    """Return titles of documents that hold each instance: those of the category first, by falling confidence."""
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
    chosen = [order[start : min(stop, start + wanted)] for start, stop in zip(starts, starts[1:], strict=False)]
    titles = iter(short_titles(inputs.graph.texts, documents[np.concatenate(chosen)]))
    return [[next(titles) for _ in rows] for rows in chosen]


def evaluation_of(source: ChartSource, categories: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the figures against the true labels, and write each category's own into its row of `categories`."""
    from classify.evaluation import evaluate
    from classify.figures import figures_of

    inputs, names, predicted, truth = source.inputs, source.categories, source.predicted, source.inputs.truth
    if truth is None or not names or not (truth >= 0).any():
        return None
    pseudo = _pseudo_quality(inputs, truth, categories)
    if not (predicted >= 0).any():
        return {"pseudo": pseudo} if pseudo else None
    tree = None if inputs.decision is None else inputs.decision.tree
    # A document that got a parent category, being sure of no leaf, counts as without a label.
    leaves = predicted if tree is None else np.where(predicted < tree.n_leaves, predicted, -1)
    if source.several is None or inputs.decision is None:
        figures = evaluate(truth, leaves, names)
    else:
        figures = figures_of(inputs.graph.labels, names, np.asarray(inputs.probabilities), inputs.decision)
    for row, scores in zip(categories, figures.pop("categories"), strict=True):
        row["figures"] = {name: scores[name] for name in ("precision", "recall", "f1", "documents")}
    return figures | {"pseudo": pseudo}


def _pseudo_quality(
    inputs: ReportInputs, truth: Int32, categories: list[dict[str, Any]]
) -> list[dict[str, Any]] | None:
    """Return the accuracy of the pseudo labels, by category and by the number of documents (figure 4)."""
    if inputs.pseudo is None:
        return None
    for code, (row, documents) in enumerate(zip(categories, inputs.pseudo, strict=True)):
        codes = truth[np.asarray(documents[:_PSEUDO], dtype=np.int64)]
        row["pseudo"] = {
            "documents": len(codes),
            "known": int((codes >= 0).sum()),
            "right": int((codes == code).sum()),
        }
    longest = max((len(documents) for documents in inputs.pseudo), default=0)
    sizes = [size for size in (10, 50, 100, 200, 1000) if size < longest] + [longest]
    return retrieved_accuracy(inputs.pseudo, truth, sizes)


def _number(value: Any) -> float | None:
    return None if value is None or not np.isfinite(value) else round(float(value), 3)


def _against_chance(found: Findings, motif: int) -> dict[str, float | None]:
    """Return expected documents, lift and q of an instance; None for one value, or where there is no comparison."""
    row = {}
    if found.chance is not None and found.motifs is not None and len(found.motifs.column("part_nodes")[motif]) > 1:
        row = found.chance.slice(motif, 1).to_pydict()
    return {name: _number(row[name][0]) if row else None for name in ("expected", "lift", "q")}
