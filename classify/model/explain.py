"""Explain a label by instances whose weights add up to the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from hin.arrays.types import Floats, Int64, Reals

if TYPE_CHECKING:
    from classify.documents.encoder import Encoded, Encoder
    from classify.model.predictor import Predictor
    from embed import JointEmbedding
    from motifs import MotifSet

#: An instance with a larger q is not significantly more frequent than its parts.
_MOST_Q = 0.05


@dataclass(frozen=True, eq=False)
class InstanceFacts:
    """The facts a reason shows besides an instance's weight: name, pattern, kappa, cosine with the category's name.

    Attributes
    ----------
    patterns, starts : the patterns, and where the instances of each begin.
    centre : the documents' mean in the joint embedding; `categories` are the centred directions of the names.
    meaning : how near each instance is to each name outside the corpus; None without knowledge.
    chance : expected documents, lift and q of each instance, a row each; -1 for one field, or where not compared.
    """

    names: Sequence[str]
    patterns: Sequence[str]
    starts: Int64
    kappa: Reals
    vectors: Floats
    centre: Floats
    categories: Floats
    meaning: Reals | None = None
    chance: Floats | None = None

    @classmethod
    def of(cls, motif_set: MotifSet, embedding: JointEmbedding) -> Self:
        """Collect the facts on the instances of a motif set that do not depend on the categories."""
        patterns = [table.pattern.name for table in motif_set.tables]
        starts = np.asarray(motif_set.offsets, dtype=np.int64)
        vectors = np.ascontiguousarray(embedding.vectors, dtype=np.float32)
        chance = np.nan_to_num(np.minimum(motif_set.chance(), 1e30), nan=-1.0).astype(np.float32)
        for table, start in zip(motif_set.tables, starts, strict=False):
            if len(table.fields) == 1 and table.pattern.is_star:  # its counts are what the null model preserves
                chance[:, start : start + len(table)] = -1
        none = np.zeros((0, vectors.shape[1]), dtype=np.float32)
        known = (embedding.kappa, vectors, embedding.centre, none, None, chance)
        return cls(motif_set.names(), patterns, starts, *known)

    def about(self, categories: Floats, meaning: Floats | None) -> Self:
        """Add the directions of the categories' names, and how near the instances are to their meaning."""
        # Half precision, as it is saved, so that a model read from its files gives the same explanations.
        return replace(self, categories=categories, meaning=None if meaning is None else meaning.astype(np.float16))

    def pattern(self, instance: int) -> str:
        """Return the pattern an instance belongs to."""
        return self.patterns[int(np.searchsorted(self.starts, instance, side="right")) - 1]

    def cosine(self, instance: int, category: int) -> float:
        """Return the centred cosine of an instance with the category's name in the joint embedding."""
        vector = np.asarray(self.vectors[instance], dtype=np.float64) - self.centre
        length = float(np.linalg.norm(vector))
        return float(vector @ self.categories[category].astype(np.float64)) / length if length else 0.0

    def near(self, instance: int, category: int) -> float | None:
        """Return the similarity in meaning of an instance and the category's name; None where nothing is known."""
        return None if self.meaning is None else float(self.meaning[instance, category])

    def against_chance(self, instance: int) -> dict[str, float | None]:
        """Return expected documents, lift and q of an instance; None where it was not compared with chance."""
        names = ("expected", "lift", "q")
        if self.chance is None or self.chance[2, instance] < 0:
            return dict.fromkeys(names)
        return {name: float(f"{value:.6g}") for name, value in zip(names, self.chance[:, instance], strict=True)}

    def move_chance_to_parts(self, weights: Any, encoder: Encoder) -> Any:
        """Move the weight of instances that are no more frequent than chance to their parts.

        Its parts together are as informative as such an instance, so it is not a reason of its own. An instance that is
        more informative than its parts, or whose parts are not in the model, keeps its weight.

        Parameters
        ----------
        weights : CSR, documents x instances.
        """
        from scipy import sparse

        parts = self._parts_of_chance(encoder)
        if not parts:
            return weights
        whole = np.repeat(list(parts), [len(own) for own in parts.values()])
        single = np.concatenate(list(parts.values()))
        shape = (weights.shape[1],) * 2
        by_parts = weights @ sparse.csr_array((np.ones(len(whole)), (single, whole)), shape=shape)
        own = weights @ sparse.diags_array(np.bincount(list(parts), minlength=shape[0]).astype(np.float64))
        moved = own - own.multiply(abs(own) > by_parts.multiply(own.sign()))
        moved.eliminate_zeros()
        shares = np.concatenate([np.full(len(one), 1 / len(one)) for one in parts.values()])
        found = (weights - moved + moved @ sparse.csr_array((shares, (whole, single)), shape=shape)).tocsr()
        found.eliminate_zeros()
        return found

    def _parts_of_chance(self, encoder: Encoder) -> dict[int, list[int]]:
        """Map each instance that is no more frequent than chance to its single-field parts."""
        if self.chance is None:
            return {}
        tables = list(zip(encoder.tables, encoder.starts.tolist(), strict=False))
        single = {(fields[0], row[0]): start + i for (fields, rows), start in tables if len(fields) == 1
                  for i, row in enumerate(rows)}  # fmt: skip
        found: dict[int, list[int]] = {}
        for (fields, rows), start in tables:
            if len(fields) > 1:
                for i in np.flatnonzero(self.chance[2, start : start + len(rows)] > _MOST_Q).tolist():
                    parts = [single.get(part, -1) for part in zip(fields, rows[i], strict=True)]
                    if min(parts) >= 0:
                        found[start + i] = parts
        return found


