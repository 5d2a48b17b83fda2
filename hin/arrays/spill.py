"""Large columns on disk while a graph is built: appended to, memory-mapped, moved instead of copied.

Without a folder they stay in memory; the result is the same.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Array
from hin.files.mapped import map_writable

if TYPE_CHECKING:
    import pyarrow as pa

#: Documents in one batch of the file of texts; fixed, so that equal texts give equal files.
TEXT_BATCH = 1 << 14
#: The folder within a graph for columns that are still being written.
SCRATCH = ".tmp-scratch"


class GrowingColumn:
    """An array that grows at its end.

    Examples
    --------
    >>> column = GrowingColumn(np.int32)
    >>> column.add(np.array([1, 2])); column.add(np.array([3]))
    >>> column.array().tolist()
    [1, 2, 3]
    """

    def __init__(self, dtype: npt.DTypeLike, path: Path | None = None) -> None:
        self.dtype = np.dtype(dtype)
        self.path = path
        self.size = 0
        self._parts: list[Any] = []
        if path is not None:
            path.write_bytes(self._header(0))

    def _header(self, size: int) -> bytes:
        """Return the header of a .npy file; numpy pads it, so that the final size can be written into it later."""
        from io import BytesIO

        head = BytesIO()
        described = {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": (size,)}
        np.lib.format.write_array_header_1_0(head, described)
        return head.getvalue()

    def add(self, part: Array) -> None:
        """Append numbers."""
        part = np.ascontiguousarray(part, dtype=self.dtype)
        self.size += len(part)
        if self.path is None:
            self._parts.append(part)
            return
        with self.path.open("ab") as file:  # not held open: a load may be killed at any point
            file.write(part.data)

    def array(self, changing: bool = False) -> Array:
        """Return the whole column and end appending; a column in a file is read-only unless `changing`."""
        if self.path is None:
            whole = np.empty(self.size, dtype=self.dtype)
            at = 0
            self._parts.reverse()
            while self._parts:  # each part is released once it is copied
                part = self._parts.pop()
                whole[at : at + len(part)] = part
                at += len(part)
            return whole
        with self.path.open("r+b") as file:
            file.write(self._header(self.size))
        if changing:
            return map_writable(self.path, self.dtype, len(self._header(self.size)), self.size)
        return np.load(self.path, mmap_mode="r") if self.size else np.zeros(0, self.dtype)


class TextColumns:
    """The documents' texts, one column per text field, in batches of a fixed number of documents.

    Examples
    --------
    >>> import pyarrow as pa
    >>> texts = TextColumns()
    >>> texts.add([pa.array(["a title"], type=pa.large_string())])
    >>> texts.table(["text"]).column("text").to_pylist()
    ['a title']

    `names` gives the fields' names when the first batch is written; before that they need not be known.
    """

    def __init__(self, path: Path | None = None, names: Callable[[], list[str]] | None = None) -> None:
        self.path = path if names is not None else None
        self._names = names
        self._pending: list[list[Any]] = []
        self._rows = 0
        self._batches: list[Any] = []
        self._writer: Any = None
        self._sink: Any = None

    def add(self, columns: list[pa.Array]) -> None:
        """Append the texts of some documents."""
        self._pending.append(columns)
        self._rows += len(columns[0])
        if self._rows >= TEXT_BATCH:
            self._flush(TEXT_BATCH)

    def _flush(self, least: int) -> None:
        """Write full batches of the pending texts."""
        import pyarrow as pa

        columns = [pa.concat_arrays(column) for column in zip(*self._pending, strict=True)]
        start = 0
        while self._rows - start >= least and start < self._rows:
            names = self._names() if self._names else [str(i) for i in range(len(columns))]
            self._write_batch(pa.RecordBatch.from_arrays([copy_batch(column, start) for column in columns], names))
            start += TEXT_BATCH
        self._pending = [[column.slice(start) for column in columns]]
        self._rows = max(0, self._rows - start)

    def _write_batch(self, batch: Any) -> None:
        import pyarrow as pa

        if self.path is None:
            self._batches.append(batch)
            return
        if self._writer is None:
            self._sink = pa.OSFile(str(self.path), "wb")
            self._writer = pa.ipc.new_file(self._sink, batch.schema)
        self._writer.write_batch(batch)

    def table(self, names: list[str]) -> pa.Table:
        """Return the whole as a table; nothing can be appended any more."""
        import pyarrow as pa

        if self._rows:
            self._flush(1)
        if self._writer is not None:
            self._writer.close()
            self._sink.close()
            table = pa.ipc.open_file(pa.memory_map(str(self.path))).read_all()
        else:
            table = pa.Table.from_batches(self._batches)
        return table.rename_columns(names)


def copy_batch(column: pa.Array, start: int) -> pa.Array:
    """Copy one batch of a text column into buffers of its own; a slice would be written with its neighbours' bytes.

    >>> import pyarrow as pa
    >>> copy_batch(pa.array(["a", "b"], type=pa.large_string()), 1).to_pylist()
    ['b']
    """
    import pyarrow as pa

    return pa.concat_arrays([column.slice(start, TEXT_BATCH), column.slice(0, 0)])


def save_array(path: Path, array: Array) -> None:
    """Save as .npy; a column in a scratch folder is such a file already and is hard-linked instead of copied.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> save_array(folder / "a.npy", np.arange(3))
    >>> np.load(folder / "a.npy").tolist()
    [0, 1, 2]
    """
    source = getattr(array, "filename", None)
    if source is not None and is_scratch(Path(source)):
        link_or_copy(Path(source), path)
    else:
        np.save(path, array)


def is_scratch(path: Path) -> bool:
    """Check whether a file lies in a scratch folder, so that nobody else changes it.

    >>> is_scratch(Path("papers.hin/.tmp-scratch/texts.arrow")), is_scratch(Path("papers.hin/load-1/texts.arrow"))
    (True, False)
    """
    return path.parent.name == SCRATCH


def link_or_copy(source: str | Path, target: str | Path) -> None:
    """Hard-link a file, or copy it if the file system does not support links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
