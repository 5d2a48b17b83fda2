"""Tables as their publishers give them away: no option is named here but the ones under test."""

from __future__ import annotations

from pathlib import Path

import pytest

import hin
from hin.errors import BadInput

PROSE = "A harbour pilot finds the old chart behind the mirror of the inn"


def loaded(tmp_path: Path, content: str | bytes, name: str = "a.csv") -> hin.Graph:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return hin.load(path, phrases=False)


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


def test_a_bad_byte_in_a_text_that_is_utf8_is_no_other_encoding(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="line 2: not valid UTF-8"):
        loaded(tmp_path, "id,text\n1,Übergrößenträger über Öfen ".encode() + b"caf\xe9\n")


def test_lines_above_the_header_are_passed_over_and_said(tmp_path: Path) -> None:
    table = f"id;text;price\n1;{PROSE}, he says;3,50\n2;{PROSE};4,50\n"
    graph = loaded(tmp_path, f"Wrecks of the coast, a list\nas of 1 May\n\n{table}")
    assert graph.documents.tolist() == ["1", "2"]
    assert any("3 lines above the header passed over" in note for note in graph.notes)


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
