"""Find each category name among the terms, with its frequency and the names it is easily confused with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from os.path import commonprefix
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from classify.categories.category_file import Category
from classify.categories.coined_terms import with_phrases
from classify.categories.keywords import Keyword, find_keyword
from classify.categories.name_parts import NameParts, part_names
from classify.categories.name_vector import NameVector
from classify.categories.term_lookup import TermIndex, segment_names_like, words_of
from hin.arrays.types import Floats, Reals
from hin.errors import UnknownName
from hin.human import plural
from hin.text.languages import language_of
from hin.text.segments import check_segmentation, needs_segmenter

if TYPE_CHECKING:
    from hin.graph import Graph
    from motifs import MotifSet

__all__ = ["CategoryFinding", "Keyword", "check_categories", "find_categories", "add_kappa", "name_vectors",
           "require_found"]  # fmt: skip

Status = Literal["term", "variant", "phrase", "keywords", "composed", "meaning", "missing"]

#: Names with a centred cosine of at least this will share most of their documents.
NEARLY_SAME = 0.7
#: The most missing names that one message lists.
_MOST_SHOWN = 20
_FEW = 5
#: Words with this many first letters in common count as spelled alike.
_START = 2
#: Longer endings than this make another word of a stem: `deportación` is no form of `deportes`.
_ENDING = 3


@dataclass(frozen=True)
class CategoryFinding:
    """How one category name was found in the corpus.

    Attributes
    ----------
    status : how it was found: as a `term`, as a `variant` spelling, as a `phrase` of the text that became a term, only
        through its `keywords`, `composed` of its words, by terms of the same `meaning`, or `missing`.
    term : the term it is; its words where it is composed.
    documents : the number of documents that hold this term.
    spellings, related : for a missing name, terms spelled like it and terms that share a word with it.
    words : for a name that is not a term, or in few documents, those of its content words that are terms. For a name
        that was found by its meaning, the terms nearest to it.
    kappa : its specificity, once there is an embedding.
    near : categories that are nearly the same, with the cosine.
    excluded : the keywords against it.
    parts : for a name that is not a term, or in few documents, its parts between commas, slashes and conjunctions.
    written : the number of documents in which its words follow one another, be it as parts of longer terms.
    """

    category: str
    status: Status
    term: str | None
    documents: int
    keywords: tuple[Keyword, ...] = ()
    spellings: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    kappa: float | None = None
    near: tuple[tuple[str, float], ...] = ()
    excluded: tuple[Keyword, ...] = ()
    parts: tuple[Keyword, ...] = ()
    written: int = 0

    @property
    def document_count(self) -> int:
        """The number of documents that hold the name, be it inside longer terms."""
        return max(self.documents, self.written)

    def notes(self) -> list[str]:
        """Return remarks for the user, a sentence each; empty if there is nothing to do.

        A phrase that became a term needs no remark.
        """
        notes = []
        if self.status == "variant":
            same_stem = "" if self._is_inflected() else ", which has the same stem"
            notes.append(f"found as {self.term!r}{same_stem}")
        elif self.status == "keywords":
            notes.append("occurs nowhere itself; its keywords stand for it")
        elif self.status == "composed":
            notes.append(f"occurs nowhere as written; stands for {self._stands_for()}")
        elif self.status == "meaning":
            notes.append(f"occurs nowhere; placed {self._placed()}")
        elif self.status == "missing":
            notes.append("occurs nowhere, and nothing is known of it: its category stays empty")
            if self.spellings:
                notes.append(f"spelled alike: {', '.join(self.spellings)}")
            if self.related:
                notes.append(f"terms that share a word: {', '.join(self.related)}")
        if self.status in ("term", "variant", "phrase") and self.document_count < _FEW:
            helped = any(keyword.found for keyword in self.keywords)
            also = f"; stands for {self._stands_for()} too" if self.parts else "" if helped else "; keywords would help"
            notes.append(f"in only {plural(self.document_count, 'document')}{also}")
        given = [(k.keyword, k) for k in self.keywords] + [(f"-{k.keyword}", k) for k in self.excluded]
        for word, keyword in given:
            if not keyword.found:
                value = "" if keyword.value is None else f"; as a value it is {keyword.value}"
                where = "in no text" if keyword.instance is None else "nowhere"
                notes.append(f"keyword {word!r} occurs {where} and is left out{value}")
        notes.extend(f"nearly the same as {other!r} (cosine {cosine:.2f})" for other, cosine in self.near)
        return notes

    def _is_inflected(self) -> bool:
        """Check whether the term differs from the name in a short ending: a stem joins more than plurals."""
        name, term = (" ".join(words_of(text)) for text in (self.category, self.term or ""))
        return max(len(name), len(term)) - len(commonprefix([name, term])) <= _ENDING

    def _placed(self) -> str:
        """List the terms near to the name in meaning, with a caveat if all of them are spelled like it."""
        starts = tuple({word[:_START] for word in words_of(self.category)})
        own = {start[:length] for start in starts for length in range(1, _START)}  # a term may be shorter
        apart = [t for t in self.words if not any(w in own or w.startswith(starts) for w in words_of(t))]
        if apart:
            return f"by what it means, near {', '.join(apart)}"
        return f"near {', '.join(self.words)}, which may only be spelled alike; keywords would help"

    def _stands_for(self) -> str:
        """List the parts with their document counts, or the words where no part is frequent."""
        parts = [f"{part.keyword} ({plural(part.documents, 'document')})" for part in self.parts]
        return ", ".join(parts) or " + ".join(self.words)

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as a record for machines."""
        plain = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {
            **plain,
            **{name: list(plain[name]) for name in ("spellings", "related", "words")},
            "keywords": [keyword.as_dict() for keyword in self.keywords],
            "excluded": [keyword.as_dict() for keyword in self.excluded],
            "parts": [part.as_dict() for part in self.parts],
            "near": [list(pair) for pair in self.near],
            "notes": self.notes(),
        }


