"""Strip HTML from texts: the words without tags and entities.

What counts as HTML, so that prose, mathematics and program code stay as they are written:

- an element that is opened and closed (``<b>peas</b>``), or a tag with an attribute (``<img src="a.png">``);
- ``<br>``, ``<hr>``, ``<p>`` or ``<li>`` beside words (HTML leaves out their end tags);
- beside words, an entity that web pages are full of (``&amp;``, ``&nbsp;``, ``&eacute;``, ``&rsquo;``) or a numeric one
  of a character that exists (``&#39;``).

Not HTML: ``a < b``, ``<3``, ``a <b> c``, ``List<i>``, ``if (a <b and c> d)``, ``<ann@example.org>``, ``AT&T``,
``p = &sum;``, ``&#0;``, and ``&amp;`` with nothing beside it.
"""

from __future__ import annotations

import html
import re

#: Tags that end a line or a cell: the text before and after them are separate words.
_BLOCKS = frozenset(
    ("p", "br", "div", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "td", "th", "pre", "hr")
    + ("blockquote", "section", "article", "dl", "dt", "dd", "center", "details", "summary")
)
#: All tags that mark up text. Those of forms and scripts are left out: they occur in questions about code.
_NAMES = _BLOCKS.union(
    ("a", "b", "i", "u", "s", "em", "strong", "small", "big", "sup", "sub", "font", "span", "code", "tt", "kbd", "img")
    + ("thead", "tbody", "tfoot", "html", "head", "body", "script", "style")
)
# Possessive, and no part runs past the next "<", so that a text of broken tags takes linear time.
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)(?=[\s/>])(?:\"[^\"<]*\"|'[^'<]*'|[^<>])*+>|<!--", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"<\w+\s+[a-z][\w:-]*\s*=", re.IGNORECASE)
#: Elements whose content is hidden, with their end tags.
_HIDDEN = {
    "<!--": re.compile("-->"),
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
}
_ENTITY = re.compile(r"&(?:[a-z][a-z0-9]{1,31}|#[0-9]{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
#: Entities that are unlikely names in a program: `&sum;` and `&copy;` may be the addresses of variables.
_TYPICAL_ENTITY = re.compile(
    r"&(?:amp|lt|gt|quot|apos|nbsp|[mn]dash|hellip|bull|middot|shy|zwn?j|(?:[lr][ads]|sb|bd)quo|"
    r"[a-z]{1,2}(?:grave|acute|circ|tilde|uml|ring|cedil|slash|lig|caron)|#x?[0-9a-f]+);",
    re.IGNORECASE,
)


def has_html(text: str) -> bool:
    """Check whether a text contains HTML.

    >>> has_html("Fish &amp; chips"), has_html("<b>Fish</b>"), has_html("one<br>two")
    (True, True, True)
    >>> has_html("if a < b and c > d"), has_html("a <b> c"), has_html("I <3 AT&T"), has_html("&#0;")
    (False, False, False, False)
    """
    return ("<" in text and _has_tags(text)) or ("&" in text and _has_entities(text))


def _has_tags(text: str) -> bool:
    opened: set[str] = set()
    alone = False
    for tag in _TAG.finditer(text):
        name = (tag[2] or "").lower()
        if name not in _NAMES:
            continue
        if (name in opened) if tag[1] else _ATTRIBUTE.match(tag[0]):
            return True
        if not tag[1]:
            opened.add(name)
        # A line break may follow a word directly, but `List<P>` is a type.
        if name in ("br", "hr") or (name in ("p", "li") and not text[tag.start() - 1 : tag.start()].isalnum()):
            alone = True
    return alone and _has_words("".join(_strip_tags(text)))


def _has_entities(text: str) -> bool:
    entities = _ENTITY.finditer(text)
    if not any(_TYPICAL_ENTITY.fullmatch(found[0]) and _decoded(found) != found[0] for found in entities):
        return False
    return _has_words(_ENTITY.sub(" ", text))


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _decoded(entity: re.Match[str]) -> str:
    """Return the character of an entity, or the entity as written if there is no such character."""
    character = html.unescape(entity[0])
    # `&notit;` is unescaped as `&not` and `it;`.
    known = entity[0][1] == "#" or not character.endswith(";")
    return character if known and character not in ("", "\ufffd") and not "\x80" <= character <= "\x9f" else entity[0]


def plain_text(text: str) -> str:
    """Return the words of a text without its HTML; a text without HTML is unchanged.

    Examples
    --------
    >>> plain_text("<p>Fish &amp; chips<br/>and <b>peas</b></p><script>x()</script>")
    'Fish & chips\\nand peas'
    >>> plain_text("a <b> c &#0;")
    'a <b> c &#0;'
    """
    if not has_html(text):
        return text
    lines = "".join(_strip_tags(text)).split("\n")
    return "\n".join(stripped for line in lines if (stripped := line.strip()))


def _strip_tags(text: str) -> list[str]:
    """Return the decoded pieces between the tags; tags unknown to HTML stay in the text."""
    parts: list[str] = []
    unclosed: set[str] = set()
    start = 0
    while tag := _TAG.search(text, start):
        parts.append(_ENTITY.sub(_decoded, text[start : tag.start()]))
        start = tag.end()
        name = (tag[2] or tag[0]).lower()
        if name not in _NAMES and name not in _HIDDEN:
            parts.append(tag[0])
        if name in _BLOCKS:
            parts.append("\n")
        if name in _HIDDEN and not tag[1]:
            end = None if name in unclosed else _HIDDEN[name].search(text, start)
            if end:
                start = end.end()
            else:  # no end tag: the rest is text
                unclosed.add(name)
                parts.append(tag[0])
    parts.append(_ENTITY.sub(_decoded, text[start:]))
    return parts
