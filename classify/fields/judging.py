"""The choice of metadata fields: those that predict the labels by the category names, and not something else.

The texts alone are labelled twice: by the names (before the EM) and after it. A field that predicts neither is
noise. One that predicts the labels after the EM far better than those before it is what the EM drifted to: a source,
a time, a style. Both are set aside, and so are copies of other fields, before anything is trained.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from classify.evaluation import label_key
from classify.fields.nuisance import Nuisance
from classify.fields.worth import copies, explained, implied_fields, paired, sure_labels
from classify.recipe.options import FieldOptions
from motifs.default_patterns import MOST_PAIRS
from motifs.errors import BadInstanceName
from motifs.instance_names import parse_name
from motifs.language.template import quote_name

if TYPE_CHECKING:
    from classify.categories.category_file import Category
    from classify.recipe.soft_labels import SoftLabels
    from hin.graph import Graph

_NOTHING = "it predicts no category"
_TOGETHER = "only together with "
_ANSWERS = "its values are the category names (`hin load --label` evaluates with it)"
#: The share of a field's values that are category names, from which on it is taken for the true labels.
_NEARLY_ALL = 0.9


@dataclass(frozen=True)
class FieldWorth:
    """How well a metadata field predicts the labels, and whether it is used.

    Attributes
    ----------
    field : its name.
    used : whether it is used.
    worth : the share of the labels' entropy that it explains, for the labels by the names (`after`: after the EM).
    why : the reason, for the user.
    in_pairs : whether it predicts the labels only together with another field.
    """

    field: str
    used: bool
    worth: float
    after: float
    why: str
    in_pairs: bool = False


@dataclass(frozen=True)
class Judgement:
    """The verdict on all metadata fields.

    Attributes
    ----------
    fields : all of them.
    functions : pairs of which the first follows from the second.
    pairs : pairs that predict much where one of the two alone predicts nothing; the two names of each in order.
    nuisances : the groups of documents that are taken out of the views.
    """

    fields: tuple[FieldWorth, ...] = ()
    functions: tuple[tuple[str, str], ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    nuisances: tuple[Nuisance, ...] = ()

    @property
    def used(self) -> list[str]:
        """The names of the fields that are used, by themselves or in a pair."""
        return [one.field for one in self.fields if one.used]

    def takes(self, one: str, other: str) -> bool:
        """Whether instances of two fields together are used; for a field and itself, whether its own instances are."""
        pair = (one, other) if one <= other else (other, one)
        if pair in self.pairs:
            return True
        alone = {field.field for field in self.fields if field.used and not field.in_pairs}
        return {one, other} <= alone and not {(one, other), (other, one)} & set(self.functions)

    def lines(self) -> list[str]:
        """Summarise the verdicts for the user: a line for the fields that are used, one for each reason against.

        >>> worth = FieldWorth("venue", True, 0.4, 0.4, ""), FieldWorth("year", False, 0.0, 0.0, _NOTHING)
        >>> print(*Judgement(worth).lines(), sep="\\n")
        Metadata used, with the share of the labels by text alone that it predicts: venue 40%
        Metadata set aside, it predicts no category: year (--pattern year uses it)
        """
        alone = [one for one in self.fields if one.used and one.worth and not one.in_pairs]
        shares = ", ".join(f"{one.field} {one.worth:.0%}" for one in alone)
        lines = (
            [f"Metadata used, with the share of the labels by text alone that it predicts: {shares}"] if alone else []
        )
        pairs = [one for one in self.fields if one.used and one.in_pairs]
        if pairs:
            both = [(one.field, one.why.removeprefix(_TOGETHER).partition(":")[0]) for one in pairs]
            each = {frozenset(pair): " with ".join(pair) for pair in both}  # two fields may name each other
            lines.append(f"Metadata used in pairs only: {', '.join(each.values())}")
        reasons: dict[tuple[bool, str], list[str]] = {}
        for one in self.fields:
            if one not in alone and one not in pairs:
                reasons.setdefault((one.used, one.why.partition(":")[0]), []).append(one.field)
        for (used, why), names in reasons.items():
            change = "" if used else f" (--pattern {shlex.quote(quote_name(names[0]))} uses it)"
            verdict = "used" if used else "set aside"
            lines.append(f"Metadata {verdict}, {why}: {', '.join(names)}{change}")
        return lines

    def as_records(self) -> list[dict[str, Any]]:
        """Return the fields as the manifest and `--json` have them."""
        return [asdict(one) for one in self.fields]

    def as_record(self) -> dict[str, Any]:
        """Return everything in plain values, as JSON can hold them."""
        nuisances = [asdict(one) for one in self.nuisances]
        return {
            "fields": self.as_records(),
            "functions": self.functions,
            "pairs": self.pairs,
            "nuisances": nuisances,
        }

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Make a judgement from the result of `as_record`.

        >>> made = Judgement((FieldWorth("year", False, 0.0, 0.0, "it predicts nothing"),), (("year", "date"),))
        >>> Judgement.of_record(made.as_record()) == made
        True
        """
        fields = tuple(FieldWorth(**one) for one in record["fields"])
        functions, pairs = (tuple((one, other) for one, other in record[name]) for name in ("functions", "pairs"))
        nuisances = tuple(Nuisance(one["field"], tuple(one["clusters"])) for one in record["nuisances"])
        return cls(fields, functions, pairs, nuisances)


