"""Texts in other encodings than UTF-8: told by their mark, or by the user."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from hin.errors import BadInput, BadUsage

__all__ = ["check_encoding", "marked_encoding", "recoded"]

#: What a text in such an encoding begins with; the longer mark first.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def check_encoding(name: str | None) -> str | None:
    """Return Python's own name of an encoding; None for UTF-8, which needs nothing done.

    >>> check_encoding("Latin-1"), check_encoding("UTF8"), check_encoding(None)
    ('iso8859-1', None, None)
    """
    if name is None:
        return None
    try:
        found = codecs.lookup(name)
        "".encode(found.name)  # some codecs are of bytes, not of text
    except (LookupError, ValueError, UnicodeError):
        raise BadUsage(f"no encoding {name!r}", hint="usual ones are utf-8, cp1252, latin-1, utf-16, gb18030") from None
    return None if found.name in ("utf-8", "utf-8-sig") else found.name


def marked_encoding(head: bytes) -> str | None:
    r"""Return the encoding that a text's first bytes tell of, where it is not UTF-8.

    >>> marked_encoding("id".encode("utf-16")), marked_encoding(b"id")
    ('utf-16', None)
    """
    return next((name for mark, name in _MARKS if head.startswith(mark)), None)


def recoded(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """Yield a text as UTF-8.

    >>> list(recoded([b"caf", b"\\xe9"], "cp1252", "a.csv"))[1].decode()
    'é'
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    try:
        for chunk in chunks:
            yield decoder.decode(chunk).encode()
            done += len(chunk)
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        where = f" (near byte {done + max(0, getattr(error, 'start', 0)):,})"
        raise BadInput(f"{name}: not valid {encoding}{where}", hint="name the right one with `encoding=`") from None
