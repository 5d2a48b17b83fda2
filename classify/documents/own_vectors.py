"""Read, check and order the vectors of documents that the user made with another encoder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embed.vectors import unit_rows
from hin.arrays.types import Array, Floats
from hin.errors import BadInput, BadUsage
from hin.human import plural
from hin.reading.options import ID_FIELDS

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class DocumentVectors:
    """One vector for each document, in the documents' order; a row of zeros stands for a missing vector.

    >>> DocumentVectors(np.ones((2, 3), np.float32)).identity == DocumentVectors(np.ones((2, 3), np.float32)).identity
    True
    """

    rows: Floats

    @cached_property
    def identity(self) -> str:
        """A hash of the content, for cache keys and the manifest."""
        content = np.ascontiguousarray(self.rows)
        return blake2b(repr(content.shape).encode() + content.tobytes(), digest_size=16).hexdigest()

    @cached_property
    def centred(self) -> Floats:
        """Unit vectors around their mean."""
        units = unit_rows(np.asarray(self.rows))
        return unit_rows(units - units.mean(axis=0, dtype=np.float64).astype(np.float32))


def join_views(joint: Floats, own: Floats, shares: Mapping[str, float]) -> Floats:
    """Join unit vectors of two views, so that a cosine is the mean of both, weighted by the views' shares.

    >>> joined = join_views(np.eye(2, dtype=np.float32), np.ones((2, 1), np.float32), {"joint": 0.3, "vectors": 0.1})
    >>> (joined @ joined.T).round(2).tolist()
    [[1.0, 0.25], [0.25, 1.0]]
    """
    total = shares["joint"] + shares["vectors"]
    weights = [np.sqrt(np.float32(shares[name] / total)) for name in ("joint", "vectors")]
    return np.hstack([unit_rows(joint) * weights[0], unit_rows(own) * weights[1]])


@dataclass(frozen=True, eq=False)
class GivenVectors:
    """Vectors as they were given: by row number, or by document id.

    Attributes
    ----------
    name : the file or the kind of object, for messages.
    rows : float32[vectors, dim]
    ids : the id of each row; None where rows are in the documents' order.
    """

    name: str
    rows: Floats
    ids: Mapping[str, int] | None = None

    def check_width(self, width: int) -> None:
        """Raise unless the vectors are as long as those a model was fitted with."""
        if self.rows.shape[1] != width:
            raise BadInput(
                f"{self.name}: vectors have {self.rows.shape[1]} numbers, those of the model {width}",
                hint="use the encoder of the fit",
            )

    def check_number(self, documents: int) -> None:
        """Raise unless there is one row for each document, where rows are in the documents' order."""
        if self.ids is None and len(self.rows) != documents:
            what = f"{self.name}: {plural(len(self.rows), 'vector')} for {plural(documents, 'document')}"
            raise BadInput(what, hint="give one row for each document in their order, or vectors with ids (parquet)")

    def of(self, ids: Sequence[str], first: int = 0) -> Floats:
        """Return the vectors of consecutive documents, the first of which has the number `first`."""
        if self.ids is None:
            if first + len(ids) > len(self.rows):
                self.check_number(first + len(ids))
            return self.rows[first : first + len(ids)]
        missing = [name for name in ids if name not in self.ids]
        if missing:
            shown = ", ".join(map(repr, missing[:3]))
            what = f"{self.name}: no vector for {plural(len(missing), 'document')}, such as {shown}"
            raise BadInput(what, hint="the ids must be the documents' own")
        return self.rows[[self.ids[name] for name in ids]]


