"""Look-up of category names among the terms: spellings, hyphens, plurals, and phrases inside the text."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from os.path import commonprefix
from typing import TYPE_CHECKING

import numpy as np

from hin.arrays.types import Int32, Int64
from hin.text.languages import language_of, stemmer
from hin.text.segments import language_of_kanji
from hin.text.tokenize import fold, reference_tokens

if TYPE_CHECKING:
    from hin.graph import Csr, Graph

_JOINTS = re.compile(r"[\s\-_/]+")
#: The number of documents in which a phrase is searched at a time.
_AT_ONCE = 4_000


#: The language of names in Chinese characters alone: that of the corpus whose names were last looked up.
_KANJI: ContextVar[str] = ContextVar("kanji", default="chinese")


def segment_names_like(terms: Iterable[str]) -> None:
    """Segment names in Chinese characters as the corpus of these terms was: Japanese names often have no kana."""
    _KANJI.set(language_of_kanji(terms))


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name as the tokeniser cuts them, also split at hyphens and underscores.

    >>> words_of("Human-Computer  Interaction")
    ('human', 'computer', 'interaction')
    """
    tokens = reference_tokens(name.replace("/", " "), _KANJI.get())
    return tuple(word for token in tokens for word in _JOINTS.split(token) if word)


def base_form(language: str | None) -> Callable[[str], str]:
    """Return the function that normalises inflected forms: a few rules for English plurals, else the stemmer.

    The rules distinguish `physics` and `physical`, which a stemmer does not; other languages have far more endings.

    >>> base_form("english") is base_form(None) is singular, base_form("german")("kulturen")
    (True, 'kultur')
    """
    found = None if language == "english" else stemmer(language)
    return found or singular


def singular(word: str) -> str:
    """Return a word without the ending of a simple English plural.

    >>> [singular(word) for word in ("databases", "libraries", "boxes", "physics", "graphics", "class", "go")]
    ['database', 'library', 'box', 'physic', 'graphic', 'class', 'go']
    """
    if not word.endswith("s"):
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def only_spelled_alike(name: str, term: str) -> bool:
    """Check whether a term shares letters with a word of a name, but neither its beginning nor a whole word.

    Models that read word pieces give such terms similar vectors though their meanings differ.

    >>> [only_spelled_alike("Garten", "karten"), only_spelled_alike("sympathy", "path")]
    [True, True]
    >>> [only_spelled_alike("garden", "gardening"), only_spelled_alike("nutrition", "malnutrition")]
    [False, False]
    """
    return any(_differs_in_beginning(word, other) for word in words_of(name) for other in words_of(term))