def judge(
    labels: SoftLabels | None,
    fields: Mapping[str, Any],
    asked: Collection[str] = (),
    options: FieldOptions | None = None,
    beside: Collection[str] = (),
) -> Judgement:
    """Decide for each field whether it is used, and why.

    Parameters
    ----------
    labels : the labels from the texts alone; None where the documents are too few.
    fields : for each field its values: sparse, documents of the pass x values.
    asked : fields of which some value is a keyword; they are used in any case.
    beside : fields that explain the documents and not the names; they are set aside.
    """
    options = options or FieldOptions()
    if labels is None:
        few = f"not judged since there are fewer than {options.documents} documents"
        return Judgement(tuple(FieldWorth(name, used=True, worth=0.0, after=0.0, why=few) for name in fields))
    follow = implied_fields(fields)
    same = copies(follow)
    before, after = sure_labels(labels.start), sure_labels(labels.logs)
    found = {}
    for name, values in fields.items():
        by_names, by_em = explained(values, before), explained(values, after)
        copied = same.get(name)
        used, why = _verdict(by_names, by_em, options)
        if name in asked:
            used, why = True, "a keyword is a value of it"
        elif name in beside:
            used, why = False, "it explains the documents, not the categories"
        elif copied is not None and copied not in asked:
            used, why = False, f"it says the same as {copied}"
        found[name] = FieldWorth(name, used, round(by_names, 4), round(by_em, 4), why)
    pairs: dict[tuple[str, str], float] = {}
    for one, other in _worth_trying(found, fields, follow):
        values = paired(fields[one], fields[other])
        by_names, by_em = explained(values, before), explained(values, after)
        alone = max(found[one].worth, found[other].worth)
        if by_names - alone >= options.least and _verdict(by_names, by_em, options)[0]:
            pairs[min(one, other), max(one, other)] = by_names
    for (one, other), by_both in sorted(pairs.items(), key=lambda pair: pair[1]):
        for name, partner in ((one, other), (other, one)):
            if not found[name].used or found[name].in_pairs:
                why = f"{_TOGETHER}{partner}: the two predict {by_both:.0%} of the labels by text alone"
                found[name] = replace(found[name], used=True, why=why, in_pairs=True)
    return Judgement(tuple(found.values()), tuple(sorted(follow)), tuple(sorted(pairs)))


def drifts_to(labels: SoftLabels, values: Any, options: FieldOptions) -> bool:
    """Whether the EM's labels follow a field's values far more than the labels by the names do."""
    before, after = (explained(values, sure_labels(scores)) for scores in (labels.start, labels.logs))
    return after >= options.least and before < options.steady * after


def _worth_trying(
    found: Mapping[str, FieldWorth], fields: Mapping[str, Any], follow: set[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield pairs in which one field alone predicts nothing, if their values make few enough combinations."""
    noise = [name for name, one in found.items() if one.why == _NOTHING]
    for one, other in combinations([name for name, worth in found.items() if worth.used or name in noise], 2):
        if (one in noise or other in noise) and not {(one, other), (other, one)} & follow:
            sizes = np.diff(fields[one].indptr) * np.diff(fields[other].indptr)
            if 0 < sizes.sum() <= MOST_PAIRS * len(sizes):
                yield one, other


def keyword_fields(categories: Sequence[Category], fields: Sequence[str]) -> set[str]:
    """Return the fields of which a value is a keyword of some category.

    >>> from classify.categories.category_file import Category
    >>> keyword_fields([Category("mining", ("VENUE[KDD]", "data"))], ["venue", "year"])
    {'venue'}
    """
    words = (word for category in categories for word in (*category.keywords, *category.excluded))
    return {field for word in words if word.endswith("]") for field in _fields_of(word, fields)}


def answer_fields(categories: Sequence[Category], graph: Graph) -> tuple[FieldWorth, ...]:
    """Set aside the fields whose values are the category names: probably the true labels, loaded as metadata.

    Also the folders whose last part is a category name.

    >>> from classify.categories.category_file import Category
    >>> from motifs.samples import tiny_graph
    >>> [one.field for one in answer_fields([Category("kdd"), Category("www")], tiny_graph())]
    ['venue']
    """
    names = {label_key(category.name) for category in categories}
    found = []
    for field in graph.fields:
        values = graph.names(field).tolist()
        ends = [PurePosixPath(value).name if "/" in value else value for value in values]
        named = np.array([not names.isdisjoint(map(label_key, {*pair})) for pair in zip(values, ends, strict=True)])
        documents = graph.edges(field).in_degrees(len(values))
        if 2 * named.sum() >= len(names) > 1 and documents[named].sum() >= _NEARLY_ALL * documents.sum():
            found.append(FieldWorth(field, used=False, worth=0.0, after=0.0, why=_ANSWERS))
    return tuple(found)


def _fields_of(word: str, fields: Sequence[str]) -> list[str]:
    try:
        return [field for field, _ in parse_name(word, fields)]
    except BadInstanceName:  # reported where keywords are looked up
        return []


def _verdict(by_names: float, by_em: float, options: FieldOptions) -> tuple[bool, str]:
    """Decide by the shares of the labels that a field predicts: of those by the names, and of those after the EM."""
    if by_em < options.least:
        return False, _NOTHING
    if by_names < options.steady * by_em:
        return False, (
            f"it predicts something else than the names: {by_names:.0%} of the labels by the names, {by_em:.0%} of "
            "those that drift towards it"
        )
    return True, f"it predicts {by_names:.0%} of the labels by text alone"
