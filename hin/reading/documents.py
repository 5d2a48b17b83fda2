"""Documents from files of any registered format, plain or compressed, several at once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from hin.errors import BadInput, argument
from hin.files.atomic import check_outputs
from hin.files.checked import file_hash
from hin.human import plural
from hin.progress import Progress, silent
from hin.reading.formats import Row, data_members, format_of
from hin.reading.formats.folder import DocumentFolder, check_folder, is_archive_of_documents
from hin.reading.inputs.files import Paths, display_name, expand_paths
from hin.reading.inputs.places import InputPath, size_of
from hin.reading.inputs.source import Source, TextTable
from hin.reading.limits import RecordTooLongError
from hin.reading.options import LINE_ID, LoadOptions
from hin.reading.problems import SKIP, Problem, Rejects
from hin.reading.record_maker import ParsedRecord, RecordMaker
from hin.reading.records import BATCH_SIZE, Record, RecordBatch


class BatchReader:
    """Read documents batch by batch; the counts and findings are complete after the last batch.

    Parameters
    ----------
    paths : str, path, or several
        Files, patterns like ``data/*.jsonl.gz``, or ``-``.
    options : LoadOptions
        The use of each field, and the handling of bad records and repeated texts.
    side_file : path, optional
        The file for skipped records and their reasons.
    known_ids : collection of str
        Ids that are taken already (those of the graph that is appended to).
    required : LoadOptions, optional
        The options whose fields some record must have; default: all fields that are named.
    known_fields : iterable of str
        The metadata fields of the graph that is appended to; new ones may not collide with them.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "papers.jsonl"
    >>> _ = path.write_text('{"id": "p1", "text": "On graphs", "venue": "KDD"}')
    >>> reader = BatchReader(path)
    >>> [(batch.ids, batch.metadata) for batch in reader]
    [(['p1'], {'venue': [['KDD']]})]
    >>> reader.documents, reader.rejected, reader.schema()["id"]
    (1, 0, 'id')
    """

    def __init__(
        self,
        paths: Paths,
        options: LoadOptions | None = None,
        side_file: str | Path | None = None,
        known_ids: Collection[str] = frozenset(),
        progress: Progress = silent,
        required: LoadOptions | None = None,
        known_fields: Iterable[str] = (),
    ) -> None:
        self.options = options or LoadOptions()
        given = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
        texts = [path for path in given if is_archive_of_documents(path)]
        named = texts if given == texts != [] else [*texts, *expand_paths([p for p in given if p not in texts])]
        #: Notes on how ambiguous files were read: their encoding, lines above a table.
        self.notes: list[str] = []
        for folder in filter(os.path.isdir, named):
            self.notes += check_folder(folder)
        self._given = frozenset(given)
        self.files = named if self.options.format is not None else data_members(named)
        taken = set(self.files)
        #: Members of archives whose names show no format, such as a README among tables.
        self.left_out = [InputPath(file).own_name for file in named if file not in taken]
        check_outputs([side_file], self.files)
        self.rejects = Rejects(side_file)
        self.known_ids = known_ids
        self.progress = progress
        self.documents = 0
        #: Name, size and sha256 of each file, as far as it was read.
        self.inputs: list[dict[str, Any]] = []
        #: The layout of the last delimited file.
        self.table: TextTable | None = None
        #: How many values of a column that was taken for the id are missing or came again.
        self.repaired_ids = 0
        #: How many records repeat an earlier text.
        self.duplicates = 0
        self._digests: set[bytes] = set()
        self.maker = RecordMaker(self.options, required, known_fields)
        self._settled = False
        self._own_names = {
            number: display_name(file) if file == "-" else InputPath(file).own_name
            for number, file in enumerate(self.files)
        }
        #: The place of each id, file and line packed in one number: this grows with the input.
        self._seen: dict[str, int] = {}
        self._last_line, self._on_line = (-1, -1), 0
        self._done = 0
        sizes = [size_of(path) for path in self.files]
        self._total = None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def rejected(self) -> int:
        """How many bad records were skipped."""
        return self.rejects.count

    @property
    def skipped_fields(self) -> dict[str, str]:
        """Fields left out because of what they hold, such as ``{"authors": "a list with an object"}``."""
        taken = {spec.source for spec in self.maker.metadata}
        return {name: what for name, what in self.maker.skipped.items() if name not in taken}

    def schema(self) -> dict[str, Any]:
        """Return the use of each field: id, text, label, renames, kinds."""
        return self.maker.schema()

    def __iter__(self) -> Iterator[RecordBatch]:
        try:
            pending: list[tuple[int, int, Any, bytes]] = []
            for number, file in enumerate(self.files):
                for line, value, raw in self._rows(number, file):
                    pending.append((number, line, value, raw))
                    if len(pending) >= BATCH_SIZE:
                        yield from self._batch(pending)
                        pending = []
            yield from self._batch(pending)
            self._seen, self._digests = {}, set()
            if repaired := self.repaired_ids:
                what = f"{plural(repaired, 'value')} of {self.maker.choice.id_field}, which is taken for the id"
                what += ", came again or are missing" if repaired > 1 else ", came again or is missing"
                self.notes.append(f"{what}: file and line are added ({argument('id', LINE_ID)} for lines alone)")
            self._finish()
        finally:
            self.rejects.close()

    def _finish(self) -> None:
        """Raise if no document was found, or no field that the user named."""
        names = ", ".join(map(display_name, self.files))
        if not self.documents:
            if bad := self.rejects.count:
                what = f"{names}: none of {bad} records can be used; the first: {self.rejects.first}"
                raise BadInput(what, hint="fix the records or name the fields with --id and --text")
            raise BadInput(f"{names}: no documents", hint="expected at least one record")
        self.maker.finish(names)

    def _rows(self, number: int, file: str) -> Iterator[Row]:
        """Yield one file's rows; an error while reading becomes a problem of its last line."""
        name = display_name(file)
        count = 0
        try:
            for line, value, raw in self._file_rows(file):
                if value is not None:
                    count += 1
                    yield line, value, raw
            if not count:
                yield 0, Problem(0, "empty", "expected at least one record; leave the file out"), b""
        except RecordTooLongError as long:
            yield long.line, long.problem(), b""
        except BadInput as error:
            if self.options.on_error == "stop":
                raise
            what = error.message.removeprefix(f"{name}: ")
            yield 0, Problem(0, what, error.hint or ""), b""

    def _file_rows(self, file: str) -> Iterator[Row]:
        options = self.options
        if os.path.isdir(file) or (file in self._given and is_archive_of_documents(file)):
            folder = DocumentFolder(file, self._report_progress, options.limits.record)
            yield from folder.rows()
            self._record_input(file, folder.inputs())
            return
        with Source(file, self._report_progress, options.column_names, options.limits, options.codec) as source:
            yield from format_of(source, options.format).rows(source)
            read = source.inputs()
        self.notes += source.notes
        self.table = None if source.table is None else source.table._replace(encoding=source.written_in)
        self._record_input(file, read)

    def _record_input(self, file: str, read: dict[str, Any]) -> None:
        """Record an input; the members of an archive that was named as a whole are one input."""
        self._done += read["bytes"]
        place = InputPath(file)
        if place.in_archive and file not in self._given and os.path.isfile(place.file):
            if self.inputs and self.inputs[-1]["file"] == place.file:
                return
            read = {"file": place.file, "bytes": os.path.getsize(place.file), "sha256": file_hash(place.file)}
        self.inputs.append(read)

    def _report_progress(self, done: int) -> None:
        """Report how many bytes of the current file have been read."""
        self.progress("reading", self._done + done, self._total, f"{self.documents:,} documents")

    def _batch(self, rows: list[tuple[int, int, Any, bytes]]) -> Iterator[RecordBatch]:
        if not self._settled:
            good = [value for _, _, value, _ in rows if not isinstance(value, Problem)]
            if good:
                first = next(number for number, _, value, _ in rows if not isinstance(value, Problem))
                self.maker.settle(good, display_name(self.files[first]))
                self._settled = True
        made: list[ParsedRecord] = []
        where: list[tuple[str, int]] = []
        for number, line, value, raw in rows:
            file = display_name(self.files[number])
            own_name = self._own_names[number]
            record = value if isinstance(value, Problem) else self.maker.make(own_name, line, value, raw)
            if not isinstance(record, Problem):
                record = self._check_id(number, line, record, raw)
            if isinstance(record, Problem):
                if self.options.on_error == "stop":
                    raise record.error(file)
                self.rejects.add(file, record)
                continue
            if self._is_repeated_text(record.texts) and self.options.drop_duplicates:
                continue
            made.append(record)
            where.append((file, line))
        if made:
            self.documents += len(made)
            yield self._columns(made, where)

    def _check_id(self, number: int, line: int, record: ParsedRecord, raw: bytes) -> ParsedRecord | Problem:
        """Return the record with an id that no other has, or the problem with its id."""
        field = self.maker.choice.id_field
        if field == LINE_ID:
            record = self._numbered(number, line, record)
        name = record.id
        before = self._seen.get(name)
        if self.maker.guessed_id and (before is not None or not name):
            self.repaired_ids += 1
            place = f"{self._own_names[number]}:{line}"
            record = self._numbered(number, line, record._replace(id=f"{name} ({place})" if name else place))
            name = record.id
            before = self._seen.get(name)
        if before is not None:
            first_line, first_file = divmod(before, len(self.files))
            place = f"line {first_line}"
            if first_file != number:
                place = f"{display_name(self.files[first_file])}, {place}"
            what = f"the id {name!r} was used before, in {place}"
            hint = f"give every document an id of its own, or number them with --id {LINE_ID}, {SKIP}"
            return Problem(line, what, hint, field, raw, duplicate=True)
        if name in self.known_ids:
            what = f"the id {name!r} is in the graph already"
            hint = f"replace that document with --update, {SKIP}"
            return Problem(line, what, hint, field, raw, duplicate=True)
        self._seen[name] = line * len(self.files) + number
        return record

    def _numbered(self, number: int, line: int, record: ParsedRecord) -> ParsedRecord:
        """Give records on one line, as those of an array may be, distinct ids: `a.json:1`, `a.json:1.2`, ..."""
        self._on_line = self._on_line + 1 if self._last_line == (number, line) else 1
        self._last_line = (number, line)
        return record if self._on_line == 1 else record._replace(id=f"{record.id}.{self._on_line}")

    def _is_repeated_text(self, texts: tuple[str, ...]) -> bool:
        """Check whether a text that is not empty was read before."""
        joined = "\0".join(texts)
        if not joined.strip("\0 \n\t"):
            return False
        digest = hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        before = len(self._digests)
        self._digests.add(digest)
        self.duplicates += len(self._digests) == before
        return len(self._digests) == before

    def _columns(self, made: list[ParsedRecord], where: list[tuple[str, int]]) -> RecordBatch:
        return RecordBatch(
            [record.id for record in made],
            [record.texts for record in made],
            {spec.name: [record.metadata.get(spec.name, []) for record in made] for spec in self.maker.metadata},
            [record.label for record in made],
            {spec.name: [record.links[spec.name] for record in made] for spec in self.maker.links},
            where,
        )


def read_records(paths: Paths, options: LoadOptions | None = None) -> Iterator[Record]:
    r"""Read documents one by one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "papers.csv"
    >>> _ = path.write_text("id,text,author\np1,On graphs,Ann;Bob")
    >>> [record.metadata for record in read_records(path, LoadOptions(separator=";"))]
    [{'author': ['Ann', 'Bob']}]
    """
    for batch in BatchReader(paths, options):
        yield from batch.records()
