"""Instance names carry any value and come back exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motifs import BadInstanceName, instance_name, match, parse_name
from motifs.instance_names import field_label, resolve_label
from motifs.samples import make_graph
from tests.motifs.strategies import hostile_values

fields = st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=4, unique=True)


@given(st.data(), fields)
def test_names_come_back_for_any_fields_and_values(data: st.DataObject, known: list[str]) -> None:
    chosen = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=4))
    parts = [(field, data.draw(hostile_values)) for field in chosen]
    name = instance_name(parts, known)
    assert parse_name(name, known) == parts
    assert all(c == " " or (c.isprintable() or ord(c) > 0x9F) for c in name), "a name stays on one line"


@given(st.lists(st.tuples(st.sampled_from(["venue", "year"]), hostile_values), min_size=1, max_size=3))
def test_different_parts_have_different_names(parts: list[tuple[str, str]]) -> None:
    other = [(field, value + "x") for field, value in parts]
    assert instance_name(parts) != instance_name(other)


@given(st.lists(hostile_values, min_size=1, max_size=6, unique=True))
def test_hostile_values_survive_matching(values: list[str]) -> None:
    graph = make_graph({"venue": [[v] for v in values], "tag": [values for _ in values]})
    table = match(graph, "venue-tag", min_count=1)
    names = table.names()
    assert len(set(names)) == len(table) == len(values) ** 2
    for i, name in enumerate(names):
        assert table.find(name) == i
        parts = parse_name(name, graph.node_types)
        assert [value for _, value in parts] == list(table.values_of([i])[0])
        assert table.find(instance_name(reversed(parts), graph.node_types)) == i


def test_ordinary_values_are_written_as_they_are() -> None:
    name = instance_name([("venue", "Proc. of KDD, '08 (a-b)"), ("year", "")])
    assert name == "VENUE[Proc. of KDD, '08 (a-b)]-YEAR[]"
    assert instance_name([("venue", "a]\n\\\u2028")]) == "VENUE[a\\]\\n\\\\\\u{2028}]"


def test_fields_that_differ_in_case_only_keep_their_spelling() -> None:
    known = ["tag", "Tag", "year"]
    assert [field_label(field, known) for field in known] == ["tag", "Tag", "YEAR"]
    assert [resolve_label(label, known) for label in ("tag", "Tag", "YEAR", "year")] == ["tag", "Tag", "year", "year"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "is not an instance name"),
        ("VENUE", "is not an instance name"),
        ("VENUE[KDD", "is not an instance name"),
        ("[KDD]", "is not an instance name"),
        ("VENUE[KDD]YEAR[2008]", "after a part"),
        ("VENUE[KDD]-", "is not an instance name"),
        ("VENUE[\\q]", "is no escape"),
        ("COLOUR[red]", "no field 'COLOUR'"),
        ("TAG[x]", "may mean tag or Tag"),
    ],
)
def test_a_bad_name_is_explained(name: str, message: str) -> None:
    with pytest.raises(BadInstanceName, match=message) as caught:
        parse_name(name, ["venue", "year", "tag", "Tag"])
    assert caught.value.hint