def explain_document(
    predictor: Predictor,
    encoded: Encoded,
    facts: InstanceFacts,
    categories: Sequence[str],
    document: str,
    category: int | None = None,
) -> dict[str, Any]:
    """Explain a label: each instance's part of the score, and the prior's, the strongest first.

    The weights add up to ``score``: the category's score less the mean of all categories' scores (`Predictor`).

    Parameters
    ----------
    encoded : one document.
    category : the category to explain; by default the label.
    """
    if not len(encoded.counts.indices) and (encoded.vectors is None or not encoded.vectors.any()):
        return _explain_without_evidence(document, len(categories))
    scores = predictor.scores(encoded)[0]
    order = np.argsort(-scores, kind="stable")
    chosen = int(order[0]) if category is None else category
    best, runner = int(order[0]), int(order[1])
    weights = predictor.weights(encoded, np.array([chosen]))
    found = facts.move_chance_to_parts(weights.instances, predictor.encoder)
    reasons = [
        {
            "pattern": facts.pattern(instance),
            "instance": facts.names[instance],
            "weight": weight,
            "kappa": float(facts.kappa[instance]),
            "cosine": facts.cosine(instance, chosen),
            "meaning": facts.near(instance, chosen),
            **facts.against_chance(instance),
        }
        for instance, weight in zip(found.indices.tolist(), found.data.tolist(), strict=True)
    ]
    prior = float(weights.prior[0]) + (0.0 if predictor.offsets is None else float(predictor.offsets[chosen]))
    reasons.append(_other("prior", "how common the category is", prior))
    if weights.together[0]:
        reasons.append(_other("text", "the words together", float(weights.together[0])))
    if weights.vectors is not None:
        reasons.append(_other("vectors", "your vector of the document", float(weights.vectors[0])))
    # Sums of float32 products are rounded: the score shown is the exact sum of the weights shown.
    score = float(sum(reason["weight"] for reason in reasons))
    reasons.sort(key=lambda reason: (-abs(reason["weight"]), reason["instance"]))
    found_with = predictor.probabilities(scores[None], encoded.counts)
    explanation = {
        "document": document,
        "category": categories[chosen],
        "score": score,
        "confidence": float(found_with[0, chosen]),
        "winner": {"category": categories[best], "score": float(scores[best])},
        "runner_up": {"category": categories[runner], "score": float(scores[runner])},
        "reasons": reasons,
    }
    if predictor.sets is not None:
        given = order[predictor.sets.chosen(found_with)[0, order]]
        explanation["categories"] = [{"category": categories[i], "confidence": float(found_with[0, i])} for i in given]
    return explanation


def _explain_without_evidence(document: str, n_categories: int) -> dict[str, Any]:
    return {
        "document": document,
        "category": None,
        "score": 0.0,
        "confidence": 1.0 / n_categories,
        "winner": None,
        "runner_up": None,
        "reasons": [],
        "note": "nothing to go on: none of its words and values is known",
    }


def _other(kind: str, what: str, weight: float) -> dict[str, Any]:
    unknown = dict.fromkeys(("kappa", "cosine", "meaning", "expected", "lift", "q"))
    return {"pattern": kind, "instance": what, "weight": weight, **unknown}
