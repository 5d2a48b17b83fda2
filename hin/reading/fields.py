"""Parse how users name fields, and reject reserved or colliding names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hin.errors import BadInput, BadUsage, for_shell

#: Node types of the graph itself, with the name to suggest instead.
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
        r"""Parse ``name`` or ``name=source``; a backslash escapes the next character."""
        parts = [re.sub(r"\\(.)", r"\1", part) for part in _split(text, "=")]
        if len(parts) not in (1, 2) or not all(parts):
            raise BadUsage(f"cannot read the field {text!r}", hint="write field, or new_name=field")
        return cls(parts[0], parts[-1])

    def __str__(self) -> str:
        name, source = (re.sub(r"([\\=,])", r"\\\1", part) for part in (self.name, self.source))
        return name if name == source else f"{name}={source}"


def _split(text: str, mark: str) -> list[str]:
    """Split at a mark unless a backslash precedes it."""
    parts, escaped = [""], False
    for c in text:
        if c == mark and not escaped:
            parts.append("")
        else:
            parts[-1] += c
        escaped = c == "\\" and not escaped
    return parts


def parse_fields(
    fields: str | Iterable[str | FieldSpec] | Mapping[str, str] | None,
) -> tuple[FieldSpec, ...] | None:
    """Parse the user's list of fields: ``"author,kind=category"``, a list of such, or a mapping.

    Parsed fields are returned unchanged.

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
    if isinstance(fields, str):  # `--metadata "author, year"`; the items of a list are taken literally
        fields = [part.strip() for part in _split(fields, ",")]
    specs: list[FieldSpec] = []
    for text in fields:
        if isinstance(text, FieldSpec):
            specs.append(text)
        else:
            specs += [FieldSpec.parse(part) for part in _split(text, ",") if part]
    return tuple(specs)


def field_key(name: str) -> str:
    """Normalise a field's name to its letters and digits: labels and relationships ignore case and punctuation.

    ``author name`` and ``author_name`` both give the label ``AuthorName`` and the edges ``HAS_AUTHOR_NAME``.

    >>> field_key("Author name") == field_key("author_name") == field_key("authorName")
    True
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in unicodedata.normalize("NFKC", folded) if c.isalnum())


def reserved(name: str) -> str | None:
    """Return the name to use instead of one that the graph reserves; None for any other name.

    >>> reserved("Category"), reserved("author")
    ('kind', None)
    """
    return RESERVED.get(field_key(name))


def check_names(metadata: Iterable[FieldSpec], links: Iterable[FieldSpec] = ()) -> None:
    """Raise if names of metadata fields and links collide, with a hint how to rename them.

    >>> check_names([FieldSpec("category", "category")])
    Traceback (most recent call last):
        ...
    hin.errors.BadInput: the field 'category' has the name of a node type of the graph itself; \
rename it with --metadata kind=category (name the other fields too, or add * for all of them)
    """
    fields, others = list(metadata), list(links)
    names = TakenNames(spec.name for spec in (*fields, *others))
    for spec in fields:
        names.add(spec)
    for link in others:
        names.add_link(link)


class TakenNames:
    """The names of a graph's fields and links, against which each new name is checked.

    `coming` names are not taken yet, but cannot be given to another field either.
    """

    def __init__(self, coming: Iterable[str] = ()) -> None:
        self._coming = {field_key(name) for name in coming}
        self._fields: dict[str, FieldSpec] = {}
        self._links: dict[str, FieldSpec] = {}

    def add(self, spec: FieldSpec) -> None:
        """Add a metadata field, or raise with the option that renames it (or the link it collides with)."""
        key = self._free_key("--metadata", spec)
        self._fields[key] = spec
        if key in self._links:
            raise self._taken("--links", self._links.pop(key), spec)
        if f"has{key}" in self._links:
            raise self._edges_of(self._links[f"has{key}"])

    def add_link(self, spec: FieldSpec) -> None:
        """Add a link, or raise with the option that renames it."""
        key = self._free_key("--links", spec)
        if key in self._links:
            raise self._taken("--links", spec, self._links[key])
        if key.startswith("has") and (key[3:] in self._fields or key[3:] in RESERVED):
            raise self._edges_of(spec)
        self._links[key] = spec

    def _free_key(self, option: str, spec: FieldSpec) -> str:
        key = field_key(spec.name)
        if not key:
            hint = self._rename(option, "field", spec.source)
            raise BadInput(f"the field {spec.name!r} has no letter or digit in its name", hint=hint)
        if key in RESERVED:
            hint = self._rename(option, RESERVED[key], spec.source)
            raise BadInput(f"the field {spec.name!r} has the name of a node type of the graph itself", hint=hint)
        if key in self._fields:
            raise self._taken(option, spec, self._fields[key])
        return key

    def _taken(self, option: str, spec: FieldSpec, other: FieldSpec) -> BadInput:
        hint = self._rename(option, f"{other.name}_2", spec.source)
        if other.name == spec.name:
            return BadInput(f"two fields are named {spec.name!r}", hint=hint)
        return BadInput(f"the fields {other.name!r} and {spec.name!r} differ only in case or punctuation", hint=hint)

    def _edges_of(self, link: FieldSpec) -> BadInput:
        hint = self._rename("--links", f"{link.name}_link", link.source)
        return BadInput(f"the link {link.name!r} has the name of the edges to {field_key(link.name)[3:]!r}", hint=hint)

    def _rename(self, option: str, wish: str, source: str) -> str:
        new = free_name(wish, self._fields.keys() | self._links.keys() | self._coming)
        spec = for_shell(str(FieldSpec(new, source)))
        tail = " (name the other fields too, or add * for all of them)" if option == "--metadata" else ""
        return f"rename it with {option} {spec}{tail}"


def free_name(wish: str, keys: Collection[str]) -> str:
    """Return the wished name, with a number if it is taken.

    >>> free_name("kind", {"kind"})
    'kind_2'
    """
    name, number = wish, 2
    while field_key(name) in keys or field_key(name) in RESERVED:
        name, number = f"{wish}_{number}", number + 1
    return name
