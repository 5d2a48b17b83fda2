"""How users name fields, and the names that may not be."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hin.errors import BadInput, BadUsage

__all__ = [
    "RESERVED",
    "FieldSpec",
    "check_names",
    "field_key",
    "parse_fields",
]

#: Node types of our own, with the name to offer instead.
RESERVED = {"document": "source", "term": "keyword", "motif": "theme", "category": "kind"}


@dataclass(frozen=True)
class FieldSpec:
    """A field of the graph and the field of the file it comes from; ``authors.name`` is a part of objects.

    Examples
    --------
    >>> FieldSpec.parse("kind=category")
    FieldSpec(name='kind', source='category')
    >>> str(FieldSpec("year", "year"))
    'year'
    """

    name: str
    source: str

    @classmethod
    def parse(cls, text: str) -> FieldSpec:
        r"""Read ``name`` or ``name=source``; a backslash takes the next character's meaning away."""
        parts = [re.sub(r"\\(.)", r"\1", part) for part in _split(text, "=")]
        if len(parts) not in (1, 2) or not all(parts):
            raise BadUsage(f"cannot read the field {text!r}", hint="write field, or new_name=field")
        return cls(parts[0], parts[-1])

    def __str__(self) -> str:
        name, source = (re.sub(r"([\\=,])", r"\\\1", part) for part in (self.name, self.source))
        return name if name == source else f"{name}={source}"


def _split(text: str, mark: str) -> list[str]:
    """Cut at a mark, but not where a backslash is before it."""
    parts, escaped = [""], False
    for c in text:
        if c == mark and not escaped:
            parts.append("")
        else:
            parts[-1] += c
        escaped = c == "\\" and not escaped
    return parts


def parse_fields(fields: str | Iterable[str] | Mapping[str, str] | None) -> tuple[FieldSpec, ...] | None:
    """Read what the user says about fields: ``"author,kind=category"``, a list of such, or a mapping.

    Examples
    --------
    >>> [str(spec) for spec in parse_fields("author,kind=category")]
    ['author', 'kind=category']
    >>> parse_fields({"a=b": "c,d"})
    (FieldSpec(name='a=b', source='c,d'),)
    """
    if fields is None:
        return None
    if isinstance(fields, Mapping):
        return tuple(FieldSpec(name, source) for name, source in fields.items())
    texts = [fields] if isinstance(fields, str) else list(fields)
    parts = [part for text in texts for part in _split(text, ",")]
    if isinstance(fields, str):  # `--metadata "author, year"`; a list's items are taken to the letter
        parts = [part.strip() for part in parts]
    return tuple(FieldSpec.parse(part) for part in parts if part)


def field_key(name: str) -> str:
    """What is left of a name in a label or relationship where neither case nor punctuation counts.

    ``author name`` and ``author_name`` both give the label ``AuthorName`` and the edges ``HAS_AUTHOR_NAME``.

    >>> field_key("Author name") == field_key("author_name") == field_key("authorName")
    True
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in unicodedata.normalize("NFKC", folded) if c.isalnum())


def check_names(metadata: Iterable[FieldSpec], links: Iterable[FieldSpec] = ()) -> None:
    """Refuse metadata fields and links whose names collide, and show how to rename them.

    >>> check_names([FieldSpec("category", "category")])
    Traceback (most recent call last):
        ...
    hin.errors.BadInput: the field 'category' has the name of a node type of the graph itself; \
rename it with --metadata kind=category (name the other fields too, or add * for all of them)
    """
    seen: dict[str, FieldSpec] = {}
    taken: set[str] = set()
    pairs = [("--metadata", spec) for spec in metadata] + [("--links", spec) for spec in links]
    keys = {field_key(spec.name) for _, spec in pairs}
    for option, spec in pairs:
        key = field_key(spec.name)
        if not key:
            hint = _rename(option, _free("field", keys), spec.source)
            raise BadInput(f"the field {spec.name!r} has no letter or digit in its name", hint=hint)
        if key in RESERVED:
            hint = _rename(option, _free(RESERVED[key], keys), spec.source)
            what = f"the field {spec.name!r} has the name of a node type of the graph itself"
            raise BadInput(what, hint=hint)
        if key in seen:
            hint = _rename(option, _free(f"{seen[key].name}_2", keys), spec.source)
            what = f"the fields {seen[key].name!r} and {spec.name!r} differ only in case or punctuation"
            if seen[key].name == spec.name:
                what = f"two fields are named {spec.name!r}"
            raise BadInput(what, hint=hint)
        seen[key] = spec
        taken.add(key)
    for _, spec in pairs:
        key = field_key(spec.name)
        if key.startswith("has") and key[3:] in taken | set(RESERVED) and _is_link(spec, pairs):
            hint = _rename("--links", _free(f"{spec.name}_link", keys), spec.source)
            raise BadInput(f"the link {spec.name!r} has the name of the edges to {key[3:]!r}", hint=hint)


def _is_link(spec: FieldSpec, pairs: list[tuple[str, FieldSpec]]) -> bool:
    return ("--links", spec) in pairs


def _free(wish: str, keys: set[str]) -> str:
    name, number = wish, 2
    while field_key(name) in keys or field_key(name) in RESERVED:
        name, number = f"{wish}_{number}", number + 1
    return name


def _rename(option: str, new: str, source: str) -> str:
    spec = shlex.quote(str(FieldSpec(new, source)))
    tail = " (name the other fields too, or add * for all of them)" if option == "--metadata" else ""
    return f"rename it with {option} {spec}{tail}"
