"""A second question in one open process: another keyword, then another `--abstain-below`, on the graph of a corpus.

    python -m benchmarks.held_open --corpus debian

The labels are compared with those of a new process's way: a workspace of its own on a copy of the graph.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import hin
from benchmarks.common import corpus
from classify import Category, ClassifyOptions, Pipeline, Workspace, read_categories
from classify.stored_classification import StoredClassification

#: Seconds that another keyword and another abstention may take.
PROMISED = (5.0, 0.2)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", default="debian")
    arguments = parser.parse_args()
    categories = read_categories(corpus(arguments.corpus) / "labels.txt")
    options = ClassifyOptions()
    with tempfile.TemporaryDirectory() as folder:
        place, fresh = Path(folder) / "held.hin", Path(folder) / "fresh.hin"
        hin.load(corpus(arguments.corpus) / "documents.jsonl.xz", label="label", graph=place)
        hin.copy(place, fresh)
        with Workspace(hin.open_store(place)) as workspace:
            _ask(workspace, categories, options, "the first question")
            word = _keyword(workspace, categories)
            more = (replace(categories[0], keywords=(*categories[0].keywords, word)), *categories[1:])
            held = _ask(workspace, more, options, f"another keyword ({word})", PROMISED[0])
            _ask(workspace, more, replace(options, abstain_below=0.5), "another abstention", PROMISED[1])
        with Workspace(hin.open_store(fresh)) as workspace:
            other = _ask(workspace, more, options, "the same in a new process")
        same = held.probabilities.tobytes() == other.probabilities.tobytes()
    print("the same bytes" if same else "OTHER BYTES")


def _ask(
    workspace: Workspace,
    categories: tuple[Category, ...],
    options: ClassifyOptions,
    what: str,
    most: float | None = None,
) -> StoredClassification:
    start = time.monotonic()
    found = Pipeline(workspace.graph, categories, options, workspace=workspace).stored
    promised = "" if most is None else f" (promised {most:g} s)"
    print(f"{what}: {time.monotonic() - start:.2f} s{promised}", flush=True)
    return replace(found, probabilities=found.probabilities.copy())


def _keyword(workspace: Workspace, categories: tuple[Category, ...]) -> str:
    """A frequent term that is no word of the names: as a keyword it is an instance already."""
    graph = workspace.graph
    said = {word for category in categories for word in (*category.name.lower().split(), *category.keywords)}
    frequent = (-graph.document_frequency).argsort(kind="stable")[200:]
    return next(term for term in graph.names("term").take(frequent[:100]) if term not in said and len(term) > 4)


if __name__ == "__main__":
    main()
