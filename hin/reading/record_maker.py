"""Records out of raw objects: which value goes where, in which spelling, and what is refused."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Callable, Iterable
from typing import Any

from hin.errors import BadInput
from hin.reading.fields import FieldSpec, check_names
from hin.reading.number_spelling import Cell, SpelledInteger, kind_of, spelled
from hin.reading.options import ID_FIELDS, LINE_ID, TEXT_FIELDS, ReadOptions
from hin.reading.problems import SKIP, Problem
from hin.reading.values import (
    LostSpellingError,
    WrongTypeError,
    dig,
    inner_kind,
    is_text,
    is_usable,
    text_of,
    values_of,
)

__all__ = ["Made", "RecordMaker"]

Made = tuple[str, tuple[str, ...], dict[str, list[str]], str | tuple[str, ...] | None, dict[str, list[str]]]


class RecordMaker:
    """Turns objects into records, once `settle` has seen what fields there are.

    Examples
    --------
    >>> maker = RecordMaker(ReadOptions.of())
    >>> row = {"id": 7, "title": "On graphs", "year": 2008}
    >>> maker.settle([row], "a.jsonl")
    >>> maker.make("a.jsonl", 1, row, b"")
    ('7', ('On graphs',), {'year': ['2008']}, None, {})
    >>> maker.kinds()
    {'year': 'integer'}
    """

    def __init__(
        self, options: ReadOptions, required: ReadOptions | None = None, known_fields: Iterable[str] = ()
    ) -> None:
        self.options = options
        self.required = required or options
        self._known = [FieldSpec(name, name) for name in known_fields]
        self.id_field = ""
        self.text: tuple[FieldSpec, ...] = ()
        self.metadata: list[FieldSpec] = list(options.named_metadata)
        self.links = options.links
        sources = {spec.source for spec in (*options.named_metadata, *options.links)}
        label = options.label
        if label is None:
            label = "" if "label" in sources else "label"
        self.label_field = label
        self.skipped: dict[str, str] = {}
        self._kinds: dict[str, set[str]] = {spec.name: set() for spec in self.metadata}
        self._unseen: set[str] = set()
        self._fields: dict[str, None] = {}
        self._used: set[str] = set()
        self._named = options.named_metadata
        specs = (*(options.text or ()), *self._named, *options.links)
        sources = {options.id or "", options.label or "", *(spec.source for spec in specs)}
        self._paths = {source: source.split(".") for source in sorted(sources) if "." in source}
        self._takes_all = options.takes_all

    def settle(self, rows: Iterable[dict[str, Any]], file: str) -> None:
        """Decide on the id and text fields by the first records of the input."""
        options = self.options
        rows = list(rows)
        for row in rows:
            self._fields.update(dict.fromkeys(row))
        for source in self._paths:  # a part of an object counts as a field where a record has it
            if any(self._value(row, source) not in (None, []) for row in rows):
                self._fields[source] = None
        exact = [name for name in ID_FIELDS if name in self._fields]
        self.id_field = options.id or next(iter(exact or self._spelled(ID_FIELDS)), "")
        if not self.id_field:
            names = ", ".join(ID_FIELDS)
            hint = f"name the field with the id with --id, or number the records with --id {LINE_ID}"
            if options.text is None and not self._spelled(TEXT_FIELDS):  # both at once, not one after the other
                hint += "; and name the fields with the text with --text"
            there = self._listed()
            raise BadInput(f"{file}: no record has an id field ({names}); there are {there}", hint=hint)
        if self.id_field != LINE_ID:
            self._must_have(self.id_field, "--id", file)
        if options.label is None and self.label_field:
            self.label_field = next(iter(self._spelled([self.label_field])), self.label_field)
        text = options.text
        if text is None:
            named = {self.id_field, *(spec.source for spec in (*options.named_metadata, *options.links))}
            if options.label:
                named.add(options.label)
            wished = [name for name in self._spelled(TEXT_FIELDS) if name not in named]
            wished = [name for name in wished if is_text([row.get(name) for row in rows])]
            if any(name.lower() == "title" for name in wished):
                wished = [name for name in wished if name.lower() != "subject"]
            text = tuple(FieldSpec(name, name) for name in wished)
        if not text:
            names = ", ".join(TEXT_FIELDS)
            hint = "name the fields with the text with --text"
            what = f"{file}: no record has a text field ({names}); there are {self._listed()}"
            raise BadInput(what, hint=hint)
        if options.text is not None and not any(spec.source in self._fields for spec in text):
            self._must_have(text[0].source, "--text", file)
        self.text = text
        self._unseen = {spec.source for spec in (*text, *self.metadata, *self.links)} - set(self._fields)
        if options.label and options.label not in self._fields:
            self._unseen.add(options.label)
        self._used = {self.id_field, self.label_field}
        self._used.update(spec.source for spec in (*text, *self.links, *self.metadata))
        self._check([])
        if options.takes_all:
            free = [key for key in self._fields if key not in self._used]
            new = [key for key in free if any(is_usable(row.get(key)) for row in rows)]
            self._check([FieldSpec(key, key) for key in new])
            for key in new:
                self._add_field(key)

    def _spelled(self, wishes: Iterable[str]) -> list[str]:
        """Those of some fields that the records have, in this order; case counts only where both are there."""
        known = {name.lower(): name for name in reversed(self._fields)}
        return [wish if wish in self._fields else known[wish] for wish in wishes if wish in known]

    def _value(self, row: dict[str, Any], source: str) -> Any:
        """A field's value; ``authors.name`` is a part of ``authors``, unless there is a field of just that name."""
        value = row.get(source)
        if value is None and source in self._paths:
            value = dig(row, self._paths[source])
            if value not in (None, []):
                self._unseen.discard(source)
        return value

    def _listed(self) -> str:
        names = list(self._fields)
        listed = ", ".join(repr(name) for name in names[:20])
        return f"{listed}, …" if len(names) > 20 else listed or "no fields"

    def _must_have(self, name: str, option: str, file: str) -> None:
        if name in self._fields:
            return
        near = difflib.get_close_matches(name, list(self._fields), n=1)
        meant = f"did you mean {near[0]!r}? " if near else ""
        hint = f"{meant}there are {self._listed()}"
        raise BadInput(f"{file}: no record has the field {name!r} ({option})", hint=hint)

    def make(self, file: str, line: int, row: dict[str, Any], raw: bytes) -> Made | Problem:
        """One record of an object, or what is wrong with it."""
        try:
            return self._make(file, line, row, raw)
        except LostSpellingError:
            return self._make(file, line, spelled(raw), raw)

    def _make(self, file: str, line: int, row: dict[str, Any], raw: bytes) -> Made | Problem:
        name = self._id(file, line, row, raw)
        if isinstance(name, Problem):
            return name
        texts = []
        found = False
        for spec in self.text:
            text = self._value(row, spec.source)
            if type(text) is str:
                texts.append(text)
                found = True
                continue
            joined = text_of(text)
            if joined is None and text is not None:
                what = f"expected a string, found {inner_kind(text)}"
                hint = f"name other text fields with --text, {SKIP}"
                return Problem(line, what, hint, field=spec.source, raw=raw)
            found = found or joined is not None
            texts.append(joined or "")
        if not found:
            hint = f"give every record a text, name the text fields with --text, {SKIP}"
            return Problem(line, "missing", hint, field=self.text[0].source, raw=raw)
        metadata: dict[str, list[str]] = {}
        separator = self.options.separator
        for spec in self._named:
            value = self._value(row, spec.source)
            if value is not None:
                try:
                    metadata[spec.name] = values_of(value, self._kinds[spec.name], separator)
                except WrongTypeError as wrong:
                    what = f"expected a string, a number or a list of them, found {wrong}"
                    hint = f"{_part_of(spec, value)}leave the field out of --metadata, {SKIP}"
                    return Problem(line, what, hint, field=spec.source, raw=raw)
        if self._takes_all:
            used = self._used
            for key, value in row.items():
                if key in used or value is None:
                    continue
                kinds = self._kinds.get(key)
                try:
                    values = values_of(value, kinds, separator)
                    if values and kinds is None:
                        values_of(value, self._add_field(key), separator)
                except WrongTypeError as wrong:
                    self.skipped.setdefault(key, str(wrong))
                    continue
                if values:
                    metadata[key] = values
        label = self._label(line, row, raw)
        if isinstance(label, Problem):
            return label
        links: dict[str, list[str]] = {}
        for spec in self.links:
            try:
                links[spec.name] = values_of(self._value(row, spec.source), None, separator)
            except WrongTypeError as wrong:
                what = f"expected the ids of documents, found {wrong}"
                hint = f"leave the field out of --links, {SKIP}"
                return Problem(line, what, hint, field=spec.source, raw=raw)
        if self._unseen:
            self._unseen.difference_update(row)
            self._fields.update(dict.fromkeys(row))
        return name, tuple(texts), metadata, label, links

    def _check(self, new: list[FieldSpec]) -> None:
        """Refuse names that collide, also with those of the graph that is added to."""
        own = {spec.name: spec for spec in (*self._known, *self.metadata, *new)}
        check_names(own.values(), self.links)

    def _add_field(self, key: str) -> set[str]:
        """Take a field that nobody named as metadata from now on."""
        spec = FieldSpec(key, key)
        self._check([spec])
        self.metadata.append(spec)
        kinds: set[str] = set()
        self._kinds[key] = kinds
        return kinds

    def _id(self, file: str, line: int, row: dict[str, Any], raw: bytes) -> str | Problem:
        field = self.id_field
        value = self._value(row, field)
        kind = type(value)
        if field == LINE_ID:
            return f"{file.rsplit('/', 1)[-1]}:{line}"
        if kind is float:
            raise LostSpellingError
        if kind is str or kind is Cell or kind is int or kind is SpelledInteger:
            name = str(value)
            if name:
                return name
            what = "empty"
        elif value is None:
            what = "missing"
        else:
            what = f"expected a string or an integer, found {kind_of(value)}"
            return Problem(line, what, f"name another field with --id, {SKIP}", field=field, raw=raw)
        hint = f"give every record an id, name another field with --id, {SKIP}"
        return Problem(line, what, hint, field=field, raw=raw)

    def _label(self, line: int, row: dict[str, Any], raw: bytes) -> str | tuple[str, ...] | Problem | None:
        value = self._value(row, self.label_field)
        if value is None:
            return None
        if type(value) is str:
            return value or None
        try:
            values = tuple(dict.fromkeys(values_of(value, None, self.options.separator)))
        except WrongTypeError as wrong:
            hint = f"name another field with --label, or none with --label '', {SKIP}"
            return Problem(line, f"expected a label, found {wrong}", hint, field=self.label_field, raw=raw)
        return values if len(values) > 1 else values[0] if values else None

    def finish(self, file: str) -> None:
        """Refuse fields that the user named and no record has."""
        options = self.required
        named: list[tuple[str, Callable[[], set[str]]]] = [
            ("--text", lambda: {spec.source for spec in options.text or ()}),
            ("--metadata", lambda: {spec.source for spec in options.named_metadata}),
            ("--links", lambda: {spec.source for spec in options.links}),
            ("--label", lambda: {options.label or ""}),
        ]
        for option, sources in named:
            for name in sorted(sources() & self._unseen):
                self._must_have(name, option, file)

    def kinds(self) -> dict[str, str]:
        """Of each metadata field: "integer", if it has nothing but integers, or "string"."""
        return {spec.name: "integer" if self._kinds[spec.name] == {"integer"} else "string" for spec in self.metadata}

    def schema(self) -> dict[str, Any]:
        """What was decided, for the graph's schema."""
        specs = (*self.text, *self.metadata, *self.links)
        return {
            "id": self.id_field,
            "text": [spec.name for spec in self.text],
            "label": self.label_field or None,
            "renames": {spec.name: spec.source for spec in specs if spec.name != spec.source},
            "kinds": self.kinds(),
        }


def _part_of(spec: FieldSpec, value: Any) -> str:
    """The start of a hint: objects have parts that could be meant."""
    first = next(iter(value), None) if type(value) is list else value
    if type(first) is not dict or not first:
        return ""
    part = FieldSpec(spec.name, f"{spec.source}.{next(iter(first))}")
    return f"name a part of it, for example --metadata {shlex.quote(str(part))}, "
