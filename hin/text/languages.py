"""Detect the language of a corpus; its stop words, its words for "and" and "or", and its stemmer.

A language is recognised by the share of a text's words that are stop words of it. This needs no model, and finds no
language in a corpus of codes and names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from hin.text.segments import installed

if TYPE_CHECKING:
    from hin.graph import Graph

#: The least share of stop words in a text of a language: prose has a third, headlines a tenth.
_LEAST = 0.05
#: The language is detected from this many of the most frequent terms.
_TERMS = 5_000


@lru_cache(maxsize=64)
def stop_words(language: str | None) -> frozenset[str]:
    """Return the stop words of a language, folded as terms are; none for a language without a list.

    >>> "und" in stop_words("german"), "wirtschaft" in stop_words("german"), stop_words(None) == frozenset()
    (True, False, True)
    >>> "the" in stop_words("english"), "computer" in stop_words("english")
    (True, False)
    """
    if language is None or language not in _languages():
        return frozenset()
    if language == "thai":
        from pythainlp.corpus import thai_stopwords

        return frozenset(thai_stopwords())
    from stop_words import get_stop_words

    from hin.text.tokenize import fold

    words = {fold(word) for word in get_stop_words(language)}
    if language == "english":
        # The package's list has over a thousand words, many of which name a subject (`system`, `research`). The file
        # has those of scikit-learn's list, too, without names of things (`computer`, `bill`).
        file = files("hin.text").joinpath("english_words.txt")
        silent = frozenset(file.read_text("utf-8").split())
        words = {word for word in words if word in silent or "'" in word}
    return frozenset(words)


def joining_words(language: str | None) -> list[str]:
    """Return "and" and "or" in a language in which they are words of their own.

    >>> joining_words("german"), joining_words(None)
    (['und', 'oder', 'sowie'], [])
    """
    lines = files("hin.text").joinpath("joining_words.txt").read_text("utf-8").splitlines()
    return dict(line.split(": ") for line in lines).get(language or "", "").split()


@lru_cache(maxsize=1)
def _languages() -> tuple[str, ...]:
    try:
        from stop_words import AVAILABLE_LANGUAGES
    except ImportError:  # an older installation: no language is recognised, all else works
        return ()
    # Thai has words only with its segmenter, which brings its stop words along.
    thai = ["thai"] if "pythainlp" in installed() else []
    return tuple(sorted([*AVAILABLE_LANGUAGES, *thai]))


@lru_cache(maxsize=1)
def _languages_by_stop_word() -> dict[str, tuple[int, ...]]:
    """Return, for each stop word, the numbers of the languages that have it."""
    found: dict[str, list[int]] = {}
    for number, language in enumerate(_languages()):
        for word in stop_words(language):
            found.setdefault(word, []).append(number)
    return {word: tuple(languages) for word, languages in found.items()}


def detect(words: Mapping[str, int]) -> str | None:
    """Return the language with the largest share of stop words in a text, or None if the share is small for all.

    Parameters
    ----------
    words : each word, folded, and how often it occurs.

    Examples
    --------
    >>> detect({"der": 9, "und": 7, "wirtschaft": 5, "in": 4}), detect({"the": 9, "of": 8, "graph": 5, "in": 4})
    ('german', 'english')
    >>> detect({"x201": 4, "b77": 3}) is None
    True
    """
    by_word, total = _languages_by_stop_word(), 0
    counts = np.zeros(len(_languages()))
    for word, count in words.items():
        total += count
        for language in by_word.get(word, ()):
            counts[language] += count
    if not total or counts.max(initial=0.0) < max(_LEAST * total, 1):
        return None
    return _languages()[int(counts.argmax())]


def language_of(graph: Graph) -> str | None:
    """Return the language that most of a graph's texts are in.

    >>> from hin.building.graph_builder import build_graph
    >>> from hin.reading.records import RecordBatch
    >>> texts = [("der Kurs und die Bank",), ("Kurse steigen in Wien",)]
    >>> language_of(build_graph([RecordBatch(["a", "b"], texts, {}, [None] * 2, {}, [("-", 1)] * 2)], ["text"]))
    'german'
    """
    terms = graph.names("term").tolist()[:_TERMS]  # numbered by falling frequency
    counts = graph.tokens.in_degrees(len(graph.names("term")))[: len(terms)].tolist()
    words: dict[str, int] = {}
    for term, count in zip(terms, counts, strict=True):
        for word in term.split():
            words[word] = words.get(word, 0) + count
    return detect(words)


@lru_cache(maxsize=64)
def stemmer(language: str | None) -> Callable[[str], str] | None:
    """Return the Snowball stemmer of a language; None where there is none.

    >>> stem = stemmer("german")
    >>> stem("kulturen") == stem("kultur"), stemmer("chinese") is None
    (True, True)
    """
    import snowballstemmer

    if language is None or language not in snowballstemmer.algorithms():
        return None
    made = snowballstemmer.stemmer(language)
    return lru_cache(maxsize=1 << 18)(made.stemWord)
