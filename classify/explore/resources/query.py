"""Query: read-only Cypher and the schema; a result has rows, and a picture of its nodes, to be opened further."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from classify.explore.neighbourhood import neighbours, picture_node
from classify.explore.resources.base import RequestParameters, get, post
from hin.cypher.errors import QueryTooLarge
from hin.cypher.folder.schema import schema_of
from hin.cypher.options import QueryOptions
from hin.cypher.picture import MOST, place_nodes
from hin.cypher.show import format_value
from hin.errors import BadUsage, QueryTimeout
from hin.stores.querying import open_graph

if TYPE_CHECKING:
    from classify.explore.session import Session
    from hin.cypher.result import QueryResult

#: The limits of a query from the page: seconds, rows and megabytes.
_LIMITS = QueryOptions(timeout=20.0, limit=500, memory=500)
#: The most characters of a cell.
_CELL = 2000


def query(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Run `query`; return columns, rows as texts and as values, notes, and a picture of the nodes."""
    try:
        result = session.query(request.text("query"), _LIMITS)
    except (QueryTimeout, QueryTooLarge) as error:
        raise BadUsage(error.message, hint="add a WHERE or a LIMIT, or use `hin query`, which takes limits") from None
    rows = [[str(format_value(value))[:_CELL] for value in row] for row in result.values or result.rows]
    return {
        "columns": list(result.columns), "rows": rows, "records": result.records(), "cut": result.cut,
        "notes": list(result.notes), "picture": _picture(session, result),
    }  # fmt: skip


def _picture(session: Session, result: QueryResult) -> dict[str, Any] | None:
    """Return nodes with coordinates from 0 to 1, and their relationships; None where there are no or too many nodes."""
    graph = result.graph
    if not 0 < len(graph.nodes) <= MOST:
        return None
    number = {name: i for i, name in enumerate(graph.nodes)}
    places = place_nodes(result)
    return {
        "nodes": [
            {
                **picture_node(
                    session,
                    labels[0] if labels else "",
                    str(properties.get("name", properties.get("id", ""))),
                    properties.get("id") if "Document" in labels else None,
                ),
                "x": places[name][0],
                "y": places[name][1],
            }
            for name, (labels, properties) in graph.nodes.items()
        ],
        "relationships": [[number[a], number[b], kind] for kind, a, b, _ in graph.relationships.values()],
    }


def schema(session: Session, request: RequestParameters) -> dict[str, Any]:
    """Return the labels and relationships with their properties, as `hin info --schema --json`."""
    session.check_graph()
    identity = "" if session.snapshot is None else session.snapshot.identity
    return session.remember(f"schema {identity}", lambda: schema_of(open_graph(session.store).layout))


def around(session: Session, request: RequestParameters) -> list[dict[str, Any]]:
    """Return some neighbours of a node of a picture: `label`, and `name` or, of a document, its id."""
    session.check_graph()
    return neighbours(session, request.text("label"), request.text("name"))


RESOURCES = [post("/query", query), get("/schema", schema), get("/around", around)]
