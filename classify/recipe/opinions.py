"""Weigh the opinions without labels: by the share of each that is retained after the naive Bayes EM.

Views that place a name by the same documents share their errors, so their agreement proves little: together they are
one opinion. A pretrained model is another. Each alone can start the EM. If an opinion fits the corpus, its labels
survive; if it does not (English vectors on another language, product codes), the EM moves away from it.

The EM knows the categories by their words alone, as the corpus's views do. With few words a category it retains what
was made of these words, right or wrong, so a pretrained model gets more weight there: most with English texts, which
models know best.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from classify.documents.features import Features
from classify.recipe.agreement import macro_agreement
from classify.recipe.naive_bayes import naive_bayes_em
from classify.recipe.options import BayesOptions, OpinionOptions
from hin.arrays.types import Floats, Reals
from hin.engines.local import LocalEngine

#: A model's share in the models' joint opinion is proportional to its weight to this power (decision 0080).
_SHARPER = 8
#: An encoder's stand-ins are used if its weight is above this times that of the word vectors (decision 0080).
_CLEARLY = 2.0


def retained_share(weights: Any, start: Reals, bayes: BayesOptions | None = None, threads: int = 1) -> float:
    """Return the macro-F1 of the EM's labels against those it started from.

    >>> from scipy import sparse
    >>> weights = sparse.csr_array(np.eye(2, dtype=np.float32)[[0, 0, 0, 1, 1, 1]])
    >>> good, bad = np.eye(2)[[0, 0, 0, 1, 1, 1]], np.eye(2)[[0, 0, 1, 1, 1, 0]]
    >>> options = BayesOptions(smoothing=0.1, keep=0.1)
    >>> retained_share(weights, good, options) > retained_share(weights, bad, options)
    True
    """
    found = naive_bayes_em(weights, start, bayes, threads=threads)
    return macro_agreement(found.argmax(axis=1), np.asarray(start).argmax(axis=1), start.shape[1])


def retained_of(
    opinions: Mapping[str, Floats],
    features: Features,
    mentions: Floats,
    options: OpinionOptions | None = None,
    bayes: BayesOptions | None = None,
    threads: int = 1,
) -> dict[str, float]:
    """Return, for each opinion, the macro-F1 of the EM's labels against it, on a sample of the documents.

    Parameters
    ----------
    opinions : scores in units of their spread.
    mentions : the scores for mentioning the name, which are added to every opinion.
    """
    options = options or OpinionOptions()
    bayes = replace(bayes or BayesOptions(), keep=options.keep)
    # One number per opinion does not need the EM on all documents: evenly spaced ones are enough.
    step = -(-features.n_documents // options.documents) or 1
    rows = np.arange(0, features.n_documents, step)
    weights = features.weights if step == 1 else features.weights[rows]
    least = 1e-6  # the weights divide by it
    each = max(1, threads // max(1, len(opinions)))  # opinions side by side

    def retained(scores: Floats) -> float:
        return max(retained_share(weights, scores[rows] + mentions[rows], bayes, each), least)

    engine = LocalEngine(f"local:{max(1, threads)}")
    return dict(zip(opinions, engine.map(retained, opinions.values()), strict=True))


def opinion_weights(
    retained: Mapping[str, float],
    options: OpinionOptions | None = None,
    evidence: float = np.inf,
    language: str | None = None,
) -> dict[str, float]:
    """Return the weight of each opinion; the first, which is made of the corpus's words, has 1.

    Parameters
    ----------
    evidence : the mean number of instances in the documents of a category; the less there is, the more the others
        weigh.
    language : that of the documents, where it is known.

    Examples
    --------
    >>> {name: round(weight, 2) for name, weight in opinion_weights({"corpus": 0.8, "knowledge": 0.4}).items()}
    {'corpus': 1.0, 'knowledge': 0.12}
    >>> opinion_weights({"corpus": 0.8, "knowledge": 0.8}, evidence=100.0)
    {'corpus': 1.0, 'knowledge': 4.0}
    >>> opinion_weights({"corpus": 0.8, "knowledge": 0.8}, evidence=100.0, language="english")
    {'corpus': 1.0, 'knowledge': 11.0}
    """
    options = options or OpinionOptions()
    (first, most), *others = retained.items()
    half = options.evidence_english if language == "english" else options.evidence
    more = 1 + half / max(evidence, 1.0)
    return {first: 1.0} | {name: more * (value / most) ** options.power for name, value in others}


def joint_shares(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weight of each pretrained model in their joint opinion.

    They share some of their errors: two count for more than one but less than twice, mostly by the better one.

    >>> {name: round(part, 3) for name, part in joint_shares({"knowledge": 1.0, "encoder": 1.0}).items()}
    {'knowledge': 0.707, 'encoder': 0.707}
    """
    total = sum(weight**2 for weight in weights.values()) ** 0.5
    most = max(weights.values())
    parts = {name: (weight / most) ** _SHARPER for name, weight in weights.items()}
    return {name: total * (part / sum(parts.values())) for name, part in parts.items()}


def best_word_model(retained: Mapping[str, float]) -> str:
    """Choose the pretrained model that finds the stand-ins of names: the first, unless another fits clearly better.

    The first is the one with vectors of words. An encoder knows texts better and single words worse.

    >>> best_word_model({"knowledge": 0.73, "encoder": 0.77}), best_word_model({"knowledge": 0.5, "encoder": 0.8})
    ('knowledge', 'encoder')
    """
    weights = opinion_weights(retained)
    strongest = max(weights, key=lambda name: weights[name])
    return strongest if weights[strongest] > _CLEARLY else next(iter(weights))