def find_categories(
    graph: Graph, categories: Sequence[Category], index: TermIndex | None = None
) -> tuple[list[CategoryFinding], Graph]:
    """Find each name among the terms or in the text; names that are phrases become terms of the graph returned.

    Case, hyphens and simple plurals do not matter; the exact spelling is preferred, then the most frequent variant.
    A name that is not a term, or in few documents, is split: it is `composed` of the parts and words that occur.
    A name without a word of the corpus is found as `missing`, with suggestions.

    Parameters
    ----------
    index : of the graph's terms, where it is known already.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> names = [Category("Webs"), Category("data mining"), Category("cooking")]
    >>> findings, graph = find_categories(tiny_graph(), names)
    >>> [(finding.status, finding.term, finding.documents) for finding in findings]
    [('variant', 'web', 3), ('phrase', 'data mining', 1), ('missing', None, 0)]
    """
    index = index or TermIndex(graph)
    names = [category.name for category in categories]
    if any(map(needs_segmenter, names)):  # these must be segmented as the texts were
        terms = graph.names("term").tolist()
        check_segmentation(terms)
        segment_names_like(terms)
    coined = [name for name in names if _seldom_mined(graph, index, name)]
    grown = with_phrases(graph, coined, index, keep=[name for name in names if name not in coined])
    index = index.grown(grown)
    parted = part_names(names, language_of(graph))
    found = [_find(grown, index, category, set(coined)) for category in categories]
    return [_split_name(f, parts, grown, index) for f, parts in zip(found, parted, strict=True)], grown


def _seldom_mined(graph: Graph, index: TermIndex, name: str) -> bool:
    """Check whether the name is written in at least twice as many documents as hold it as a term.

    A single word can be hidden too, in phrases that mining made of it and its neighbours. Its plural and other
    spellings count as the term.
    """
    terms, exact = index.terms(name), graph.names("term").get(" ".join(words_of(name)))
    spellings = terms if len(words_of(name)) == 1 else [] if exact is None else [exact]
    known = int(graph.document_frequency[spellings].sum()) if spellings else 0
    written = index.written_in(name)
    return written > 0 and written >= 2 * known