def vectors_of(given: Any, documents: Sequence[str]) -> DocumentVectors | None:
    """Return the vectors of all documents, given by their ids; `given` as in `given_vectors`.

    >>> vectors_of({"b": [0.0, 1.0], "a": [1.0, 0.0]}, ["a", "b"]).rows.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if given is None or isinstance(given, DocumentVectors):
        return given
    found = given_vectors(given)
    found.check_number(len(documents))
    return DocumentVectors(np.ascontiguousarray(found.of(documents)))


def given_vectors(given: Any) -> GivenVectors:
    """Read vectors from an array, a mapping of ids, a table (pandas, polars, Arrow), or a .npy or .parquet file.

    A table has an id column (or a DataFrame its index), and one column of lists or one column for each number.
    """
    if isinstance(given, GivenVectors):
        return given
    if isinstance(given, str | os.PathLike):
        return _of_file(Path(given))
    if isinstance(given, Mapping):
        return _checked("vectors", _stacked("vectors", list(given.values())), list(map(str, given)))
    if hasattr(given, "to_batches"):
        return _of_table("vectors", given)
    if hasattr(given, "columns"):
        return _of_table("vectors", _as_arrow(given))
    return _checked("vectors", _stacked("vectors", given))


def _of_file(path: Path) -> GivenVectors:
    if path.suffix not in (".npy", ".parquet"):
        raise BadUsage(f"{path}: vectors are .npy or .parquet", hint="write them with numpy.save, or as Parquet")
    try:
        if path.suffix == ".npy":
            return _checked(path.name, _stacked(path.name, np.load(path, allow_pickle=False)))
        import pyarrow.parquet as pq

        table = pq.read_table(path)
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}", hint="name a .npy or .parquet file with vectors") from None
    except (OSError, ValueError, EOFError) as error:
        first = str(error).partition("\n")[0]
        why = "not an array of numbers" if "pickle" in first else first  # numpy advises to load pickles all the same
        raise BadInput(
            f"{path}: no readable vectors ({why})", hint="write them with numpy.save, or as Parquet"
        ) from error
    return _of_table(path.name, table)


def _as_arrow(frame: Any) -> pa.Table:
    """Return a DataFrame as an Arrow table; the index of pandas is the id where there is no id column."""
    import pyarrow as pa

    if hasattr(frame, "to_arrow"):  # polars
        return frame.to_arrow()
    columns = {str(name): pa.array(frame[name].tolist()) for name in frame.columns}
    if not any(name in columns for name in ID_FIELDS):
        columns = {"id": pa.array([str(key) for key in frame.index]), **columns}
    return pa.table(columns)


def _of_table(name: str, table: pa.Table) -> GivenVectors:
    import pyarrow as pa

    column = next((known for known in ID_FIELDS if known in table.column_names), None)
    if column is None:
        raise BadInput(f"{name}: no id column", hint=f"name it {ID_FIELDS[0]} or {ID_FIELDS[1]}")
    rest = [other for other in table.column_names if other != column]
    lists = [other for other in rest if _is_list(table.schema.field(other).type)]
    numbers = [other for other in rest if pa.types.is_floating(table.schema.field(other).type)]
    if len(lists) == 1:
        rows = _stacked(name, _rows_of(table.column(lists[0])))
    elif numbers and not lists:
        rows = _stacked(name, np.stack([table.column(other).to_numpy() for other in numbers], axis=1))
    else:
        raise BadInput(f"{name}: no column of vectors", hint="give one column of lists, or one column per number")
    return _checked(name, rows, [str(value) for value in table.column(column).to_pylist()])


def _is_list(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _rows_of(column: pa.ChunkedArray) -> Any:
    """Return lists of one length as an array, without an object for each number; others as they are."""
    import pyarrow.compute as pc

    sizes = pc.list_value_length(column).unique().to_pylist()
    if len(sizes) != 1 or sizes[0] is None:
        return column.to_pylist()
    return pc.list_flatten(column).to_numpy().reshape(len(column), sizes[0])


def _stacked(name: str, rows: Any) -> Array:
    """Return rows as one array; all must have one length."""
    if not isinstance(rows, np.ndarray):
        rows = list(rows)
        sizes = sorted({len(row) if hasattr(row, "__len__") else -1 for row in rows})
        if len(sizes) > 1:
            what = f"{name}: vectors of different lengths ({', '.join('none' if s < 0 else str(s) for s in sizes[:3])})"
            raise BadInput(what, hint="every document needs a vector of the same length")
        rows = np.array(rows)
    if rows.ndim != 2 or not rows.size or rows.dtype.kind not in "fiu":
        raise BadInput(
            f"{name}: an array of {rows.dtype} with shape {rows.shape}", hint="give one row of numbers per document"
        )
    return np.asarray(rows)


def _checked(name: str, rows: Array, ids: list[str] | None = None) -> GivenVectors:
    with np.errstate(over="ignore"):
        values = rows.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(bad):
        where = f"row {bad[0] + 1}" if ids is None else f"document {ids[bad[0]]!r}"
        raise BadInput(
            f"{name}: {where} has a value that is not a number (NaN or infinite)", hint="mend or leave it out"
        )
    if ids is None:
        return GivenVectors(name, values)
    numbers = {key: row for row, key in enumerate(ids)}
    if len(numbers) < len(ids):
        twice = next(key for row, key in enumerate(ids) if numbers[key] != row)
        raise BadInput(f"{name}: two vectors for document {twice!r}", hint="give each document one vector")
    return GivenVectors(name, values, numbers)
