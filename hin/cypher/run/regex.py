r"""`=~`: Java's regular expressions, run by RE2 in linear time.

Syntax common to both is translated; syntax that differs (look-around, back references, classes within classes,
possessive quantifiers, `\b` beside letters that are not ASCII) is rejected.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hin.cypher.errors import CypherRefused, CypherValueError

#: Classes of characters that RE2 has under the same name: one of Unicode's categories.
_CATEGORY = r"\\[pP]\{(?:L[ultmo]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|M[nce]?)\}"
#: Java's names for ASCII's.
_POSIX = ("Alpha", "Digit", "Alnum", "Upper", "Lower", "Punct", "Space")
_TOKEN = re.compile(
    rf"""(?P<flag>\(\?[is]+\)) | (?P<open>\((?:\?:|(?!\?))) | (?P<mark>[|)^$]) | (?P<dot>\.)
      | (?P<class>\[\^?(?:[^\[\]\\&]|\\[dwsDWS.\-\\\]\[^/tnrf]|{_CATEGORY})+\])
      | (?P<repeat>(?:[*+?]|\{{\d{{1,3}}(?:,\d{{0,3}})?\}})\??(?![+*?{{])) | (?P<kind>\\[dwsDWS])
      | (?P<edge>\\[bB]) | (?P<category>{_CATEGORY}) | (?P<posix>\\p\{{(?:{"|".join(_POSIX)})\}})
      | (?P<literal>\\Q.*?\\E) | (?P<code>\\[tnrf]|\\x[0-9a-fA-F]{{2}})
      | (?P<escaped>\\[^\w\s]) | (?P<letter>[^\\\[\](){{}}*+?.^$|])""",
    re.VERBOSE | re.DOTALL,
)
#: Java's `.` stops at more ends of lines than RE2's, its `\s` knows the vertical tab.
_DOT = r"[^\n\r\x{85}\x{2028}\x{2029}]"
_SPACE = r"\t\n\x0B\f\r "
#: Letters that are ASCII letters in another case, for RE2 and not for Java.
_FOLDED = "\u212a\u017f"
LONGEST = 1000


def matches(text: str, pattern: str) -> bool:
    """Check whether a pattern matches the whole of a text.

    >>> matches("Graph mining", "(?i)graph.*"), matches("ab", "a|b"), matches("2008", r"\\d{4}")
    (True, False, True)
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    translated = java_pattern(pattern)
    if translated.startswith("(?i)") and any(letter in text for letter in _FOLDED):
        raise _refused(pattern)
    if has_edges(translated) and not text.isascii():  # versions of Java differ in what a word is
        raise _refused(pattern)
    found = pc.match_substring_regex(pa.scalar(text, pa.string()), translated)
    return bool(found.as_py())


@lru_cache(maxsize=256)
def java_pattern(pattern: str) -> str:
    """Translate a pattern of Java to RE2, anchored to whole texts.

    >>> java_pattern("a+?b")
    '\\\\A(?:a+?b)\\\\z'
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(pattern) > LONGEST:
        raise _refused(pattern)
    parts, at, fold, depth, whole = [], 0, "", 0, False
    while at < len(pattern):
        match = _TOKEN.match(pattern, at)
        if match is None or (match.lastgroup == "flag" and at > 0):
            raise _refused(pattern)
        depth += {"(": 1, ")": -1}.get(match.group()[0], 0)
        if match.group() == "$" and not re.match(r"\)*$|\|" if depth == 0 else r"\)*$", pattern[at + 1 :]):
            raise _refused(pattern)  # Java's `$` also stands before a last line end, RE2's does not
        if match.lastgroup == "flag":
            fold, whole = "(?i)" if "i" in match.group() else "", "s" in match.group()
        else:
            parts.append("(?s:.)" if match.group() == "." and whole else _part(match.lastgroup or "", match.group()))
        at = match.end()
    if fold and not pattern.isascii():
        raise _refused(pattern)
    made = rf"{fold}\A(?:{''.join(parts)})\z"
    try:
        pc.match_substring_regex(pa.scalar("", pa.string()), made)
    except pa.ArrowInvalid:
        raise CypherValueError(f"{pattern[:60]!r} is no regular expression", hint="check its brackets") from None
    return made


def has_edges(translated: str) -> bool:
    r"""Check whether a pattern contains a word boundary (`\b`)."""
    return re.search(r"(?<!\\)(?:\\\\)*\\[bB]", translated) is not None


def _part(kind: str, written: str) -> str:
    if kind == "literal":
        return "".join(
            letter if letter.isalnum() or not letter.isascii() else f"\\{letter}" for letter in written[2:-2]
        )
    if kind == "posix":
        return f"[[:{written[3:-1].lower()}:]]"
    if kind == "dot":
        return _DOT
    if kind == "kind" and written[1] in "sS":
        return f"[{'^' if written[1] == 'S' else ''}{_SPACE}]"
    if kind == "class":
        if r"\S" in written:
            raise _refused(written)
        return written.replace(r"\s", _SPACE)
    return written


def _refused(pattern: str) -> CypherRefused:
    return CypherRefused(
        f"the regular expression {pattern[:60]!r}",
        hint="use letters, `.`, [classes], groups, | and quantifiers, or STARTS WITH, ENDS WITH, CONTAINS",
    )
