"""Tables that are in memory already: a DataFrame (pandas, polars), an Arrow table, a list of dicts.

None of these packages is imported here: a table is recognised by its methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hin.errors import BadInput
from hin.reading.columns.choose import spelled_like
from hin.reading.documents import BatchReader
from hin.reading.formats import Row
from hin.reading.options import ID_FIELDS
from hin.reading.parsers.arrow_cells import plain_cell
from hin.reading.parsers.header import ID_NAME
from hin.reading.parsers.number_spelling import Cell

#: The name in messages of a table without a file.
NAME = "the table"


def is_table(given: Any) -> bool:
    """Check whether an input is a table of documents rather than the name of a file.

    >>> is_table([{"text": "On graphs"}]), is_table("papers.csv"), is_table(["a.csv", "b.csv"])
    (True, False, False)
    """
    if isinstance(given, (list, tuple)):
        return bool(given) and isinstance(given[0], Mapping)
    return any(hasattr(given, name) for name in ("itertuples", "iter_rows", "to_batches", "to_pylist"))


def reader_of(given: Any, *arguments: Any, **options: Any) -> BatchReader:
    """Make a reader of files, or of a table in memory, with the same options.

    >>> [batch.ids for batch in reader_of([{"id": "p1", "text": "On graphs"}])]
    [['p1']]
    """
    return (TableReader if is_table(given) else BatchReader)(given, *arguments, **options)


class TableReader(BatchReader):
    """Read a table in memory as a file would be read; rows are counted from 0, as in Python.

    Without an id column, the id is the index of a DataFrame (if it has no duplicates), else the row's number.

    Examples
    --------
    >>> reader = TableReader([{"text": "On graphs", "year": 2008}])
    >>> [(batch.ids, batch.metadata) for batch in reader]
    [(['0'], {'year': [['2008']]})]
    """

    def __init__(self, table: Any, *arguments: Any, **options: Any) -> None:
        super().__init__("-", *arguments, **options)
        self.table = table
        self.files = [NAME]
        self._own_names = {0: "row"}

    def _file_rows(self, file: str) -> Iterator[Row]:
        index: str | None = None
        for number, (key, row) in enumerate(table_rows(self.table)):
            if number == 0 and self._wants_index(row):
                index = "id"
            if index is not None:
                row[index] = number if key is None else plain_cell(_python(key))
            yield number, row, b""

    def _wants_index(self, row: Mapping[str, Any]) -> bool:
        if self.options.id is not None:  # "id" may be the name that an index had when the graph was made
            return self.options.id == "id" and "id" not in row
        return not spelled_like(ID_FIELDS, row) and not any(ID_NAME.fullmatch(name) for name in row)


def table_rows(table: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the index (None where there is none, or where it repeats) and the values of each row.

    >>> list(table_rows([{"text": "On graphs", "year": 2008}]))
    [(None, {'text': 'On graphs', 'year': 2008})]
    """
    if hasattr(table, "itertuples"):  # pandas
        names = [str(name) for name in table.columns]
        unique = table.index.is_unique
        for key, *values in table.itertuples(index=True, name=None):
            yield (
                key if unique else None,
                {name: _value(value, Cell) for name, value in zip(names, values, strict=True)},
            )
    elif hasattr(table, "iter_rows"):  # polars
        for row in table.iter_rows(named=True):
            yield None, {name: _value(value, Cell) for name, value in row.items()}
    elif hasattr(table, "to_batches"):  # an Arrow table
        for batch in table.to_batches(4096):
            for row in batch.to_pylist():
                yield None, {name: plain_cell(value) for name, value in row.items()}
    else:
        for row in table.to_pylist() if hasattr(table, "to_pylist") else table:
            if not isinstance(row, Mapping):
                raise BadInput(f"a document is a mapping, not {type(row).__name__}", hint='e.g. {"text": "On graphs"}')
            yield None, {str(name): _value(value, str) for name, value in row.items()}


def _value(value: Any, text: type[str]) -> Any:
    """Convert a value to JSON's types; a DataFrame's strings are cells, which may spell lists."""
    value = _python(value)
    if type(value) is str:
        return text(value)
    if isinstance(value, (list, tuple)):
        return [_value(item, str) for item in value]
    if isinstance(value, (set, frozenset)):
        return [_value(item, str) for item in sorted(value, key=str)]
    if isinstance(value, Mapping):
        return {str(key): _value(item, str) for key, item in value.items()}
    return plain_cell(value)


def _python(value: Any) -> Any:
    """Convert the values of numpy and pandas to plain Python; their missing values become None."""
    if hasattr(value, "tolist"):  # the scalars and arrays of numpy, the lists of polars and Arrow
        value = value.tolist()
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime()
    if hasattr(value, "hour") and (value.hour, value.minute, value.second) == (0, 0, 0) and hasattr(value, "date"):
        return value.date()
    return value
