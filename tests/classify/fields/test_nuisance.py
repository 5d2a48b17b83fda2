"""What explains the documents and not the categories is taken out of the views."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from classify import Category, ClassifyOptions, MotifClassifier, Pipeline, Workspace
from classify.documents.features import Features
from classify.evaluation import true_codes
from classify.fields.nuisance import damping, explained_variance, nuisance_fields
from classify.recipe.options import FieldOptions
from embed import EmbedOptions
from hin import load, open_store

N = 600
RNG = np.random.default_rng(4)
TOPIC, EVENT = RNG.integers(4, size=N), RNG.integers(5, size=N)


def values(column: Any) -> Any:
    return sparse.csr_array(np.eye(int(column.max()) + 1, dtype=np.float32)[column])


def vectors(column: Any, noise: float, width: int = 20) -> Any:
    made = np.random.default_rng(5).normal(size=(int(column.max()) + 1, width))
    return (made[column] + noise * np.random.default_rng(6).normal(size=(len(column), width))).astype(np.float32)


def test_a_field_that_explains_the_documents_and_not_the_names_is_found() -> None:
    near = vectors(TOPIC, 1.0, 4)
    meaning = np.concatenate([near, vectors(EVENT, 3.0)], axis=1)
    fields = {"event": values(EVENT), "topic": values(TOPIC), "coin": values(RNG.integers(2, size=N))}
    documents = np.concatenate([vectors(EVENT, 0.5), 0.3 * vectors(TOPIC, 0.5)], axis=1)
    assert nuisance_fields(fields, documents, meaning, near, FieldOptions(), lambda _: False) == ["event"]
    doubt = FieldOptions(beside=0.0)
    assert nuisance_fields(fields, documents, meaning, near, doubt, lambda _: True) == ["event"]
    assert nuisance_fields(fields, documents, meaning, near, doubt, lambda _: False) == []
    several = {"event": values(EVENT) + values((EVENT + 1) % 5)}
    assert nuisance_fields(several, documents, meaning, near, FieldOptions(), lambda _: True) == []


def test_chance_explains_nothing() -> None:
    noise = np.random.default_rng(7).normal(size=(N, 10))
    assert explained_variance(noise, RNG.integers(30, size=N)) < 0.01
    assert explained_variance(noise, np.full(N, -1)) == 0.0


def test_damping_is_the_same_in_blocks_and_ignores_documents_without_a_group() -> None:
    counts = sparse.random_array((N, 40), density=0.2, rng=np.random.default_rng(8), format="csr", dtype=np.float32)
    counts.data[:] = 1.0
    features = Features(counts, np.ones(40, bool), np.ones(40, dtype=np.float32))
    groups = np.where(np.arange(N) < 300, EVENT, -1)
    half = Features(counts[:300], features.single, features.trust)
    assert np.array_equal(damping(features, groups), damping(half, EVENT[:300]))
    damped = features.damped(damping(features, groups)).damped(np.full(40, 0.5, dtype=np.float32))
    assert np.allclose(damped.idf, features.idf * damping(features, groups) * 0.5)
    assert np.allclose(damped.trust, damping(features, groups) * 0.5)


WORDS = {
    "music": "guitar piano concert melody singer orchestra violin drum album band",
    "cooking": "recipe oven butter garlic sauce flour kitchen soup bake chef",
    "football": "goal striker referee league stadium penalty midfield coach keeper match",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short texts of three topics, drowned in the words of their twenty events."""
    folder, rng = tmp_path_factory.mktemp("nuisance"), np.random.default_rng(9)
    events = [[f"{a}{b}{c}{d}ong" for a in "bdfg" for b in "aeo"] for c in ("rt", "lm", "ns", "pk") for d in "uiyvz"]
    rows = []
    for i in range(500):
        topic, event = list(WORDS)[i % 3], int(rng.integers(20))
        body = [*rng.choice(WORDS[topic].split(), 4, replace=False), *rng.choice(events[event], 5, replace=False)]
        if rng.random() < 0.15:
            body.append(topic)
        rows.append({"id": str(i), "text": " ".join(rng.permutation(body)), "event": f"e{event}", "label": topic})
    load(rows, graph=folder / "graph.hin", metadata=["event"])
    return folder / "graph.hin"


NAMES = tuple(Category(name) for name in WORDS)
QUICK = ClassifyOptions(classifier="linear", embed=EmbedOptions(dim=16, epochs=2), min_count=5)


@pytest.mark.slow
def test_names_are_found_under_the_words_of_an_event(place: Path) -> None:
    with Workspace(open_store(place)) as workspace:
        graph = workspace.graph
        pipeline = Pipeline(graph, NAMES, QUICK, workspace=workspace)
        stored = pipeline.stored
        [event] = stored.used["fields"]
        assert not event["used"] and event["why"] == "it explains the documents, not the categories"
        note = "the values of event explain the documents, not the categories: taken out of the views"
        assert note in stored.notes
        truth = true_codes(graph.labels, [*WORDS])
        right = (pipeline.scores.argmax(axis=1) == truth).mean()
        # Words of the event weigh less than those of the topics.
        names = map(pipeline.motifs.name, range(pipeline.motifs.n_instances))
        idf = dict(zip(names, pipeline.features.idf, strict=True))
        assert max(w for name, w in idf.items() if name.endswith("ong]")) < 0.5 * idf["TERM[guitar]"]
    with Workspace(open_store(place)) as workspace:
        named = ClassifyOptions(["term"], classifier="linear", embed=QUICK.embed)
        plain = Pipeline(graph, NAMES, named, workspace=workspace)
        assert plain.fields is None and plain.features.damping is None
        assert right > 0.9


@pytest.mark.slow
def test_clusters_are_taken_out_where_no_field_names_them(place: Path) -> None:
    with Workspace(open_store(place)) as workspace:
        rows = [{"id": name, "text": text} for name, text in zip(*_texts(workspace.graph), strict=True)]
    graph = load(rows)
    found = [MotifClassifier([*WORDS], classifier="linear", random_state=0).fit(graph) for _ in range(2)]
    assert any("clusters explain the documents, not the categories" in note for note in found[0].notes_)
    assert np.array_equal(found[0].probabilities_, found[1].probabilities_)


def _texts(graph: Any) -> tuple[list[str], list[str]]:
    from classify.knowledge.corpus_knowledge import document_texts

    return [str(i) for i in range(len(graph))], document_texts(graph, np.arange(len(graph)))
