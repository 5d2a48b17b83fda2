"""Names in the corpus: spelling variants, phrases inside the text, terms added for them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hin
from classify import MotifClassifier
from classify.categories import coined_terms
from classify.categories.category_file import Category
from classify.categories.coined_terms import with_instances, with_phrases
from classify.categories.finding import check_categories, find_categories, name_vectors, require_found
from classify.categories.meaning import find_by_word_family
from classify.categories.term_lookup import TermIndex, singular, words_of
from hin.errors import UnknownName
from hin.graph import Graph
from motifs import match_all
from motifs.samples import make_graph


def graph_of(*rows: list[str]) -> Graph:
    """Documents given as their terms; a term with a space is a mined phrase."""
    return make_graph({}, terms=list(rows))


def spelled(graph: Graph, document: int) -> list[str]:
    return graph.names("term").take(graph.tokens.row(document))


def test_case_hyphens_and_plurals_do_not_matter_and_the_exact_spelling_wins() -> None:
    graph = graph_of(["databases"], ["database"], ["database"], ["data-mining"], ["libraries"])
    index = TermIndex(graph)

    def found(name: str) -> list[str]:
        return graph.names("term").take(index.terms(name))

    assert found("Databases") == ["databases", "database"]
    assert found("DATABASE") == ["database", "databases"]
    assert found("Data Mining") == ["data-mining"]
    assert found("data_mining") == ["data-mining"]
    assert found("library") == ["libraries"]
    assert found("librarian") == []


def test_phrases_are_found_word_by_word_across_mined_phrases() -> None:
    graph = graph_of(
        ["we", "natural language", "processing", "here"],
        ["natural", "language processing tools"],
        ["natural-language", "processing"],
        ["natural", "x", "language", "processing"],
        ["statistical natural languages", "processing", "natural language processing"],
    )
    found = TermIndex(graph).occurrences("Natural Language Processing")
    assert found.documents.tolist() == [0, 1, 2, 4, 4]
    assert (found.stops - found.starts).tolist() == [2, 2, 2, 2, 1]
    assert found.before.tolist() == [0, 0, 0, 1, 0]
    assert found.after.tolist() == [0, 1, 0, 0, 0]


def test_an_index_grown_with_its_graph_is_that_of_the_new_graph_and_the_old_one_stays() -> None:
    graph = graph_of(["we", "like", "ham", "radios"], ["ham", "radio", "sets"], ["language-ham"])
    index, grown = TermIndex(graph), with_phrases(graph, ["ham radio"])
    for found, fresh in ((index.grown(grown), TermIndex(grown)), (index, TermIndex(graph))):
        for name in ("ham radio", "ham", "radio", "sets", "nothing"):
            assert found.terms(name) == fresh.terms(name) and found.terms_with(name) == fresh.terms_with(name)
            assert found.written_in(name) == fresh.written_in(name)
    assert index.grown(grown).terms("ham radios") == [grown.names("term").get("ham radio")]


def test_a_phrase_does_not_cross_documents_and_overlaps_count_once() -> None:
    assert len(TermIndex(graph_of(["ham"], ["radio"], ["ham", "x", "radio"])).occurrences("ham radio")) == 0
    assert len(TermIndex(graph_of(["go", "go", "go"])).occurrences("go go")) == 1


def test_a_new_term_takes_the_place_of_its_words_and_leaves_the_others() -> None:
    graph = graph_of(["a", "natural language", "processing", "tools"], ["natural", "language processing tools", "b"])
    grown = with_phrases(graph, ["Natural-Language Processing"])
    assert spelled(grown, 0) == ["a", "natural language processing", "tools"]
    assert spelled(grown, 1) == ["natural language processing", "tools", "b"]
    new = grown.names("term").index("natural language processing")
    assert new == len(graph.names("term"))
    assert grown.document_frequency[new] == 2
    assert grown.names("term").tolist()[:new] == graph.names("term").tolist()
    assert graph.tokens.row(0).tolist() == [0, 1, 2, 3]


def test_adding_phrases_twice_or_nowhere_changes_nothing() -> None:
    graph = graph_of(["ham", "radio", "x"], ["x"])
    assert with_phrases(graph, ["quantum cooking", ""]) is graph
    grown = with_phrases(graph, ["ham radio"])
    assert with_phrases(grown, ["ham radio"]) is grown


def test_longer_phrases_are_taken_first() -> None:
    grown = with_phrases(
        graph_of(["natural", "language", "processing"]), ["natural language", "natural language processing"]
    )
    assert spelled(grown, 0) == ["natural language processing"]


def test_a_shorter_name_does_not_take_words_from_a_longer_one_that_is_a_term_already() -> None:
    graph = graph_of(["a", "return label"], ["returns", "b"])
    assert spelled(with_phrases(graph, ["returns", "return label"]), 0) == ["a", "return label"]
    assert spelled(with_phrases(graph, ["returns"], keep=["return label"]), 0) == ["a", "return label"]


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", "a b"]), max_size=6), min_size=1, max_size=4))
def test_rewriting_keeps_the_words_in_order(rows: list[list[str]]) -> None:
    graph = graph_of(["a", "b", "c"], *rows)
    grown = with_phrases(graph, ["b c", "a b c"])
    for i, row in enumerate([["a", "b", "c"], *rows]):
        assert " ".join(spelled(grown, i)).split() == " ".join(row).split()
    edges = grown.edges("term")
    for i in range(len(grown)):
        assert sorted(set(grown.tokens.row(i).tolist())) == sorted(edges.row(i).tolist())
        assert edges.counts is None or edges.counts.sum() == grown.tokens.n_edges


def test_a_rare_name_keeps_an_instance_of_its_own() -> None:
    graph = graph_of(["ham", "x"], ["x"], ["x", "y"], ["y"])
    motifs = with_instances(match_all(graph, ["term"], min_count=2), ["ham", "nowhere"])
    assert motifs.names() == ["TERM[ham]", "TERM[x]", "TERM[y]"]
    assert motifs.documents.tolist() == [1, 3, 2]
    assert [motifs.incidence.row(i).tolist() for i in range(3)] == [[0], [0, 1, 2], [2, 3]]
    assert with_instances(motifs, ["ham"]) is motifs


def test_a_hyphenated_variant_in_one_document_does_not_hide_the_phrase() -> None:
    graph = graph_of(["text-processing"], ["text", "processing"], ["text", "processing"], ["other"])
    findings, grown = find_categories(graph, [Category("text processing"), Category("other")])
    assert (findings[0].status, findings[0].term, findings[0].documents) == ("phrase", "text processing", 3)
    assert spelled(grown, 0) == ["text processing"]


def test_a_name_without_its_phrase_is_composed_and_one_without_a_word_is_missing() -> None:
    graph = graph_of(["robotics", "quantum"], ["robotics", "cooking"], ["robotics"], ["cooking"])
    names = [Category("robtics"), Category("quantum cooking"), Category("xyzzy")]
    findings, _ = find_categories(graph, names)
    assert [finding.status for finding in findings] == ["missing", "composed", "missing"]
    assert findings[0].spellings == ("robotics",)
    assert (findings[1].term, findings[1].words) == ("quantum + cooking", ("quantum", "cooking"))
    assert require_found(findings) == findings
    with pytest.raises(UnknownName) as error:
        require_found(findings, strict=True)
    assert "'robtics'" in error.value.message and "'xyzzy'" in error.value.message
    assert "robotics" in error.value.message and "quantum" not in error.value.message
    assert "\n" not in str(error.value)
    with pytest.raises(UnknownName, match="xyzzy"):
        require_found(findings[2:])  # none of the names is known


def test_kin_by_spelling_are_of_the_same_family() -> None:
    graph = graph_of(["robotics", "karten"], ["robotics", "path"], ["robot"])
    names = ["robotical", "Garten", "sympathy"]
    found = find_by_word_family(find_categories(graph, [Category(name) for name in names])[0], graph)
    assert [(finding.status, finding.words) for finding in found] == [
        ("composed", ("robotics",)),
        ("missing", ()),
        ("missing", ()),
    ]


def test_a_rare_name_is_taken_apart_and_a_frequent_phrase_is_not() -> None:
    texts = [["arms", "control", "x"]] * 6 + [["disarmament", "y"]] * 6 + [["human", "and", "animal", "rights"]] * 6
    names = [Category("Arms control and disarmament"), Category("human and animal rights"), Category("육아/교육")]
    apart, phrase, unknown = find_categories(graph_of(*texts), names)[0]
    assert [(part.keyword, part.documents) for part in apart.parts] == [("arms control", 6), ("disarmament", 6)]
    assert apart.status == "composed" and apart.documents == 0
    assert (phrase.status, phrase.documents, phrase.parts) == ("phrase", 6, ())
    assert unknown.status == "missing" and unknown.parts == ()


def test_a_part_that_stands_in_phrases_only_places_its_name() -> None:
    graph = graph_of(*[["topping up", "x"], ["cash", "x"]] * 6)
    motifs = match_all(graph, ["term"], min_count=1)
    names = [Category("topping/refill"), Category("cash")]
    vectors = np.eye(motifs.n_instances, dtype=np.float32)
    findings = check_categories(graph, motifs, vectors, np.ones(motifs.n_instances), names)
    assert (findings[0].status, findings[0].term, findings[0].words) == ("composed", None, ())
    assert findings[0].notes() == ["occurs nowhere as written; stands for topping (6 documents)"]
    assert name_vectors(findings, motifs, vectors, np.ones(3))[0].instances == ()
    rows = [{"id": str(i), "text": "topping up my phone" if i % 2 else "cash please"} for i in range(24)]
    found = MotifClassifier(names, classifier="linear", n_jobs=1).fit(hin.load(rows))
    assert set(found.labels_[1::2].tolist()) == {0}


def test_a_word_that_stands_in_the_phrase_of_another_name_alone_places_no_name() -> None:
    texts = ["what ingredients are in this soup"] * 9 + ["what is the ingredient list"] + ["rain and weather"] * 10
    names = [Category("ingredients list"), Category("ingredient substitution"), Category("weather")]
    model = MotifClassifier(names, classifier="linear", n_jobs=1, knowledge="none")
    found = model.fit(hin.load([{"id": str(i), "text": text} for i, text in enumerate(texts)]))
    assert set(found.labels_[10:].tolist()) == {2}


def test_a_composed_name_is_the_mean_of_its_words_by_frequency() -> None:
    graph = graph_of(["quantum"], ["cooking"], ["cooking"], ["cooking"])
    motifs = match_all(graph, ["term"], min_count=1)
    vectors, kappa = np.eye(2, dtype=np.float32), np.array([1.0, 3.0])
    found = require_found(find_categories(graph, [Category("quantum cooking")])[0])
    name = name_vectors(found, motifs, vectors, kappa)[0]
    weight = np.log1p([1, 3])
    expected = weight / np.linalg.norm(weight)
    assert name.vector[[motifs.find("TERM[quantum]"), motifs.find("TERM[cooking]")]] == pytest.approx(
        expected, abs=1e-6
    )
    assert name.kappa == pytest.approx((weight * [1, 3]).sum() / weight.sum())


def test_keywords_join_the_name_or_stand_for_it() -> None:
    graph = graph_of(["games", "arcade"], ["fonts", "glyph"], ["glyph"])
    motifs = match_all(graph, ["term"], min_count=1)
    vectors = np.eye(motifs.n_instances, dtype=np.float32)
    kappa = np.arange(motifs.n_instances, dtype=np.float32)
    categories = [Category("games", ("arcade", "pinball")), Category("typefaces", ("Glyphs",))]
    findings = check_categories(graph, motifs, vectors, kappa, categories)
    assert [finding.status for finding in findings] == ["term", "keywords"]
    assert findings[0].kappa == kappa[motifs.find("TERM[games]")]
    assert "keyword 'pinball' occurs in no text and is left out" in findings[0].notes()
    assert findings[1].keywords[0].term == "glyph"
    names = name_vectors(findings, motifs, vectors, kappa)
    assert names[0].instances == (motifs.find("TERM[games]"), motifs.find("TERM[arcade]"))
    assert np.linalg.norm(names[0].vector) == pytest.approx(1)


def test_categories_that_are_nearly_the_same_are_named() -> None:
    graph = graph_of(["sound", "audio", "web", "mail"])
    motifs = match_all(graph, ["term"], min_count=1)
    vectors = np.zeros((4, 3), dtype=np.float32)
    for term, row in {"sound": [1, 0, 0], "audio": [0.99, 0.14, 0], "web": [0, 1, 0], "mail": [0, 0, 1]}.items():
        vectors[motifs.find(f"TERM[{term}]")] = row
    findings = check_categories(graph, motifs, vectors, np.ones(4), [Category(n) for n in ("sound", "audio", "web")])
    assert [other for other, _ in findings[0].near] == ["audio"]
    assert any("nearly the same as 'audio'" in note for note in findings[0].notes())
    assert findings[2].near == ()
    assert findings[0].as_dict()["near"][0][0] == "audio"


def test_a_name_without_an_instance_says_what_to_do() -> None:
    graph = graph_of(["ham", "x"], ["x"], ["x"])
    motifs = match_all(graph, ["term"], min_count=2)
    findings, _ = find_categories(graph, [Category("ham"), Category("x")])
    assert "in only 1 document; keywords would help" in findings[0].notes()
    with pytest.raises(UnknownName, match="too few documents"):
        name_vectors(findings, motifs, np.eye(1, dtype=np.float32), np.ones(1))


def test_words_and_singulars() -> None:
    assert words_of("Human-Computer/Robot_Interaction") == ("human", "computer", "robot", "interaction")
    assert [singular(w) for w in ("boxes", "classes", "bus", "analysis", "kde", "gps")] == [
        "box", "class", "bus", "analysis", "kde", "gps",
    ]  # fmt: skip


def test_a_word_hidden_in_mined_phrases_becomes_a_term_but_a_plural_does_not_take_over() -> None:
    graph = graph_of(["javascript library"], ["javascript library"], ["javascript"], ["database"], ["databases", "x"])
    findings, grown = find_categories(graph, [Category("javascript"), Category("databases")])
    assert [(f.status, f.term, f.documents) for f in findings] == [
        ("phrase", "javascript", 3),
        ("term", "databases", 1),
    ]
    assert spelled(grown, 0) == ["javascript"]
    assert spelled(grown, 3) == ["database"]


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=9), st.integers(1, 5))
def test_texts_are_looked_through_in_any_number_of_pieces(rows: list[list[str]], together: int) -> None:
    graph = graph_of(*rows, ["a", "b"])

    def found() -> list[object]:
        grown = with_phrases(graph, ["a b", "c d"], keep=["c"])
        motifs = with_instances(match_all(grown, ["term"], min_count=3), ["a", "a b", "c", "d"])
        edges, [table] = grown.edges("term"), motifs.tables
        assert edges.counts is not None
        arrays = (grown.tokens.offsets, grown.tokens.targets, edges.offsets, edges.targets, edges.counts)
        arrays += (table.parts, table.incidence.offsets, table.incidence.targets)
        return [grown.names("term").tolist(), *(array.tolist() for array in arrays)]

    whole = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coined_terms, "_EDGES", together)
        patch.setattr(coined_terms, "_DOCUMENTS", together)
        patch.setattr("classify.categories.term_lookup._AT_ONCE", together)
        assert found() == whole
