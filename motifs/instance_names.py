r"""Instance names such as `VENUE[KDD]-YEAR[2008]`, and how to split them into their parts.

Grammar: parts `FIELD[value]` joined by `-`. The field is in capitals (in its own spelling where two fields of the
graph differ in case only). In a value `]` is written `\]`, in a field `[` is written `\[`, in both `\` is `\\` and a
line end, tab or other control character is `\n`, `\r`, `\t`, `\u{hex}`. Nothing else is changed, so that commas,
hyphens, quotes and brackets stay readable; an empty value is `VENUE[]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from motifs.errors import BadInstanceName

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
_LONG = {escape[1]: char for char, escape in _SHORT.items()} | {"]": "]", "[": "["}
_NEEDS_VALUE = re.compile(r"[\]\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_NEEDS_FIELD = re.compile(r"[\[\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))", re.DOTALL)
_PART = re.compile(r"((?:[^\[\\]|\\.)*)\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    return "\\" + char if char in "[]" else _SHORT.get(char) or f"\\u{{{ord(char):x}}}"


def _unescape(text: str, name: str) -> str:
    def back(found: re.Match[str]) -> str:
        if found[1]:
            return chr(int(found[1], 16))
        if found[2] not in _LONG:
            raise BadInstanceName(f"\\{found[2]} in {name!r} is no escape", hint="a backslash is written \\\\")
        return _LONG[found[2]]

    return _ESCAPE.sub(back, text) if "\\" in text else text


def escape_value(value: str) -> str:
    """Escape a value for an instance name.

    Examples
    --------
    >>> print(escape_value("a]b, c"))
    a\\]b, c
    """
    return _NEEDS_VALUE.sub(_escape, value)


def field_label(field: str, fields: Iterable[str] = ()) -> str:
    """Return the spelling of a field in an instance name, among the fields of its graph.

    Examples
    --------
    >>> field_label("venue"), field_label("Tag", ["tag", "Tag"])
    ('VENUE', 'Tag')
    """
    upper = field.upper()
    clash = any(other != field and other.upper() == upper for other in fields)
    return _NEEDS_FIELD.sub(_escape, field if clash else upper)


def instance_name(parts: Iterable[tuple[str, str]], fields: Sequence[str] = ()) -> str:
    """Name an instance by its (field, value) parts.

    Examples
    --------
    >>> instance_name([("venue", "KDD"), ("year", "2008")])
    'VENUE[KDD]-YEAR[2008]'
    """
    return "-".join(f"{field_label(field, fields)}[{escape_value(value)}]" for field, value in parts)


def parse_name(name: str, fields: Sequence[str] | None = None) -> list[tuple[str, str]]:
    """Split an instance name into its parts; given the graph's fields, each part has the field's own spelling.

    Examples
    --------
    >>> parse_name("VENUE[KDD]-YEAR[2008]")
    [('VENUE', 'KDD'), ('YEAR', '2008')]
    >>> parse_name("VENUE[a-b], c]-YEAR[]".replace("b]", "b\\\\]"), ["venue", "year"])
    [('venue', 'a-b], c'), ('year', '')]
    """
    parts: list[tuple[str, str]] = []
    at = 0
    while True:
        found = _PART.match(name, at)
        if not found or not found[1]:
            raise BadInstanceName(f"{name!r} is not an instance name", hint="instances look like VENUE[KDD]-YEAR[2008]")
        label, value = _unescape(found[1], name), _unescape(found[2], name)
        parts.append((label if fields is None else resolve_label(label, fields), value))
        at = found.end()
        if at == len(name):
            return parts
        if name[at] != "-":
            raise BadInstanceName(
                f"{name[at]!r} after a part of {name!r}",
                hint="join parts with '-' and write ']' inside a value as '\\]'",
            )
        at += 1


def resolve_label(label: str, fields: Sequence[str]) -> str:
    """Find the field that a label stands for.

    Examples
    --------
    >>> resolve_label("VENUE", ["venue", "year"])
    'venue'
    """
    alike = [field for field in fields if field.upper() == label.upper()]
    if len(alike) == 1:
        return alike[0]
    if label in alike:
        return label
    if alike:
        raise BadInstanceName(f"{label} may mean {' or '.join(alike)}", hint="write the field in its own spelling")
    raise BadInstanceName(f"no field {label!r}", hint=f"fields: {', '.join(fields)}")
