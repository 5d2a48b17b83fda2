"""The one interface of every system: a graph, category names and patterns in; scores out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from classify.categories.category_file import Category
from classify.workspace import Workspace
from hin.arrays.types import Bools, Int32, Reals
from hin.errors import BadUsage
from hin.progress import Progress, silent
from hin.registry import Registry

if TYPE_CHECKING:
    from classify.pipeline import Pipeline
    from hin.graph import Graph

#: Every system by name; other packages add theirs through the entry points `hin.comparators`.
SYSTEMS: Registry[type[System]] = Registry("system", package="classify.comparators", group="hin.comparators")


class MissingModel(BadUsage):
    """A system needs a pretrained model, or a package, that is not there."""


@dataclass(frozen=True)
class About:
    """The description of a system, and its fidelity to the authors' one.

    Attributes
    ----------
    title : as the paper's Table 2 spells it.
    paper : where it was published; empty for what has no paper.
    follows : what follows the paper or its authors' code.
    differs : what differs from them, and why.
    supervision : the category names, or true labels of a part of the documents.
    transformer : whether it runs a pretrained language model.
    """

    title: str
    paper: str
    follows: str
    differs: str = ""
    supervision: Literal["names", "labels"] = "names"
    transformer: bool = False


@dataclass(frozen=True, eq=False)
class Task:
    """The task given to a system.

    Attributes
    ----------
    graph : without true labels, unless the system is supervised.
    categories : names and keywords.
    patterns : motif patterns besides the terms; None means every field and pair of fields.
    min_count : instances in fewer documents are left out; None for the default of `hin classify`.
    truth : int[documents], for supervised systems only: the true category, -1 where unknown.
    models : pretrained models by role (`bert`, `encoder`): a folder or a name.
    workspace : for pipelines that share their steps.

    Examples
    --------
    >>> from motifs.samples import tiny_graph
    >>> task = Task(tiny_graph(), (Category("web"), Category("mining")), min_count=1)
    >>> task.pattern_names[:3], task.pipeline(["venue"]).motifs.n_instances > 2
    (['author', 'venue', 'year'], True)
    """

    graph: Graph
    categories: tuple[Category, ...]
    patterns: tuple[str, ...] | None = None
    seed: int = 0
    threads: int = 1
    min_count: int | None = None
    truth: Int32 | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = silent
    workspace: Workspace = field(default_factory=Workspace)

    @property
    def names(self) -> list[str]:
        """The category names, in the order of the scores' columns."""
        return [category.name for category in self.categories]

    @property
    def pattern_names(self) -> list[str]:
        """The task's patterns, or the default ones."""
        from motifs.default_count import default_min_count
        from motifs.default_patterns import default_patterns

        least = self.min_count or default_min_count(self.graph)
        return list(self.patterns) if self.patterns is not None else default_patterns(self.graph, least)

    @property
    def field_names(self) -> list[str]:
        """The metadata fields that occur in the patterns: what a system without higher order sees."""
        from motifs import Pattern
        from motifs.language.template import quote_name

        wanted = {name for text in self.pattern_names for name in Pattern(text).fields}
        return [quote_name(name) for name in self.graph.fields if name in wanted]

    def pipeline(self, patterns: Sequence[str], workspace: Workspace | None = None, **options: Any) -> Pipeline:
        """Return our own pipeline on the task, for the steps that a system shares with it.

        Parameters
        ----------
        patterns : besides the terms; none for the terms alone.
        options : others of `ClassifyOptions`; by default the corpus alone is known.
        """
        from classify.knowledge.options import KnowledgeOptions
        from classify.options import ClassifyOptions
        from classify.pipeline import Pipeline
        from classify.run import Run
        from embed.options import EmbedOptions

        usual: dict[str, Any] = {
            "knowledge": KnowledgeOptions("none"),
            "min_count": self.min_count,
            "embed": EmbedOptions(threads=self.threads, seed=self.seed),
        }
        chosen = ClassifyOptions(list(patterns) or ["term"], **(usual | options))
        run = Run(threads=self.threads, progress=self.progress)
        return Pipeline(self.graph, self.categories, chosen, workspace=workspace, run=run)

    def rng(self, salt: int) -> np.random.Generator:
        """Return a random generator of the task's seed; another salt gives an independent one."""
        return np.random.default_rng([self.seed, salt])

    def model(self, role: str, what: str) -> str:
        """Return the path of the pretrained model of a role; raise with the remedy where none was named."""
        if role not in self.models:
            raise MissingModel(f"no {what} was named", hint=f"give --model {role}=FOLDER, or --model {role}=NAME")
        return self.models[role]

    def without_labels(self) -> Task:
        """Return the same task without any true label."""
        return replace(self, graph=replace(self.graph, labels=None), truth=None)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a system.

    Attributes
    ----------
    scores : float[documents, categories]; the largest is the label.
    tested : bool[documents], for supervised systems: which documents it did not learn from.
    notes : remarks for the reader of the table.
    """

    scores: Reals
    tested: Bools | None = None
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> Int32:
        """Each document's category as a column."""
        return np.asarray(np.asarray(self.scores).argmax(axis=1), dtype=np.int32)


class System(ABC):
    """A way to label documents. Subclasses are frozen dataclasses whose fields are the settings.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class First(System):
    ...     about = About("First", "", "always the first category")
    ...     weight: float = 1.0
    ...     def run(self, task):
    ...         return Outcome(np.full((len(task.graph), len(task.categories)), self.weight))
    >>> First().settings()
    {'weight': 1.0}
    """

    about: ClassVar[About]

    @abstractmethod
    def run(self, task: Task) -> Outcome:
        """Label every document."""

    def settings(self) -> dict[str, Any]:
        """Return the settings by name, as they are stored with a run."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]

    @property
    def supervised(self) -> bool:
        """Whether the system is trained on true labels."""
        return self.about.supervision == "labels"
