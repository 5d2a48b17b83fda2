"""Every Cypher statement that hin sends to Neo4j.

Values travel as parameters; the only text put in are identifiers, and those go through `quote`. Statements that write
a batch begin with `ONCE`: the batch's key is created in the same transaction, so a batch whose answer was lost is not
written again, and a load that was cut off goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterable

from hin.cypher_names import quote

CONSTRAINT_OF_BATCHES = "CREATE CONSTRAINT hin_batch IF NOT EXISTS FOR (n:HinBatch) REQUIRE n.key IS UNIQUE"
CONSTRAINT_OF_GRAPH = "CREATE CONSTRAINT hin_graph IF NOT EXISTS FOR (n:HinGraph) REQUIRE n.name IS UNIQUE"
CONSTRAINT_OF_LOCK = "CREATE CONSTRAINT hin_lock IF NOT EXISTS FOR (n:HinLock) REQUIRE n.name IS UNIQUE"
AWAIT_INDEXES = "CALL db.awaitIndexes(300)"

# Never committed: whoever holds the uncommitted node holds the lock, and a dead writer's transaction is rolled back.
TAKE_LOCK = "CREATE (n:HinLock {name: 'writer'})"
WRITERS = "SHOW TRANSACTIONS YIELD metaData WHERE metaData.hin = 'writer' RETURN count(*) AS n"

READ_GRAPH_NODE = (
    "MATCH (g:HinGraph {name: 'graph'}) "
    "RETURN g.state AS state, g.fingerprint AS fingerprint, g.found AS found, g.manifest AS manifest"
)
MERGE_GRAPH_NODE = "MERGE (g:HinGraph {name: 'graph'}) SET g += $properties"
DELETE_GRAPH_NODE = "MATCH (g:HinGraph) DELETE g"

BATCHES_DONE = "MATCH (b:HinBatch) WHERE b.key STARTS WITH $prefix RETURN b.key AS key"
FORGET_BATCHES = "MATCH (b:HinBatch) WITH b LIMIT 10000 DELETE b RETURN count(*) AS deleted"

# Answers: a category that no stage has found comes after the others.
DELETE_CATEGORIES_FROM = "MATCH (c:Category) WHERE c.number >= $first DETACH DELETE c"
WRITE_ANSWERS = (
    "UNWIND $rows AS row MATCH (d:Document {number: row.document}) "
    "MERGE (c:Category {number: row.category}) ON CREATE SET c.name = row.name "
    "MERGE (d)-[a:LABELLED_AS {source: row.source}]->(c) SET a.confidence = row.confidence, a.at = row.at"
)

ONCE = "OPTIONAL MATCH (b:HinBatch {key: $key}) WITH b WHERE b IS NULL CREATE (:HinBatch {key: $key}) WITH 1 AS fresh "


def unique(label: str, property_name: str) -> str:
    """Require that no two nodes of a label have the same value of a property.

    >>> unique("Author", "name")
    'CREATE CONSTRAINT `hin_Author_name` IF NOT EXISTS FOR (n:`Author`) REQUIRE n.`name` IS UNIQUE'
    """
    name = quote(f"hin_{label}_{property_name}")
    return f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{quote(label)}) REQUIRE n.{quote(property_name)} IS UNIQUE"


def index(label: str, property_name: str) -> str:
    """Index the nodes of a label by a property.

    >>> index("Motif", "name")
    'CREATE INDEX `hin_Motif_name` IF NOT EXISTS FOR (n:`Motif`) ON (n.`name`)'
    """
    name = quote(f"hin_{label}_{property_name}")
    return f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{quote(label)}) ON (n.{quote(property_name)})"


def drop_constraint(label: str, property_name: str) -> str:
    """Drop the uniqueness constraint of a label's property."""
    return f"DROP CONSTRAINT {quote(f'hin_{label}_{property_name}')} IF EXISTS"


def drop_index(label: str, property_name: str) -> str:
    """Drop the index of a label's property."""
    return f"DROP INDEX {quote(f'hin_{label}_{property_name}')} IF EXISTS"


def create_nodes(label: str) -> str:
    """Write nodes that are known to be new, once.

    >>> create_nodes("Term").partition("UNWIND")[2]
    ' $rows AS row CREATE (n:`Term`) SET n = row'
    """
    return f"{ONCE}UNWIND $rows AS row CREATE (n:{quote(label)}) SET n = row"


def merge_nodes(label: str) -> str:
    """Write nodes that may exist already.

    >>> merge_nodes("Term")
    'UNWIND $rows AS row MERGE (n:`Term` {number: row.number}) SET n = row'
    """
    return f"UNWIND $rows AS row MERGE (n:{quote(label)} {{number: row.number}}) SET n = row"


