"""Split bytes into numbered lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hin.reading.limits import RecordTooLongError


def lines_of(chunks: Iterable[bytes], longest: int | None = None) -> Iterator[tuple[int, bytes]]:
    r"""Split chunks of bytes into numbered lines, without their newline; raise if one is too long.

    >>> list(lines_of([b"a\nb", b"c\n"]))
    [(1, b'a'), (2, b'bc')]
    """
    number = 0
    rest: list[bytes] = []
    length = 0
    for chunk in chunks:
        parts = chunk.split(b"\n")
        if len(parts) > 1:
            parts[0] = b"".join([*rest, parts[0]])
            rest, length = [], 0
            last = parts.pop()
            if longest is not None and len(max(parts, key=len)) > longest:
                at = next(i for i, part in enumerate(parts) if len(part) > longest)
                yield from enumerate(parts[:at], number + 1)
                raise RecordTooLongError(number + at + 1, longest)
            yield from enumerate(parts, number + 1)
            number += len(parts)
        else:
            last = parts[0]
        rest.append(last)
        length += len(last)
        if longest is not None and length > longest:
            raise RecordTooLongError(number + 1, longest)
    if tail := b"".join(rest):
        yield number + 1, tail
