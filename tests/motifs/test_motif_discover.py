"""Discovery finds the patterns that say what documents are about, without labels."""

from __future__ import annotations

import numpy as np
import pytest

from hin.errors import BadUsage
from hin.graph import Graph
from motifs import MotifOptions, discover
from motifs.discovery.profiles import make_profiles
from motifs.samples import make_graph


def _corpus(n: int = 400, own: int = 8) -> Graph:
    """Topics follow the author; side and colour predict the topic only together; year predicts nothing."""
    rng = np.random.default_rng(1)
    words = [[f"t{topic}w{i}" for i in range(12)] for topic in range(4)]
    common = [f"c{i}" for i in range(30)]
    fields: dict[str, list[list[str]]] = {"author": [], "side": [], "colour": [], "year": [], "serial": []}
    terms = []
    for i in range(n):
        topic, side = int(rng.integers(4)), int(rng.integers(4))
        fields["author"].append([f"author {topic * 5 + int(rng.integers(5))}"])
        fields["side"].append([f"s{side}"])
        fields["colour"].append([f"c{(side + topic) % 4}"])
        fields["year"].append([str(2000 + int(rng.integers(4)))])
        fields["serial"].append([str(i)])
        terms.append([*rng.choice(words[topic], own).tolist(), *rng.choice(common, 6).tolist()])
    return make_graph(fields, terms)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return _corpus()


def test_what_predicts_the_topic_is_recommended_and_what_does_not_is_not(graph: Graph) -> None:
    found = {worth.pattern: worth for worth in discover(graph, max_size=2)}
    assert found["author"].use == "yes"
    assert found["author"].coverage == 1.0
    assert found["colour-side"].use == "yes", "two fields that tell the topic only together"
    assert found["colour-side"].gain > 0.3
    assert {found[name].use for name in ("year", "side", "colour")} == {"no"}
    assert found["author-year"].use == "no"
    assert found["author-year"].why == "as good as its parts"
    assert "serial" not in found, "no instance in five documents"
    assert next(iter(found)) in ("author", "colour-side")


def test_a_weak_sign_in_many_documents_is_still_a_sign() -> None:
    found = {worth.pattern: worth for worth in discover(_corpus(own=2), max_size=2)}
    assert found["colour-side"].specificity < 0.2
    assert found["colour-side"].use == "yes"
    assert {found[name].use for name in ("year", "side", "colour")} == {"no"}


def test_order_is_by_use_then_worth_and_does_not_depend_on_threads(graph: Graph) -> None:
    one = discover(graph, max_size=3, options=MotifOptions(threads=1))
    two = discover(graph, max_size=3, options=MotifOptions(threads=2))
    assert one == two
    ranks = [({"yes": 0, "maybe": 1, "no": 2}[worth.use], -worth.worth) for worth in one]
    assert ranks == sorted(ranks)
    assert any(worth.pattern.count("-") == 2 for worth in one)


def test_specificity_of_random_documents_is_zero_for_any_size(graph: Graph) -> None:
    profiles = make_profiles(graph)
    rng = np.random.default_rng(0)
    from hin.graph import Csr

    for size in (5, 20, 80):
        sets = Csr.from_lists([sorted(rng.choice(len(graph), size, replace=False).tolist()) for _ in range(400)])
        values, expected = profiles.specificity(sets)
        assert abs(values.mean()) < 0.02
        assert expected.std() <= values.std()


def test_a_pattern_that_would_be_too_dear_is_named_not_tried(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("motifs.discovery.measure._MOST_CANDIDATES", 399)
    found = discover(graph, max_size=1)
    assert {worth.why for worth in found if worth.use == "no"} == {"not tried: 4e+02 candidates"}
    monkeypatch.undo()
    small = MotifOptions(min_count=1, max_memory=16)
    assert {worth.why for worth in discover(graph, max_size=1, options=small)} == {
        "not tried: too many instances for the memory"
    }


def test_documents_without_terms_and_graphs_without_documents() -> None:
    assert discover(make_graph({"tag": []})) == []
    found = discover(make_graph({"tag": [["x"]] * 6}), max_size=1)
    assert [(worth.pattern, worth.instances, worth.specificity) for worth in found] == [("tag", 1, 0.0)]


@pytest.mark.parametrize("size", [0, 8])
def test_sizes_are_checked(graph: Graph, size: int) -> None:
    with pytest.raises(BadUsage, match="max size"):
        discover(graph, max_size=size)
