"""Planted motifs among random fields: discovery finds all of them and no other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from hin.graph import Graph
from motifs import Pattern, discover
from motifs.samples import make_graph

CITED = "(d:document)-[:cites]->(e:document)-[:venue]->(v:venue), (d)-[:venue]->(w:venue)"


def random_fields(rng: np.random.Generator, documents: int) -> dict[str, list[list[str]]]:
    """Values that say nothing; authors and tags are several to a document."""

    def drawn(name: str, values: int, most: int) -> list[list[str]]:
        sizes = rng.integers(1, most + 1, documents)
        return [[f"{name}{v}" for v in rng.choice(values, size, replace=False)] for size in sizes]

    sizes = {"author": (80, 3), "colour": (4, 1), "place": (4, 1), "tag": (30, 2), "year": (8, 1)}
    return {name: drawn(name, *size) for name, size in sizes.items()}


def words(rng: np.random.Generator, documents: int) -> list[list[str]]:
    return [[f"w{v}" for v in rng.integers(0, 200, 12)] for _ in range(documents)]


def found_in(graph: Graph, max_size: int = 3) -> set[str]:
    return {worth.pattern for worth in discover(graph, max_size) if worth.use != "no"}


@settings(phases=[Phase.explicit, Phase.generate], max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    pairs=st.sets(st.sampled_from(list(combinations(("author", "tag", "year"), 2))), max_size=2),
    beside=st.sampled_from(["nothing", "a triple", "a topic"]),
)
def test_discovery_finds_what_was_planted_and_no_other(seed: int, pairs: set[tuple[str, str]], beside: str) -> None:
    rng, documents = np.random.default_rng(seed), 400
    fields, terms = random_fields(rng, documents), words(rng, documents)
    planted = {"-".join(pair) for pair in pairs}
    for number, pair in enumerate(sorted(pairs)):  # two values that are nowhere but together
        for d in range(40 * number, 40 * number + 40):
            for name in pair:
                fields[name][d] = [f"{name} of {number}"]
    if beside == "a triple":  # any two of the three are independent, and two of them give the third
        planted.add("colour-place-year")
        for d in range(documents):
            year = (int(fields["colour"][d][0][-1]) + int(fields["place"][d][0][-1])) % 4
            if not fields["year"][d][0].startswith("year of"):
                fields["year"][d] = [f"year{year}"]
    if beside == "a topic":  # what a place is about
        planted.add("place")
        terms = [[*row, *(f"{place}w{v}" for v in rng.integers(0, 8, 6))] for row, (place,) in
                 zip(terms, fields["place"], strict=True)]  # fmt: skip
    assert found_in(make_graph(fields, terms)) == planted


@settings(phases=[Phase.explicit, Phase.generate], max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), planted=st.booleans())
@example(seed=36, planted=True)  # all documents of a venue, more than a binomial with the shuffles' moments can reach
def test_discovery_finds_who_cites_whom_and_no_other(seed: int, planted: bool) -> None:
    rng, documents = np.random.default_rng(seed), 240
    venue = rng.integers(0, 6, documents)
    cites = [rng.choice(documents, 2, replace=False).tolist() for _ in range(documents)]
    if planted:
        cited = np.flatnonzero(venue == 1)
        for d in np.flatnonzero(venue == 0):
            cites[d] = rng.choice(cited, 2, replace=False).tolist()
    graph = make_graph({"venue": [[f"v{v}"] for v in venue]}, words(rng, documents), {"cites": cites})
    assert found_in(graph) == ({Pattern(CITED).name} if planted else set())
