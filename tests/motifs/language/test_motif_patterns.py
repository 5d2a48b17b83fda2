"""The template language: equal spellings are equal, faults get a caret and the names that exist."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motifs import BadPattern, Pattern
from motifs.language.template import quote_name
from motifs.samples import make_graph
from tests.motifs.strategies import Drawn, spellings, templates


@given(st.data(), templates())
def test_two_spellings_of_one_template_are_equal(data: st.DataObject, drawn: Drawn) -> None:
    other = data.draw(spellings(drawn.types, drawn.edges))
    a, b = Pattern(drawn.text), Pattern(other)
    assert a == b
    assert hash(a) == hash(b)
    assert a.name == b.name
    assert Pattern(a.name) == a


@given(templates(), templates())
def test_equal_means_isomorphic(one: Drawn, two: Drawn) -> None:
    a, b = Pattern(one.text), Pattern(two.text)
    isomorphic = networkx.is_isomorphic(
        a.template,
        b.template,
        node_match=lambda x, y: (x["rank"], x["type"]) == (y["rank"], y["type"]),
        edge_match=networkx.algorithms.isomorphism.categorical_multiedge_match("type", None),
    )
    assert (a == b) == isomorphic


@given(
    st.lists(st.text(min_size=1, max_size=6).filter(lambda t: t != "document"), min_size=1, max_size=4), st.randoms()
)
def test_any_field_name_can_be_quoted_and_order_does_not_matter(names: list[str], random) -> None:
    shuffled = random.sample(names, len(names))
    pattern = Pattern("-".join(quote_name(name) for name in names))
    assert pattern == Pattern("-".join(quote_name(name) for name in shuffled))
    assert list(pattern.fields) == sorted(names)
    assert Pattern(pattern.name) == pattern


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("venue-year", " year - venue "),
        ("venue", "(d)-[:venue]->(v)"),
        ("venue", "(d:document)--(:venue)"),
        ("venue", "(v)<-[:venue]-(p:document)"),
        ("author-author", "(a:author)<-[:author]-(p!)-[:author]->(b:author)"),
        ("`sub-field`-year", "(d)-[:`sub-field`]->(s), (d)-[:year]->(y)"),
        ("(d)-[:cites]->(e:document)-[:v]->(v)", "(d)-[r:cites]->(e:document), (e)-[:v]->(v), (d)-[:cites]->(e)"),
        ("(d)-[:cites]->(e:document)-[:v]->(v)", "(p:document!)-[:cites]->(d:document)-[:v]->(v)"),
        ("(d)-[:cites]->(e:document)-[:v]->(v)", "(d)-[:cites]->(e:document)-[:v]->(v), (d)-[:cites]-(e)"),
    ],
)
def test_spellings_of_the_same(one: str, two: str) -> None:
    assert Pattern(one) == Pattern(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("author", "author-author"),
        ("(d)-[:cites]->(e:document)-[:v]->(v)", "(d)<-[:cites]-(e:document)-[:v]->(v)"),
        ("(d)-[:cites]->(e:document)-[:v]->(v)", "(d)-[:cites]-(e:document)-[:v]->(v)"),
        ("(d)-[:cites]->(e:document)-[:v]->(v)", "(d:document)-[:cites]->(e!)-[:v]->(v)"),
    ],
)
def test_different_templates_differ(one: str, two: str) -> None:
    assert Pattern(one) != Pattern(two)


def test_automorphisms_are_those_that_keep_the_anchor() -> None:
    assert len(Pattern("author-author-author-venue").automorphisms) == 6
    shared = Pattern("(d)-[:author]->(a)<-[:author]-(e), (d)-[:venue]->(v), (e)-[:venue]->(w:venue)")
    assert len(shared.automorphisms) == 1
    swapped = Pattern("(d)-[:cites]->(e:document)-[:author]->(a), (d)-[:cites]->(f:document)-[:author]->(b:author)")
    assert swapped.column_symmetries == ((0, 1), (1, 0))
    assert swapped.smallest([5, 3]) == [3, 5]


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("", 0, "a field name is missing here"),
        ("venue-", 6, "a field name is missing here"),
        ("-venue", 0, "a field name is missing here"),
        ("venue--year", 6, "a field name is missing here"),
        ("venue-[year]", 6, "'[' does not belong in a field name"),
        ("`venue", 0, "a backtick is not closed"),
        ("venue-``", 6, "a backtick is not closed or the name is empty"),
        ("document-venue", 0, "the document is always there"),
        ("(d", 2, "expected ')'"),
        ("(d)-", 4, "expected '-'"),
        ("(d)-[:venue->(v)", 11, "expected ']'"),
        ("(d)-[:]->(v)", 6, "an edge type is missing"),
        ("(d:)-[:venue]->(v)", 3, "a node type is missing"),
        ("(d)-[:venue]->", 14, "expected '('"),
        ("(d)<-[:venue]->(v)", 3, "one direction"),
        ("(d)-[:cites]->(d)", 3, "joined to itself"),
        ("(d)-[:venue]->(v) (x)", 18, "expected ','"),
        ("(d)-[:venue]->(v), (x:year)", 22, "not connected to the anchor"),
        ("(d:document)", 0, "nothing but documents"),
        ("(a:author)-[:knows]->(b:author)", 0, "no document to count"),
        ("(p:document)-[:cites]->(q:document)-[:venue]->(v)", 3, "which document is the anchor?"),
        ("(p!)-[:cites]->(q:document!)-[:venue]->(v)", 26, "a second anchor"),
        ("(d)-[:venue]->(v!:venue)", 17, "expected ')'"),
        ("(d)-[:venue]->(v:venue!)", 17, "has to be a document"),
        ("(d)-[:venue]->(v:venue), (v:year)", 28, "'v' already is a venue"),
        ("(v:venue)-[:venue]->(d)", 12, "go from a document"),
        ("(d)--(v)", 6, "type of this node is not clear"),
        ("(d)--(e:document), (e)-[:venue]->(v)", 3, "type of this edge is not clear"),
        ("(d)-[:venue]->(v) %", 18, "'%' is not part"),
        ("(d)-[:`venue]->(v)", 6, "a backtick is not closed"),
        ("(d)-[:``]->(v)", 6, "an empty name"),
        ("a-b-c-d-e-f-g-h", 14, "at most 8 nodes"),
    ],
)
def test_a_bad_template_is_one_line_with_the_place_of_the_fault(text: str, position: int, message: str) -> None:
    with pytest.raises(BadPattern) as caught:
        Pattern(text)
    assert caught.value.message.startswith(f"bad pattern {text!r}, character {position + 1}: ")
    assert message in caught.value.message
    assert caught.value.exit_code == 2


def test_a_text_that_is_none() -> None:
    with pytest.raises(BadPattern, match="not int"):
        Pattern(7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("venue-yaer", 6, "no field 'yaer', did you mean year?"),
        ("venue-Year", 6, "no field 'Year', did you mean year?"),
        ("sub-year", 0, "no field 'sub', did you mean `sub-field`?"),
        ("(d)-[:cites]->(e)", 15, "'cites' is a link between documents"),
        ("(d)-[:quotes]->(e:document)-[:venue]->(v)", 6, "no edge type 'quotes'"),
        ("(d)-[:venue]->(a:author)", 6, "'venue' edges go from a document to a venue"),
        ("(d)-[:venue]->(v:venue)-[:cites]->(w:venue)", 26, "'cites' joins documents, not a venue and a venue"),
        ("(d)-[:author]->(a)<-[:at]-(v:venue)", 22, "'at' goes from a author to a venue"),
        ("(d)-[:document]->(e:document)-[:venue]->(v)", 6, "no edge type 'document'"),
    ],
)
def test_an_unknown_name_gets_the_names_that_exist(text: str, position: int, message: str) -> None:
    graph = make_graph(
        {"author": [["Ann"]], "venue": [["KDD"]], "year": [["2008"]], "sub-field": [["x"]]},
        links={"cites": [[]]},
        extra={"at": ("author", "venue", [("Ann", "KDD")])},
    )
    with pytest.raises(BadPattern) as caught:
        Pattern(text).check(graph)
    assert caught.value.message.startswith(f"bad pattern {text!r}, character {position + 1}: ")
    assert message in caught.value.message
    assert caught.value.hint == "fields: term, author, venue, year, `sub-field`; links and other edges: cites, at"


def test_a_pattern_is_shown_by_its_name() -> None:
    pattern = Pattern("year-venue")
    assert str(pattern) == "venue-year"
    assert repr(pattern) == "Pattern('venue-year')"
    assert Pattern(pattern) == pattern
    assert pattern != "venue-year"
