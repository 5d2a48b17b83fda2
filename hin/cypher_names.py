"""The names of the graph's types in Cypher, and the one function that quotes an identifier.

Labels are CamelCase (`Author`), relationships UPPER_SNAKE with `HAS_` (`HAS_AUTHOR`; links keep their name,
`CITES`). Only letters, digits and `_` of a user's spelling survive, so every identifier means the same to Neo4j
and to the embedded engine; the graph's manifest has the user's own spelling. Names that collide (`first author`
and `first_author`, or a field called `document`) are distinguished by a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hin.errors import BadUsage

if TYPE_CHECKING:
    from hin.graph import Graph

#: Labels and relationships that hin itself creates; fields may not take them.
OWN_LABELS = ("Document", "Term", "Motif", "Category", "HinGraph", "HinBatch")
OWN_RELATIONSHIPS = ("HAS_TERM", "HAS_MOTIF", "INDICATES", "CLASSIFIED_AS", "LABELLED_AS", "PART", "PART_OF")
#: Property names that texts may not take: a property has one type for all labels, and the embedded engine cannot parse
#: `count` and `rank`.
OWN_PROPERTIES = (
    *("id", "number", "tokens", "label", "labels", "name", "pattern", "documents", "kappa", "position", "occurrences"),
    *("cosine", "confidence", "source", "at", "state", "fingerprint", "found", "manifest", "count", "rank"),
)
#: Neo4j's own limit on the length of an identifier.
LONGEST = 16_383


def quote(identifier: str) -> str:
    r"""Quote an identifier (label, relationship type, property key) so that it can only be an identifier.

    Cypher reads `\uXXXX` anywhere in a query before it looks for backticks, so a backslash is written as its own
    escape, and a backtick is doubled.

    Examples
    --------
    >>> print(quote("Author"), quote("a`}) DETACH DELETE n //"))
    `Author` `a``}) DETACH DELETE n //`
    >>> print(quote("a\\u0060b"))
    `a\u005cu0060b`
    """
    if not identifier or "\0" in identifier or len(identifier) > LONGEST:
        what = "is empty" if not identifier else "has a NUL character" if "\0" in identifier else "is too long"
        raise BadUsage(f"{identifier[:40]!r} cannot be a name in Cypher: it {what}", hint="rename the field")
    escaped = identifier.replace("\\", "\\u005c").replace("`", "``")
    return f"`{escaped}`"


def _words(name: str) -> list[str]:
    """Return the words of a field name: letters and digits, also split where lower case meets upper.

    >>> _words("firstAuthor-name")
    ['first', 'Author', 'name']
    """
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name))[:50]


def _upper(word: str) -> str:
    """Convert to upper case, without the combining accents that some letters are expanded to.

    >>> _upper("\\u1f50") == "\\u03a5"
    True
    """
    return re.sub(r"\W", "", word.upper())


def label_of(node_type: str) -> str:
    """Return the label of a node type.

    Examples
    --------
    >>> label_of("author"), label_of("publication year"), label_of("ISBN"), label_of("!")
    ('Author', 'PublicationYear', 'ISBN', 'Field')
    """
    return "".join(_upper(word[0]) + word[1:] for word in _words(node_type))[:200] or "Field"


def relationship_of(edge_type: str, *, link: bool = False) -> str:
    """Return the relationship type of a document's field, or of a link.

    Examples
    --------
    >>> relationship_of("author"), relationship_of("firstAuthor"), relationship_of("cites", link=True)
    ('HAS_AUTHOR', 'HAS_FIRST_AUTHOR', 'CITES')
    """
    snake = "_".join(_upper(word) for word in _words(edge_type))[:200] or "FIELD"
    return snake if link else f"HAS_{snake}"


def property_of(text_field: str) -> str:
    """Return the name of the document property that holds a text field.

    Examples
    --------
    >>> property_of("abstract"), property_of("full text"), property_of("``")
    ('abstract', 'full_text', 'text')
    """
    return re.sub(r"\W+", "_", text_field).strip("_")[:200] or "text"


@dataclass(frozen=True)
class CypherNames:
    """Every identifier of one graph, all distinct even when case is folded.

    Attributes
    ----------
    labels, relationships : mapping
        By node type; by edge type, link or extra edge.
    properties, unresolved : mapping
        A document's properties: by text field; by link, for targets that are not in the graph.

    Examples
    --------
    >>> names = CypherNames.of(["author", "Author!", "term"], links=["cites", "has author"], texts=["title", "ID"])
    >>> names.labels["Author!"], names.relationships["has author"], names.properties["ID"]
    ('Author_2', 'HAS_AUTHOR_3', 'ID_2')
    """

    labels: Mapping[str, str]
    relationships: Mapping[str, str]
    properties: Mapping[str, str]
    unresolved: Mapping[str, str]

    @classmethod
    def of(
        cls, fields: Iterable[str], links: Iterable[str] = (), extra: Iterable[str] = (), texts: Iterable[str] = ()
    ) -> CypherNames:
        """Name the types in order: of names that collide, the first one has the plain spelling."""
        # One set for both: the embedded engine has one namespace for labels and relationships.
        taken = {name.lower() for name in (*OWN_LABELS, *OWN_RELATIONSHIPS)}
        labels = {"document": "Document", "term": "Term"}
        relationships = {"term": "HAS_TERM"}
        for name in fields:
            labels[name] = _distinct(label_of(name), taken)
            relationships[name] = _distinct(relationship_of(name), taken)
        links = tuple(links)
        for name in (*links, *extra):
            relationships[name] = _distinct(relationship_of(name, link=True), taken)
        taken_properties = set(OWN_PROPERTIES)
        properties = {name: _distinct(property_of(name), taken_properties) for name in texts}
        unresolved = {name: _distinct(f"unresolved_{property_of(name)}", taken_properties) for name in links}
        return cls(labels, relationships, properties, unresolved)

    @classmethod
    def of_graph(cls, graph: Graph) -> CypherNames:
        """Name the types of a graph."""
        return cls.of(graph.fields, graph.links, sorted(graph.extra), graph.texts.fields)


def _distinct(name: str, taken: set[str]) -> str:
    # The embedded engine cannot parse CONTAINS as a relationship: it is a keyword there.
    candidate, number = name, 2
    while candidate.lower() in taken or candidate.upper() == "CONTAINS":
        candidate, number = f"{name}_{number}", number + 1
    taken.add(candidate.lower())
    return candidate
