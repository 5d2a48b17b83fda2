"""The vector of a category's name in a view: from its words, their inflections, the phrase and its documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from classify.categories.category_file import Category
from classify.categories.finding import CategoryFinding
from classify.categories.keywords import Keyword
from classify.categories.known import Known
from classify.categories.term_lookup import singular, words_of
from classify.documents.features import Features, inverse_frequency
from classify.recipe.options import NameOptions
from classify.views.base import Space
from hin.arrays.score_rows import best
from hin.arrays.stored_rows import row_blocks
from hin.arrays.types import Floats, Int64
from hin.files.mapped import mapped_zeros
from hin.text.languages import stemmer

#: An excluded keyword counts at least as this share of a document.
_AGAINST = 0.15

_ENDINGS = (
    "ational", "ization", "isation", "ations", "ation", "ities", "ity", "ings", "ing", "ies", "ers", "er", "ed", "es",
    "ics", "ic", "al", "s", "y", "e",
)  # fmt: skip


@dataclass(frozen=True)
class NameUnit:
    """A name or keyword as instances: itself where it is a term, its words, and the inflected forms of each word.

    Attributes
    ----------
    whole : the instance that is the name itself, or None.
    words : the instances of its words; None where a word is not a term.
    forms : for each word, instances with the same stem.
    shared : for each word, the number of categories with this word in the name.
    seen : the documents that hold it and how often, where it is not an instance.
    excluded : whether it is evidence against the category.
    part : whether it is a part of a name, which need not mean the category.
    rest : whether it is the only word that is known of a name of several: it places the name, but a mention of it is no
        mention of the name.
    """

    whole: int | None
    words: tuple[int | None, ...]
    forms: tuple[tuple[int, ...], ...]
    shared: tuple[int, ...]
    seen: tuple[Int64, Int64] | None = None
    excluded: bool = False
    part: bool = False
    rest: bool = False


def stem(word: str) -> str:
    """Return a word without one common English ending, if four letters are left.

    >>> [stem(word) for word in ("networks", "networking", "robotics", "robotic", "sound", "databases")]
    ['network', 'network', 'robot', 'robot', 'sound', 'databas']
    """
    for ending in _ENDINGS if word.endswith(_ENDINGS) else ():
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def find_units(
    categories: Sequence[Category],
    findings: Sequence[CategoryFinding],
    terms: Sequence[str],
    start: int = 0,
    find: Callable[[str], int | None] = lambda instance: None,
    language: str | None = None,
) -> list[list[NameUnit]]:
    """Find the instances of each category's name and keywords; terms are numbered from `start`.

    `find` gives the number of a metadata instance by its name. Inflected forms are found by the stemmer of the
    language; for English a list of endings does as well (decision 0003).

    >>> finding = CategoryFinding("Web networks", "phrase", "web networks", 7)
    >>> units = find_units([Category("Web networks")], [finding], ["web", "networks", "networking", "web networks"])
    >>> units[0][0].whole, units[0][0].words, units[0][0].forms
    (3, (0, 1), ((), (2,)))
    """
    number = {term: start + i for i, term in enumerate(terms)}
    cut = (None if language == "english" else stemmer(language)) or stem
    families: dict[str, list[int]] = {}
    for term, i in number.items():
        if " " not in term:
            families.setdefault(cut(term), []).append(i)
    shared = Counter(word for c in categories for word in {singular(word) for word in words_of(c.name)})

    def unit(name: str, term: str | None) -> NameUnit:
        words = list(words_of(name)) or [name]
        ids = [number.get(word, number.get(singular(word))) for word in words]
        forms = [tuple(i for i in families.get(cut(word), []) if i != at) for word, at in zip(words, ids, strict=True)]
        whole = number.get(term) if term else None
        return NameUnit(whole, tuple(ids), tuple(forms), tuple(max(1, shared[singular(word)]) for word in words))

    def keyword_unit(keyword: Keyword, excluded: bool) -> NameUnit:
        if keyword.instance is not None:
            return NameUnit(find(keyword.instance), (), (), (), keyword.seen, excluded)
        return replace(unit(keyword.keyword, keyword.term), seen=keyword.seen, excluded=excluded)

    return [
        [
            # A single word that is left of a name may mean something else, as any part of a name may.
            replace(unit(_written(category.name, finding, number), finding.term), part=left, rest=left),
            *(replace(keyword_unit(part, False), part=True) for part in finding.parts),
            *(keyword_unit(keyword, False) for keyword in finding.keywords if keyword.found),
            *(keyword_unit(keyword, True) for keyword in finding.excluded if keyword.found),
        ]
        for category, finding in zip(categories, findings, strict=True)
        for left in [finding.status == "composed" and len(finding.words) == 1]
    ]


def _written(name: str, finding: CategoryFinding, number: Mapping[str, int]) -> str:
    """Return the name or, where it is not in the vocabulary, the words that it is composed of."""
    if finding.status == "composed":
        return " ".join(finding.words) or name
    known = any(word in number or singular(word) in number for word in words_of(name))
    return name if known or not finding.words else " ".join(finding.words)


def place_names(
    units: Sequence[Sequence[NameUnit]], space: Space, features: Features, options: NameOptions | None = None
) -> Floats:
    """Return the unit vector of each category in a view: the mean of its name's and its keywords' vectors.

    Excluded keywords have their direction removed from the vector, and their documents do not count.
    """
    options = options or NameOptions()
    placed = np.zeros((len(units), space.instances.shape[1]), dtype=np.float32)
    for row, given in enumerate(units):
        against = [unit for unit in given if unit.excluded]
        barred = _union([holders(unit, features) for unit in against])
        own = [_unit_vector(u, space, features, options, barred) for u in given if not u.excluded]
        vectors = [vector for vector in own if vector.any()]
        if vectors:
            placed[row] = _unit(np.sum(vectors, axis=0))
        for unit in against:
            other = _unit_vector(unit, space, features, options, barred[:0])
            placed[row] = _unit(placed[row] - max(float(placed[row] @ other), 0.0) * other)
    return placed


def _unit_vector(unit: NameUnit, space: Space, features: Features, options: NameOptions, barred: Int64) -> Floats:
    df, vectors = features.documents, space.instances
    total = np.zeros(vectors.shape[1], dtype=np.float32)
    for word, forms, shared in zip(unit.words, unit.forms, unit.shared, strict=True):
        family = [*forms]
        if word is not None:
            family = [word, *(i for i in forms if vectors[word] @ vectors[i] > options.same_word)]
        if not family:
            continue
        weights = np.log1p(df[family].astype(np.float64))
        summed = (vectors[family] * weights[:, None]).sum(axis=0)
        # A word in several names, or in documents of all kinds, hardly distinguishes the categories.
        known = df[word] if word is not None else df[family].sum()
        informative = np.sqrt(features.trust[family[0]]) / shared
        total += np.float32(np.log1p(known) * informative) * _unit(summed)
    total = _unit(total)
    if unit.whole is not None and len(unit.words) > 1:
        share = df[unit.whole] / (df[unit.whole] + options.phrase_half)
        total = _unit((1 - share) * total + share * vectors[unit.whole])
    elif unit.whole is not None and not total.any():
        total = vectors[unit.whole]
    held = holders(unit, features)
    if len(barred):
        held = np.setdiff1d(held, barred, assume_unique=True)
    if len(held) and not total.any():  # it is not an instance: only its documents place it
        total = _unit(space.documents[held].mean(axis=0, dtype=np.float64))
    elif len(held):
        share = options.holders * len(held) / (len(held) + options.holders_half)
        centre = _unit(space.documents[held].mean(axis=0, dtype=np.float64))
        total = _unit((1 - share) * total + share * centre)
    return total


def _union(several: Sequence[Int64]) -> Int64:
    return np.unique(np.concatenate(several)) if several else np.zeros(0, dtype=np.int64)


def holders(unit: NameUnit, features: Features) -> Int64:
    """Return the documents that hold the name or all its words."""
    if unit.seen is not None:
        return unit.seen[0]
    found: Int64 | None = None
    for word in unit.words:
        held = features.holders(word) if word is not None else np.zeros(0, dtype=np.int64)
        found = held if found is None else np.intersect1d(found, held, assume_unique=True)
    if unit.whole is not None:
        found = np.union1d(found if found is not None else [], features.holders(unit.whole)).astype(np.int64)
    return found if found is not None else np.zeros(0, dtype=np.int64)


def documents_of(unit: NameUnit, features: Features) -> int:
    """Count the documents that hold a name; a composed one is held by those with all its words."""
    return int(features.documents[unit.whole]) if unit.whole is not None else len(holders(unit, features))


def nothing_known(units: Sequence[Sequence[NameUnit]], known: Known | None) -> list[int]:
    """Return the categories without any instance, keyword or known document."""

    def found(unit: NameUnit) -> bool:
        own = (unit.whole, unit.seen, *unit.words)
        return not unit.excluded and (any(one is not None for one in own) or any(unit.forms))

    taught = set() if known is None else set(np.flatnonzero(known.targets(len(units)).any(axis=0)).tolist())
    return [number for number, given in enumerate(units) if number not in taught and not any(map(found, given))]


def meant_parts(
    units: Sequence[Sequence[NameUnit]],
    scores: Floats,
    in_model: Sequence[bool],
    features: Features,
    options: NameOptions | None = None,
) -> list[list[NameUnit]]:
    """Drop the parts of names that do not mean the category.

    Among the documents of a part, the whole name must be the nearest in meaning clearly more often than among all:
    "blood" occurs in descriptions of all kinds of medicines, and is no evidence for "Blood and blood forming organs".

    Parameters
    ----------
    scores : float32[documents, categories]
        The nearness in meaning of each document to each whole name.
    in_model : whether the model knows each name; all parts of an unknown one stay.
    """
    least, nearest = (options or NameOptions()).part_lift, best(scores)
    usual = np.bincount(nearest, minlength=scores.shape[1]) / max(len(nearest), 1)

    def means(unit: NameUnit, category: int) -> bool:
        held = holders(unit, features)
        return not len(held) or bool((nearest[held] == category).mean() >= least * usual[category])

    return [
        [unit for unit in given if not (unit.part and in_model[row]) or means(unit, row)]
        for row, given in enumerate(units)
    ]


def name_evidence(units: Sequence[Sequence[NameUnit]], features: Features) -> Floats:
    """Return the share of each document's unit tf-idf row that is the name or a keyword of each category.

    Excluded keywords count as negative, and never as nearly 0: one mention is enough. The one word that is known of a
    name of several does not count: "account" is in requests of all kinds, and is no mention of "terminate account".
    """
    evidence: Floats = mapped_zeros((features.n_documents, len(units)), np.float32)
    features.look_up(i for given in units for unit in given for i in (unit.whole, *unit.words) if i is not None)
    for category, given in enumerate(units):
        named = [unit for unit in given if unit.seen is None and not unit.excluded and not unit.rest]
        wholes = {unit.whole for unit in named if unit.whole is not None}
        for instance in sorted(wholes):
            rows, values = features.mentions(instance)
            evidence[rows, category] += values
        for unit in given:
            together = unit.whole is None and len(unit.words) > 1  # a composed name: documents with all its words
            if unit.seen is not None or unit.excluded or together:
                rows, values = _mentions(unit, features)
                values = -np.maximum(values, _AGAINST) if unit.excluded else values
                evidence[rows, category] += values
    return evidence


def _mentions(unit: NameUnit, features: Features) -> tuple[Int64, Floats]:
    """Return the documents that mention a keyword, and the share of their unit rows that it would be as an instance."""
    rows = holders(unit, features)
    counts = unit.seen[1] if unit.seen is not None else np.ones(len(rows), dtype=np.int64)
    idf = inverse_frequency(np.array([len(rows)]), features.n_documents)[0]
    lengths = np.empty(len(rows))
    for first, last in row_blocks(len(rows)):
        held = features.weights[rows[first:last]]
        lengths[first:last] = np.sqrt(np.asarray(held.multiply(held).sum(axis=1), dtype=np.float64)).ravel()
    return rows, ((1 + np.log(counts)) * idf / np.maximum(lengths, 1e-12)).astype(np.float32)


def _unit(vector: npt.NDArray[np.floating]) -> Floats:
    values = np.asarray(vector, dtype=np.float32)
    return values / max(float(np.sqrt((values.astype(np.float64) ** 2).sum())), 1e-12)
