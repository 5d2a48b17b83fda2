"""Describe a graph: the schema with counts, degrees, the most frequent values, the lengths of the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.types import Array
from hin.cypher_names import CypherNames, label_of, relationship_of
from hin.human import plural

if TYPE_CHECKING:
    from hin.console import Console
    from hin.graph import Csr, Graph
    from hin.node_names import NameTable
    from hin.stores.answers import Answer


def describe(graph: Graph, top: int = 5, motifs: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Describe a graph as plain JSON.

    Parameters
    ----------
    graph : Graph
        The graph.
    top : int
        How many of the most frequent values of each field to list.
    motifs : mapping, optional
        Patterns and their numbers of instances, where the motifs stage has run.

    Examples
    --------
    >>> from hin.building.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> info = describe(build_graph([batch], ["text"]))
    >>> info["documents"], info["nodes"], info["edges"]
    (1, {'document': 1, 'term': 2, 'year': 1}, {'term': 2, 'year': 1})
    >>> info["fields"]["year"]["top"]
    [{'value': '2008', 'documents': 1}]
    """
    edges = {name: graph.edges(name).n_edges for name in graph.edge_types}
    edges.update({name: len(extra.sources) for name, extra in graph.extra.items()})
    kinds = graph.schema.get("kinds", {})
    cypher = CypherNames.of_graph(graph)
    return {
        "documents": len(graph),
        "nodes": {name: len(graph.names(name)) for name in graph.node_types},
        "edges": edges,
        "motifs": dict(motifs or {}),
        "text": _texts(graph),
        "terms": {
            "phrases": _phrases(graph.names("term")),
            "top": most_frequent(graph.edges("term"), graph.names("term"), top),
        },
        "fields": {
            name: {
                "kind": kinds.get(name, "string"),
                **_field(graph.edges(name), graph.names(name), top),
            }
            for name in graph.fields
        },
        "links": {
            name: {
                **_degrees(graph.edges(name)),
                "missing": len(graph.dangling[name].rows) if name in graph.dangling else 0,
            }
            for name in graph.links
        },
        "extra": {
            name: {"source": extra.source_type, "target": extra.target_type, "edges": len(extra.sources)}
            for name, extra in graph.extra.items()
        },
        "labels": _labels(graph),
        "schema": dict(graph.schema),
        "cypher": {"labels": dict(cypher.labels), "relationships": dict(cypher.relationships)},
    }


def _summary(lengths: Array) -> dict[str, float | int]:
    if not len(lengths):
        return {"mean": 0.0, "median": 0.0, "min": 0, "max": 0}
    return {
        "mean": round(float(lengths.mean()), 3),
        "median": float(np.median(lengths)),
        "min": int(lengths.min()),
        "max": int(lengths.max()),
    }


def _degrees(edges: Csr) -> dict[str, Any]:
    degrees = edges.degrees()
    return {"edges": edges.n_edges, "documents": int((degrees > 0).sum()), "per_document": _summary(degrees)}


def _field(edges: Csr, names: NameTable, top: int) -> dict[str, Any]:
    documents = edges.in_degrees(len(names))
    return {
        "values": len(names),
        **_degrees(edges),
        "documents_per_value": _summary(documents),
        "top": most_frequent(edges, names, top),
    }


def most_frequent(edges: Csr, names: NameTable, top: int) -> list[dict[str, Any]]:
    """Return the values in the most documents; ties in the order of the graph."""
    documents = edges.in_degrees(len(names))
    order = np.argsort(-documents, kind="stable")[:top]
    values = zip(names.take(order), documents[order].tolist(), strict=True) if len(order) else ()
    return [{"value": value, "documents": count} for value, count in values]


def _texts(graph: Graph) -> dict[str, Any]:
    lengths = graph.tokens.degrees()
    return {
        "fields": list(graph.texts.fields),
        "tokens": int(lengths.sum()),
        "tokens_per_document": _summary(lengths),
        "empty": int((lengths == 0).sum()),
    }


def _phrases(terms: NameTable) -> int:
    import pyarrow.compute as pc

    return int(pc.sum(pc.match_substring(terms.arrow, " ")).as_py() or 0)


def _labels(graph: Graph) -> dict[str, Any] | None:
    if graph.labels is None:
        return None
    found, several = graph.labels, graph.labels.several
    codes = found.codes[found.codes >= 0] if several is None else several.targets
    counts = np.bincount(codes, minlength=len(found.names)).tolist()
    return {
        "documents": int((found.codes >= 0).sum()),
        "counts": dict(zip(found.names, counts, strict=True)),
        **({} if several is None else {"most_per_document": int(several.degrees().max())}),
    }


