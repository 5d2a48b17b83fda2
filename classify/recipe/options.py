"""Every number of the default recipe. Light: the command line imports it first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from classify.learners.cnn_options import CNNOptions
from classify.learners.options import AverageOptions, LinearOptions
from hin.option_fields import check_limits, option

__all__ = [
    "AgreementOptions",
    "BayesOptions",
    "DiscriminantOptions",
    "FieldOptions",
    "KnownOptions",
    "MeaningOptions",
    "NameOptions",
    "OpinionOptions",
    "PrototypeOptions",
    "RecipeOptions",
]


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


@dataclass(frozen=True)
class OpinionOptions:
    """How what is kept becomes weight.

    Attributes
    ----------
    power : a weight is (kept / kept of the first opinion) to this power.
    documents : the EM that tells runs on at most so many documents.
    """

    power: float = 4.0
    documents: int = 20_000


@dataclass(frozen=True)
class KnownOptions:
    """How much known documents teach.

    Attributes
    ----------
    weight : a known document's evidence counts so many times in the EM and in the classifier.
    penalty : inverse regularisation of the regression in the views.
    rounds : its most steps.
    stand_ins : a category without a label lends it so many documents that are surest by the names.
    """

    weight: float = 10.0
    penalty: float = 3.0
    rounds: int = 100
    stand_ins: int = 10


@dataclass(frozen=True)
class BayesOptions:
    """How the EM runs.

    Attributes
    ----------
    rounds : E and M steps.
    temperature : what the start scores are multiplied with before the softmax.
    smoothing : evidence that each category starts with, as if drawn from the whole corpus: that of 700 long ones.
    evidence : no document has more evidence than this, so that long ones are not overconfident.
    keep : how much of the start's log posterior stays in every round.
    uniform : share of the uniform distribution in the prior of the categories.
    expected : how many categories a document has on the mean, each a yes or no against the rest; None: just one.
    known_weight : how often the evidence of a document counts whose category is known.
    """

    rounds: int = 8
    temperature: float = 2.0
    smoothing: float = 10_000.0
    evidence: float = 15.0
    keep: float = 1.0
    uniform: float = 0.5
    expected: float | None = None
    known_weight: float = 1.0


@dataclass(frozen=True)
class DiscriminantOptions:
    """How the views learn.

    Attributes
    ----------
    after : they learn from what the EM believes after so many rounds; 0 leaves them out.
    weight : how much they count beside the names, in units of spread, where documents are few.
    half : with so many documents they count half of that: the more there are, the better naive Bayes knows each word.
    ridge : added to the covariance, which is that of unit vectors: it leans on what many documents show.
    uniform : share of the uniform distribution in the prior of the categories.
    """

    after: int = 3
    weight: float = 2.0
    half: float = 50_000.0
    ridge: float = 0.01
    uniform: float = 0.5

    def weight_for(self, documents: int) -> float:
        """Return how much the views count with so many documents.

        >>> DiscriminantOptions().weight_for(50_000)
        1.0
        """
        return self.weight * self.half / (self.half + documents)


@dataclass(frozen=True)
class FieldOptions:
    """When a metadata field is used.

    Attributes
    ----------
    least : it tells at least this share of the labels' entropy.
    steady : what it tells of the labels by the names is at least this share of what it tells after the EM.
    documents : with fewer documents than these nothing can be measured, and every field is used.
    """

    least: float = 0.01
    steady: float = 0.65
    documents: int = 100


@dataclass(frozen=True)
class RecipeOptions:
    """Every number of the default recipe; what each is for is said where it is used.

    Attributes
    ----------
    views : where documents and names are compared: names of views (`classify.views`), or views themselves; empty for
        those that are registered as defaults.
    fields : which metadata is used.
    agreement : how the views of the corpus get their weights.
    meaning : how knowledge is spread through the corpus and added to names.
    opinions : how much knowledge counts beside the corpus.
    evidence : what a document's own mention of the name is multiplied with (the mention is a share of its unit row).
    known : how much documents with a known category teach.
    discriminant : how the views learn from what naive Bayes believes.
    cnn_documents : the CNN learns from at most so many documents, drawn evenly from the categories.
    cnn_steps : and makes at least so many steps, in more passes where there are fewer documents.
    cnn_share : how much the CNN counts beside the linear classifier.
    """

    views: Sequence[Any] = option(
        [],
        "Where documents and names are compared; may be repeated. Default: joint, tf-idf, co-occurrence, knowledge.",
        "--view",
        kind=list[str],
        choices="classify.views.base:VIEWS",
    )
    fields: FieldOptions = field(default_factory=FieldOptions)
    names: NameOptions = field(default_factory=NameOptions)
    prototypes: PrototypeOptions = field(default_factory=PrototypeOptions)
    agreement: AgreementOptions = field(default_factory=AgreementOptions)
    meaning: MeaningOptions = field(default_factory=MeaningOptions)
    opinions: OpinionOptions = field(default_factory=OpinionOptions)
    evidence: float = 20.0
    known: KnownOptions = field(default_factory=KnownOptions)
    bayes: BayesOptions = field(default_factory=BayesOptions)
    discriminant: DiscriminantOptions = field(default_factory=DiscriminantOptions)
    linear: LinearOptions = field(default_factory=LinearOptions)
    cnn: CNNOptions = field(default_factory=CNNOptions)
    cnn_documents: int = 40_000
    cnn_steps: int = 40
    cnn_share: float = AverageOptions.share

    def __post_init__(self) -> None:
        check_limits(self)

    def learner_options(self) -> dict[str, Any]:
        """Return the options of the learners, by name."""
        cnn = replace(self.cnn, documents=self.cnn_documents, steps=self.cnn_steps, balance=self.linear.balance)
        return {"linear": self.linear, "cnn": cnn, "average": AverageOptions(self.cnn_share)}
