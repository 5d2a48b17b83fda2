"""The stages of the work on a graph, and their dependencies.

This is the only list of stages: stores, copies, findings and the Cypher view read it. A new stage is a new line in
`MADE_FROM`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hin.errors import DamagedGraph

#: Each stage and the one it is made from, whose change invalidates it. The motif stage is a collection that grows with
#: every pattern somebody matches, so an embedding does not depend on it: it names its patterns, is identified by a
#: hash of their edges, and stores the instances it was trained on.
MADE_FROM: dict[str, str | None] = {
    "load": None,
    "motifs": "load",
    "embed": "load",
    "classify": "embed",
    "compare": "load",
}
#: All stages in their order.
STAGES = tuple(MADE_FROM)
#: The stage that makes the graph.
FIRST = STAGES[0]
#: The stages that add to the graph; the results of a later one take precedence.
LATER = STAGES[1:]


@dataclass(frozen=True)
class Stage:
    """The stored result of one stage.

    Attributes
    ----------
    path : Path
        The folder with its files.
    options : dict
        The options it ran with.
    inputs : str or None
        The identity of the stage it was made from.
    identity : str
        The name made from its content; two stages with one identity are equal.
    files : dict
        Each file and its hash.
    """

    name: str
    path: Path
    options: dict[str, Any]
    inputs: str | None
    identity: str
    files: dict[str, str]

    def option(self, name: str) -> Any:
        """Return an option that the stage always writes.

        >>> Stage("embed", Path("a.hin/embed-1"), {}, None, "embed-1", {}).option("patterns")
        Traceback (most recent call last):
        hin.errors.DamagedGraph: the options of the stage embed have no 'patterns'; run `hin embed` again
        """
        if name not in self.options:
            raise DamagedGraph(
                f"the options of the stage {self.name} have no {name!r}", hint=f"run `hin {self.name}` again"
            )
        return self.options[name]


class HasStages(Protocol):
    """Anything that can return the results of its stages."""

    def stage(self, name: str) -> Stage | None:
        """Return a stage's result, or None."""


def current(store: HasStages) -> dict[str, Stage]:
    """Return the later stages that are up to date with the graph, in their order.

    Examples
    --------
    >>> class Nothing:
    ...     def stage(self, name):
    ...         return None
    >>> current(Nothing())
    {}
    """
    found = {name: store.stage(name) for name in LATER}
    return {name: stage for name, stage in found.items() if stage is not None}


def follows(stage: str, other: str) -> bool:
    """Check whether a stage is another one or made from it, directly or indirectly.

    Examples
    --------
    >>> follows("classify", "load"), follows("embed", "motifs")
    (True, False)
    """
    above: str | None = stage
    while above is not None:
        if above == other:
            return True
        above = MADE_FROM[above]
    return False
