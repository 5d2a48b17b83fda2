"""Options of the default recipe; without heavy imports, as the command line imports it first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from classify.learners.cnn_options import CNNOptions
from classify.learners.options import AverageOptions, LinearOptions
from hin.option_fields import check_limits, option


@dataclass(frozen=True)
class NameOptions:
    """How a name's vector is made.

    Attributes
    ----------
    same_word : an inflected form joins a word when their cosine is above this.
    phrase_half : a phrase in this many documents counts as much as its words.
    holders : the largest share of the mean vector of the documents that hold all words.
    holders_half : with this many documents the share is half of that.
    part_lift : a part of a name counts if the whole name is nearest this many times as often among its documents.
    """

    same_word: float = 0.25
    phrase_half: float = 10.0
    holders: float = 0.3
    holders_half: float = 10.0
    part_lift: float = 2.0


@dataclass(frozen=True)
class PrototypeOptions:
    """How prototypes grow out of names.

    Attributes
    ----------
    rounds, size : how often the nearest instances are looked up, and how many of them are averaged.
    name : the weight of the name's vector beside their mean.
    """

    rounds: int = 2
    size: int = 20
    name: float = 0.2


@dataclass(frozen=True)
class AgreementOptions:
    """How agreement becomes weight.

    Attributes
    ----------
    rounds : how often the weights are updated.
    within : power of the agreement for the scores of one view; high, because they err in the same documents.
    between : power of the agreement for the views; low, because even a worse view errs in other documents.
    """

    rounds: int = 3
    within: float = 30.0
    between: float = 2.0


@dataclass(frozen=True)
class MeaningOptions:
    """How pretrained vectors are extended to the corpus and used for names.

    Attributes
    ----------
    ridge : penalty of the ridge regression, for each document read.
    centre : the share of the documents' mean that is subtracted before comparing; all of it is worse for categories
        of unequal size, none of it for others.
    terms : the most stand-ins of a name.
    half : a name in this many documents counts as much as its stand-ins, if knowledge weighs as much as the corpus.
    """

    ridge: float = 0.01
    centre: float = 0.5
    terms: int = 20
    half: float = 20.0


@dataclass(frozen=True)
class OpinionOptions:
    """How the weights of opinions follow from the EM.

    Attributes
    ----------
    power : a weight is this power of the macro-F1 after the EM, divided by that of the first opinion.
    evidence : where the documents of a category hold this many instances, a pretrained model weighs twice as much.
    evidence_english : the same for English texts, which most models know best.
    documents : this EM runs on at most this many documents.
    keep : the weight of the start's log posterior in each round of this EM; more of it would retain every opinion.
    """

    power: float = 3.0
    evidence: float = 300.0
    evidence_english: float = 1_000.0
    documents: int = 20_000
    keep: float = 1.0


@dataclass(frozen=True)
class KnownOptions:
    """The influence of documents with a known category.

    Attributes
    ----------
    weight : a known document's evidence counts this many times in the EM and in the classifier.
    inverse_penalty : inverse of the L2 penalty of the regression in the views.
    inverse_penalty_of_sets : the same where documents may have several categories.
    rounds : the largest number of steps of the regression.
    stand_ins : a category without a label is represented by this many documents with the highest scores by its name.
    """

    weight: float = 10.0
    inverse_penalty: float = 3.0
    inverse_penalty_of_sets: float = 10.0
    rounds: int = 100
    stand_ins: int = 10


@dataclass(frozen=True)
class BayesOptions:
    """How the EM runs.

    Attributes
    ----------
    rounds : E and M steps.
    sharpness : the factor on the start scores before the softmax.
    smoothing : prior evidence of each category, distributed as in the whole corpus: that of about 700 long documents.
    evidence : the most evidence of one document, so that long ones are not overconfident.
    keep : the weight of the start's log posterior in every round.
    uniform : share of the uniform distribution in the prior of the categories.
    expected : the mean number of categories of a document, each decided against the rest; None: exactly one.
    known_weight : the factor on the evidence of a document whose category is known.
    """

    rounds: int = 8
    sharpness: float = 2.0
    smoothing: float = 10_000.0
    evidence: float = 15.0
    keep: float = 2.0
    uniform: float = 0.25
    expected: float | None = None
    known_weight: float = 1.0


@dataclass(frozen=True)
class DiscriminantOptions:
    """How the linear discriminant in the views is trained.

    Attributes
    ----------
    after : the discriminant is trained on the EM's posteriors after this many rounds; 0 leaves it out.
    weight : its weight beside the names, in units of spread, where documents are few.
    half : with this many documents the weight is halved, as naive Bayes estimates each word better the more there are.
    ridge : added to the diagonal of the covariance (of unit vectors), so that directions of little variance count less.
    uniform : share of the uniform distribution in the prior of the categories.
    """

    after: int = 3
    weight: float = 2.0
    half: float = 50_000.0
    ridge: float = 0.01
    uniform: float = 0.25

    def weight_for(self, documents: int) -> float:
        """Return the discriminant's weight for a number of documents.

        >>> DiscriminantOptions().weight_for(50_000)
        1.0
        """
        return self.weight * self.half / (self.half + documents)


@dataclass(frozen=True)
class FieldOptions:
    """When a metadata field is used, and when it is taken out of the views.

    Attributes
    ----------
    least : it explains at least this share of the labels' entropy.
    steady : its share for the labels by the names is at least this fraction of its share for those after the EM.
    documents : with fewer documents nothing can be measured, and every field is used.
    explains, beside : a field is taken out of the views if its values explain at least the share `explains` of the
        documents' variance, but at most `beside` times that share of the variance of their nearness to the names.
    doubtful : stands for `beside` where the EM drifts to the field (`steady`).
    focus : in addition, the share of the nearness may be at most this many times the share that the field explains of
        a pretrained model's vectors in all directions.
    clusters, clusters_beside : this many clusters of the documents are judged in the same way, with a bound of their
        own in place of `beside`.
    """

    least: float = 0.02
    steady: float = 0.65
    documents: int = 100
    explains: float = 0.2
    beside: float = 0.3
    doubtful: float = 0.6
    focus: float = 1.7
    clusters: int = 25
    clusters_beside: float = 0.2


@dataclass(frozen=True)
class RecipeOptions:
    """The parameters of the default recipe, grouped by stage.

    Attributes
    ----------
    views : where documents and names are compared: names of views (`classify.views`), or view objects; empty for
        those that are registered as defaults.
    fields : which metadata is used.
    agreement : how the views of the corpus get their weights.
    meaning : how pretrained vectors are smoothed by the corpus and find stand-ins.
    opinions : how pretrained models are weighted against the corpus.
    evidence : the factor on a document's mention of the name (the mention is a share of its unit row).
    known : the influence of documents with a known category.
    discriminant : how the discriminant in the views is trained on the posteriors of naive Bayes.
    cnn_documents : the CNN is trained on at most this many documents, drawn evenly from the categories.
    cnn_steps : the CNN makes at least this many steps, in more epochs where there are fewer documents.
    cnn_share : the weight of the CNN in the average with the linear classifier.
    """

    views: Sequence[Any] = option(
        [],
        "A space to compare documents and names in; may be repeated. Default: joint, tf-idf, co-occurrence, knowledge.",
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
    evidence: float = 10.0
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
