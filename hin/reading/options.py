"""The options of loading: the one place of their names, defaults and help. It imports nothing heavy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from hin.building.options import BuildOptions
from hin.errors import BadUsage
from hin.option_fields import ENGINE_HELP, option
from hin.reading.fields import FieldSpec, check_names, parse_fields
from hin.reading.inputs.encodings import check_encoding
from hin.reading.limits import Limits, parse_size

__all__ = ["ID_FIELDS", "LINE_ID", "TEXT_FIELDS", "Fields", "LoadOptions", "Mode", "OnError", "ReadOptions"]

#: Where the id is looked for, when the user names no field: the first one that the records have, whatever its case.
ID_FIELDS = ("document", "id", "_id")
#: Where the text is looked for: all that the records have, joined in this order. Beside a title, `subject` is what a
#: library calls a topic; without one it is the title of a message.
TEXT_FIELDS = ("title", "subject", "abstract", "summary", "description", "text", "body", "content", "message")
#: ``--id @line`` makes ids of the file's name and the line number.
LINE_ID = "@line"

#: How users name fields: ``"author,kind=category"``, a list of such, or a mapping of new names to fields.
Fields = str | Iterable[str] | Mapping[str, str] | None
Mode = Literal["create", "replace", "append"]
OnError = Literal["stop", "skip"]


@dataclass(frozen=True)
class ReadOptions:
    """How documents are read from files: the part of `LoadOptions` that `hin predict` needs too, parsed.

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
    ignore : tuple of str
        Fields that are left out.
    html : tuple of str or None
        The text fields whose tags and entities are taken out (`hin.reading.columns.html_text` says what is HTML).
        None: those that have some.
    columns : tuple of str or None
        The columns of a table that has no line with their names.
    format : str or None
        One of `hin.reading.formats.FORMATS`. None: told by the file.
    limits : Limits
        How much a record and a packed file may ask for.

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
    ignore: tuple[str, ...] = ()
    html: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    encoding: str | None = None
    limits: Limits = Limits()

    @classmethod
    def of(
        cls,
        id: str | None = None,
        text: Fields = None,
        metadata: Fields = None,
        label: str | None = None,
        links: Fields = None,
        separator: str | None = None,
        format: str | None = None,
        ignore: Fields = None,
        html: Fields = None,
        columns: Fields = None,
        encoding: str | None = None,
        limits: Limits | None = None,
    ) -> ReadOptions:
        """Make options from what users write, on the command line or in Python."""
        texts = parse_fields(text)
        if texts == ():
            raise BadUsage("no text field is named", hint="name one with --text, or leave --text out")
        if format is not None:
            from hin.reading.formats import FORMATS

            FORMATS.get(format)
        if separator == "":
            raise BadUsage("the separator is empty", hint="give one, for example --separator ';'")
        options = cls(
            id=id,
            text=texts,
            metadata=parse_fields(metadata),
            label=label,
            links=parse_fields(links) or (),
            separator=separator,
            format=format,
            ignore=_sources(ignore) or (),
            html=_sources(html),
            columns=_sources(columns) or None,
            encoding=check_encoding(encoding),
            limits=limits or Limits(),
        )
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
        names = [spec.name for spec in self.text or ()]
        twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
        if twice is not None:
            raise BadUsage(f"the text field {twice!r} is named twice", hint="name it once")
        check_names(self.named_metadata, self.links)

    def to_dict(self) -> dict[str, Any]:
        """Return the options as plain JSON, for a manifest."""
        plain: dict[str, Any] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, Limits):  # what was read is what it is, whatever could have been
                continue
            plain[entry.name] = [str(spec) for spec in value] if isinstance(value, tuple) else value
        return plain


def _sources(fields: Fields) -> tuple[str, ...] | None:
    specs = parse_fields(fields)
    return None if specs is None else tuple(spec.source for spec in specs)


