"""Which of a file's fields is the id, the text, the metadata; and the names that may not be."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hin.errors import BadInput, BadUsage

__all__ = [
    "ID_FIELDS",
    "LINE_ID",
    "RESERVED",
    "TEXT_FIELDS",
    "FieldSpec",
    "ReadOptions",
    "check_names",
    "field_key",
    "parse_fields",
]

#: Where the id is looked for, when the user names no field: the first one that the records have, whatever its case.
ID_FIELDS = ("document", "id", "_id")
#: Where the text is looked for: all that the records have, joined in this order. Beside a title, `subject` is what a
#: library calls a topic; without one it is the title of a message.
TEXT_FIELDS = ("title", "subject", "abstract", "summary", "description", "text", "body", "content", "message")
#: ``--id @line`` makes ids of the file's name and the line number.
LINE_ID = "@line"
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


@dataclass(frozen=True)
class ReadOptions:
    """How documents are read from files.

    Attributes
    ----------
    id : str or None
        The field with the id. None: the first of `ID_FIELDS` that the records have; ``@line``: file and line.
    text : tuple of FieldSpec or None
        The fields with the text, joined in this order. None: those of `TEXT_FIELDS` that the records have.
    metadata : tuple of FieldSpec or None
        The metadata fields, renamed where name and source differ. None, or a field ``*`` among them: every
        other field with strings, numbers or lists of them.
    label : str or None
        The field with the true category. None: ``label``, where there is one; empty: no labels are read.
    links : tuple of FieldSpec
        Fields with the ids of other documents.
    separator : str or None
        What stands between the values of one cell of a CSV or TSV file. None: a cell is one value.
    format : str or None
        jsonl, json, csv, tsv or parquet. None: told by the file.

    Examples
    --------
    >>> ReadOptions.of(metadata="author,kind=category").metadata[1].source
    'category'
    """

    id: str | None = None
    text: tuple[FieldSpec, ...] | None = None
    metadata: tuple[FieldSpec, ...] | None = None
    label: str | None = None
    links: tuple[FieldSpec, ...] = ()
    separator: str | None = None
    format: str | None = None

    @classmethod
    def of(
        cls,
        id: str | None = None,
        text: str | Iterable[str] | Mapping[str, str] | None = None,
        metadata: str | Iterable[str] | Mapping[str, str] | None = None,
        label: str | None = None,
        links: str | Iterable[str] | Mapping[str, str] | None = None,
        separator: str | None = None,
        format: str | None = None,
    ) -> ReadOptions:
        """Make options from what users write, on the command line or in Python."""
        texts = parse_fields(text)
        if texts == ():
            raise BadUsage("no text field is named", hint="name one with --text, or leave --text out")
        if format is not None and format not in ("jsonl", "json", "csv", "tsv", "parquet"):
            raise BadUsage(f"unknown format {format!r}", hint="use jsonl, json, csv, tsv or parquet")
        if separator == "":
            raise BadUsage("the separator is empty", hint="give one, for example --separator ';'")
        options = cls(id, texts, parse_fields(metadata), label, parse_fields(links) or (), separator, format)
        options.check()
        return options

    @property
    def takes_all(self) -> bool:
        """Whether fields that are not named are metadata too."""
        return self.metadata is None or any(spec.source == "*" for spec in self.metadata)

    @property
    def named_metadata(self) -> tuple[FieldSpec, ...]:
        """The metadata fields that the user named."""
        return tuple(spec for spec in self.metadata or () if spec.source != "*")

    def check(self) -> None:
        """Refuse fields that are used twice and names that collide, before anything is read."""
        twice = _first_twice([spec.name for spec in self.text or ()])
        if twice is not None:
            raise BadUsage(f"the text field {twice!r} is named twice", hint="name it once")
        check_names(self.named_metadata, self.links)

    def to_dict(self) -> dict[str, Any]:
        """The options as plain JSON, for a manifest."""

        def strings(specs: tuple[FieldSpec, ...] | None) -> list[str] | None:
            return None if specs is None else [str(spec) for spec in specs]

        return {
            "id": self.id,
            "text": strings(self.text),
            "metadata": strings(self.metadata),
            "label": self.label,
            "links": strings(self.links),
            "separator": self.separator,
            "format": self.format,
        }


def _first_twice(names: Sequence[str]) -> str | None:
    return next((name for i, name in enumerate(names) if name in names[:i]), None)


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
