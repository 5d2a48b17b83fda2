"""Split a JSON array into its elements, without parsing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hin.reading.limits import RecordTooLongError
from hin.reading.parsers.json_objects import IN_OTHER, JSON_HINT, JSON_STRING
from hin.reading.problems import Problem

_IN_OBJECT = re.compile(JSON_STRING + rb'|[{}"]', re.DOTALL)
_NOT_CLOSED = "the array is not closed after this"
_SPACE = re.compile(rb"[ \t\r\n]*")


def array_elements(chunks: Iterable[bytes], longest: int | None = None) -> Iterator[tuple[int, bytes] | Problem]:
    """Split the text of a JSON array into its elements without parsing them.

    Memory stays bounded by the largest element, and a broken element is one bad record, not a bad file.

    >>> list(array_elements([b'[{"a": 1},', b' {"a": [2]}]']))
    [(1, b'{"a": 1}'), (1, b'{"a": [2]}')]
    """
    scan = _ArrayScan(iter(chunks), longest)
    yield from scan.elements()


class _ArrayScan:
    def __init__(self, chunks: Iterator[bytes], longest: int | None) -> None:
        self.chunks = chunks
        self.longest = longest
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
                    yield Problem(line, _NOT_CLOSED, JSON_HINT, raw=self.buffer[self.at :])
                    return
                self._check(end - self.at)
                yield line, self.buffer[self.at : end]
                self.at = end
                mark = self._skip_space()
                if mark not in (b",", b"]"):
                    what = "expected a comma or ] after the record" if mark else _NOT_CLOSED
                    yield Problem(self._line(), what, JSON_HINT, raw=self.buffer[self.at :])
                    return
                self.at += 1
                closed = mark == b"]"
        if self._skip_space():
            what = "there is more after the array's end"
            yield Problem(self._line(), what, JSON_HINT, raw=self.buffer[self.at :])

    def _more(self) -> bool:
        """Read on, doubling the buffer, so that a long element is scanned in linear time."""
        self._line()
        unread = self.buffer[self.at :]
        self._check(len(unread))
        parts = [unread]
        target = max(1, len(unread))
        got = 0
        while got < target:
            chunk = next(self.chunks, b"")
            if not chunk:
                break
            parts.append(chunk)
            got += len(chunk)
        self.buffer, self.at, self.counted = b"".join(parts), 0, 0
        return got > 0

    def _check(self, length: int) -> None:
        if self.longest is not None and length > self.longest:
            raise RecordTooLongError(self._line(), self.longest)

    def _line(self) -> int:
        self.line += self.buffer.count(b"\n", self.counted, self.at)
        self.counted = self.at
        return self.line

    def _skip_space(self) -> bytes:
        """Skip whitespace and return the next byte, empty at the end."""
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
            elif token == b'"':  # a string that continues past the buffer
                return None
        return None

    def _scan_other(self) -> int | None:
        depth = 0
        for match in IN_OTHER.finditer(self.buffer, self.at):
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
