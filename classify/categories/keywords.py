"""Keywords for or against a category, besides its name: words, phrases, metadata values.

A keyword never changes the graph, so the embedding does not depend on it. For a phrase that is not a term, or a word
that occurs mostly in longer terms, the documents that hold it are looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from classify.categories.term_lookup import TermIndex
from hin.arrays.types import Int64
from hin.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from hin.graph import Graph

#: An instance as hin prints it: FIELD[value], several joined by hyphens.
_INSTANCE = re.compile(r"[^\[\],]+\[(?:[^\]\\]|\\.)*\](?:-[^\[\],]+\[(?:[^\]\\]|\\.)*\])*")
_KEYWORD = re.compile(rf"\s*(-?)\s*((?:{_INSTANCE.pattern})|[^,]*?)\s*(?:,|$)")


@dataclass(frozen=True)
class Keyword:
    """A keyword and how it was found in the corpus.

    Attributes
    ----------
    term : the term of the vocabulary that it is; None if there is none.
    documents : the number of documents that hold it.
    instance : a metadata value as hin prints it, such as `VENUE[KDD]`; None for words.
    seen : (documents, counts) of its occurrences, if it is not a term or mostly in longer ones; else None.
    value : the metadata value of the same spelling, where no text holds the keyword.
    """

    keyword: str
    term: str | None
    documents: int
    instance: str | None = None
    seen: tuple[Int64, Int64] | None = field(default=None, compare=False, repr=False)
    value: str | None = None

    @property
    def found(self) -> bool:
        """Whether it is in any document."""
        return self.documents > 0

    def as_dict(self) -> dict[str, Any]:
        """Return the keyword as a record for JSON, as far as it was found."""
        return {name: getattr(self, name) for name in ("keyword", "term", "documents", "instance")}


def split_keywords(text: str, where: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split the list after a category's name into keywords, and those with a minus, which are evidence against it.

    A comma within the brackets of a metadata value does not split it; `\\-` begins a keyword with a hyphen.

    >>> split_keywords("cars, sports car, -cat, MAKER[Jaguar, Ltd]", "labels.txt, line 1")
    (('cars', 'sports car', 'MAKER[Jaguar, Ltd]'), ('cat',))
    """
    wanted: dict[str, None] = {}
    excluded: dict[str, None] = {}
    at = 0
    while at < len(text):
        found = _KEYWORD.match(text, at)
        assert found is not None, "the pattern takes anything up to the next comma"
        at = found.end()
        word = " ".join(found[2].split())
        if found[1] and not word:
            raise BadInput(f"{where}: a minus without a word after it", hint="write `name: word, -word`")
        if word:
            (excluded if found[1] else wanted)[word.removeprefix("\\")] = None
    both = [word for word in wanted if word in excluded]
    if both:
        raise BadInput(
            f"{where}: {both[0]!r} is a keyword for the category and against it", hint="leave one of them out"
        )
    return tuple(wanted), tuple(excluded)


def find_keyword(graph: Graph, index: TermIndex, text: str, category: str) -> Keyword:
    """Find a keyword among the metadata values (`FIELD[value]`), the terms, or the words of the text.

    >>> from motifs.samples import tiny_graph
    >>> graph = tiny_graph()
    >>> found = [find_keyword(graph, TermIndex(graph), text, "x") for text in ("VENUE[KDD]", "data mining", "cooking")]
    >>> [(keyword.instance, keyword.documents) for keyword in found]
    [('VENUE[KDD]', 3), (None, 1), (None, 0)]
    """
    if _INSTANCE.fullmatch(text):
        parts = _parse_values(graph, text, category)
        if [field for field, _ in parts] != ["term"]:
            return _find_values(graph, text, parts)
        text = parts[0][1]
    names, frequency = graph.names("term"), graph.document_frequency
    terms = index.terms(text)
    known = int(frequency[terms[0]]) if terms else 0
    documents, counts = index.documents_with(text)
    # The term is enough unless mining hid the word in longer phrases: then at least twice as many documents hold it.
    hidden = len(documents) > 0 and len(documents) >= 2 * known
    return Keyword(
        text,
        names[terms[0]] if terms else None,
        max(known, len(documents)) if hidden else known,
        seen=(documents, counts) if hidden else None,
        value=None if known or hidden else _same_value(graph, text),
    )


def _same_value(graph: Graph, text: str) -> str | None:
    """Return the metadata value that is spelled like a word, in whatever case, as hin prints it."""
    from motifs.instance_names import instance_name

    spellings = dict.fromkeys((text, text.capitalize(), text.title(), text.lower(), text.upper()))
    values = ((field, word) for field in graph.fields for word in spellings if graph.names(field).get(word) is not None)
    return next((instance_name([value], graph.node_types) for value in values), None)


def _parse_values(graph: Graph, text: str, category: str) -> list[tuple[str, str]]:
    from motifs.errors import BadInstanceName
    from motifs.instance_names import parse_name

    try:
        return parse_name(text, ("term", *graph.fields))
    except BadInstanceName as error:
        raise UnknownName(
            f"category {category!r}: {text} is not a metadata value of this graph ({error})",
            hint=f"its fields are {', '.join(graph.fields) or 'none'}; see `hin info`",
        ) from error


def _find_values(graph: Graph, text: str, parts: list[tuple[str, str]]) -> Keyword:
    from motifs.instance_names import instance_name

    documents: Int64 | None = None
    for kind, value in parts:
        node = graph.names(kind).get(value)
        edges = graph.edges(kind)
        held = np.unique(edges.rows()[edges.targets == node]) if node is not None else np.zeros(0, dtype=np.int64)
        documents = held if documents is None else np.intersect1d(documents, held)
    rows = np.asarray(documents, dtype=np.int64)
    name = instance_name(parts, graph.node_types)
    return Keyword(text, None, len(rows), name, (rows, np.ones(len(rows), dtype=np.int64)))
