"""Our default: what `hin classify` does without further options."""

from __future__ import annotations

from dataclasses import dataclass

from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task


@SYSTEMS.register("hin")
@dataclass(frozen=True)
class Ours(System):
    """The pipeline with its defaults."""

    about = About(
        title="hin (default)",
        paper="",
        follows="`hin classify` without options: MotifClassifier's default preset.",
    )

    def run(self, task: Task) -> Outcome:
        """Fit the default on the graph."""
        from classify.knowledge.options import KnowledgeOptions

        with task.pipeline(task.pattern_names, knowledge=KnowledgeOptions()) as pipeline:
            return Outcome(pipeline.classification.scores)
