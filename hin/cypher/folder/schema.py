"""The schema of a graph: its labels, its relationships with their ends, and the properties of both."""

from __future__ import annotations

from typing import Any

from hin.cypher.folder.layout import Layout


def schema_of(layout: Layout) -> dict[str, list[dict[str, Any]]]:
    """Return labels and relationships that the graph has, with counts and the kinds of their properties.

    Examples
    --------
    >>> import numpy as np
    >>> from hin.cypher.folder.column import Column
    >>> layout = Layout()
    >>> _ = layout.add_nodes("Author", 2, {"name": Column("STRING", lambda: np.array(["Ann", "Bo"]))})
    >>> schema_of(layout)["labels"]
    [{'label': 'Author', 'nodes': 2, 'properties': {'name': 'string'}}]
    """
    labels = [{"label": table.label, "nodes": table.count, "properties": _kinds(table)} for table in layout.nodes]
    relationships = [
        {
            "type": table.type,
            "from": table.source.label,
            "to": table.target.label,
            "relationships": table.count,
            "properties": _kinds(table),
        }
        for table in layout.relationships
    ]
    return {
        "labels": [row for row in labels if row["nodes"]],
        "relationships": [row for row in relationships if row["relationships"]],
    }


def _kinds(table: Any) -> dict[str, str]:
    found = {}
    for name in table.names():
        kind = table.column(name).kind.lower()
        found[name] = f"list of {kind[:-2]}s" if kind.endswith("[]") else kind
    return found
