"""Options of the views: where names stand, how views are weighed, what knowledge adds. Light: numbers alone."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NEAR_ENOUGH", "AgreementOptions", "MeaningOptions", "NameOptions", "PrototypeOptions"]

#: A term stands for a name if it has this share of the nearness of the best one.
NEAR_ENOUGH = 0.7


@dataclass(frozen=True)
class NameOptions:
    """How a name's vector is made.

    Attributes
    ----------
    same_word : an inflected form joins a word when their cosine is above this.
    phrase_half : a phrase in this many documents counts as much as its words.
    holders : most that the mean of the documents with all words may count.
    holders_half : so many documents give half of that.
    part_lift : a part of a name counts if the whole is nearest in so many times more of its documents than of all.
    """

    same_word: float = 0.25
    phrase_half: float = 10.0
    holders: float = 0.3
    holders_half: float = 10.0
    part_lift: float = 1.5


@dataclass(frozen=True)
class PrototypeOptions:
    """How prototypes grow out of names.

    Attributes
    ----------
    rounds, size : how often the nearest instances are looked up, and how many of them make the prototype.
    name : how much the name counts beside their mean.
    """

    rounds: int = 2
    size: int = 20
    name: float = 0.2


@dataclass(frozen=True)
class AgreementOptions:
    """How agreement becomes weight.

    Attributes
    ----------
    rounds : how often weights are set from agreement.
    within : power of the agreement between the scores of one view; high, because they err in the same documents.
    between : power of the agreement between views; low, because even a worse view errs elsewhere.
    """

    rounds: int = 3
    within: float = 30.0
    between: float = 2.0


@dataclass(frozen=True)
class MeaningOptions:
    """How knowledge is spread and what it adds to names.

    Attributes
    ----------
    ridge : penalty for each document read.
    centre : how much of the documents' mean is taken off before comparing; all of it loses on categories of unequal
        size, none of it on others.
    terms : so many terms near in meaning stand for a name.
    half : a name in so many documents counts as much as they do, where knowledge weighs as much as the corpus.
    """

    ridge: float = 0.01
    centre: float = 0.5
    terms: int = 20
    half: float = 20.0
