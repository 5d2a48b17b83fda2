"""Plain text: one document per line, unless the lines turn out to be a table or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hin.reading.formats.base import FORMATS, Row
from hin.reading.inputs.source import Source
from hin.reading.parsers.layout import rows_of_lines
from hin.reading.parsers.lines import lines_of
from hin.reading.problems import Problem

_HEAD = 1 << 16


class TextFormat:
    """Every line that is not blank is the text of a document."""

    endings = (".txt", ".text")

    def matches(self, head: bytes) -> bool:
        """Never match: plain text is recognised by the file's name only."""
        return False

    def rows(self, source: Source) -> Iterator[Row]:
        """Read the lines, or the table or JSON that they turn out to be."""
        other = _other_format(source.head())
        if other is not None:
            yield from FORMATS.get(other).rows(source)
            return
        for number, raw in lines_of(source.text(), source.limits.record):
            if not raw.strip():
                continue
            try:
                yield number, {"text": raw.decode("utf-8").strip()}, raw
            except UnicodeDecodeError as error:
                yield number, Problem.bad_byte(number, raw, error.start), raw


def _other_format(head: bytes) -> str | None:
    """Detect JSON by its first character, and a table by rows of equally many cells below short names, or by tabs."""
    cut = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    whole = cut[:-1] if len(head) >= _HEAD else cut  # the last line of a long file may be cut
    lines = [line for line in whole[:20] if line.strip()]
    if not lines:
        return None
    if re.match(rb'\s*[{\[]\s*["{]', lines[0]):
        return "jsonl"
    texts = [line.decode("utf-8", "replace") + "\n" for line in lines]
    for mark, name in (("\t", "tsv"), (",", "csv"), (";", "csv"), ("|", "csv")):
        rows = rows_of_lines(texts, mark)[: None if len(whole) <= 20 else -1]  # the last one may be cut in a quote
        if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
            continue
        if max(map(len, rows[0])) <= 40 or (mark == "\t" and len(rows[0]) > 2):
            return name
    return None


FORMATS.register("txt")(TextFormat())
