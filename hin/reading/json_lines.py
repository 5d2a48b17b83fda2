"""JSON Lines and JSON arrays, as raw objects with their line numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from hin.reading.number_spelling import kind_of
from hin.reading.problems import SKIP, Problem

__all__ = ["Row", "array_elements", "json_rows", "lines_of"]

#: One record of a file: its line, the object or what is wrong with it, and its bytes.
Row = tuple[int, Any, bytes]

_STRING = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_IN_OBJECT = re.compile(_STRING + rb'|[{}"]', re.DOTALL)
_IN_OTHER = re.compile(_STRING + rb'|[\[\]{},"]', re.DOTALL)
_NOT_CLOSED = "the array is not closed after this"
_SPACE = re.compile(rb"[ \t\r\n]*")


def lines_of(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    r"""Cut chunks of bytes into numbered lines, without their newline.

    >>> list(lines_of([b"a\nb", b"c\n"]))
    [(1, b'a'), (2, b'bc')]
    """
    number = 0
    rest: list[bytes] = []
    for chunk in chunks:
        parts = chunk.split(b"\n")
        if len(parts) > 1:
            parts[0] = b"".join([*rest, parts[0]])
            rest = []
            last = parts.pop()
            yield from enumerate(parts, number + 1)
            number += len(parts)
        else:
            last = parts[0]
        rest.append(last)
    if tail := b"".join(rest):
        yield number + 1, tail


def array_elements(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes] | Problem]:
    """Cut the text of a JSON array into its elements without parsing them.

    Memory stays bounded by the largest element, and a broken element is one bad record, not a bad file.

    >>> list(array_elements([b'[{"a": 1},', b' {"a": [2]}]']))
    [(1, b'{"a": 1}'), (1, b'{"a": [2]}')]
    """
    scan = _ArrayScan(iter(chunks))
    yield from scan.elements()


class _ArrayScan:
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self.chunks = chunks
        self.buffer = b""
        self.at = 0
        self.line = 1
        self.counted = 0

    def elements(self) -> Iterator[tuple[int, bytes] | Problem]:
        self._skip_space()
        self.at += 1  # the opening bracket
        if self._skip_space() == b"]":
            self.at += 1
        else:
            closed = False
            while not closed:
                self._skip_space()
                line = self._line()
                end = self._element_end()
                if end is None:
                    yield Problem(line, _NOT_CLOSED, _JSON_HINT, raw=self.buffer[self.at :])
                    return
                yield line, self.buffer[self.at : end]
                self.at = end
                mark = self._skip_space()
                if mark not in (b",", b"]"):
                    what = "expected a comma or ] after the record" if mark else _NOT_CLOSED
                    yield Problem(self._line(), what, _JSON_HINT, raw=self.buffer[self.at :])
                    return
                self.at += 1
                closed = mark == b"]"
        if self._skip_space():
            what = "there is more after the array's end"
            yield Problem(self._line(), what, _JSON_HINT, raw=self.buffer[self.at :])

    def _more(self) -> bool:
        """Read on, doubling what is held, so that one endless element is not scanned again and again."""
        self._line()
        held = self.buffer[self.at :]
        parts = [held]
        target = max(1, len(held))
        got = 0
        while got < target:
            chunk = next(self.chunks, b"")
            if not chunk:
                break
            parts.append(chunk)
            got += len(chunk)
        self.buffer, self.at, self.counted = b"".join(parts), 0, 0
        return got > 0

    def _line(self) -> int:
        self.line += self.buffer.count(b"\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def _skip_space(self) -> bytes:
        """Go to the next byte that is no space and return it, empty at the end."""
        while True:
            match = _SPACE.match(self.buffer, self.at)
            self.at = match.end() if match else self.at
            if self.at < len(self.buffer):
                return self.buffer[self.at : self.at + 1]
            if not self._more():
                return b""

    def _element_end(self) -> int | None:
        while True:
            end = self._scan_object() if self.buffer[self.at : self.at + 1] == b"{" else self._scan_other()
            if end is not None:
                return end
            if not self._more():
                return None

    def _scan_object(self) -> int | None:
        depth = 0
        for match in _IN_OBJECT.finditer(self.buffer, self.at):
            token = match[0]
            if token == b"{":
                depth += 1
            elif token == b"}":
                depth -= 1
                if not depth:
                    return match.end()
            elif token == b'"':  # a string that the buffer does not hold to its end
                return None
        return None

    def _scan_other(self) -> int | None:
        depth = 0
        for match in _IN_OTHER.finditer(self.buffer, self.at):
            token = match[0]
            if token in (b"[", b"{"):
                depth += 1
            elif token in (b"]", b"}") and depth:
                depth -= 1
            elif token in (b",", b"]", b"}") and not depth:
                return match.start()
            elif token == b'"':
                return None
        return None


_JSON_HINT = f"expected one JSON object a line, or one array of objects; fix it, {SKIP}"


def json_rows(chunks: Iterable[bytes], array: bool) -> Iterator[Row]:
    r"""Parse JSON Lines, or an array, into objects; what is broken comes as a `Problem`.

    >>> [(line, value) for line, value, _ in json_rows([b'{"a": 1}\n\n{"a": 2}\n'], array=False)]
    [(1, {'a': 1}), (3, {'a': 2})]
    """
    loads = orjson.loads
    for item in array_elements(chunks) if array else lines_of(chunks):
        if isinstance(item, Problem):
            yield item.line, item, item.raw or b""
            continue
        line, raw = item
        try:
            value = loads(raw)
        except orjson.JSONDecodeError as error:
            if raw.strip() or array:
                yield line, _diagnose(line, raw, error), raw
            continue
        if type(value) is not dict:
            what = f"expected an object, found {kind_of(value)}"
            value = Problem(line, what, _JSON_HINT, raw=raw)
        yield line, value, raw


def _diagnose(line: int, raw: bytes, error: orjson.JSONDecodeError) -> Problem:
    """Say what is wrong with a line that the fast parser refused, and with which field if it shows."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as bad:
        what = f"not valid UTF-8 (byte 0x{raw[bad.start]:02x} at column {bad.start + 1})"
        hint = f"convert the file to UTF-8, for example with iconv, {SKIP}"
        return Problem(line, what, hint, field=_field_at(raw, bad.start), raw=raw)
    if "surrogate" in str(error):
        what = "half of a surrogate pair, which is no character"
        hint = f"remove the lone \\ud800-\\udfff escape, {SKIP}"
        return Problem(line, what, hint, field=_field_at(raw, _lone_surrogate(text)), raw=raw)
    what = f"not valid JSON ({error.msg.split(': line')[0]} at column {error.pos + 1})"
    return Problem(line, what, _JSON_HINT, raw=raw)


def _lone_surrogate(text: str) -> int:
    pair = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    for match in re.finditer(pair + r"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", text):
        if match[1]:
            return len(text[: match.start()].encode())
    return 0


def _field_at(raw: bytes, position: int) -> str | None:
    """The top-level key whose value holds a byte, told without parsing."""
    depth, key, last = 0, None, None
    for match in _IN_OTHER.finditer(raw):
        if match.end() > position and match[0] != b'"':
            break
        token = match[0]
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
        elif len(token) > 1 and depth == 1 and raw[match.end() :].lstrip()[:1] == b":":
            last = token
    if last is not None:
        try:
            key = json.loads(last)
        except (ValueError, UnicodeDecodeError):
            key = None
    return key if isinstance(key, str) else None
