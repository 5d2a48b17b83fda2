"""Every registered format is recognised by its name, and one more is one class that registers itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hin.reading.documents import read_records
from hin.reading.formats import FORMATS, Row, format_by_name
from hin.reading.inputs.source import Source
from hin.reading.options import LoadOptions
from hin.reading.parsers.lines import lines_of


class Pairs:
    """Lines such as ``p1 = On graphs``."""

    endings = (".pairs",)

    def matches(self, head: bytes) -> bool:
        return head.startswith(b"%pairs")

    def rows(self, source: Source) -> Iterator[Row]:
        for number, line in lines_of(source.text()):
            if not line.startswith(b"%"):
                name, _, text = line.decode().partition(" = ")
                yield number, {"id": name, "text": text}, line


@pytest.fixture
def pairs() -> Iterator[None]:
    FORMATS.names()  # the built-in ones first
    FORMATS.register("pairs")(Pairs())
    yield
    del FORMATS._parts["pairs"]


@pytest.mark.parametrize("name", FORMATS.names())
def test_each_format_has_endings_of_its_own(name: str) -> None:
    for ending in FORMATS.get(name).endings:
        assert format_by_name(f"papers{ending}.gz") == name


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize(("file", "wanted"), [("a.pairs", None), ("a", None), ("a.csv", "pairs")])
def test_a_new_format_is_found_by_name_by_bytes_and_by_option(tmp_path: Path, file: str, wanted: str | None) -> None:
    (tmp_path / file).write_text("%pairs\np1 = On graphs\n")
    (record,) = read_records(tmp_path / file, LoadOptions(format=wanted))
    assert (record.id, record.texts) == ("p1", ("On graphs",))
