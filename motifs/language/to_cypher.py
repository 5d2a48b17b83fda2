"""Translate a pattern to a Cypher query that gives the same instances and counts as the joins.

Identifiers are quoted by `hin.cypher_names.quote`; every value is a parameter. The text keeps to what Neo4j and the
embedded engine both understand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hin.cypher_names import CypherNames, quote
from motifs.language.pattern import Pattern
from motifs.language.template import DOCUMENT
from motifs.language.template_text import variable_names
from motifs.options import MotifOptions


@dataclass(frozen=True)
class CypherQuery:
    """A query, its parameters, and the node type of each of its columns `part1`, `part2`, ...

    A row is one instance: its part names and `documents`, the number of distinct anchor documents. With `numbers` the
    parts are the nodes' numbers, and `ids` are the anchors' numbers.
    """

    text: str
    parameters: dict[str, Any] = field(default_factory=dict)
    fields: tuple[str, ...] = ()


def to_cypher(
    pattern: Pattern | str,
    names: CypherNames | None = None,
    *,
    min_count: int | None = None,
    contains: str | None = None,
    document: str | None = None,
    top: int | None = None,
    numbers: bool = False,
) -> CypherQuery:
    """Write the query that counts the distinct anchor documents of each instance of a pattern.

    Parameters
    ----------
    pattern : Pattern or str
    names : CypherNames, optional
        The names of the graph's types in Cypher; without it each type gets its plain name.
    min_count : int, optional
        Instances in fewer documents are dropped (default 5).
    contains : str, optional
        Only instances with a part whose name contains this, ignoring case.
    document : str, optional
        Only instances of the document with this id.
    top : int, optional
        Only the instances in most documents.
    numbers : bool
        Return the numbers of the nodes in the graph's tables instead of their names, and the documents' as `ids`.

    Examples
    --------
    >>> query = to_cypher("author-author")
    >>> print(query.text)
    MATCH (d:`Document`)-[:`HAS_AUTHOR`]->(a1:`Author`), (d)-[:`HAS_AUTHOR`]->(a2:`Author`)
    WHERE a1.name < a2.name
    WITH a1.name AS part1, a2.name AS part2, count(DISTINCT d.id) AS documents
    WHERE documents >= $min_count
    RETURN part1, part2, documents
    ORDER BY documents DESC, part1, part2
    >>> query.parameters
    {'min_count': 5}
    """
    found = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    known = names or _plain_names(found)
    variables = variable_names(found.types)
    parts = variables[found.n_documents :]
    columns = [f"part{c + 1}" for c in range(len(parts))]
    parameters: dict[str, Any] = {"min_count": MotifOptions().min_count if min_count is None else min_count}

    conditions = ["documents >= $min_count"]
    name, identity = ("number", "number") if numbers else ("name", "id")
    carried = [f"{v}.{name} AS {column}" for v, column in zip(parts, columns, strict=True)]
    carried.append(f"count(DISTINCT d.{identity}) AS documents")
    if numbers:
        carried.append("collect(DISTINCT d.number) AS ids")
    if document is not None:
        carried.append("max(CASE WHEN d.id = $document THEN 1 ELSE 0 END) AS here")
        conditions.append("here = 1")
        parameters["document"] = document
    if contains is not None:
        conditions.append("(" + " OR ".join(f"toLower({c}) CONTAINS toLower($contains)" for c in columns) + ")")
        parameters["contains"] = contains

    lines = ["MATCH " + _paths(found, variables, known)]
    if distinct := _distinctness(found, variables, name, identity):
        lines.append("WHERE " + " AND ".join(distinct))
    lines += ["WITH " + ", ".join(carried), "WHERE " + " AND ".join(conditions)]
    lines.append("RETURN " + ", ".join([*columns, "documents", *(["ids"] if numbers else [])]))
    lines.append("ORDER BY " + ", ".join(["documents DESC", *columns]))
    if top is not None:
        lines.append("LIMIT $top")
        parameters["top"] = top
    return CypherQuery("\n".join(lines), parameters, found.fields)


def _plain_names(pattern: Pattern) -> CypherNames:
    fields = [kind for kind in dict.fromkeys(pattern.fields) if kind != "term"]
    others = [e.type for e in pattern.edges if e.type not in pattern.fields]
    return CypherNames.of(fields, links=dict.fromkeys(others))


def _paths(pattern: Pattern, variables: list[str], names: CypherNames) -> str:
    seen: set[int] = set()

    def node(number: int) -> str:
        if number in seen:
            return f"({variables[number]})"
        seen.add(number)
        return f"({variables[number]}:{quote(names.labels[pattern.types[number]])})"

    return ", ".join(
        f"{node(e.source)}-[:{quote(names.relationships[e.type])}]-{'>' if e.directed else ''}{node(e.target)}"
        for e in pattern.edges
    )


def _distinctness(pattern: Pattern, variables: list[str], name: str, identity: str) -> list[str]:
    """Return the conditions that equal-typed nodes are distinct and that one of the symmetric assignments is kept."""
    types, first = pattern.types, pattern.n_documents
    ordered = {(first + small, first + large) for small, large in pattern.smallest_first}
    tests = []
    for a in range(len(types)):
        for b in range(a + 1, len(types)):
            if types[a] == types[b]:
                key = identity if types[a] == DOCUMENT else name
                sign = "<" if (a, b) in ordered else "<>"
                tests.append(f"{variables[a]}.{key} {sign} {variables[b]}.{key}")
    return tests
