"""Convert raw objects to records: choose and spell their values, and reject bad ones."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hin.errors import BadInput
from hin.human import did_you_mean, shortened
from hin.reading.columns.cells import open_cell
from hin.reading.columns.choose import Choice, choose, spelled_like
from hin.reading.columns.html_text import plain_text
from hin.reading.columns.samples import ColumnSample, sample_column
from hin.reading.columns.titles import UNIQUE_FROM
from hin.reading.dates import PARTS
from hin.reading.fields import FieldSpec, TakenNames
from hin.reading.options import LINE_ID, TEXT_FIELDS, LoadOptions
from hin.reading.parsers.number_spelling import Cell, SpelledInteger, kind_of, spelled
from hin.reading.problems import SKIP, Problem, place
from hin.reading.values import LostSpellingError, WrongTypeError, dig, inner_kind, is_usable, text_of, values_of


class ParsedRecord(NamedTuple):
    """One record of a file, its values as the file spells them."""

    id: str
    texts: tuple[str, ...]
    metadata: dict[str, list[str]]
    label: str | tuple[str, ...] | None
    links: dict[str, list[str]]


#: How many cells of the first records are examined; a table with very many columns is judged by fewer rows.
SAMPLED_CELLS = 4_000_000


class RecordMaker:
    """Convert objects to records, once `settle` has seen the fields.

    Parameters
    ----------
    options : the user's options, and the decisions of an earlier load.
    required : the options whose fields some record must have; default: all fields that are named.
    known_fields : the metadata fields of the graph that is appended to.

    Examples
    --------
    >>> maker = RecordMaker(LoadOptions())
    >>> row = {"id": 7, "title": "On graphs", "year": 2008}
    >>> maker.settle([row], "a.jsonl")
    >>> maker.make("a.jsonl", 1, row, b"")
    ParsedRecord(id='7', texts=('On graphs',), metadata={'year': ['2008']}, label=None, links={})
    >>> maker.kinds()
    {'year': 'integer'}
    """

    def __init__(
        self, options: LoadOptions, required: LoadOptions | None = None, known_fields: Iterable[str] = ()
    ) -> None:
        self.options = options
        self.required = required or options
        self.choice = Choice()
        self.metadata: list[FieldSpec] = list(options.named_metadata)
        self.links = options.link_fields
        #: The statistics of each column in the first records.
        self.samples: dict[str, ColumnSample] = {}
        self.skipped: dict[str, str] = {}
        #: Fields that the user did not name and that hold one value per record: they may turn out useless.
        self.single: set[str] = set()
        #: Whether some of the first records have no text; of fewer than `UNIQUE_FROM` nothing follows.
        self._textless = False
        self._known = tuple(known_fields)
        self._divider, self._missing = options.divider, options.na_words
        self._kinds: dict[str, set[str]] = {spec.name: set() for spec in self.metadata}
        self._unseen: set[str] = set()
        self._fields: dict[str, None] = {}
        self._used: set[str] = set()
        specs = (*(options.text_fields or ()), *self.metadata, *options.link_fields)
        sources = {options.id or "", options.label or "", *(spec.source for spec in specs)}
        self._paths = {source: source.split(".") for source in sorted(sources) if "." in source}
        self._names = TakenNames()
        named = {spec.name: spec for spec in (*(FieldSpec(name, name) for name in self._known), *self.metadata)}
        for spec in named.values():
            self._names.add(spec)
        for link in options.link_fields:
            self._names.add_link(link)

    @property
    def guessed_id(self) -> bool:
        """Whether the id was found by its values in the first records: it may be missing or come again."""
        return any(decision.use == "id" and decision.column != LINE_ID for decision in self.choice.decisions)

    def settle(self, rows: Sequence[dict[str, Any]], file: str) -> None:
        """Choose the use of every field from the first records of the input."""
        options = self.options
        for row in rows:
            if len(row) > options.limits.fields:
                raise options.limits.too_many_fields(len(row), 0).error(file)
            self._fields.update(dict.fromkeys(row))
        self._paths = {source: self._path(source) for source in self._paths}
        samples = self.samples = self._sample_columns(rows)
        for source in self._paths:  # a part of an object counts as a field if a record has it
            if any(self._value(row, source) not in (None, []) for row in rows):
                self._fields[source] = None
        self.choice = choose(options, samples, self._known)
        for spec in self.choice.text:  # texts inside objects
            if spec.source not in self._fields and "." in spec.source:
                self._paths[spec.source] = self._path(spec.source)
        if self.choice.id_field != LINE_ID:
            self._require_field(self.choice.id_field, "--id", file)
        if not self.choice.text:
            raise BadInput(f"{file}: {self._no_text(rows)}", hint="name the fields with the text with --text")
        if options.text_fields is not None and not any(spec.source in self._fields for spec in self.choice.text):
            self._require_field(self.choice.text[0].source, "--text", file)
        self._textless = len(rows) >= UNIQUE_FROM and not all(
            any(self._value(row, spec.source) is not None for spec in self.choice.text) for row in rows
        )
        self._unseen = {spec.source for spec in (*self.choice.text, *self.metadata, *self.links)} - set(self._fields)
        if options.label and options.label not in self._fields:
            self._unseen.add(options.label)
        try:
            self._take_metadata(rows, samples)
        except BadInput as error:
            raise BadInput(f"{file}: {error.message}", hint=error.hint) from None

    def _sample_columns(self, rows: Sequence[dict[str, Any]]) -> dict[str, ColumnSample]:
        sample = rows[: max(20, SAMPLED_CELLS // max(1, len(self._fields)))]
        return {name: sample_column((row.get(name) for row in sample), self._missing) for name in self._fields}

    def _take_metadata(self, rows: Sequence[dict[str, Any]], samples: dict[str, ColumnSample]) -> None:
        for spec in self.choice.renamed:
            self._add_field(spec)
            if spec.source not in self._fields:  # a part of a date, or of values with a separator
                self._paths[spec.source] = self._path(spec.source)
        self._used = {self.choice.id_field, self.choice.label_field, *self.choice.left_out, *self.choice.derived}
        self._used.update(spec.source for spec in (*self.choice.text, *self.links, *self.metadata))
        if self.options.takes_all:
            free = [key for key in self._fields if key not in self._used and "." not in self._paths.get(key, ())]
            for key in free:
                if any(is_usable(row.get(key)) for row in rows):
                    self._add_field(FieldSpec(key, key))
            made = {spec.source: spec.name for spec in self.metadata[len(self.options.named_metadata) :]}
            single = {source for source, sample in samples.items() if sample.objects or not sample.listed}
            self.single = {name for source, name in made.items() if source in single}
            self.single |= {name for source, name in made.items() if source.rpartition(".")[2] in PARTS}

    def _path(self, source: str) -> list[str]:
        """Split a field's path at its dots, but not the name of a column that has dots itself, as R writes them."""
        column = max((name for name in self._fields if source.startswith(f"{name}.")), key=len, default="")
        return [*([column] if column else []), *source.removeprefix(f"{column}." if column else "").split(".")]

    def _value(self, row: dict[str, Any], source: str) -> Any:
        """Return a field's value; ``authors.name`` is a part of ``authors``, unless a field has exactly this name."""
        value = row.get(source)
        if value is None and source in self._paths:
            value = dig(row, self._paths[source])
            if value not in (None, []):
                self._unseen.discard(source)
        return value

    def _listed(self) -> str:
        names = list(self._fields)
        listed = ", ".join(repr(shortened(name, 40)) for name in names[:12])
        return f"{listed}, …" if len(names) > 12 else listed or "no fields"

    def _no_text(self, rows: Sequence[dict[str, Any]]) -> str:
        """Explain why no field is the text: none has a usual name, or the one that has holds no text."""
        for name in spelled_like(TEXT_FIELDS, self._fields):
            value = next((row[name] for row in rows if type(row.get(name)) not in (type(None), str)), None)
            if name not in self.options.ignored and value is not None and not isinstance(value, Cell):
                return f"the field {name!r} holds {inner_kind(value)}, not text; there are {self._listed()}"
        return f"no record has a text field ({', '.join(TEXT_FIELDS)}); there are {self._listed()}"

    def _require_field(self, name: str, option: str, file: str) -> None:
        if name in self._fields:
            return
        hint = f"{did_you_mean(name, self._fields)}there are {self._listed()}"
        raise BadInput(f"{file}: no record has the field {name!r} ({option})", hint=hint)

    def make(self, file: str, line: int, row: dict[str, Any], raw: bytes) -> ParsedRecord | Problem:
        """Convert an object to a record, or return the problem with it."""
        if len(row) > self.options.limits.fields:
            return self.options.limits.too_many_fields(len(row), line, raw)
        try:
            try:
                return self._make(file, line, row)
            except LostSpellingError:
                return self._make(file, line, spelled(raw))
        except _BadValueError as bad:
            return bad.problem(line, raw)
        except BadInput as error:  # a new field whose name collides with another one's
            raise BadInput(f"{place(file, line)}: {error.message}", hint=error.hint) from None

    def _make(self, file: str, line: int, row: dict[str, Any]) -> ParsedRecord:
        name = self._id(file, line, row)
        texts = self._texts(row)
        metadata = self._named_metadata(row)
        if self.options.takes_all:
            self._other_metadata(row, metadata)
        label = self._label(row)
        links = self._links_of(row) if self.links else {}
        if self._unseen:
            self._unseen.difference_update(row)
            self._fields.update(dict.fromkeys(row))
        return ParsedRecord(name, texts, metadata, label, links)

    def _id(self, file: str, line: int, row: dict[str, Any]) -> str:
        field = self.choice.id_field
        if field == LINE_ID:
            return f"{file}:{line}"
        value = self._value(row, field)
        kind = type(value)
        if kind is dict:  # as MongoDB exports ids
            value = open_cell(value)
            kind = type(value)
        if kind is float:
            raise LostSpellingError
        if kind is str or kind is Cell or kind is int or kind is SpelledInteger:
            name = str(value).strip()  # stripped like values and the targets of links
            if name and not (self.guessed_id and name.lower() in self._missing):
                return name
            what = "empty"
        elif value is None:
            what = "missing"
        else:
            what = f"expected a string or an integer, found {kind_of(value)}"
            raise _BadValueError(field, what, f"name another field with --id, {SKIP}")
        if self.guessed_id:
            return ""  # the reader gives it the number of its line
        raise _BadValueError(field, what, f"give every record an id, name another field with --id, {SKIP}")

    def _texts(self, row: dict[str, Any]) -> tuple[str, ...]:
        texts = []
        found = False
        html = self.choice.html
        for spec in self.choice.text:
            text = self._value(row, spec.source)
            if type(text) is not str:
                joined = text_of(text)
                if joined is None and text is not None:
                    what = f"expected a string, found {inner_kind(text)}"
                    raise _BadValueError(spec.source, what, f"name other text fields with --text, {SKIP}")
                found = found or joined is not None or spec.source in row  # null, or the NaN of pandas: an empty text
                text = joined or ""
            else:
                found = True
            texts.append(plain_text(text) if spec.source in html else text)
        if not found and not self._textless:
            hint = f"give every record a text, name the text fields with --text, {SKIP}"
            raise _BadValueError(self.choice.text[0].source, "missing", hint)
        return tuple(texts)

    def _named_metadata(self, row: dict[str, Any]) -> dict[str, list[str]]:
        metadata: dict[str, list[str]] = {}
        for spec in (*self.options.named_metadata, *self.choice.renamed):
            value = self._value(row, spec.source)
            if value is not None:
                try:
                    metadata[spec.name] = values_of(value, self._kinds[spec.name], self._divider, self._missing)
                except WrongTypeError as wrong:
                    what = f"expected a string, a number or a list of them, found {wrong}"
                    hint = f"{_part_of(spec, value)}leave the field out of --metadata, {SKIP}"
                    raise _BadValueError(spec.source, what, hint) from None
        return metadata

    def _other_metadata(self, row: dict[str, Any], metadata: dict[str, list[str]]) -> None:
        """Collect the fields that the user did not name, if their values can be metadata."""
        used, separator, missing = self._used, self._divider, self._missing
        for key, value in row.items():
            if key in used or value is None:
                continue
            kinds = self._kinds.get(key)
            try:
                values = values_of(value, kinds, separator, missing)
                if values and kinds is None:
                    self._add_field(FieldSpec(key, key))
                    values_of(value, self._kinds[key], separator, missing)
            except WrongTypeError as wrong:
                self.skipped.setdefault(key, str(wrong))
                continue
            if values:
                metadata[key] = values

    def _label(self, row: dict[str, Any]) -> str | tuple[str, ...] | None:
        field = self.choice.label_field
        value = self._value(row, field)
        if value is None:
            return None
        if type(value) is str:
            return value.strip() or None
        try:
            values = tuple(dict.fromkeys(values_of(value, None, self._divider, ())))
        except WrongTypeError as wrong:
            hint = f"name another field with --label, or none with --label '', {SKIP}"
            raise _BadValueError(field, f"expected a label, found {wrong}", hint) from None
        return values if len(values) > 1 else values[0] if values else None

    def _links_of(self, row: dict[str, Any]) -> dict[str, list[str]]:
        links: dict[str, list[str]] = {}
        for spec in self.links:
            try:
                links[spec.name] = values_of(self._value(row, spec.source), None, self._divider, ())
            except WrongTypeError as wrong:
                what = f"expected the ids of documents, found {wrong}"
                raise _BadValueError(spec.source, what, f"leave the field out of --links, {SKIP}") from None
        return links

    def _add_field(self, spec: FieldSpec) -> None:
        """Add a field that the user did not name to the metadata."""
        if len(self.metadata) >= self.options.limits.fields:
            raise BadInput(
                f"the records have more than {self.options.limits.fields:,} metadata fields",
                hint="name those that matter with `metadata=`, or raise the limit with `max_fields=`",
            )
        if spec.name not in self._known:
            self._names.add(spec)
        self.metadata.append(spec)
        self._kinds[spec.name] = set()

    def finish(self, file: str) -> None:
        """Raise if no record has a field that the user named."""
        options = self.required
        named = [
            ("--text", {spec.source for spec in options.text_fields or ()}),
            ("--metadata", {spec.source for spec in options.named_metadata}),
            ("--links", {spec.source for spec in options.link_fields}),
            ("--label", {options.label or ""}),
        ]
        for option, sources in named:
            for name in sorted(sources & self._unseen):
                self._require_field(name, option, file)

    def kinds(self) -> dict[str, str]:
        """Return the kind of each metadata field: "integer" if all its values are integers, else "string"."""
        return {spec.name: "integer" if self._kinds[spec.name] == {"integer"} else "string" for spec in self.metadata}

    def schema(self) -> dict[str, Any]:
        """Return the use of each field, for the graph's schema."""
        specs = (*self.choice.text, *self.metadata, *self.links)
        schema: dict[str, Any] = {
            "id": self.choice.id_field,
            "text": [spec.name for spec in self.choice.text],
            "label": self.choice.label_field or None,
            "renames": {spec.name: spec.source for spec in specs if spec.name != spec.source},
            "kinds": self.kinds(),
        }
        if self._divider:
            schema["separator"] = self._divider
        if self.choice.html:
            schema["html"] = sorted(self.choice.html)
        if self.choice.left_out:
            schema["left_out"] = sorted(self.choice.left_out)
        return schema


class _BadValueError(Exception):
    """A field whose value cannot be used: the problem, and the remedy."""

    def __init__(self, field: str, what: str, hint: str) -> None:
        super().__init__(what)
        self.field, self.what, self.hint = field, what, hint

    def problem(self, line: int, raw: bytes) -> Problem:
        return Problem(line, self.what, self.hint, field=self.field, raw=raw)


def _part_of(spec: FieldSpec, value: Any) -> str:
    """Return the start of a hint that names the parts of objects, one of which may be meant."""
    first = next(iter(value), None) if type(value) is list else value
    if type(first) is not dict or not first:
        return ""
    part = FieldSpec(spec.name, f"{spec.source}.{next(iter(first))}")
    return f"name a part of it, for example --metadata {shlex.quote(str(part))}, "
