"""Detect encodings other than UTF-8: by the byte order mark, by the option, or by the bytes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from hin.errors import BadInput, BadUsage
from hin.human import plural

#: Byte order marks; the longer one first.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

#: How many bytes, from the first one on that is not ASCII, are used for detection.
_SAMPLE = 1 << 18
#: The candidate encodings of texts that are not UTF-8; with more of them, a short text would fit too many.
_LATIN = ["cp1252", "cp1250", "cp1254", "mac_roman", "cp850"]
_USUAL = [
    *_LATIN,
    *("cp1251", "cp1253", "cp1255", "cp1256", "cp874", "koi8_r", "gb18030", "big5", "cp932", "euc_jp", "cp949"),
]
#: With fewer letters outside ASCII, the encoding cannot be inferred.
_FEW = 50
#: Letters, quotes, dashes, the euro sign and similar characters of cp1252.
_USUAL_SIGNS = re.compile(rb"[\x80\x85\x91-\x97\x99\xa0\xa3\xa7\xa9\xab\xae\xb0\xb7\xbb-\xff]+")
_HIGH = re.compile(rb"[\x80-\xff]+")
#: Hiragana in Shift_JIS; in Korean and Chinese encodings these pairs are hardly used characters.
_HIRAGANA = re.compile(rb"\x82[\x9f-\xf1]")
_IN_WORDS = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]+")
#: The euro sign of Latin-9 (¤ in cp1252, which hardly any text has), and the bytes that no letter of Latin-9 has.
_EURO = re.compile(rb"(?<![A-Za-z\x80-\xff])\xa4(?![A-Za-z\x80-\xff])")
_CONTROLS = re.compile(rb"[\x80-\x9f]")


def check_encoding(name: str | None) -> str | None:
    """Return Python's own name of an encoding; None stays None. Unknown names raise.

    >>> check_encoding("Latin-1"), check_encoding("UTF8"), check_encoding(None)
    ('iso8859-1', 'utf-8', None)
    """
    if name is None:
        return None
    try:
        found = codecs.lookup(name)
        "".encode(found.name)  # some codecs convert bytes, not text
    except (LookupError, ValueError, UnicodeError):
        raise BadUsage(f"no encoding {name!r}", hint="usual ones are utf-8, cp1252, latin-1, utf-16, gb18030") from None
    return "utf-8" if found.name == "utf-8-sig" else found.name


def marked_encoding(head: bytes) -> str | None:
    r"""Return the encoding that a byte order mark stands for, unless it is UTF-8.

    >>> marked_encoding("id".encode("utf-16")), marked_encoding(b"id")
    ('utf-16', None)
    """
    return next((name for mark, name in _MARKS if head.startswith(mark)), None)


def recode(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """Yield a text re-encoded as UTF-8.

    >>> list(recode([b"caf", b"\\xe9"], "cp1252", "a.csv"))[1].decode()
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


def as_utf8(
    chunks: Iterable[bytes], name: str, take: Callable[[str], None], add_note: Callable[[str], None] = lambda note: None
) -> Iterator[bytes]:
    """Yield a text as UTF-8, whatever its encoding; `take` is called with the encoding if it is another one.

    `add_note` is called with a note if a text is UTF-8 except for some bytes.

    ASCII is the same in all candidates, so detection waits for the first other byte: a file is read once, as a stream,
    however late that byte comes.

    >>> list(as_utf8([b"caf", b"\\xe9 cr\\xe8me"], "a.csv", print))[1].decode()
    cp1252
    'é crème'
    """
    rest = iter(chunks)
    for chunk in rest:
        if chunk.isascii():
            yield chunk
            continue
        sample = [chunk]
        size = len(chunk)
        while size < _SAMPLE and (more := next(rest, b"")):
            sample.append(more)
            size += len(more)
        encoding = likely_encoding(b"".join(sample))
        following = chain(sample, rest)
        if encoding is None:
            yield from _decode_stray_bytes(following, add_note)
        else:
            take(encoding)
            yield from recode(following, encoding, name)