def _find(graph: Graph, index: TermIndex, category: Category, coined: set[str]) -> CategoryFinding:
    names, frequency = graph.names("term"), graph.document_frequency
    keywords, excluded = (
        tuple(find_keyword(graph, index, word, category.name) for word in words)
        for words in (category.keywords, category.excluded)
    )
    terms = index.terms(category.name)
    if terms:
        term = names[terms[0]]
        same = term == " ".join(words_of(category.name)) or term == " ".join(category.name.lower().split())
        status: Status = "phrase" if category.name in coined else "term" if same else "variant"
        count, written = int(frequency[terms[0]]), index.written_in(category.name)
        return CategoryFinding(category.name, status, term, count, keywords, excluded=excluded, written=written)
    if any(keyword.found for keyword in keywords):
        return CategoryFinding(category.name, "keywords", None, 0, keywords, excluded=excluded)
    return CategoryFinding(
        category.name,
        "missing",
        None,
        0,
        keywords,
        excluded=excluded,
        spellings=tuple(index.similar(category.name)),
        related=tuple(index.related(category.name)),
    )


def _split_name(finding: CategoryFinding, name: NameParts, graph: Graph, index: TermIndex) -> CategoryFinding:
    """Add parts and content words to the finding of a missing or rare name; a missing one is composed of them."""
    if finding.status == "keywords" or finding.documents >= _FEW:
        return finding
    names, missing = graph.names("term"), finding.status == "missing"
    terms = [found[0] for found in map(index.terms, name.words) if found]
    parts = [find_keyword(graph, index, part, finding.category) for part in name.parts]
    parts = [part for part in parts if part.documents >= _FEW]
    if not terms and not parts:
        return finding
    words = tuple(dict.fromkeys(names[term] for term in terms))
    if not missing:
        return replace(finding, words=words, parts=tuple(parts)) if parts else finding
    term = " + ".join(words) or None  # none of them is a term where the parts stand in longer phrases only
    return replace(finding, status="composed", term=term, words=words, parts=tuple(parts), spellings=(), related=())


def require_found(findings: Sequence[CategoryFinding], strict: bool = False) -> list[CategoryFinding]:
    """Raise if no name is known or, with `strict`, if any is unknown; otherwise unknown names leave an empty category.

    Raises
    ------
    UnknownName
        With the first of these names and suggestions.
    """
    unknown = [finding for finding in findings if finding.status == "missing"]
    if unknown and (strict or len(unknown) == len(findings)):
        alike = [f" (spelled alike: {', '.join(one.spellings)})" if one.spellings else "" for one in unknown]
        shown = [f"{one.category!r}{more}" for one, more in zip(unknown[:_MOST_SHOWN], alike, strict=False)]
        shown += [f"and {len(unknown) - _MOST_SHOWN:,} more"] if len(unknown) > _MOST_SHOWN else []
        which = "none of the categories occurs" if len(unknown) == len(findings) else "some categories do not occur"
        raise UnknownName(
            f"{which} in the documents, and nothing is known of their names: {', '.join(shown)}",
            hint="use other names, or add words that stand for them (`name: word, word`)",
        )
    return list(findings)


def name_vectors(
    findings: Sequence[CategoryFinding], motif_set: MotifSet, vectors: Floats, kappa: Reals
) -> list[NameVector]:
    """Return each category's direction and specificity, from the vectors of its name and keywords or of its words.

    Words of a composed name count by ln(1 + documents).
    """
    return [_name_vector(finding, motif_set, vectors, kappa) for finding in findings]