def node_ids(label: str) -> str:
    """Return the server's ids of a range of nodes, to join them without look-ups."""
    return (
        f"MATCH (n:{quote(label)}) WHERE n.number >= $start AND n.number < $stop "
        "RETURN collect(n.number) AS numbers, collect(id(n)) AS ids"
    )


# A row is [source id, [target ids], [values of the first property], ...]: ids instead of look-ups, one list per source.
_ENDS = (
    "UNWIND $rows AS row MATCH (s) WHERE id(s) = row[0] "
    "UNWIND range(0, size(row[1]) - 1) AS k MATCH (t) WHERE id(t) = row[1][k] "
)


def _map(properties: Iterable[str]) -> str:
    pairs = ", ".join(f"{quote(name)}: row[{column}][k]" for column, name in enumerate(properties, start=2))
    return f" {{{pairs}}}" if pairs else ""


def create_relationships(kind: str, properties: Iterable[str]) -> str:
    """Write relationships between known nodes, once.

    >>> create_relationships("HAS_TERM", ["occurrences"]).rpartition("row[1][k] ")[2]
    'CREATE (s)-[:`HAS_TERM` {`occurrences`: row[2][k]}]->(t)'
    """
    return f"{ONCE}{_ENDS}CREATE (s)-[:{quote(kind)}{_map(properties)}]->(t)"


def merge_relationships(kind: str, properties: Iterable[str], key: str | None = None) -> str:
    """Write relationships that may exist already; `key` distinguishes parallel ones.

    >>> merge_relationships("CITES", ["position"]).rpartition("row[1][k] ")[2]
    'MERGE (s)-[r:`CITES`]->(t) SET r = {`position`: row[2][k]}'
    """
    names = list(properties)
    keyed = f" {{{quote(key)}: row[{names.index(key) + 2}][k]}}" if key else ""
    return f"{_ENDS}MERGE (s)-[r:{quote(kind)}{keyed}]->(t) SET r ={_map(names) or ' {}'}"


def count_nodes(label: str) -> str:
    """Count the nodes of a label; the server knows without counting."""
    return f"MATCH (n:{quote(label)}) RETURN count(n) AS n"


def count_relationships(kind: str, source: str) -> str:
    """Count the relationships of a type that leave a label; the server knows without counting."""
    return f"MATCH (:{quote(source)})-[r:{quote(kind)}]->() RETURN count(r) AS n"


def most_relationships(label: str, kind: str, way: str) -> str:
    """Return the most relationships of a type that any node of a label has: `out`, `in` or `any` way.

    >>> most_relationships("Document", "HAS_AUTHOR", "out")
    'MATCH (n:`Document`) RETURN max(COUNT { (n)-[:`HAS_AUTHOR`]->() }) AS most'
    """
    left, right = {"out": ("-", "->"), "in": ("<-", "-"), "any": ("-", "-")}[way]
    return f"MATCH (n:{quote(label)}) RETURN max(COUNT {{ (n){left}[:{quote(kind)}]{right}() }}) AS most"


def delete_nodes(label: str) -> str:
    """Remove some nodes of a label with their relationships."""
    return f"MATCH (n:{quote(label)}) WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS deleted"


def delete_relationships(kind: str) -> str:
    """Remove some relationships of a type."""
    return f"MATCH ()-[r:{quote(kind)}]->() WITH r LIMIT $limit DELETE r RETURN count(*) AS deleted"


def read_names(label: str, property_name: str = "name") -> str:
    """Return a page of names."""
    return (
        f"MATCH (n:{quote(label)}) WHERE n.number >= $start AND n.number < $stop "
        f"RETURN collect(n.number) AS numbers, collect(n.{quote(property_name)}) AS names"
    )


def read_documents(properties: Iterable[str]) -> str:
    """Return a page of documents, one list each: number, then the properties."""
    values = ", ".join(f"n.{quote(name)}" for name in properties)
    return f"MATCH (n:Document) WHERE n.number >= $start AND n.number < $stop RETURN [n.number, {values}] AS row"


def read_edges(kind: str, target: str, source: str = "Document", order: str = "position") -> str:
    """Return a page of edges: the number of the source, the numbers of the targets and their order."""
    return (
        f"MATCH (s:{quote(source)}) WHERE s.number >= $start AND s.number < $stop "
        f"MATCH (s)-[r:{quote(kind)}]->(t:{quote(target)}) "
        f"RETURN s.number AS source, collect([r.{quote(order)}, t.number, r.occurrences]) AS targets"
    )