def count_answers(latest: Sequence[Answer], current: Sequence[Answer]) -> dict[str, Any]:
    """Count answers by source, purpose and verdict; `stale` counts those about documents that are gone or changed."""
    teaching = [answer for answer in current if answer.purpose == "teach"]
    return {
        "documents": len({answer.document for answer in teaching}),
        "sources": dict(Counter(answer.source for answer in teaching)),
        "verdicts": dict(Counter(answer.verdict for answer in teaching)),
        "measuring": len({answer.document for answer in current if answer.purpose == "measure"}),
        "stale": len(latest) - len(current),
    }


def _answers(counts: Mapping[str, Any]) -> str:
    by = ", ".join(f"{number:,} by {source}" for source, number in counts["sources"].items())
    stale = f"; {plural(counts['stale'], 'answer')} about documents that are gone or have another text"
    return (
        f"{plural(counts['documents'], 'document')} answered{f' ({by})' if by else ''}, "
        f"{counts['measuring']:,} for measuring{stale if counts['stale'] else ''}"
    )


def _at_most(count: int) -> str:
    return f", up to {count} each" if count > 1 else ""


def show_info(info: Mapping[str, Any], console: Console) -> None:
    """Print a description for people, or as JSON for machines."""
    if console.as_json:
        console.json(info)
        return
    text = info["text"]
    lengths = text["tokens_per_document"]
    console.line(f"{plural(info['documents'], 'document')}, text from {', '.join(text['fields'])}")
    console.line(
        f"{plural(text['tokens'], 'token')}, {lengths['mean']:,.1f} per document (median {lengths['median']:,.0f}, "
        f"{lengths['min']:,} to {lengths['max']:,}; {plural(text['empty'], 'document')} without any)"
    )
    rows: list[list[Any]] = [
        ["term", info["nodes"]["term"], info["edges"]["term"], None, None, None, _listed(info["terms"]["top"])]
    ]
    for name, field in info["fields"].items():
        degrees = field["per_document"]
        listed = _listed(field["top"])
        rows.append(
            [name, field["values"], field["edges"], field["documents"], degrees["mean"], degrees["max"], listed]
        )
    console.line()
    columns = ["node type", "nodes", "edges", "documents", "mean", "max", "most frequent (documents)"]
    console.table(rows, columns)
    if info["links"]:
        console.line()
        links = [
            [name, link["edges"], link["documents"], link["per_document"]["max"], link["missing"]]
            for name, link in info["links"].items()
        ]
        console.table(links, ["link", "edges", "documents", "max", "to unknown documents"])
    if info["extra"]:
        console.line()
        extra = [[name, e["source"], e["target"], e["edges"]] for name, e in info["extra"].items()]
        console.table(extra, ["other edges", "from", "to", "edges"])
    if info["motifs"]:
        console.line()
        console.table([[name, count] for name, count in info["motifs"].items()], ["motif pattern", "instances"])
    if info["labels"]:
        console.line()
        labels = info["labels"]
        console.line(
            f"{plural(len(labels['counts']), 'true category', 'true categories')} on "
            f"{plural(labels['documents'], 'document')}{_at_most(labels.get('most_per_document', 1))} (evaluation only)"
        )

    if info.get("answers"):
        console.line()
        console.line(_answers(info["answers"]))
    if past := info.get("classifications"):
        console.line()
        columns = ["labelled", "categories", "keywords", "known", "taught", "seed"]
        made = [[one["number"], one["at"][:16].replace("T", " "), one["classifier"] or one["preset"]] for one in past]
        rows = [[*head, *(one[name] for name in columns)] for head, one in zip(made, past, strict=True)]
        console.table(rows, ["classification", "made (UTC)", "classifier", *columns])
    if renamed := _renamed(info):
        console.line()
        console.line(f"In Cypher, {', '.join(renamed)}: the plain names are taken")


def _renamed(info: Mapping[str, Any]) -> list[str]:
    """List the fields and links whose names in Cypher differ from what their spelling suggests."""
    labels, relationships = info["cypher"]["labels"], info["cypher"]["relationships"]
    fields = [f"{name} is {labels[name]}" for name in info["fields"] if labels[name] != label_of(name)]
    links = [
        f"{name} is {relationships[name]}"
        for name in (*info["links"], *info["extra"])
        if relationships[name] != relationship_of(name, link=True)
    ]
    return fields + links


def _listed(top: list[dict[str, Any]]) -> str:
    return ", ".join(f"{entry['value']} ({entry['documents']:,})" for entry in top)


def show_schema(schema: Mapping[str, list[dict[str, Any]]], console: Console) -> None:
    """Print labels and relationships with their properties."""
    if console.as_json:
        console.json(schema)
        return
    for rows in (schema["labels"], schema["relationships"]):
        if rows:
            written = [
                {**row, "properties": ", ".join(f"{name} ({kind})" for name, kind in row["properties"].items())}
                for row in rows
            ]
            console.table([list(row.values()) for row in written], list(rows[0]))
            console.line("")
