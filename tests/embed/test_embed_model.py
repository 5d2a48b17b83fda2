"""The model: from a graph, to a folder and back, and what is near."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from embed import EmbedOptions, JointEmbedding, train
from hin.building.graph_builder import build_graph
from hin.errors import BadInput, BadUsage, DamagedGraph, MissingStage, NewerFormat, UnknownName
from hin.graph import Graph
from hin.reading.records import RecordBatch
from motifs import MotifSet, match_all

WORDS = {"fish": "salmon trout river water net", "cars": "engine wheel road brake fuel"}


def corpus(documents: int = 60, metadata: bool = True) -> Graph:
    ids = [f"d{i}" for i in range(documents)]
    kinds = ["fish" if i % 2 else "cars" for i in range(documents)]
    texts = [
        (" ".join(np.random.default_rng(i).permutation((WORDS[k] + " the and").split())),) for i, k in enumerate(kinds)
    ]
    fields = (
        {"topic": [[k] for k in kinds], "year": [[str(2000 + i % 3)] for i in range(documents)]} if metadata else {}
    )
    batch = RecordBatch(ids, texts, fields, [None] * documents, {}, [("-", i + 1) for i in range(documents)])
    return build_graph([batch], ["text"])


def instances(graph: Graph, min_count: int = 2) -> MotifSet:
    return match_all(graph, ["term", *graph.fields, *(["topic-year"] if graph.fields else [])], min_count=min_count)


@pytest.fixture(scope="module")
def model() -> JointEmbedding:
    graph = corpus()
    return train(graph, instances(graph), EmbedOptions(dim=20, epochs=30, subsample=0))


def test_everything_leaves_on_the_sphere(model: JointEmbedding) -> None:
    for rows in (model.vectors, model.documents):
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-5)
    assert np.all(model.kappa >= 0)
    assert model.contexts.shape == (12, 20)


def test_nearest_finds_the_topic_and_filters(model: JointEmbedding) -> None:
    near = model.nearest("TERM[salmon]", k=4)
    assert {n.name for n in near} <= {f"TERM[{w}]" for w in WORDS["fish"].split()} | {
        "TOPIC[fish]", "TOPIC[fish]-YEAR[2000]", "TOPIC[fish]-YEAR[2001]", "TOPIC[fish]-YEAR[2002]",
    }  # fmt: skip
    assert near == sorted(near, key=lambda n: -n.cosine)
    assert model.nearest("salmon", k=1, pattern="topic")[0].name == "TOPIC[fish]"
    assert model.nearest(model.vector("engine"), k=1)[0].name == "TERM[engine]"
    limit = model.kappa_of("TOPIC[fish]")
    assert all(n.kappa >= limit for n in model.nearest("salmon", k=50, min_kappa=limit))
    assert model.kappa_of("TERM[the]") < model.kappa_of("TERM[salmon]")


def test_unknown_names_and_patterns_suggest_a_remedy(model: JointEmbedding) -> None:
    with pytest.raises(UnknownName, match="TERM\\[salmon\\]"):
        model.vector("TERM[salmno]")
    with pytest.raises(UnknownName, match="topic-year"):
        model.nearest("salmon", pattern="year-year")


def test_saved_and_opened_it_is_the_same_memory_mapped(model: JointEmbedding, tmp_path: Path) -> None:
    model.save(tmp_path / "a")
    opened = JointEmbedding.open(tmp_path / "a")
    assert isinstance(opened.vectors, np.memmap)
    assert np.array_equal(opened.vectors, model.vectors)
    assert np.array_equal(opened.kappa, model.kappa)
    assert opened.nearest("salmon", k=3) == model.nearest("salmon", k=3)
    opened.save(tmp_path / "b")
    for file in sorted((tmp_path / "a").iterdir()):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_a_damaged_or_newer_folder_is_reported(model: JointEmbedding, tmp_path: Path) -> None:
    with pytest.raises(MissingStage, match="hin embed"):
        JointEmbedding.open(tmp_path)
    model.save(tmp_path)
    (tmp_path / "kappa_learned.npy").write_bytes(b"no")
    with pytest.raises(DamagedGraph):
        JointEmbedding.open(tmp_path)
    (tmp_path / "embedding.json").write_text('{"format": 99}')
    with pytest.raises(NewerFormat):
        JointEmbedding.open(tmp_path)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(model: JointEmbedding, tmp_path: Path, number: float) -> None:
    model.save(tmp_path)
    for file in sorted(tmp_path.glob("*.npy")):
        array = np.load(file)
        if array.dtype.kind == "f":
            altered = array.copy()
            altered.reshape(-1)[-1] = number
            np.save(file, altered)
            with pytest.raises(
                DamagedGraph, match=f"{file.name} is damaged: it holds numbers that are NaN or infinite"
            ):
                JointEmbedding.open(tmp_path)
            np.save(file, array)
    JointEmbedding.open(tmp_path)


def test_inferred_documents_are_the_models_own(model: JointEmbedding) -> None:
    by_document = instances(corpus()).by_document()
    assert np.array_equal(model.infer(by_document.offsets, by_document.targets), model.documents)
    assert not model.infer([0, 0], []).any()
    with pytest.raises(UnknownName):
        model.infer([0, 1], [10_000])


def test_training_twice_and_resuming_from_a_folder_give_the_same_bytes(tmp_path: Path) -> None:
    graph = corpus()
    options = EmbedOptions(dim=16, epochs=20)
    whole = train(graph, instances(graph), options)

    def stop(label: str, done: int, total: int | None, note: str = "") -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(graph, instances(graph), options, stop, checkpoint=tmp_path / "state")
    again = train(graph, instances(graph), options, checkpoint=tmp_path / "state", resume=True)
    assert again.vectors.tobytes() == whole.vectors.tobytes()
    assert again.kappa.tobytes() == whole.kappa.tobytes()
    assert not (tmp_path / "state").exists()


def test_a_corpus_without_metadata_or_with_learned_kappa_trains() -> None:
    graph = corpus(metadata=False)
    model = train(graph, instances(graph), EmbedOptions(dim=8, epochs=2, specificity="learned"))
    assert model.patterns == ("term",)
    assert np.array_equal(model.kappa, model.kappa_learned)


def test_metadata_only_trains_without_a_term_table() -> None:
    graph = corpus()
    model = train(graph, match_all(graph, ["topic", "year"], min_count=2), EmbedOptions(dim=8, epochs=2))
    assert len(model.contexts) == 0
    assert len(model) == 5


def test_nothing_to_train_on_is_one_clear_sentence() -> None:
    graph = corpus(documents=4)
    with pytest.raises(BadInput, match="min-count"):
        train(graph, instances(graph, min_count=50))


@pytest.mark.parametrize(
    "wrong", [{"dim": 0}, {"negatives": 0}, {"epochs": 0}, {"objective": "best"}, {"specificity": "x"}, {"threads": 0},
              {"subsample": -1.0}, {"learning_rate": float("nan")}],
)  # fmt: skip
def test_bad_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadUsage):
        EmbedOptions(**wrong)  # type: ignore[arg-type]
