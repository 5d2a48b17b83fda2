"""Words and metadata values that would help a category: distinctive, frequent enough, near its name in the corpus and
in the pretrained model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from classify.categories.term_lookup import words_of
from classify.recipe.name_vectors import stem
from classify.suggestions.grounds import Grounds
from classify.suggestions.options import SuggestOptions
from hin.arrays.score_rows import best_two
from hin.arrays.types import Doubles, Int64
from hin.human import plural

_TERM = re.compile(r"TERM\[(.*)\]", re.DOTALL)
#: Pseudo-counts of documents added to every word (smoothing): rare ones must not look distinctive by chance.
_UNSEEN = 5.0
#: A word is offered only if this share of its documents is of the category, more than of any other, and if the odds of
#: the category are this many times higher in its documents than in all.
_SHARE, _LIFT = 0.4, 2.0
#: The most words of a phrase; it neither begins nor ends with a stop word or one that this share of documents holds.
_WORDS, _COMMON = 3, 0.2
#: A document is in doubt where the second category has at least this share of the first one's probability.
_DOUBT = 0.5
#: The word that would move most documents in doubt is looked for among this many of a category.
_RANKED = 200
#: The factor on the score of a metadata value: it is often a code that means nothing to people.
_VALUE = 0.5


@dataclass(frozen=True)
class Suggestion:
    """A word or value that would help a category.

    Attributes
    ----------
    keyword : the word, the phrase, or the value as hin prints it.
    documents : how many documents hold it.
    share : the share of those that belong to the category, according to the model.
    corpus : cosine with the name in the joint embedding.
    meaning : its similarity in meaning to the name; None without knowledge, and for metadata values.
    doubtful : how many documents hold it that are in doubt and have this category second: it might move them here.
    """

    keyword: str
    documents: int
    share: float
    corpus: float
    meaning: float | None
    doubtful: int = 0

    @property
    def why(self) -> str:
        """The reason to offer it, as a sentence."""
        near = "" if self.meaning is None else f", in meaning {self.meaning:.2f}"
        return (
            f"in {plural(self.documents, 'document')}, {self.share:.0%} of them of this category; "
            f"near the name: in the corpus {self.corpus:.2f}{near}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the suggestion as a record for machines."""
        plain = {name: round(value, 4) if isinstance(value, float) else value for name, value in vars(self).items()}
        return {**plain, "why": self.why}


def most_moving(words: Sequence[Suggestion]) -> Suggestion | None:
    """Return the word that most documents in doubt hold; None where they hold none."""
    best = max(words, key=lambda word: word.doubtful, default=None)
    return best if best is not None and best.doubtful else None


def ranked_words(grounds: Grounds, options: SuggestOptions) -> list[list[Suggestion]]:
    """Return up to 200 words and values for each category, the best first."""
    candidates, spelled = _candidates(grounds, options.least)
    share, scores = _score(grounds, candidates)
    owner = scores.argmax(axis=1) if len(candidates) else np.zeros(0, dtype=np.int64)
    doubtful = _count_in_doubt(grounds, candidates)
    found = []
    for number, category in enumerate(grounds.categories):
        used = {stem(word) for word in _words_of_line(category)}
        chosen: list[Suggestion] = []
        for at in np.argsort(-scores[:, number], kind="stable").tolist():
            if len(chosen) == _RANKED or scores[at, number] <= 0:
                break
            word = spelled[at]
            stems = {stem(part) for part in words_of(word)}
            if owner[at] != number or (stems and stems <= used):
                continue
            used |= stems
            offered = _suggestion(grounds, int(candidates[at]), number, word, float(share[at, number]))
            chosen.append(replace(offered, doubtful=int(doubtful[at, number])))
        found.append(chosen)
    return found


def _count_in_doubt(grounds: Grounds, candidates: Int64) -> Doubles:
    """Count the documents in doubt that hold each candidate, by their second category: candidates x categories."""
    from scipy import sparse

    best, second = best_two(grounds.probabilities).T
    rows = np.flatnonzero((second >= _DOUBT * best) & (second < best))
    runner_up = np.argsort(-np.asarray(grounds.probabilities[rows]), axis=1, kind="stable")[:, 1]
    second_of = sparse.csr_array((np.ones(len(rows)), (rows, runner_up)), shape=grounds.probabilities.shape)
    return np.asarray((grounds.incidence[candidates] @ second_of).toarray())