def _differs_in_beginning(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    size = difflib.SequenceMatcher(None, word, other, autojunk=False).find_longest_match().size
    if size < 4 or 2 * size < len(short) or len(commonprefix([word, other])) >= min(4, len(short)):
        return False
    compound = long.endswith(short) and len(short) >= 5 and len(long) - len(short) >= 3
    return not compound


@dataclass(frozen=True)
class Occurrences:
    """The occurrences of a phrase in the token stream.

    Attributes
    ----------
    documents : int32[n]
        The document of each occurrence; a document may occur more than once.
    starts, stops : int64[n]
        The first token it touches and the one after the last, as positions in ``graph.tokens.targets``.
    before, after : int64[n]
        The number of words of the first token before it, and of the last token after it (mined phrases hold several).
    """

    documents: Int32
    starts: Int64
    stops: Int64
    before: Int64
    after: Int64

    def __len__(self) -> int:
        return len(self.documents)


class TermIndex:
    """Finds names among the terms of a graph and inside its token stream.

    Examples
    --------
    >>> from hin.building.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> texts = [("Data-mining of ham radios",), ("ham radio and data",)]
    >>> graph = build_graph([RecordBatch(["a", "b"], texts, {}, [None] * 2, {}, [("-", 1)] * 2)], ["text"])
    >>> index = TermIndex(graph)
    >>> [graph.names("term")[i] for i in index.terms("Data Mining")]
    ['data-mining']
    >>> index.occurrences("ham radio").documents.tolist()
    [0, 1]
    """

    def __init__(self, graph: Graph) -> None:
        self._single: dict[str, list[int]] = {}
        self._several: dict[tuple[str, ...], list[int]] = {}
        self._within: dict[str, list[int]] = {}
        self._base = base_form(language_of(graph))
        self._names: list[str] = []
        self._add(graph)

    def grown(self, graph: Graph) -> TermIndex:
        """Return the index of a graph in which phrases have become terms, numbered after the known ones."""
        if graph is self._graph:
            return self
        found = copy(self)
        found._single, found._several, found._within = dict(self._single), dict(self._several), dict(self._within)
        found._add(graph)
        return found

    def _add(self, graph: Graph) -> None:
        self._graph = graph
        self._found: dict[tuple[str, ...], Occurrences] = {}
        known, self._names = len(self._names), graph.names("term").tolist()
        single, within = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
        several = defaultdict[tuple[str, ...], list[int]](list)
        for term, name in enumerate(self._names[known:], start=known):
            if " " in name or "-" in name or "_" in name:
                key = tuple([self._base(word) for word in _JOINTS.split(name) if word])
                several[key].append(term)
                for word in dict.fromkeys(key):
                    within[word].append(term)
            else:
                single[self._base(name)].append(term)
        # New lists, as the index of the graph before has the old ones.
        self._single.update({word: [*self._single.get(word, ()), *terms] for word, terms in single.items()})
        self._several.update({key: [*self._several.get(key, ()), *terms] for key, terms in several.items()})
        self._within.update({word: [*self._within.get(word, ()), *terms] for word, terms in within.items()})

    def terms(self, name: str) -> list[int]:
        """Return terms that are this name, best first: its exact spelling, then variants by document frequency."""
        exact = self._graph.names("term").get(fold(" ".join(name.split())))
        key = tuple(self._base(word) for word in words_of(name))
        frequency = self._graph.document_frequency
        same = self._single.get(key[0], []) if len(key) == 1 else []
        variants = sorted(
            [*same, *self._several.get(key, [])], key=lambda term: (-int(frequency[term]), self._names[term])
        )
        if exact is None:
            return variants
        return [exact, *(term for term in variants if term != exact)]

    def terms_with(self, word: str) -> list[int]:
        """Return terms that hold a word, singular or plural, by themselves or within a phrase."""
        key = self._base(fold(word))
        return [*self._single.get(key, []), *self._within.get(key, [])]

    def written_in(self, name: str) -> int:
        """Count the documents in which the words of a name follow one another."""
        return len(self.documents_with(name)[0])

    def documents_with(self, name: str) -> tuple[Int64, Int64]:
        """Return the documents in which the words of a name follow one another, and how often they do."""
        words = words_of(name)
        if len(words) == 1:
            terms = self.terms_with(words[0])
            rows = self._documents_with_all([terms]) if terms else np.zeros(0, dtype=np.int64)
            return rows, np.ones(len(rows), dtype=np.int64)
        rows, counts = np.unique(self.occurrences(name).documents, return_counts=True)
        return rows.astype(np.int64), counts.astype(np.int64)

    def occurrences(self, name: str) -> Occurrences:
        """Find where the words of a name follow one another in the text, whatever terms they were joined into."""
        key = tuple([self._base(word) for word in words_of(name)])
        if key not in self._found:
            self._found[key] = self._search(key)
        return self._found[key]

    def _search(self, key: tuple[str, ...]) -> Occurrences:
        tokens, terms_of_word = self._graph.tokens, [self.terms_with(word) for word in key]
        if not key or not all(terms_of_word):
            nothing = np.zeros(0, dtype=np.int64)
            return Occurrences(nothing.astype(np.int32), nothing, nothing, nothing, nothing)
        rows = self._documents_with_all(terms_of_word)
        # Terms are compared word by word: a code for each word of the phrase, -1 for all others. A term without any of
        # them is one word with code -1.
        code = {word: i for i, word in enumerate(dict.fromkeys(key))}
        n_words = np.ones(len(self._names), dtype=np.int64)
        first_word = np.zeros(len(self._names), dtype=np.int64)
        codes = [-1]
        for term in sorted({term for terms in terms_of_word for term in terms}):
            words = [self._base(word) for word in _JOINTS.split(self._names[term]) if word]
            first_word[term], n_words[term] = len(codes), len(words)
            codes.extend(code.get(word, -1) for word in words)
        phrase, table = np.array([code[word] for word in key]), (n_words, first_word, np.array(codes))
        parts = [_found_in(tokens, rows[i : i + _AT_ONCE], phrase, *table) for i in range(0, len(rows) or 1, _AT_ONCE)]
        return Occurrences(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _documents_with_all(self, terms_of_word: list[list[int]]) -> Int64:
        """Return documents that hold one of the terms of every word; the rarest goes first, to leave few to search."""
        from hin.text.phrases_kernel import rows_with

        edges, frequency = self._graph.edges("term"), self._graph.document_frequency
        rows = np.arange(len(edges), dtype=np.int64)
        for terms in sorted(terms_of_word, key=lambda terms: int(frequency[terms].sum())):
            wanted = np.zeros(len(self._names), dtype=np.bool_)
            wanted[terms] = True
            rows = rows_with(edges.offsets, edges.targets, rows, wanted)
        return rows

    def similar(self, name: str, n: int = 3, limit: int = 50_000) -> list[str]:
        """Return terms with the nearest spelling, among the most frequent ones."""
        wanted = " ".join(words_of(name)) or fold(name)
        # Terms are numbered by falling frequency, so the first ones are the likeliest to be meant.
        pool = [term for term in self._names[:limit] if abs(len(term) - len(wanted)) <= 3]
        return difflib.get_close_matches(wanted, pool, n=n, cutoff=0.75)

    def word_family(self, word: str, n: int = 3) -> list[str]:
        """Return frequent words that share a prefix with a word: at least four letters and two thirds of the longer.

        >>> from motifs.samples import tiny_graph
        >>> TermIndex(tiny_graph()).word_family("minings"), TermIndex(tiny_graph()).word_family("minimal")
        (['mining'], [])
        """
        wanted, found = fold(word), []
        for term in self._names:  # by falling frequency
            shared = len(commonprefix([term, wanted]))
            if " " not in term and shared >= 4 and 3 * shared >= 2 * max(len(term), len(wanted)):
                found.append(term)
        return found[:n]

    def related(self, name: str, n: int = 3) -> list[str]:
        """Return frequent terms that share a word with the name, rarer words first."""
        frequency = self._graph.document_frequency
        lists = [terms for terms in (self.terms_with(word) for word in words_of(name)) if terms]
        lists.sort(key=lambda terms: (sum(int(frequency[term]) for term in terms), terms))
        ranked = [sorted(terms, key=lambda term: (-int(frequency[term]), self._names[term])) for terms in lists]
        picked = dict.fromkeys(term for terms in ranked for term in terms[: max(1, n // max(1, len(ranked)) + 1)])
        return [self._names[term] for term in picked][:n]


def _found_in(
    tokens: Csr, rows: Int64, phrase: Int64, n_words: Int64, first_word: Int64, codes: Int64
) -> tuple[Int32, Int64, Int64, Int64, Int64]:
    """Find where the words of a phrase follow one another in some documents; see `Occurrences`."""
    lengths = np.diff(tokens.offsets)[rows]
    ends = np.cumsum(lengths)
    position = np.repeat(tokens.offsets[:-1][rows] - (ends - lengths), lengths) + np.arange(lengths.sum())
    terms = tokens.targets[position]
    sizes = n_words[terms]
    inner = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    view = codes[np.repeat(first_word[terms], sizes) + inner]
    document, at = np.repeat(np.repeat(rows, lengths), sizes), np.repeat(position, sizes)
    after = np.repeat(sizes, sizes) - 1 - inner
    last = len(phrase) - 1
    hits = np.arange(max(0, len(view) - last))
    hits = hits[document[hits] == document[hits + last]]
    for i, word in enumerate(phrase):
        hits = hits[view[hits + i] == word]
    free, chosen = -1, []
    for hit in hits.tolist():  # of overlapping ones the first counts
        if hit >= free:
            chosen.append(hit)
            free = hit + len(phrase)
    start = np.array(chosen, dtype=np.int64)
    stop = start + last
    return document[start].astype(np.int32), at[start], at[stop] + 1, inner[start], after[stop]
