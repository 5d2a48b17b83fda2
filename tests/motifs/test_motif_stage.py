"""Motifs are matched once: whichever stage needs them first writes them, the others read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hin
import motifs.matching
from classify import Category, ClassifyOptions, Pipeline, Workspace
from classify.commands.arguments import EmbedCommand
from classify.commands.embed import run_embed
from classify.knowledge.options import KnowledgeOptions
from embed import EmbedOptions
from hin.console import Console
from hin.graph import Graph
from hin.stores.base import Store, open_store
from motifs import MotifOptions, match_all
from motifs.motif_stage import motifs_of, stored_motifs

QUICK = EmbedOptions(dim=8, epochs=1)


def embedded(store: Store, names: list[Category]) -> Pipeline:
    """The steps on a store up to the embedding."""
    options = ClassifyOptions(["venue"], embed=QUICK, knowledge=KnowledgeOptions("none"))
    workspace = Workspace(store)
    pipeline = Pipeline(workspace.graph, names, options, workspace=workspace)
    assert pipeline.embedding is not None
    return pipeline


@pytest.fixture
def place(tmp_path: Path) -> Path:
    words = ["cats", "dogs", "ham", "radio", "news", "sun"]
    texts = [" ".join(words[(i * k + k) % 6] for k in (1, 3, 4, 5)) + " ham radio" for i in range(12)]
    rows = [{"id": str(i), "text": f"{text} cats, dogs", "venue": f"V{i % 2}"} for i, text in enumerate(texts)]
    (tmp_path / "d.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    hin.load(tmp_path / "d.jsonl", graph=tmp_path / "g.hin", phrases=False)
    return tmp_path / "g.hin"


@pytest.fixture
def matched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The patterns that were really matched."""
    seen: list[str] = []
    real = motifs.matching.match

    def match(graph: Graph, pattern: motifs.Pattern, *rest: object, **more: object) -> motifs.MotifTable:
        seen.append(pattern.name)
        return real(graph, pattern, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("motifs.matching.match", match)
    monkeypatch.setattr("motifs.motif_stage.match", match)
    return seen


def test_patterns_are_matched_once_and_added_to_what_is_there(place: Path, matched: list[str]) -> None:
    store = open_store(place)
    graph = store.read_graph()
    first = motifs_of(store, graph, ["term", "venue"])
    again = motifs_of(store, graph, ["venue", "term"])
    assert matched == ["term", "venue"] and again.names() == first.names()
    assert first.names() == match_all(graph, ["term", "venue"]).names()
    matched.clear()
    motifs_of(store, graph, ["venue-venue", "venue"], MotifOptions(min_count=2))
    assert matched == ["venue", "venue-venue"]  # another limit is another table
    stored = stored_motifs(store, graph)
    assert stored is not None and [t.pattern.name for t in stored] == ["term", "venue", "venue-venue"]


def test_classify_reads_what_embed_matched(place: Path, matched: list[str]) -> None:
    store = open_store(place)
    names = [Category("cats"), Category("dogs")]
    one = embedded(store, names)
    assert sorted(matched) == ["term", "venue"]
    matched.clear()
    two = embedded(store, names)
    assert matched == [] and two.motifs.names() == one.motifs.names()


def test_classify_reuses_what_embed_trained_though_a_name_was_coined(place: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.txt"
    labels.write_text("ham radio\ncats\n")
    command = EmbedCommand(options=ClassifyOptions(["venue"], embed=QUICK), categories=labels, graph=str(place))
    run_embed(command, Console(quiet=True))
    store = open_store(place)
    trained = store.stage("embed")
    found = embedded(store, [Category("ham radio"), Category("cats")])
    again = store.stage("embed")
    assert trained is not None and again is not None and again.identity == trained.identity
    assert len(found.motifs.graph.names("term")) > len(store.read_graph().names("term"))


def test_classify_reuses_what_embed_trained_without_any_name(place: Path) -> None:
    command = EmbedCommand(options=ClassifyOptions(["venue"], embed=QUICK), graph=str(place))
    run_embed(command, Console(quiet=True))
    store = open_store(place)
    trained = store.stage("embed")
    embedded(store, [Category("cats"), Category("dogs")])
    again = store.stage("embed")
    assert trained is not None and again is not None and again.identity == trained.identity


def test_a_phrase_made_a_term_matches_the_terms_again_and_nothing_else(place: Path, matched: list[str]) -> None:
    store = open_store(place)
    embedded(store, [Category("cats"), Category("dogs")])
    matched.clear()
    found = embedded(store, [Category("ham radio"), Category("cats")])
    assert matched == ["term"]
    assert found.motifs.find("TERM[ham radio]") is not None
    whole = match_all(found.motifs.graph, ["venue"])
    assert found.motifs.table("venue").names() == whole.table("venue").names()  # type: ignore[union-attr]
