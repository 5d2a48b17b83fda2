"""Count, constrain and remove the contents of a database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hin.errors import StoreError
from hin.progress import Progress, silent
from hin.stores.neo4j import queries as cypher
from hin.stores.neo4j.connection import Connection
from hin.stores.neo4j.writer import LONGEST_KEY
from hin.stores.property_graph import Nodes, PropertyGraph

_FOUND = ("Motif", "Category")


def set_state(connection: Connection, **properties: Any) -> None:
    """Set properties of the one `HinGraph` node."""
    connection.write(cypher.MERGE_GRAPH_NODE, properties=properties)


def constrain(connection: Connection, nodes: Iterable[Nodes]) -> None:
    """Add uniqueness constraints on numbers and names; labels with a name too long for an index get none on names."""
    for group in nodes:
        connection.write(cypher.unique(group.label, "number"))
        name = "id" if group.label == "Document" else "name"
        if group.label == "Motif":  # two patterns may spell an instance alike
            make, drop = cypher.index, cypher.drop_index
        else:
            make, drop = cypher.unique, cypher.drop_constraint
        fits = _longest(group, name) <= LONGEST_KEY
        connection.write((make if fits else drop)(group.label, name))
    connection.write(cypher.AWAIT_INDEXES)


def refuse_foreign_nodes(connection: Connection, projected: PropertyGraph) -> None:
    """Raise if the database has nodes with our labels that hin did not write."""
    for label in (*(nodes.label for nodes in projected.nodes), *_FOUND):
        if connection.read(cypher.count_nodes(label))[0]["n"]:
            raise StoreError(
                f"{connection.address} has {label} nodes that hin did not write",
                hint="use an empty database, or remove them first",
            )


def differences(connection: Connection, projected: PropertyGraph) -> list[str]:
    """Compare the database's numbers of nodes and relationships with the graph's; one line for each difference."""
    expected: dict[tuple[str, str], tuple[str, int]] = {}
    for nodes in projected.nodes:
        expected[nodes.label, ""] = (cypher.count_nodes(nodes.label), len(nodes))
    for group in projected.relationships:
        query = cypher.count_relationships(group.type, group.source)
        before = expected.get((group.type, group.source), ("", 0))[1]
        expected[group.type, group.source] = (query, before + len(group))
    faults = []
    for (what, _), (query, n) in expected.items():
        found = connection.read(query)[0]["n"]
        if found != n:
            faults.append(f"{found:,} {what} where {n:,} were written")
    return faults


def remove_findings(connection: Connection, progress: Progress) -> None:
    """Remove motifs, categories and their relationships."""
    delete_in_batches(
        connection, cypher.delete_relationships("HAS_MOTIF"), progress, "removing HAS_MOTIF", limit=20_000
    )
    for label in _FOUND:
        delete_in_batches(connection, cypher.delete_nodes(label), progress, f"removing {label}", limit=2_000)
    delete_in_batches(connection, cypher.FORGET_BATCHES)
    set_state(connection, found=None)


def remove_graph(connection: Connection, labels: Iterable[str], progress: Progress) -> None:
    """Remove the graph, documents first: together they have most relationships, but each has few."""
    remove_findings(connection, progress)
    set_state(connection, state="removing")
    for label in labels:
        delete_in_batches(connection, cypher.delete_nodes(label), progress, f"removing {label}", limit=1_000)
        if label not in ("Document", "Term"):
            for property_name in ("number", "name"):
                connection.write(cypher.drop_constraint(label, property_name))
    connection.write(cypher.DELETE_GRAPH_NODE)


def delete_in_batches(
    connection: Connection, query: str, progress: Progress = silent, label: str = "", **parameters: Any
) -> None:
    """Repeat a statement that deletes a batch until nothing is left."""
    done = 0
    while deleted := connection.write(query, **parameters)[0]["deleted"]:
        done += deleted
        progress(label, done, None)


def _longest(nodes: Nodes, column: str) -> int:
    import pyarrow.compute as pc

    longest = pc.max(pc.binary_length(nodes.table.column(column))).as_py()
    return int(longest or 0)