def _decode_stray_bytes(chunks: Iterable[bytes], add_note: Callable[[str], None]) -> Iterator[bytes]:
    r"""Yield a text as UTF-8 with its stray bytes of another encoding decoded, and note how many there were.

    >>> b"".join(_decode_stray_bytes(["Añejo, ".encode(), b"Beyonc\x8e, don\x92t"], print)).decode()
    UTF-8 except for 2 bytes, decoded one by one as on Windows or a Mac
    'Añejo, Beyoncé, don’t'
    """
    begun, before, count = b"", b"", 0
    for chunk, last in _with_last(chunks):
        data = begun + chunk
        view, parts, at = memoryview(data), [], 0
        while True:
            try:
                end = at + codecs.utf_8_decode(view[at:], "strict", last)[1]
                break
            except UnicodeDecodeError as error:
                bad = at + error.start
                parts += [data[at:bad], _letter(data[bad - 1 : bad] if bad else before, data[bad : bad + 1]).encode()]
                at, count = bad + 1, count + 1
        begun, before = data[end:], data[:end][-1:] or before  # a character may end in the next chunk
        yield b"".join([*parts, data[at:end]])
    if count:
        add_note(f"UTF-8 except for {plural(count, 'byte')}, decoded one by one as on Windows or a Mac")


def _letter(before: bytes, byte: bytes) -> str:
    """Decode a single byte as cp1252; as Mac Roman if that gives no letter, or a capital inside a word."""
    letter = byte.decode("cp1252", "replace")
    return byte.decode("mac_roman") if letter == "\ufffd" or (letter.isupper() and before.islower()) else letter


def _with_last(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    rest = iter(chunks)
    chunk = next(rest, b"")
    for following in rest:
        yield chunk, False
        chunk = following
    yield chunk, True


def likely_encoding(sample: bytes) -> str | None:
    """Detect the encoding of a text that is not UTF-8; None if it is UTF-8, apart from a few bad bytes.

    >>> likely_encoding("Grüße".encode()), likely_encoding("Привет, как дела? Хорошо, спасибо".encode("cp1251"))
    (None, 'cp1251')
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a character may be cut at the sample's end
    text = decoder.decode(sample)
    bad = text.count("\ufffd") - sample.count(b"\xef\xbf\xbd")
    if not bad or sum(not c.isascii() for c in text) > 2 * bad:
        return None
    from charset_normalizer import from_bytes

    lines = [line for line in sample.split(b"\n") if not line.isascii()]
    # In Latin scripts, bytes outside ASCII mostly stand alone; in other scripts they come in runs. Short runs inside
    # words of ASCII letters are Latin too: in a text that was converted wrongly, one letter has become two.
    runs = _HIGH.findall(sample)
    high = sum(map(len, runs))
    inside = 2 * len(_IN_WORDS.findall(sample)) > len(runs) and 10 * high < sum(map(len, lines))
    alone = inside or high < 1.5 * len(runs)
    if alone and _EURO.search(sample) and not _CONTROLS.search(sample):
        return "iso8859-15"  # in DOS and on a Mac, letters have the bytes of control characters
    if alone and len(runs) < _FEW and _USUAL_SIGNS.fullmatch(b"".join(runs)):
        return "cp1252"  # too few to decide, and nothing contradicts the most common encoding
    if not alone and 10 * len(_HIRAGANA.findall(sample)) > high and _decodes(sample, "cp932"):
        return "cp932"
    found = from_bytes(b"\n".join(lines)[: 1 << 16], cp_isolation=_LATIN if alone else _USUAL)
    best = found.best()
    western = next((match for match in found if "cp1252" in match.could_be_from_charset), None)
    # Western letters look like those of neighbouring code pages; without better evidence, take the most common one.
    if best is None or (western is not None and western.chaos <= best.chaos and western.coherence >= best.coherence):
        return "cp1252" if _decodes(sample, "cp1252") else "latin-1"
    return best.encoding


def _decodes(sample: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(sample)  # a character may be cut at the sample's end
    except UnicodeDecodeError:
        return False
    return True
