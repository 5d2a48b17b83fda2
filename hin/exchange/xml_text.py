"""Escape any string as XML text, and back: XML 1.0 allows hardly any control characters."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

_HOSTILE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-F]{4}_)")
_ESCAPED = re.compile("_x([0-9A-F]{4})_")


def to_xml_text(text: str) -> str:
    r"""Escape a string for an XML element.

    A character that XML forbids becomes ``_xHHHH_``, as in Office Open XML, and an underscore that would begin such a
    group is escaped the same way, so `from_xml_text` is the exact inverse.

    >>> to_xml_text("a\x00b & _x0041_")
    'a_x0000_b &amp; _x005F_x0041_'
    """
    if _HOSTILE.search(text):
        text = _HOSTILE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)
    # A parser turns a bare carriage return into a newline; as a character reference it stays.
    return escape(text, {"\r": "&#13;"})


def from_xml_text(text: str) -> str:
    r"""Undo `to_xml_text`, once the parser has resolved the references.

    >>> from_xml_text("a_x0000_b & _x005F_x0041_")
    'a\x00b & _x0041_'
    """
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text