def _words_of_line(category: Any) -> Iterator[str]:
    """Yield the words that the category's line already has."""
    for text in (category.name, *category.keywords, *category.excluded):
        inner = _TERM.fullmatch(text)
        yield from words_of(inner[1] if inner else text)


def _candidates(grounds: Grounds, least: int) -> tuple[Int64, list[str]]:
    """Return the words, phrases and values in enough documents and not in most, with their spelling as a keyword."""
    names, documents = grounds.facts.names, grounds.documents
    starts, patterns = grounds.facts.starts, grounds.facts.patterns
    single = np.zeros(len(names), dtype=np.bool_)
    for start, stop, pattern in zip(starts, starts[1:], patterns, strict=False):
        single[start:stop] = not re.search(r"[-()]", pattern)
    taken = {part for c in grounds.categories for part in (c.name.lower(), *c.keywords, *c.excluded)}
    often = np.flatnonzero(single & (documents >= least) & (documents <= len(grounds.graph) / 3))
    kept, spelled = [], []
    for at in often.tolist():
        inner = _TERM.fullmatch(names[at])
        word = inner[1] if inner else names[at]
        if word in taken or (inner and not _is_readable(grounds, word)):
            continue
        kept.append(at)
        spelled.append(word)
    return np.array(kept, dtype=np.int64), spelled


def _is_readable(grounds: Grounds, word: str) -> bool:
    """Check whether a person would call it a word: no number, no single letters, no fragment of a sentence."""
    if len(word) < 3 or not any(letter.isalpha() for letter in word):
        return False
    parts = words_of(word)
    if parts and not grounds.silent.isdisjoint((parts[0], parts[-1])):
        return False
    ends = [grounds.number.get(f"TERM[{part}]") for part in (parts[0], parts[-1])] if len(parts) > 1 else []
    common = len(grounds.graph) * _COMMON
    return len(parts) <= _WORDS and all(at is None or grounds.documents[at] <= common for at in ends)


def _score(grounds: Grounds, candidates: Int64) -> tuple[Doubles, Doubles]:
    """Return each category's share of each candidate's documents, and the candidate's score as a keyword of it."""
    documents = grounds.documents[candidates].astype(np.float64)[:, None]
    inside = grounds.inside[candidates]
    prior = np.asarray(grounds.probabilities, dtype=np.float64).mean(axis=0)
    share = (inside + _UNSEEN * prior) / (documents + _UNSEEN)
    near = np.maximum(grounds.cosines[candidates].astype(np.float64), 0.0)
    if grounds.facts.meaning is not None and len(candidates):
        meant = np.maximum(grounds.facts.meaning[candidates].astype(np.float64), 0.0)
        # A model that does not fit the corpus (English vectors, German texts) disagrees with it and counts less.
        trust = 0.5 * min(1.0, _agreement(meant, share) / max(_agreement(near, share), 1e-12)) ** 2
        near = near ** (1 - trust) * meant**trust
    words = np.array([grounds.facts.names[i].startswith("TERM[") for i in candidates.tolist()], dtype=np.bool_)
    scores = share * near * np.sqrt(np.log1p(documents)) * np.where(words, 1.0, _VALUE)[:, None]
    informative = (share >= _SHARE) & (share * (1 - prior) >= _LIFT * prior * (1 - share))
    informative &= share == share.max(axis=1, keepdims=True, initial=0.0)
    return inside / np.maximum(documents, 1), np.where(informative, scores, 0.0)


def _agreement(near: Doubles, share: Doubles) -> float:
    """Return the share of words nearest to the name of the category with most of their documents: mean over categories.

    >>> _agreement(np.eye(2), np.array([[0.9, 0.1], [0.8, 0.2]]))
    0.5
    """
    owner, nearest = share.argmax(axis=1), near.argmax(axis=1)
    return float(np.mean([np.mean(nearest[owner == category] == category) for category in np.unique(owner).tolist()]))


def _suggestion(grounds: Grounds, instance: int, category: int, word: str, share: float) -> Suggestion:
    value = not _TERM.fullmatch(grounds.facts.names[instance])
    near = None if value else grounds.facts.near(instance, category)
    return Suggestion(
        word,
        int(grounds.documents[instance]),
        share,
        float(grounds.cosines[instance, category]),
        near,
    )
