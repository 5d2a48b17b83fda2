"""A folder of documents, and what `hin load` says."""

from __future__ import annotations

import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pandas as pd

import hin
from hin.reading.documents import read_records
from hin.reading.formats import FORMATS


def test_each_file_is_a_document_and_its_folder_a_field(tmp_path: Path) -> None:
    (tmp_path / "sea" / "deep").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "no.txt").write_text("hidden")
    (tmp_path / "a.csv.hin").mkdir()
    (tmp_path / "a.csv.hin" / "no.txt").write_text("part of a graph")
    (tmp_path / "a.txt").write_text("First line.\n\nSecond line.")
    (tmp_path / "sea" / "b.md").write_bytes(b"# Caf\xe9 cr\xe8me\n")
    (tmp_path / "sea" / "deep" / "c.html").write_text("<html><body><p>Fish &amp; chips</p></body></html>")
    (tmp_path / "sea" / "data.csv").write_text("id,text\n1,x\n")
    message = EmailMessage()
    message["Subject"], message["From"] = "Tides", "Ann <ann@example.org>"
    message.set_content("High water at noon.")
    (tmp_path / "d.eml").write_bytes(bytes(message))
    records = {record.id: record for record in read_records(tmp_path)}
    assert list(records) == ["a.txt", "d.eml", "sea/b.md", "sea/deep/c.html"]
    texts = {name: "".join(record.texts).strip() for name, record in records.items()}
    assert texts["a.txt"] == "First line.\n\nSecond line." and texts["sea/b.md"] == "# Café crème"
    assert texts["sea/deep/c.html"] == "Fish & chips"
    assert records["d.eml"].texts == ("Tides", "High water at noon.")
    assert [record.metadata.get("folder") for record in records.values()] == [[], [], ["sea"], ["sea/deep"]]
    assert len(hin.load(tmp_path)) == 4


def test_nan_in_a_text_column_is_an_empty_text() -> None:
    graph = hin.load(pd.DataFrame({"text": ["On graphs", float("nan")], "city": ["Oslo", "Rome"]}))
    assert len(graph) == 2


def hin_says(*arguments: object) -> str:
    made = subprocess.run(
        [sys.executable, "-m", "hin", *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return made.stdout + made.stderr


def test_quiet_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n1,On graphs\n")
    assert hin_says("load", tmp_path / "a.csv", "--graph", tmp_path / "a.hin", "-q") == ""


def test_the_help_names_the_formats_that_are_read() -> None:
    said = hin_says("load", "--help")
    assert [name for name in FORMATS.names() if name not in said.split("Options")[0]] == []
