"""The names in a graph: an unknown label, type or property is an error.

Neo4j answers such a query with no rows; a folder rejects it and lists the names that exist.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from hin.cypher.errors import CypherRefused
from hin.cypher.syntax.tree import LabelExpression


@dataclass(frozen=True)
class KnownNames:
    """Labels, relationship types and properties of a graph.

    Examples
    --------
    >>> KnownNames(("Author",), (), ()).check_labels("author")
    Traceback (most recent call last):
    hin.cypher.errors.CypherRefused: the graph has no label 'author'; there are Author
    """

    labels: tuple[str, ...]
    types: tuple[str, ...]
    properties: tuple[str, ...]

    def check_labels(self, labels: LabelExpression | None) -> None:
        """Raise if none of some labels exists."""
        self._check(labels, self.labels, "label")

    def check_types(self, types: LabelExpression | None) -> None:
        """Raise if none of some relationship types exists."""
        self._check(types, self.types, "relationship")

    def check_property(self, name: str) -> None:
        """Raise if no node or relationship has a property."""
        if name not in self.properties:
            near = difflib.get_close_matches(name.lower(), self.properties, 1, 0.5)
            hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(sorted(self.properties))}"
            raise CypherRefused(f"the graph has no property {name!r}", hint=hint)

    def _check(self, asked: LabelExpression | None, there: Iterable[str], what: str) -> None:
        names = list(_names(asked))
        if names and not any(name in there for name in names):
            raise CypherRefused(f"the graph has no {what} {names[0]!r}", hint=f"there are {', '.join(sorted(there))}")


def _names(asked: LabelExpression | None) -> Iterable[str]:
    if isinstance(asked, str):
        yield asked
    elif asked is not None and asked[0] in ("&", "|"):
        for part in asked[1:]:
            yield from _names(part)