def _name_vector(finding: CategoryFinding, motif_set: MotifSet, vectors: Floats, kappa: Any) -> NameVector:
    composed = finding.status in ("composed", "meaning")
    base = finding.words if composed else (finding.term,) if finding.term else ()
    spelled = list(base or [part.term for part in finding.parts if part.term])
    spelled += [keyword.term for keyword in finding.keywords if keyword.term]
    found = [motif_set.find(f"TERM[{_escaped(term)}]", "term") for term in dict.fromkeys(spelled)]
    found += [motif_set.find(keyword.instance) for keyword in finding.keywords if keyword.instance]
    # A word that stands in phrases alone is in no document, and has no vector.
    instances = [
        instance for instance in found if instance is not None and (not composed or motif_set.documents[instance])
    ]
    # Its keywords or parts may stand in the texts, in phrases, and be no terms; its documents place such a name.
    if not instances and finding.status not in ("term", "variant", "phrase"):
        return NameVector((), np.zeros(vectors.shape[1], dtype=np.float32), 0.0, finding.category)
    if not instances:
        raise UnknownName(
            f"category {finding.category!r} has no vector: {', '.join(spelled) or 'its name'} is in too few documents",
            hint="lower --min-count or add keywords (`name: word, word`)",
        )
    weight = np.ones(len(instances))
    if composed:
        weight = np.log1p(motif_set.documents[instances].astype(np.float64))
    direction = (vectors[instances].astype(np.float64) * weight[:, None]).sum(axis=0)
    direction /= max(float(np.linalg.norm(direction)), 1e-12)
    own = float(np.average(np.asarray(kappa, dtype=np.float64)[instances], weights=weight))
    # The specificity is the name's own, as keywords may be far more specific.
    first = own if composed or finding.status == "keywords" else float(kappa[instances[0]])
    return NameVector(tuple(instances), direction.astype(np.float32), first, finding.category)


def require_vectors(names: Sequence[NameVector]) -> Sequence[NameVector]:
    """Return the names, and raise if one has no instance: the preset paper cannot do without."""
    if bare := [name.category for name in names if not name.instances]:
        raise UnknownName(
            f"category {bare[0]!r} has no vector: none of its words is a term",
            hint="add a keyword that is a term, or use the preset default",
        )
    return names


def check_categories(
    graph: Graph,
    motif_set: MotifSet,
    vectors: Floats,
    kappa: Reals,
    categories: Sequence[Category],
    strict: bool = False,
) -> list[CategoryFinding]:
    """Check the names in an embedding: the findings of `find_categories`, with kappa and near-duplicates of each name.

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> motifs = match_all(tiny_graph(), ["term"], min_count=1)
    >>> vectors = np.eye(motifs.n_instances, dtype=np.float32)
    >>> two = [Category("web"), Category("mining")]
    >>> [f.kappa for f in check_categories(tiny_graph(), motifs, vectors, np.arange(9.0), two)]
    [2.0, 1.0]
    """
    return add_kappa(require_found(find_categories(graph, categories)[0], strict), motif_set, vectors, kappa)


def add_kappa(
    findings: Sequence[CategoryFinding],
    motif_set: MotifSet,
    vectors: Floats,
    kappa: Reals,
) -> list[CategoryFinding]:
    """Add kappa and near-duplicates of each name in an embedding to the findings."""
    names = name_vectors(findings, motif_set, vectors, kappa)
    centred = np.stack([name.vector for name in names]).astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-12)
    cosines = (centred[:, None, :] * centred[None, :, :]).sum(axis=2)
    missing = np.array([not name.instances for name in names])
    cosines[missing] = cosines[:, missing] = -1.0  # names without an instance all have the same vector
    checked = []
    for i, (finding, name) in enumerate(zip(findings, names, strict=True)):
        near = [j for j in np.argsort(-cosines[i], kind="stable").tolist() if j != i and cosines[i, j] >= NEARLY_SAME]
        pairs = tuple((findings[j].category, round(float(cosines[i, j]), 4)) for j in near)
        checked.append(replace(finding, kappa=name.kappa, near=pairs))
    return checked


def _escaped(value: str) -> str:
    from motifs.instance_names import escape_value

    return escape_value(value)
