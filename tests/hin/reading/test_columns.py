"""Columns that nobody named are recognised by their values, and one option corrects each guess."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import hin
from hin.errors import in_options
from hin.loading import LoadResult, load_into
from hin.reading.documents import BatchReader, read_records
from hin.reading.options import LoadOptions

WORDS = ["river", "mountain", "letter", "garden", "captain", "winter", "harbour", "machine"]
WORDS += ["stranger", "island", "engine", "market"]


def story(i: int) -> str:
    parts = [WORDS[(i * k + k) % len(WORDS)] for k in (1, 2, 3, 5, 7)]
    found = f"In the {parts[0]} of year {i} a {parts[1]} and the {parts[2]} find a {parts[3]}."
    return f"{found} Then the {parts[4]} burns."


def films(count: int = 60) -> list[dict[str, Any]]:
    """Films as a public table has them: prose under an odd name, lists as JSON and as Python, ids, constants."""
    genres = [{"id": 28, "name": "Action"}, {"id": 18, "name": "Drama"}, {"id": 35, "name": "Comedy"}]
    return [
        {
            "title": f"The {WORDS[i % 12].title()} {i}",
            "overview": story(i),
            "genres": json.dumps(genres[i % 3 :]),
            "keywords": json.dumps([{"id": k, "name": WORDS[(i + k) % 12]} for k in range(2)]),
            "cast": ", ".join(f"Ann {WORDS[(i + k) % 12].title()} {i}" for k in range(6)),
            "studios": str([f"Studio {i % 4}"]),
            "homepage": f"http://films.example/{i}",
            "popularity": f"{i * 1.37:.2f}",
            "status": "Released",
            "year": str(1990 + i % 5),
        }
        for i in range(count)
    ]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    sink = io.StringIO()
    writer = csv.DictWriter(sink, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(sink.getvalue())
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "films.csv", films())


def into(path: Path, *, graph: str = "g.hin", **options: Any) -> LoadResult:
    return load_into(path.parent / graph, path, LoadOptions(phrases=False, **options))


def test_every_column_of_a_raw_table_finds_its_part(table: Path) -> None:
    result = into(table)
    graph = result.graph
    assert graph.texts.fields == ("title", "overview")
    assert set(graph.fields) == {"keywords", "studios", "year"}
    assert graph.names("keywords").tolist()[:2] == ["river", "mountain"]
    assert graph.names("studios").tolist() == [f"Studio {i}" for i in range(4)]
    assert graph.labels is None
    assert {(d.column, d.use) for d in result.decisions} == {
        ("@line", "id"),
        ("overview", "text"),
        ("genres", "left out"),
        ("homepage", "left out"),
        ("popularity", "left out"),
        ("status", "left out"),
        ("cast", "left out"),
    }
    assert graph.documents[0] == "films.csv:2"


FIXES: dict[str, tuple[dict[str, Any], str, str]] = {
    "answer": ({"label": "genres"}, "labels", "Action"),
    "answer as metadata": ({"metadata": "genres,*"}, "genres", "Action"),
    "unique": ({"metadata": "homepage,*"}, "homepage", "http://films.example/0"),
    "constant": ({"metadata": "status,*"}, "status", "Released"),
    "prose as metadata": ({"metadata": "overview,*"}, "overview", story(0)),
    "separated": ({"separator": ","}, "cast", "Ann River 0"),
    "path": ({"metadata": "word=keywords.name"}, "word", "river"),
}


@pytest.mark.parametrize(("option", "field", "first"), FIXES.values(), ids=FIXES)
def test_a_wrong_guess_costs_one_option(table: Path, option: dict[str, Any], field: str, first: str) -> None:
    graph = into(table, **option).graph
    if field == "labels":
        assert graph.labels is not None and graph.labels.several is not None
        assert graph.labels.of_documents(0, 3) == [("Action", "Drama", "Comedy"), ("Drama", "Comedy"), "Comedy"]
    else:
        assert graph.names(field)[0] == first


def test_prose_can_be_left_out(table: Path) -> None:
    assert into(table, ignore="overview").graph.texts.fields == ("title",)
    graph = into(table, text="title", graph="h.hin").graph
    assert (graph.texts.fields, "overview" in graph.fields) == (("title",), False)


def test_appended_documents_are_read_by_the_same_decisions(table: Path) -> None:
    into(table)
    more = write(table.parent / "more.csv", films(3))
    result = into(more, append=True)
    assert set(result.graph.fields) == {"keywords", "studios", "year"}
    assert len(result.graph) == 63


def test_a_column_that_identifies_is_the_id(tmp_path: Path) -> None:
    rows = [{"show_id": f"s{i}", **row} for i, row in enumerate(films(5))]
    result = into(write(tmp_path / "shows.csv", rows))
    assert result.graph.documents[:2] == ["s0", "s1"]
    assert in_options(result.decisions[0].change) == "--id FIELD, or --id @line to number the records"


def test_without_prose_the_longest_column_is_the_text(tmp_path: Path) -> None:
    rows = [{"when": f"2020-01-{i:02}", "headline": f"{WORDS[i]} wins cup {i}"} for i in range(1, 11)]
    assert into(write(tmp_path / "news.csv", rows)).graph.texts.fields == ("headline",)


def test_a_long_phrase_that_repeats_is_a_value(tmp_path: Path) -> None:
    reply = "The company has answered and chooses not to give a public response"
    rows = [{"id": i, "complaint": story(i), "reply": reply + " today" * (i % 2)} for i in range(30)]
    graph = into(write(tmp_path / "complaints.csv", rows)).graph
    assert (graph.texts.fields, graph.fields) == (("complaint",), ("reply",))


def test_chinese_prose_has_no_spaces(tmp_path: Path) -> None:
    news = "天，市场上的商人看到一艘大船从远方的岛屿驶来，船上载满了新机器。"
    rows = [{"id": i, "正文": f"第{i}{news}"} for i in range(12)]
    assert into(write(tmp_path / "news.csv", rows)).graph.texts.fields == ("正文",)


def test_tags_and_entities_are_no_words(tmp_path: Path) -> None:
    page = "<p>Fish &amp; chips<br>at the <b>harbour</b></p><script>track()</script>"
    rows = [{"id": i, "body": page} for i in range(4)]
    result = into(write(tmp_path / "posts.csv", rows))
    assert result.graph.texts[0] == ("Fish & chips\nat the harbour",)
    assert [(d.column, d.use) for d in result.decisions] == [("body", "text")]
    kept = into(tmp_path / "posts.csv", html="", graph="h.hin").graph
    assert kept.texts[0] == (page,)
    more = write(tmp_path / "more.csv", [{"id": "x", "body": "<i>one</i>"}])
    assert into(more, append=True).graph.texts[4] == ("one",)
    # Where the first ones had no tags, later ones keep theirs: the same text gives the same terms.
    assert into(more, append=True, graph="h.hin").graph.texts[4] == ("<i>one</i>",)


def test_duplicated_texts_are_counted_and_dropped_on_request(tmp_path: Path) -> None:
    rows = [{"id": i, "text": WORDS[i % 3], "year": i} for i in range(5)]
    path = write(tmp_path / "a.csv", rows)
    assert (into(path).duplicates, len(into(path, replace=True).graph)) == (2, 5)
    dropped = into(path, replace=True, drop_duplicates=True)
    assert (dropped.duplicates, dropped.graph.documents.tolist()) == (2, ["0", "1", "2"])


def test_separated_values_are_stripped_and_twins_merged(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('id,text,listed_in\n1,x,"Dramas, Crime"\n2,y,"dramas,Crime"\n3,z,"Thrillers, Dramas"\n')
    result = into(path, separator=",")
    assert result.graph.names("listed_in").tolist() == ["Dramas", "Crime", "Thrillers"]
    (note,) = result.notes
    assert note.startswith("merged values that differ only in case or spaces: 1 of listed_in (")
    assert "'dramas' into 'Dramas'" in note


def test_a_reserved_name_gets_another(tmp_path: Path) -> None:
    rows = [{"id": i, "text": WORDS[i % 12], "term": f"t{i % 3}"} for i in range(12)]
    result = into(write(tmp_path / "a.csv", rows))
    assert result.graph.fields == ("keyword",)
    assert result.decisions[0].why.startswith("called keyword in the graph")
    more = write(tmp_path / "more.csv", [{"id": "x", "text": "y", "term": "t1"}])
    assert into(more, append=True).graph.edges("keyword").n_edges == 13


def test_json_lists_and_named_fields_are_taken_as_before(tmp_path: Path) -> None:
    rows = [{"document": i, "text": story(i), "user": [f"u{i}"], "lang": ["en"], "label": "x"} for i in range(60)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    result = into(path)
    assert (result.graph.fields, result.decisions) == (("user", "lang"), [])


def test_python_lists_and_numpy_arrays_in_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text,tag\n1,x,\"['a', 'b']\"\n2,y,['a' 'c']\n3,z,[sic]\n4,w,\"{'name': 'd'}\"\n5,v,[]\n")
    tags = [record.metadata["tag"] for record in read_records(path)]
    assert tags == [["a", "b"], ["a", "c"], ["[sic]"], ["d"], []]


def test_thousands_of_fields_take_no_quadratic_time(tmp_path: Path) -> None:
    row = {"id": 1, "text": "x", **{f"field {i}": "v" for i in range(5000)}}
    path = tmp_path / "wide.jsonl"
    path.write_text(json.dumps(row))
    (batch,) = BatchReader(path, LoadOptions(max_fields=6000))
    assert len(batch.metadata) == 5000


def test_python_gets_the_same_decisions(table: Path) -> None:
    graph = hin.load(table, phrases=False)
    assert set(graph.fields) == {"keywords", "studios", "year"}


def test_a_separator_divides_strings_of_any_format(tmp_path: Path) -> None:
    rows = [{"id": str(i), "text": "some words", "tags": "a, b" if i % 2 else "b ,c"} for i in range(10)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert hin.load(tmp_path / "a.jsonl", separator=",").names("tags").tolist() == ["b", "c", "a"]
    assert hin.load(rows, separator=",").names("tags").tolist() == ["b", "c", "a"]
    assert hin.load(rows).names("tags").tolist() == ["b ,c", "a, b"]


def test_values_that_are_evidently_several_are_divided_and_that_is_reported(tmp_path: Path) -> None:
    tags = ["sky; night", "night; stars", "stars; sky", "sky; moon", "moon; night"]
    rows = [
        {"id": str(i), "text": "some words", "tags": tags[i % 5], "city": f"Bonn, street {i % 5}"} for i in range(20)
    ]
    made = load_into(tmp_path / "g.hin", rows)
    assert made.graph.names("tags").tolist() == ["sky", "night", "stars", "moon"]
    assert made.graph.names("city").tolist()[0] == "Bonn, street 0"
    assert [str(decision) for decision in made.decisions] == [
        "tags: metadata, ';' stands between several values [`separator='none'` keeps them in one]"
    ]
    assert len(hin.load(rows, separator="none").names("tags")) == 5


@pytest.mark.parametrize(
    "line", ["1;Rain, wind, and snow, as every winter in the valley;Wien", "1\tRain; wind; snow\tWien"]
)
def test_a_table_without_names_is_cut_where_it_has_as_many_columns(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.csv").write_text(f"{line}\n2{line[1:]}\n")
    graph = hin.load(tmp_path / "a.csv", columns="id,text,city")
    assert graph.names("city").tolist() == ["Wien"] and graph.documents.tolist() == ["1", "2"]


def test_lists_in_cells_that_hardly_repeat_are_divided(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(30)]
    rows = [{"id": f"d{i}", "text": "on graphs", "tags": f"{words[i]}; {words[(i * 7 + 1) % 30]}"} for i in range(30)]
    assert len(hin.load(rows).names("tags")) == len(hin.load(rows, separator=";").names("tags")) == 30
    (reported,) = hin.load(rows, separator="none").columns
    assert (reported.column, reported.use, reported.why) == ("tags", "left out", "30 of its 30 values differ")
    assert reported.change == "`separator=';'` if each is several values, or `metadata='tags,*'`"
