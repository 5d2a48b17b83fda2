"""Everything that shapes a classification, in one dataclass: for the command line, Python, the manifest and keys.

The command line makes its options from it, so it is imported before anything heavy: keep it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from classify.knowledge.options import KnowledgeOptions
from classify.paper.options import PaperOptions, SelectionOptions
from classify.recipe.options import RecipeOptions
from classify.several.options import SeveralOptions
from embed.options import EmbedOptions
from hin.errors import BadUsage
from hin.option_fields import check_limits, nested, option
from motifs.options import MotifOptions

if TYPE_CHECKING:
    from classify.fields.judging import Judgement
    from hin.graph import Graph

#: The help wherever patterns can be named.
PATTERNS_HELP = "A motif pattern such as venue-year; may be repeated. Default: every field and pair of fields."


@dataclass(frozen=True)
class ClassifyOptions:
    """What shapes the result of a classification; a new option is one field of it or of a stage's options.

    Attributes
    ----------
    patterns : motif patterns besides the terms; empty for every field that is informative of the categories, and
        every pair of such fields.
    classifier : the learner that is trained on the soft labels, by name; None for the preset's.
    learners : options of the learners: texts such as `cnn.epochs=5`, or a learner's own `Options`.
    min_count : instances in fewer documents are left out; None for 5, or 2 in a small corpus. The preset `paper` has 5.
    motifs : how patterns are matched; `for_graph` writes `min_count` into it.
    seed : of every step after the embedding; None for the embedding's own.

    Examples
    --------
    >>> ClassifyOptions(preset="paper").learner, ClassifyOptions(embed=EmbedOptions(seed=3)).first_seed
    ('cnn', 3)
    """

    patterns: list[str] = option(
        [],
        "A motif pattern such as venue-year; may be repeated. Default: every informative field, and pairs of them.",
        "--pattern",
        "-p",
        metavar="PATTERN",
    )
    preset: Literal["default", "paper"] = option(
        "default", "`default`: the most accurate method we know; `paper`: the method as published."
    )
    abstain_below: float | None = option(None, "Give no category below this confidence.", least=0, most=1)
    other: bool = option(False, "Give no category to documents that fit none; `hin suggest --missing` groups them.")
    several: SeveralOptions = nested(SeveralOptions)
    knowledge: KnowledgeOptions = nested(KnowledgeOptions)
    classifier: str | None = option(
        None,
        "The classifier to train. Default: average, or cnn with --preset paper.",
        choices="classify.learners.base:LEARNERS",
        heading="Classifier and views",
    )
    learners: Sequence[Any] = option(
        [],
        "An option of the classifier, such as cnn.epochs=5; may be repeated.",
        "--classifier-option",
        "--learner-option",
        metavar="NAME.OPTION=VALUE",
        kind=list[str],
        heading="Classifier and views",
    )
    strict_names: bool = option(
        False,
        "Stop if nothing is known about a category's name, instead of leaving the category empty.",
        heading="Names",
    )
    min_count: int | None = option(
        None,
        "Leave out instances in fewer documents than this. Default: 5, or 2 where the texts have fewer than 30,000 "
        "words in all.",
        least=1,
        heading="Matching of motif patterns",
    )
    motifs: MotifOptions = field(default_factory=MotifOptions)
    embed: EmbedOptions = nested(EmbedOptions)
    paper: PaperOptions = nested(PaperOptions, heading="")
    recipe: RecipeOptions = nested(RecipeOptions, heading="Classifier and views")
    seed: int | None = None

    def __post_init__(self) -> None:
        check_limits(self)
        if self.several.enabled and self.preset == "paper":
            raise BadUsage("the preset paper gives one category per document", hint="use the preset default")
        if self.recipe.views and self.preset == "paper":
            raise BadUsage("the preset paper compares in the joint embedding alone", hint="use the preset default")
        if self.learners:
            _ = self.learner_options  # a mistyped name is reported before the work starts

    @property
    def first_seed(self) -> int:
        """The seed of the steps after the embedding."""
        return self.embed.seed if self.seed is None else self.seed

    @property
    def learner(self) -> str:
        """The name of the learner that is trained in the end."""
        return self.classifier or ("average" if self.preset == "default" else "cnn")

    @property
    def learner_options(self) -> dict[str, Any]:
        """Return the options of the learners, by name."""
        base = self.recipe.learner_options() if self.preset == "default" else {"cnn": self.paper.cnn}
        if not self.learners:
            return base
        from classify.learners.settings import with_settings

        return with_settings(base, self.learners)

    @property
    def length(self) -> int:
        """The longest sequence of instances that a document is read as."""
        return (self.recipe if self.preset == "default" else self.paper).cnn.length

    @property
    def sets(self) -> SeveralOptions | None:
        """The options for several categories per document; None where it gets one."""
        return self.several if self.several.several else None

    def for_graph(self, graph: Graph) -> Self:
        """Return the options for one graph: where no `min_count` is given, it depends on the number of words.

        >>> from motifs.samples import tiny_graph
        >>> [ClassifyOptions(preset=name).for_graph(tiny_graph()).motifs.min_count for name in ("default", "paper")]
        [2, 5]
        """
        from motifs.default_count import default_min_count

        least = self.min_count
        if least is None:
            free = self.preset == "default" and self.motifs.min_count == MotifOptions.min_count
            least = default_min_count(graph) if free else self.motifs.min_count
        return replace(self, motifs=replace(self.motifs, min_count=least))

    def wanted_patterns(self, graph: Graph, fields: Judgement | None = None) -> list[str]:
        """Return the patterns to match besides the terms; without higher order only those of one field.

        Parameters
        ----------
        fields : the worth of the metadata fields; by default all are used.

        Examples
        --------
        >>> from motifs.samples import tiny_graph
        >>> ClassifyOptions(patterns=["venue"]).wanted_patterns(tiny_graph())
        ['venue']
        """
        from motifs.default_patterns import default_patterns
        from motifs.language.pattern import Pattern
        from motifs.language.template import quote_name

        takes = None if fields is None else fields.takes
        if self.paper.selection.higher_order:
            return list(self.patterns) or default_patterns(graph, self.motifs.min_count, takes)
        if self.patterns:
            return [text for text in self.patterns if len(Pattern(text).fields) == 1]
        return [quote_name(name) for name in graph.fields if takes is None or takes(name, name)]

    def as_record(self) -> dict[str, Any]:
        """Return the options as the manifest stores them: only those that shape the labels."""
        from hin import __version__

        record = {
            "version": __version__,
            "patterns": list(self.patterns),
            "preset": self.preset,
            "classifier": self.classifier,
            **({"learners": [str(one) for one in self.learners]} if self.learners else {}),
            **({"views": [view_name(view) for view in self.recipe.views]} if self.recipe.views else {}),
            "min_count": self.min_count,
            **asdict(self.paper.selection),
            "retrieved": self.paper.retrieved,
            "generated": self.paper.generated,
            **({"strict_names": True} if self.strict_names else {}),
            "abstain_below": self.abstain_below,
            **(asdict(self.several) if self.several.several else {}),
            **({"other": True} if self.other else {}),
            "knowledge": self.knowledge.model if self.preset == "default" else "none",
            "knowledge_seconds": self.knowledge.knowledge_seconds,
            "seed": self.first_seed,
        }
        usual = dict(_leaves(ClassifyOptions()))
        others = {path: value for path, value in _leaves(self) if value != usual[path] and not _has(record, path)}
        return {**record, **({"others": others} if others else {})}

    @classmethod
    def of_record(cls, record: Mapping[str, Any], embed: Mapping[str, Any]) -> Self:
        """Make options from the manifest's records of a classification and of its embedding.

        >>> made = ClassifyOptions(other=True, patterns=["venue"])
        >>> ClassifyOptions.of_record(made.as_record(), made.embed.shaping).as_record() == made.as_record()
        True
        >>> made = ClassifyOptions(recipe=RecipeOptions(evidence=5.0))
        >>> made.as_record()["others"], ClassifyOptions.of_record(made.as_record(), {}).recipe == made.recipe
        ({'recipe.evidence': 5.0}, True)
        """

        def of(kind: Any) -> dict[str, Any]:
            return {entry.name: record[entry.name] for entry in fields(kind) if entry.name in record}

        selection = SelectionOptions(**of(SelectionOptions))
        own = of(cls)
        made = cls(
            **{name: value for name, value in own.items() if name not in ("several", "knowledge", "seed")},
            embed=EmbedOptions(**embed),
            knowledge=KnowledgeOptions(**of(KnowledgeOptions)),
            several=SeveralOptions(**of(SeveralOptions)),
            recipe=RecipeOptions(record.get("views", [])),
            paper=replace(PaperOptions(), selection=selection, retrieved=record["retrieved"],
                          generated=record["generated"]),
        )  # fmt: skip
        for name, value in record.get("others", {}).items():
            made = _with_leaf(made, name.split("."), value)
        return made


def _leaves(options: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the options with their paths, those of nested dataclasses too."""
    for entry in fields(options):
        value = getattr(options, entry.name)
        if is_dataclass(value):
            yield from _leaves(value, f"{path}{entry.name}.")
        else:
            yield path + entry.name, value


def _with_leaf(options: Any, path: Sequence[str], value: Any) -> Any:
    """Return the options with another value at a path; JSON has lists where Python has tuples."""
    first, *rest = path
    old = getattr(options, first)
    new = _with_leaf(old, rest, value) if rest else tuple(value) if isinstance(old, tuple) else value
    return replace(options, **{first: new})


def _has(record: Mapping[str, Any], path: str) -> bool:
    """Whether a manifest's record has an option by its own name, or need not have it."""
    if path == "motifs.min_count":
        return False  # what `for_graph` chose
    if path.startswith("embed.") or path in ("motifs.threads", "motifs.max_memory"):
        return True
    return path.rpartition(".")[2] in record and (not path.startswith("recipe.") or path == "recipe.views")


def view_name(view: Any) -> str:
    """Return a view's name in a manifest: its own, or that of the function which makes it."""
    return view if isinstance(view, str) else str(getattr(view, "name", None) or view.__name__)
