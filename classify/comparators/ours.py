"""Our default: what `hin classify` does without further options."""

from __future__ import annotations

from dataclasses import dataclass

from classify.comparators.parts.system import SYSTEMS, About, Outcome, System, Task

__all__ = ["Ours"]


@SYSTEMS.register("hin")
@dataclass(frozen=True)
class Ours(System):
    """`MotifClassifier` with its defaults."""

    about = About(
        title="hin (default)",
        paper="",
        follows="`hin classify` without options: MotifClassifier's default preset.",
    )

    def run(self, task: Task) -> Outcome:
        """Fit the default on the graph."""
        from classify.model.estimator import MotifClassifier

        model = MotifClassifier(
            list(task.categories),
            None if task.patterns is None else list(task.patterns),
            min_count=task.min_count,
            allow_missing=task.allow_missing,
            random_state=task.seed,
            n_jobs=task.threads,
        )
        model.fit(task.graph, progress=task.progress)
        return Outcome(model.scores_)
