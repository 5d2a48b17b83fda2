"""A text is taken for HTML where it is HTML; any other stays as it is written, in every format."""

from __future__ import annotations

import csv
import html
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hin.reading.columns.html_text import has_html, plain_text
from hin.reading.documents import read_records
from hin.reading.options import LoadOptions

HTML = {
    "Fish &amp; chips": "Fish & chips",
    "Fish &AMP; chips": "Fish & chips",
    "<b>Fish</b> and chips": "Fish and chips",
    "one<br>two": "one\ntwo",
    "one <BR/><br /> two": "one\ntwo",
    "<p>one": "one",
    "one.<P>two": "one.\ntwo",
    "<p></p>": "",
    'see <a href="x">this': "see this",
    '<a title="a > b" href=x>this</a>': "this",
    "<img src=a.png> a dog": "a dog",
    "Caf&eacute;": "Café",
    "Stra&szlig;e": "Straße",
    "it&#39;s": "it's",
    "it&#x2019;s": "it’s",
    "it&rsquo;s": "it’s",
    "it&#146;s": "it’s",
    "if a &lt; b": "if a < b",
    # What is no tag and no entity stays in a text that is HTML.
    "<p>a <!-- hidden --> b</p>": "a  b",
    "<i>x</i> &copy; &#0; AT&T ?a=1&copy=2": "x © &#0; AT&T ?a=1&copy=2",
    "<i>x</i> <ann@example.org> <T> <3 a < b": "x <ann@example.org> <T> <3 a < b",
    "<i>x</i> <!-- never closed": "x <!-- never closed",
    "<i>x</i> <script> never closed": "x <script> never closed",
}
NOT_HTML = [
    "&#0;", "x &#0; y", "x &#1; y", "x &#129; y", "x &#xD800; y", "x &#xFFFE; y", "x &#x110000; y",
    "&amp;", "&lt;&gt;", "&#39;", "x &amp y", "AT&T", "x &nosuch; y", "x &notit; y", "?a=1&copy=2",
    "p = &sum;", "f(&string);",
    "a < b", "a<b", "a <b> c", "a<b>c", "<3", "I <3 U", "a < b > c", "if (a <b and c> d)", "x <a and b> y",
    "->", "<-", "<>",
    "List<i>", "Map<P> x", "vector<a> v;", "<T>x</T>", "#include <string>", "Ann <ann@example.org>",
    "<https://example.org>",
    "<br>", "<p>", "<!-- x", "x <b", "</b> x <b>",
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), HTML.items())
def test_html_is_taken_out(text: str, words: str) -> None:
    assert has_html(text)
    assert plain_text(text) == words


@pytest.mark.parametrize("text", NOT_HTML)
def test_what_is_not_html_stays(text: str) -> None:
    assert not has_html(text)
    assert plain_text(text) == text


def _jsonl(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _json(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text(json.dumps(rows), encoding="utf-8")


def _csv(path: Path, rows: list[dict[str, str]]) -> None:
    sink = io.StringIO()
    writer = csv.DictWriter(sink, list(rows[0]), delimiter="\t" if path.suffix == ".tsv" else ",")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(sink.getvalue(), encoding="utf-8")


def _parquet(path: Path, rows: list[dict[str, str]]) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


FORMATS = {".jsonl": _jsonl, ".json": _json, ".csv": _csv, ".tsv": _csv, ".parquet": _parquet}


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_returns_what_is_not_html(tmp_path: Path, ending: str) -> None:
    rows = [{"id": f"d{i}", "title": text, "author": text} for i, text in enumerate(NOT_HTML)]
    FORMATS[ending](tmp_path / f"a{ending}", rows)
    records = list(read_records(tmp_path / f"a{ending}"))
    assert [record.texts for record in records] == [(text,) for text in NOT_HTML]
    assert [record.metadata["author"] for record in records] == [[text] for text in NOT_HTML]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_returns_html_too_on_request(tmp_path: Path, ending: str) -> None:
    rows = [{"id": f"d{i}", "title": text} for i, text in enumerate(HTML)]
    FORMATS[ending](tmp_path / f"a{ending}", rows)
    assert [r.texts for r in read_records(tmp_path / f"a{ending}")] == [(words,) for words in HTML.values()]
    kept = read_records(tmp_path / f"a{ending}", LoadOptions(html=""))
    assert [record.texts for record in kept] == [(text,) for text in HTML]


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("a &amp; <b>b</b> &#0;")
@example("\x1c")
def test_an_escaped_text_comes_back(text: str) -> None:
    lines = [line.strip() for line in text.split("\n")]
    assert plain_text(f"<p>{html.escape(text)}</p>") == "\n".join(filter(None, lines))


@pytest.mark.parametrize("piece", ["<!--", "<p ", '<p "', "<script>", "<a'", "<b x=", "&amp", "&#", " "])
def test_time_grows_with_the_length_alone(piece: str) -> None:
    """A quadratic search would take hours over these; nothing is timed."""
    text = "one<br>" + piece * 300_000 + "two"
    assert plain_text(text).endswith("two")