@dataclass(frozen=True)
class LoadOptions:
    """Everything that can be said about a load, as users write it; the command line's options are made from it.

    Examples
    --------
    >>> LoadOptions(metadata="author,kind=category", append=True).mode
    'append'
    """

    id: str | None = option(
        None,
        "The field with the id; `@line` makes one of file and line. Default: document, id or one that looks like it.",
        metavar="FIELD",
    )
    text: Fields = option(
        None,
        "Text fields, joined in this order. Default: title (or subject), abstract, text, body, ... where there, and "
        "every other field with prose.",
        metavar="FIELDS",
        kind=str,
    )
    metadata: Fields = option(
        None,
        "Metadata fields; `kind=category` renames one, `*` stands for all others. Default: all others with strings, "
        "numbers or lists of them, but no constants and nothing that hardly repeats.",
        metavar="FIELDS",
        kind=str,
    )
    label: str | None = option(
        None,
        "The true category (or a list), to evaluate and for nothing else. Default: label; '' for none.",
        metavar="FIELD",
    )
    links: Fields = option(
        None,
        "Fields with ids of other documents.",
        metavar="FIELDS",
        kind=str,
    )
    edges: Iterable[str] | None = option(
        None,
        "A table of more edges: type, source_type, source, target_type, target.",
        metavar="FILE",
        kind=list[str],
    )
    separator: str | None = option(
        None,
        "What stands between the values of one table cell.",
        metavar="TEXT",
    )
    ignore: Fields = option(
        None,
        "Fields to leave out.",
        metavar="FIELDS",
        kind=str,
    )
    html: Fields = option(
        None,
        "Text fields whose HTML tags and entities are taken out. Default: those that have some; '' for none.",
        metavar="FIELDS",
        kind=str,
    )
    columns: Fields = option(
        None,
        "Names for the columns of a table without a header line; `@first`: the first line has them after all.",
        metavar="NAMES",
        kind=str,
    )
    encoding: str | None = option(
        None,
        "How the text of the files is written, such as cp1252. Default: UTF-8, or as the file's mark says.",
        metavar="NAME",
    )
    drop_duplicates: bool = option(False, "Leave out documents whose text came before.")
    format: str | None = option(
        None,
        "What the files are. Default: told by the file.",
        choices="hin.reading.formats:FORMATS",
    )
    phrases: bool = option(BuildOptions.phrases, "Join frequent collocations into one term.", "--phrases/--no-phrases")
    min_count: int = option(BuildOptions.min_count, "Leave terms out that are in fewer documents.", least=1)
    append: bool = option(False, "Add to the graph that is there.")
    replace: bool = option(False, "Put this graph in the place of the one that is there.")
    update: bool = option(False, "With --append: documents with known ids replace the old ones.")
    on_error: OnError = option("stop", "At a bad record.")
    rejected: str | Path | None = option(
        None,
        "Where skipped records go. Default: PLACE.rejected.jsonl.",
        metavar="FILE",
        kind=Path,
    )

    max_record: str | int = option("64MB", "The longest record that is read.", metavar="SIZE", kind=str)
    max_fields: int = option(Limits.fields, "The most fields of a record.", least=1)
    max_unpacked: str | int = option(
        "4GB", "The size, unpacked, of a packed file that must be read as a whole.", metavar="SIZE", kind=str
    )
    engine: Any = option(None, ENGINE_HELP, metavar="ENGINE", kind=str)

    def __post_init__(self) -> None:
        if self.append and self.replace:
            raise BadUsage("--append and --replace exclude one another", hint="choose one")
        if self.update and not self.append:
            raise BadUsage("--update changes documents of a graph that is there", hint="use it with --append")
        if self.on_error not in ("stop", "skip"):
            raise BadUsage(f"unknown way to meet errors {self.on_error!r}", hint="use --on-error stop or skip")

    @property
    def mode(self) -> Mode:
        """What to do with a graph that is there already."""
        return "append" if self.append else "replace" if self.replace else "create"

    def reading(self) -> ReadOptions:
        """Return the part about files and fields, parsed and checked."""
        named = {entry.name: getattr(self, entry.name) for entry in fields(ReadOptions)}
        return ReadOptions.of(**named)

    @property
    def limits(self) -> Limits:
        """How much an input may ask for."""
        return Limits(parse_size(self.max_record), self.max_fields, parse_size(self.max_unpacked))
