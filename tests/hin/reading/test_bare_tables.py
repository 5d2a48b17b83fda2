"""Tables as their publishers give them away: no option is named here but the ones under test."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import hin
from hin.errors import BadInput
from hin.reading.inputs.encodings import as_utf8, likely_encoding

PROSE = "A harbour pilot finds the old chart behind the mirror of the inn"


def loaded(tmp_path: Path, content: str | bytes, name: str = "a.csv", **options: Any) -> hin.Graph:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return hin.load(path, phrases=False, **options)


def test_a_first_column_without_a_name_is_the_index(tmp_path: Path) -> None:
    graph = loaded(tmp_path, f",text,city\nx7,{PROSE},Oslo\ny9,{PROSE},Rome\n")
    assert graph.fields == ("city",) and graph.documents.tolist() == ["x7", "y9"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8-sig", "utf-16", "cp1250", "cp1251"])
def test_an_encoding_is_found_and_said(tmp_path: Path, encoding: str) -> None:
    words = {"cp1250": "Zażółć gęślą jaźń, Łódź jest pięknym miastem i mieszka tam wiele osób"}
    words["cp1251"] = "Сегодня хорошая погода, и мы пойдём гулять к морю"
    word = words.get(encoding, "l’été à l’île")
    lines = "".join(f"d{i},plain words only {'about the sea ' * 9},Oslo\n" for i in range(3000))
    graph = loaded(tmp_path, f'id,text,city\n{lines}z,"{word}",Oslo\n'.encode(encoding))
    assert any(word.split()[-1].replace("’", "'") in term for term in graph.names("term").tolist())
    said = [note for note in graph.notes if "not UTF-8, read as" in note]
    assert (f"read as {encoding}" in "".join(said)) == encoding.startswith("cp")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp932", "商品の配達が遅れて箱が壊れていました。返金をお願いします"),
        ("cp949", "배송이 너무 늦어서 상자가 망가졌습니다. 환불을 부탁드립니다"),
        ("gb18030", "快递太慢了，箱子也坏了，请退款给我，谢谢你们的帮助和理解"),
    ],
)
def test_one_short_sentence_in_every_row_shows_the_script(encoding: str, text: str) -> None:
    rows = "".join(f"T-{i:03},{text}\n" for i in range(90)).encode(encoding)
    assert likely_encoding(rows) == likely_encoding(rows[: len(rows) // 90]) == encoding
    assert likely_encoding(rows[:-3]) == encoding  # cut within a character


@pytest.mark.parametrize("rows", [1, 80])
def test_the_euro_sign_of_latin_9_is_no_sign_of_another_currency(tmp_path: Path, rows: int) -> None:
    lines = [f"p{i},Des bancs près de l'école n° {i},{i % 7} €\n" for i in range(rows)]
    graph = loaded(tmp_path, f"id,text,coût\n{''.join(lines)}".encode("iso8859-15"), metadata="coût")
    assert graph.names("coût")[0] == "0 €" and "read as iso8859-15" in graph.notes[0]
    assert likely_encoding("El niño de España vino el año que viene".encode("cp850")) != "iso8859-15"


@pytest.mark.parametrize("cut", [1, 7, 40])
def test_bytes_of_another_encoding_in_a_text_that_is_utf8_are_read_and_said(tmp_path: Path, cut: int) -> None:
    text = "id,text\n1,Übergrößenträger über Öfen ".encode() + b"caf\xe9 don\x92t Beyonc\x8e\n"
    notes: list[str] = []
    chunks = as_utf8((text[i : i + cut] for i in range(0, len(text), cut)), "a.csv", notes.append, notes.append)
    assert b"".join(chunks).decode().endswith("Öfen café don’t Beyoncé\n")
    graph = loaded(tmp_path, text)
    assert {"öfen", "café", "beyoncé"} < set(graph.names("term").tolist())
    assert [note for note in graph.notes if "except for 3 bytes" in note] and "except for 3 bytes" in notes[0]
    with pytest.raises(BadInput, match="line 2: not valid UTF-8"):
        loaded(tmp_path, text, encoding="utf-8")


def test_lines_above_the_header_are_passed_over_and_said(tmp_path: Path) -> None:
    table = f"id;text;price\n1;{PROSE}, he says;3,50\n2;{PROSE};4,50\n"
    graph = loaded(tmp_path, f"Wrecks of the coast, a list\nas of 1 May\n\n{table}")
    assert graph.documents.tolist() == ["1", "2"]
    assert any("3 lines above the header skipped" in note for note in graph.notes)


def test_a_line_number_counts_the_lines_above_the_header(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="line 5: the row has 4 cells, the header 3"):
        loaded(tmp_path, f"A list of wrecks\n\nid,text,city\n1,{PROSE},Oslo\n2,{PROSE},Oslo,x\n3,{PROSE},Rome\n")


@pytest.mark.parametrize("tail", [",,", ",, "])
def test_columns_and_rows_without_anything_at_the_end_go(tmp_path: Path, tail: str) -> None:
    graph = loaded(tmp_path, f"id,text,city{tail}\n1,{PROSE},Oslo,,\n2,{PROSE},Rome\n,,,,\n,,,,\n")
    assert graph.documents.tolist() == ["1", "2"] and graph.fields == ("city",)


def test_a_column_without_a_name_that_has_values_is_numbered(tmp_path: Path) -> None:
    graph = loaded(tmp_path, f"id,text,,city\n1,{PROSE},red,Oslo\n2,{PROSE},blue,Rome\n")
    assert graph.fields == ("column 3", "city")


def test_columns_of_one_name_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text,by,by\n" + "".join(f"{i},a text of {i},{'xy'[i % 2]},{'uvw'[i % 3]}\n" for i in range(9)))
    assert hin.load(path).fields == ("by", "by 2")


def test_records_lie_deep_in_one_object(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    items = [{"id": str(i), "text": "on graphs", "by": {"name": "Ann"}} for i in range(3)]
    path.write_text(json.dumps({"meta": {"count": 3}, "data": {"items": items}}))
    assert hin.load(path).names("document").tolist() == ["0", "1", "2"]


def test_a_text_that_stands_twice_is_read_once(tmp_path: Path) -> None:
    story = "One evening a man finds an old map behind the mirror of inn number"
    rows = [{"id": str(i), "review": f"{story} {i}", "original review": f"{story} {i}"} for i in range(9)]
    graph = hin.load(rows)
    assert graph.texts.fields == ("review",)
    assert [d.why for d in graph.columns if d.column == "original review"] == ["it says the same as review"]


def test_notes_in_an_archive_of_tables_are_no_documents(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("data/a.csv", "id,text\n1,on graphs\n2,on words\n")
        archive.writestr("data/readme.txt", "about the data\n")
        archive.writestr("__MACOSX/data/._a.csv", b"\0\x05")
    assert hin.load(tmp_path / "a.zip").names("document").tolist() == ["1", "2"]


def test_names_below_merged_headings_are_the_columns(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Tickets"], ["Who", None, "What", None], ["id", "agent", "text", "month"]):
        book.active.append(row)
    for i in range(9):
        book.active.append([i, "xy"[i % 2], f"a text of {i}", "2024-0" + "123"[i % 3]])
    book.active.merge_cells("A2:B2")
    book.save(tmp_path / "a.xlsx")
    graph = hin.load(tmp_path / "a.xlsx")
    assert (len(graph), graph.texts.fields, graph.schema["id"]) == (9, ("text",), "id")
    assert "2 rows above the header skipped" in graph.notes[0]


def test_ids_and_links_lose_the_same_spaces() -> None:
    rows = [{"id": " a", "text": "x", "cites": ["b "]}, {"id": "b\u00a0", "text": "y", "cites": []}]
    graph = hin.load(rows, links="cites")
    assert (
        graph.names("document").tolist() == ["a", "b"]
        and graph.edges("cites").targets.tolist() == [1]
        and not graph.dangling
    )


@pytest.mark.parametrize("name", ["Beyoncé", "Motörhead", "L’île", "São Paulo"])
def test_a_few_western_letters_are_not_taken_for_another_script(tmp_path: Path, name: str) -> None:
    lines = [f"{i},{PROSE} number {i},{name if i % 20 == 3 else 'Oslo'}" for i in range(60)]
    graph = loaded(tmp_path, ("id,text,place\n" + "\n".join(lines)).encode("cp1252"))
    assert name in graph.names("place").tolist()


def test_a_survey_has_questions_for_names(tmp_path: Path) -> None:
    question = "What is typically the main dish at your dinner, and who cooks it for the others?"
    graph = loaded(tmp_path, f'no,"{question}",comment\n1,Fish,{PROSE}\n2,Fowl,{PROSE} again\n')
    assert question in graph.fields


def test_a_reason_is_the_text_rather_than_a_shorter_name(tmp_path: Path) -> None:
    why = ["took a job with the state chamber", "elected to the other house", "died of a long illness"]
    rows = [f"Ann Lee {i},{'RD'[i % 2]},{why[i % 3]} {i % 25}" for i in range(60)]
    assert loaded(tmp_path, "member,party,reason\n" + "\n".join(rows)).texts.fields == ("reason",)


def test_names_in_whole_sentences_beside_an_id_are_names(tmp_path: Path) -> None:
    header = "RespondentID,Please rank the films of the series in the order of your own preference,,Why so?"
    graph = loaded(tmp_path, f"{header}\n17,1,2,{PROSE}\n18,2,1,{PROSE} again\n")
    assert graph.documents.tolist() == ["17", "18"]


def test_letters_of_two_bytes_inside_english_words_are_no_japanese(tmp_path: Path) -> None:
    """A file that was converted wrongly once, as publishers give them away: no encoding is right for it."""
    rows = b"".join(b"%d,%s,Pen\xcc\xa9lope Rodr\xcc_guez S\xcc\xc1nchez\n" % (i, PROSE.encode()) for i in range(80))
    [note] = [note for note in loaded(tmp_path, b"id,text,actor\n" + rows).notes if "not UTF-8" in note]
    assert any(f"read as {name} " in note for name in ("cp1252", "cp1250", "cp1254", "mac_roman", "cp850")), note


def test_lines_that_end_as_on_old_macs_are_lines(tmp_path: Path) -> None:
    graph = loaded(tmp_path, f"id,text,city\r1,{PROSE},Oslo\r2,{PROSE} too,Rome\r")
    assert graph.documents.tolist() == ["1", "2"]


def test_a_description_beside_the_records_is_no_record(tmp_path: Path) -> None:
    records = [{"question": f"{PROSE} {i}", "round": "one"} for i in range(20)]
    assert (
        len(loaded(tmp_path, json.dumps({"description": "A sample", "questions": records}, indent=1), "a.json")) == 20
    )
    paper = {"id": "p1", "title": "Graphs", "text": PROSE, "references": [{"title": f"r{i}"} for i in range(40)]}
    assert loaded(tmp_path, json.dumps(paper, indent=1), "b.json").documents.tolist() == ["p1"]


def test_a_title_may_be_a_number(tmp_path: Path) -> None:
    graph = loaded(tmp_path, json.dumps([*[{"title": f"Land Girls {i}"} for i in range(9)], {"title": 1776}]), "a.json")
    assert len(graph) == 10 and "1776" in graph.names("term").tolist()


def test_a_date_is_no_text(tmp_path: Path) -> None:
    rows = "".join(f"Ithaca,{1 + i % 12}/{1 + i % 28}/1930 22:{i % 60:02}\n" for i in range(200))
    with pytest.raises(BadInput, match="no record has a text field"):
        loaded(tmp_path, f"City,Time\n{rows}")


def test_quotes_between_tabs_are_part_of_the_text(tmp_path: Path) -> None:
    lines = ["id\ttext", 'a\t"Hi" he said', 'b\t"Gran', "c\tplain words", 'd\tand" so', 'e\t"quoted"']
    graph = loaded(tmp_path, "\n".join(lines) + "\n", "a.tsv")
    assert graph.documents.tolist() == ["a", "b", "c", "d", "e"]
    graph = loaded(tmp_path, 'id\ttext\na\t"one\ntwo"\nb\tthree\n', "b.tsv")
    assert graph.documents.tolist() == ["a", "b"], "a quoted cell may still have several lines"
