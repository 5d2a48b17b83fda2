"""Bytes into numbered lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["lines_of"]


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
