"""The parts of a category name: "Arms control and disarmament" is arms control, and disarmament."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from classify.categories.term_lookup import base_form, words_of
from hin.text.languages import joining_words, stop_words

_SIGNS = re.compile(r"\s*[/&,;()、・]\s*")
#: In a corpus of any language: names are often English, and no list of stop words has the Korean ones.
_ANYWHERE = ("and", "or", "및", "또는")
#: Words of names that mean no subject.
_EMPTY = frozenset({"other", "others", "misc", "miscellaneous", "mixed", "etc", "general"})
#: A word in this share of the names, and in at least two, does not distinguish them.
_SHARED = 0.2


@dataclass(frozen=True)
class NameParts:
    """The parts and content words of a name.

    Attributes
    ----------
    parts : the parts between commas, slashes and conjunctions, without uninformative words; empty where the name is
        one phrase and nothing was dropped.
    words : its content words.
    """

    parts: tuple[str, ...]
    words: tuple[str, ...]


def part_names(names: Sequence[str], language: str | None = None) -> list[NameParts]:
    """Split names into parts, without stop words and words that many names share, unless one is a name by itself.

    A name that has only such words retains them.

    Examples
    --------
    >>> [found.parts for found in part_names(["Arms control and disarmament", "Human rights"], "english")]
    [('arms control', 'disarmament'), ()]
    >>> names = ["Biological Sciences", "Physical and Social Sciences", "Engineering", "Software Engineering"]
    >>> [" ".join(found.words) for found in part_names(names, "english")]
    ['biological', 'physical social', 'engineering', 'software engineering']
    """
    base, split = base_form(language), [words_of(name) for name in names]
    alone = {words[0] for words in split if len(words) == 1}
    held = Counter(word for words in split for word in {base(word) for word in words})
    common = {word for word, count in held.items() if count >= max(2, _SHARED * len(names))} - set(map(base, alone))
    uninformative = (stop_words(language) | _EMPTY | set(_ANYWHERE)) - alone
    joins = "|".join(map(re.escape, (*_ANYWHERE, *joining_words(language))))
    cut = re.compile(rf"{_SIGNS.pattern}|\s+(?:{joins})\s+", re.IGNORECASE)
    found = []
    for name, words in zip(names, split, strict=True):
        content = tuple(word for word in words if word not in uninformative and base(word) not in common)
        content = content or tuple(word for word in words if word not in uninformative) or words
        pieces = [tuple(word for word in words_of(piece) if word in content) for piece in cut.split(name)]
        parts = tuple(dict.fromkeys(" ".join(piece) for piece in pieces if piece))
        found.append(NameParts(() if parts == (" ".join(words),) else parts, tuple(dict.fromkeys(content))))
    return found
