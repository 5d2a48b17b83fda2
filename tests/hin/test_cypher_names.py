"""Identifiers from users' field names: quoted by one function, distinct, and harmless."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.cypher_names import OWN_LABELS, OWN_RELATIONSHIPS, CypherNames, label_of, property_of, quote, relationship_of
from hin.errors import BadUsage

HOSTILE = [
    "`",
    "a`b",
    "``",
    "\\u0060",
    "\\",
    "}) DETACH DELETE n //",
    "'",
    '"',
    "é",
    "😀",
    "\n",
    " ",
    "$x",
    "/*",
    "x" * 10_000,
]
NAMES = st.one_of(st.text(min_size=1, max_size=40), st.sampled_from(HOSTILE))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60))
def test_a_quoted_identifier_is_one_token_and_reads_back(name: str) -> None:
    quoted = quote(name)
    # What Cypher does, in its order: unicode escapes first, then backticks.
    seen = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), quoted)
    assert seen.startswith("`")
    assert seen.endswith("`")
    inner = seen[1:-1]
    assert "`" not in inner.replace("``", "")
    assert inner.replace("``", "`") == name


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 20_000])
def test_what_cannot_be_an_identifier_is_refused(name: str) -> None:
    with pytest.raises(BadUsage, match="cannot be a name in Cypher"):
        quote(name)


@given(NAMES)
def test_generated_names_have_word_characters_only(name: str) -> None:
    for made in (label_of(name), relationship_of(name), relationship_of(name, link=True), property_of(name)):
        assert re.fullmatch(r"\w+", made)


@given(
    st.lists(NAMES, unique=True, max_size=8),
    st.lists(NAMES, unique=True, max_size=4),
    st.lists(NAMES, unique=True, max_size=4),
)
def test_no_two_names_of_a_graph_meet(fields: list[str], links: list[str], texts: list[str]) -> None:
    fields = [name for name in fields if name not in ("document", "term")]
    links = [name for name in links if name not in (*fields, "document", "term")]
    names = CypherNames.of(fields, links, (), texts)
    labels = [names.labels[name] for name in fields]
    kinds = [names.relationships[name] for name in (*fields, *links)]
    folded = [name.lower() for name in (*labels, *kinds, *OWN_LABELS, *OWN_RELATIONSHIPS)]
    assert len(set(folded)) == len(folded)
    properties = [names.properties[name].lower() for name in texts] + ["id", "number", "tokens", "label", "name"]
    assert len(set(properties)) == len(properties)


def test_names_do_not_depend_on_what_comes_later() -> None:
    assert (
        CypherNames.of(["author"]).labels["author"] == CypherNames.of(["author", "Author"]).labels["author"] == "Author"
    )


def test_a_keyword_of_the_embedded_engine_is_avoided() -> None:
    assert CypherNames.of([], ["contains"]).relationships["contains"] == "CONTAINS_2"
