"""The options of reading and loading: their names, defaults and help in one place. Imports nothing heavy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from hin.errors import BadUsage
from hin.option_fields import ENGINE_HELP, check_limits, option
from hin.reading.dates import PARTS
from hin.reading.fields import FieldSpec, check_names, parse_fields
from hin.reading.inputs.encodings import check_encoding
from hin.reading.limits import Limits, parse_size
from hin.reading.na_words import NA_WORDS
from hin.text.options import BuildOptions

#: Default names of the id field: the first one that the records have, ignoring case.
ID_FIELDS = ("document", "id", "_id")
#: Default names of the text fields: all that the records have, joined in this order. Beside a title, `subject` is the
#: topic of a library's catalogue; without one it is the title of a message.
TEXT_FIELDS = ("title", "subject", "abstract", "summary", "description", "text", "body", "content", "message")
#: ``--id @line`` makes ids from the file's name and the line number.
LINE_ID = "@line"

#: How users name fields: ``"author,kind=category"``, a list of such, or a mapping of new names to fields.
Fields = str | Iterable[str | FieldSpec] | Mapping[str, str] | None
OnError = Literal["stop", "skip"]


@dataclass(frozen=True, kw_only=True)
class LoadOptions:
    """All options of a load, as users write them; `hin load` and `hin.load` are generated from this class.

    The properties parse them once for the readers: `text_fields`, `metadata_fields`, `limits` and so on.

    Examples
    --------
    >>> LoadOptions(metadata="author,kind=category").metadata_fields[1].source
    'category'
    >>> LoadOptions(on_error="ignore")
    Traceback (most recent call last):
    hin.errors.BadUsage: on_error is 'ignore'; expected 'stop' or 'skip'
    """

    id: str | None = option(
        None,
        "The field with the id; `@line` makes it from file and line. Default: document, id, or a similar field.",
        metavar="FIELD",
    )
    text: Fields = option(
        None,
        "Text fields, joined in this order. Default: title (or subject), abstract, text, body and the "
        "like, where present, and every other field with prose.",
        metavar="FIELDS",
        kind=str,
    )
    metadata: Fields = option(
        None,
        "Metadata fields; `NEW=OLD` renames one, `*` stands for all others. Default: every other field with "
        "strings, numbers or lists of them, unless it is constant or its values hardly repeat.",
        metavar="FIELDS",
        kind=str,
    )
    label: str | None = option(
        None,
        "The field with the true category, or a list of them; only for evaluation. Default: label; '' for none.",
        metavar="FIELD",
    )
    links: Fields = option(
        None,
        "Fields with ids of other documents.",
        metavar="FIELDS",
        kind=str,
    )
    edges: str | Iterable[str] | None = option(
        None,
        "A table of more edges, with the columns type, source_type, source, target_type, target.",
        metavar="FILE",
        kind=list[str],
    )
    separator: str | None = option(
        None,
        "The separator of the values in one table cell; `none` if a cell has one value. Default: `;`, `|` or `,`, "
        "whichever the cells use.",
        metavar="TEXT",
    )
    dates: str | None = option(
        None,
        "Which parts of dates are metadata: year, month, weekday, or none. Default: year,month.",
        metavar="PARTS",
    )
    na_values: str | Iterable[str] | None = option(
        None,
        "Words for a missing value (case is ignored). Default: NA, N/A, #N/A, <NA>, NaN, null, none, -, --, unknown.",
        metavar="WORDS",
        kind=str,
    )
    keep_case: bool = option(False, "Do not merge values that differ only in case or spaces.")
    ignore: Fields = option(
        None,
        "Fields to leave out.",
        metavar="FIELDS",
        kind=str,
    )
    html: Fields = option(
        None,
        "Text fields from which HTML tags and entities are removed. Default: all that contain HTML; '' for none.",
        metavar="FIELDS",
        kind=str,
    )
    columns: Fields = option(
        None,
        "Column names for a table without a header line; `@first` to take the first line as the header; or "
        "`FILE.toml`, a plan that `hin load --dry-run` wrote.",
        metavar="NAMES",
        kind=str,
    )
    encoding: str | None = option(
        None,
        "The character encoding of the files, such as cp1252. Default: detected from the byte order mark or the bytes.",
        metavar="NAME",
    )
    drop_duplicates: bool = option(False, "Leave out documents with the same text as an earlier one.")
    format: str | None = option(
        None,
        "The format of the files. Default: recognised from the file.",
        choices="hin.reading.formats:FORMATS",
    )
    phrases: bool = option(BuildOptions.phrases, "Join frequent collocations into one term.", "--phrases/--no-phrases")
    min_count: int = option(BuildOptions.min_count, "Leave out terms in fewer documents than this.", least=1)
    append: bool = option(False, "Add to the existing graph.")
    replace: bool = option(False, "Replace the existing graph.")
    update: bool = option(False, "With --append: a document replaces the one with the same id.")
    on_error: OnError = option("stop", "What to do at a bad record.")
    rejected: str | Path | None = option(
        None,
        "Write skipped records to this file. Default: PLACE.rejected.jsonl.",
        metavar="FILE",
        kind=Path,
    )

    max_record: str | int = option("64MB", "The longest record that is read.", metavar="SIZE", kind=str)
    max_fields: int = option(Limits.fields, "The largest number of fields in a record.", least=1)
    max_unpacked: str | int = option(
        "4GB", "The largest unpacked size of a compressed file that must be read as a whole.", metavar="SIZE", kind=str
    )
    engine: Any = option(None, ENGINE_HELP, metavar="ENGINE", kind=str, heading="Where the work runs")

    def __post_init__(self) -> None:
        check_limits(self)
        if self.append and self.replace:
            raise BadUsage("--append and --replace exclude one another", hint="choose one")
        if self.update and not self.append:
            raise BadUsage("--update replaces documents of an existing graph", hint="use it with --append")
        if self.text_fields == ():
            raise BadUsage("no text field is named", hint="name one with --text, or leave --text out")
        if self.separator == "":
            raise BadUsage("the separator is empty", hint="give one, for example --separator ';'")
        names = [spec.name for spec in self.text_fields or ()]
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise BadUsage(f"the text field {twice!r} is named twice", hint="name it once")
        check_names(self.named_metadata, self.link_fields)
        check_encoding(self.encoding)
        if wrong := [part for part in self.date_parts if part not in PARTS]:
            raise BadUsage(f"dates have no {wrong[0]!r}", hint="give year, month and weekday, or none")
        self.limits  # noqa: B018 (an invalid size is refused here, not in the middle of a load)

    @cached_property
    def text_fields(self) -> tuple[FieldSpec, ...] | None:
        """The fields with the text, joined in this order. None: those of `TEXT_FIELDS` that the records have."""
        return parse_fields(self.text)

    @cached_property
    def metadata_fields(self) -> tuple[FieldSpec, ...] | None:
        """The metadata fields. None, or a field ``*`` among them: every other field with strings or numbers."""
        return parse_fields(self.metadata)

    @cached_property
    def takes_all(self) -> bool:
        """Whether fields that are not named are metadata too."""
        return self.metadata_fields is None or any(spec.source == "*" for spec in self.metadata_fields)

    @cached_property
    def named_metadata(self) -> tuple[FieldSpec, ...]:
        """The metadata fields that the user named."""
        return tuple(spec for spec in self.metadata_fields or () if spec.source != "*")

    @cached_property
    def link_fields(self) -> tuple[FieldSpec, ...]:
        """Fields with the ids of other documents."""
        return parse_fields(self.links) or ()

    @cached_property
    def ignored(self) -> tuple[str, ...]:
        """Fields that are left out."""
        return _sources(self.ignore) or ()

    @cached_property
    def html_fields(self) -> tuple[str, ...] | None:
        """The text fields whose tags and entities are removed (see `html_text`). None: those that have some."""
        return _sources(self.html)

    @cached_property
    def column_names(self) -> tuple[str, ...] | None:
        """The columns of a table without a header line."""
        return _sources(self.columns) or None

    @property
    def divider(self) -> str | None:
        """The separator between the values of a cell, if the user gives one."""
        return None if self.separator == "none" else self.separator

    @cached_property
    def date_parts(self) -> tuple[str, ...]:
        """The parts of dates that are metadata."""
        given = "year,month" if self.dates is None else self.dates
        return () if given == "none" else tuple(dict.fromkeys(part.strip() for part in given.split(",")))

    @cached_property
    def na_words(self) -> frozenset[str]:
        """Words for a missing value, in lower case."""
        if self.na_values is None:
            return NA_WORDS
        words = self.na_values.split(",") if isinstance(self.na_values, str) else self.na_values
        return frozenset(word.strip().lower() for word in words if word.strip())

    @property
    def codec(self) -> str | None:
        """Python's name of the encoding."""
        return check_encoding(self.encoding)

    @cached_property
    def limits(self) -> Limits:
        """The limits on the size of an input."""
        return Limits(parse_size(self.max_record), self.max_fields, parse_size(self.max_unpacked))

    def reading_settings(self) -> dict[str, Any]:
        """Return the reading options as plain JSON for the manifest, from which a later `--append` takes them."""

        def spelled(specs: Iterable[object] | None) -> list[str] | None:
            return None if specs is None else [str(spec) for spec in specs]

        return {
            "id": self.id,
            "text": spelled(self.text_fields),
            "metadata": spelled(self.metadata_fields),
            "label": self.label,
            "links": spelled(self.link_fields),
            "separator": self.separator,
            "format": self.format,
            "ignore": spelled(self.ignored),
            "html": spelled(self.html_fields),
            "columns": spelled(self.column_names),
            "encoding": self.codec,
            "dates": self.dates,
            "na_values": None if self.na_values is None else sorted(self.na_words),
            "keep_case": self.keep_case,
        }


def _sources(fields: Fields) -> tuple[str, ...] | None:
    specs = parse_fields(fields)
    return None if specs is None else tuple(spec.source for spec in specs)
