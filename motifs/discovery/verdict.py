"""Decide which patterns to use, and say why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from motifs.language.pattern import Pattern

if TYPE_CHECKING:
    from motifs.discovery.measure import Measured

#: The probability that any pattern of pure noise is recommended; divided by the number of patterns tried (Bonferroni).
_LEVEL = 0.01
#: Cosines of random pairs of documents have a spread. A mean below this share of it is negligible, even if significant.
_CHANCE = 0.1
#: A pattern that adds less than this share of what the best one adds, or explains less than this share of its documents
#: beyond chance, is only a maybe.
_SMALL = 0.01


@dataclass(frozen=True)
class PatternWorth:
    """The estimated contribution of one pattern.

    Attributes
    ----------
    pattern : str
    instances : int
        Those in at least the minimum number of documents.
    more : int or None
        Instances that are more frequent than chance; None for one field, or where that was not computed.
    excess : float
        The share of the instances' documents that chance does not explain.
    coverage : float
        Share of documents with an instance.
    specificity : float
        Mean cosine of the documents of an instance: 0 as for random ones, 1 if all are the same.
    gain : float
        The specificity beyond that of the most specific part of the pattern.
    worth : float
        Coverage times gain; the order of the table, `excess` after it.
    use : str
        yes, maybe or no.
    why : str
        The reason in words.
    """

    pattern: str
    instances: int
    more: int | None
    excess: float
    coverage: float
    specificity: float
    gain: float
    worth: float
    use: str
    why: str

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the pattern combines."""
        return tuple(Pattern(self.pattern).fields)

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary, for JSON and tables."""
        return asdict(self)


def judge_pattern(found: Measured, spread: float, best: float, tried: int) -> PatternWorth:
    """Decide whether to use a pattern among `tried` ones, the best of which has the worth `best`."""
    level = _LEVEL / max(1, tried)
    # Two independent reasons to use a pattern: its documents have more similar texts than those of its parts, or its
    # values meet more often than chance explains.
    similar = found.specificity_p <= level and found.specificity > _CHANCE * spread
    adds = similar and found.gain_p <= level
    frequent = found.q is not None and found.q <= level
    worth = found.coverage * max(found.gain, 0.0) if adds else 0.0
    single = found.q is None and len(found.pattern.fields) == 1
    often = f"{found.more:,} of {found.instances:,} instances are more frequent than chance"
    if found.failure:
        use, why = "no", found.failure
    elif adds and frequent:
        use, why = "yes", f"better than its parts, and {often}"
    elif adds:
        use = "yes" if worth >= _SMALL * best else "maybe"
        why = "its documents are alike" if single else "better than its parts"
        why = why if use == "yes" else "specific, but adds little"
    elif frequent:
        use, why = "yes" if found.excess >= _SMALL else "maybe", often
    else:
        use, why = "no", "as good as its parts" if similar and not single else "no better than chance"
    more = None if found.q is None else found.more
    excess, coverage, specificity, gain = (
        round(x, 4) for x in (found.excess, found.coverage, found.specificity, found.gain)
    )
    return PatternWorth(
        pattern=found.pattern.name,
        instances=found.instances,
        more=more,
        excess=excess,
        coverage=coverage,
        specificity=specificity,
        gain=gain,
        worth=round(worth, 5),
        use=use,
        why=why,
    )
