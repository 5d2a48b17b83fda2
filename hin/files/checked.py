"""Read files that may have been altered: every array, table and JSON file is checked before anything uses it.

A graph or model may come from anybody. Compiled loops trust the numbers they get, so numbers out of range, offsets
that run backwards and tables that do not fit together have to be found here, each with a line that names the file.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.errors import DamagedGraph, NewerFormat
from hin.files.json_shapes import Shape, mismatch
from hin.files.mapped import release_pages

if TYPE_CHECKING:
    import pyarrow as pa

#: The number of values that fit into the processor's cache.
_BLOCK = 1 << 16
HINT = "see `hin info --check`, or make the graph or model again"


def damaged(path: Path, what: str) -> DamagedGraph:
    """Return the error for a file that is not what was written.

    >>> str(damaged(Path("papers.hin/load-1/terms.targets.npy"), "numbers out of range")).split(";")[0]
    'load-1/terms.targets.npy is damaged: numbers out of range'
    """
    return DamagedGraph(f"{path.parent.name}/{path.name} is damaged: {what}", hint=HINT)


def plain_file(path: Path) -> Path:
    """Return the path of an ordinary file; a link may lead anywhere, and a pipe never ends."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise damaged(path, "it is not an ordinary file")
    return path


def file_hash(path: str | os.PathLike[str]) -> str:
    """Return a file's SHA-256."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_json(path: Path, shape: Shape, newest: int | None = None) -> Any:
    """Read a JSON file that hin wrote, and check that it has a shape (`hin.files.json_shapes`).

    A file whose `format` is above `newest` was written by a newer version and may have another shape.
    """
    try:
        value = json.loads(plain_file(path).read_bytes())
        if newest is not None and mismatch(value, {"format": int}) is None and value["format"] > newest:
            what = f"{path.parent.name}/{path.name} has format {value['format']}, this version reads up to {newest}"
            raise NewerFormat(what, hint="update this program")
        fault = mismatch(value, shape)
    except FileNotFoundError:
        raise
    except (ValueError, OSError, RecursionError) as error:
        raise damaged(path, _message_of(error)) from None
    if fault is not None:
        raise damaged(path, fault)
    return value


def load_array(
    path: Path,
    kinds: str,
    shape: Sequence[int | None] = (None,),
    *,
    mapped: bool = True,
) -> npt.NDArray[Any]:
    """Open a .npy file and check what kind of numbers it holds and how many; fractions must be finite.

    Parameters
    ----------
    kinds : str
        The accepted dtypes, such as "int32 int64".
    shape : sequence
        The expected shape; None stands for any length.
    mapped : bool
        Whether to map the file into memory instead of reading it.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "x.npy"
    >>> np.save(path, np.arange(3, dtype=np.int32))
    >>> load_array(path, "int32", (3,)).tolist()
    [0, 1, 2]
    >>> load_array(path, "float32")
    Traceback (most recent call last):
    hin.errors.DamagedGraph: ... is damaged: it holds int32, not float32; ...
    """
    try:
        with plain_file(path).open("rb") as file:
            if file.read(6) != b"\x93NUMPY":  # np.load takes archives and pickles too
                raise ValueError("it is not an array")
        array: npt.NDArray[Any] = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except FileNotFoundError:
        raise
    except Exception as error:  # the header is parsed as a Python literal, which may raise anything
        raise damaged(path, _message_of(error)) from None
    if str(array.dtype) not in kinds.split():
        raise damaged(path, f"it holds {array.dtype}, not {' or '.join(kinds.split())}")
    fits = len(array.shape) == len(shape) and all(
        want is None or have == want for have, want in zip(array.shape, shape, strict=True)
    )
    if not fits or not array.flags.c_contiguous:
        wanted = " x ".join("?" if want is None else str(want) for want in shape)
        raise damaged(path, f"its shape is {' x '.join(map(str, array.shape))}, not {wanted}")
    if array.dtype.kind == "f":
        _check_finite(path, array)
    return array


def _check_finite(path: Path, numbers: npt.NDArray[Any]) -> None:
    """Raise if a number is NaN or infinite: it would spread into whatever is computed from it."""
    flat = numbers.reshape(-1)
    with np.errstate(invalid="ignore"):
        for start in range(0, len(flat), _BLOCK):
            block = flat[start : start + _BLOCK]
            if not (np.isfinite(block.max()) and np.isfinite(block.min())):  # NaN fails both comparisons
                raise damaged(path, "it holds numbers that are NaN or infinite")
    release_pages(numbers)


def check_range(path: Path, numbers: npt.NDArray[Any], below: int, low: int = 0, keep: bool = False) -> None:
    """Raise unless all numbers are at least `low` and less than `below`; one pass over the array.

    Parameters
    ----------
    keep : whether the numbers are used right afterwards, so that their pages should stay in memory.

    Examples
    --------
    >>> check_range(Path("a/b.npy"), np.array([0, 3]), 3)
    Traceback (most recent call last):
    hin.errors.DamagedGraph: a/b.npy is damaged: numbers out of range; ...
    """
    if not numbers.size:
        return
    if low == 0 and numbers.dtype in (np.int32, np.int64):
        # Seen as unsigned, a negative number is a huge one: one comparison finds both.
        outside = int(numbers.view(np.uint32 if numbers.dtype == np.int32 else np.uint64).max()) >= below
    else:
        outside = int(numbers.min()) < low or int(numbers.max()) >= below
    if not keep:
        release_pages(numbers)  # they will be read again when they are used
    if outside:
        raise damaged(path, "numbers out of range")


def check_offsets(path: Path, offsets: npt.NDArray[Any], total: int) -> None:
    """Raise unless offsets begin with 0, never decrease, and end with the number of values."""
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != total or bool((offsets[1:] < offsets[:-1]).any()):
        raise damaged(path, "its offsets do not match its values")


def read_table(path: Path, columns: Mapping[str, str] | None = None, rows: int | None = None) -> pa.Table:
    """Map a table in Arrow's file format and check it.

    Parameters
    ----------
    columns : mapping, optional
        The columns it must have, in their order, and their types as Arrow spells them. By default any columns, but
        only of text or whole numbers.
    rows : int, optional
        How many rows it must have.

    Examples
    --------
    >>> import tempfile, pyarrow as pa
    >>> from hin.stores.graph_files import write_arrow
    >>> path = Path(tempfile.mkdtemp()) / "x.arrow"
    >>> write_arrow(path, pa.table({"name": pa.array(["a"], pa.large_string())}))
    >>> read_table(path, {"name": "large_string"}).num_rows
    1
    """
    import pyarrow as pa

    try:
        plain_file(path)
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
        table.validate()
        for column in table.columns:
            for chunk in column.chunks:
                _check_chunk(path, chunk)
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, MemoryError, OverflowError) as error:
        raise damaged(path, _message_of(error)) from None
    if columns is None:
        known = (pa.types.is_large_string, pa.types.is_string, pa.types.is_integer)
        fits = all(any(is_kind(field.type) for is_kind in known) for field in table.schema)
    else:
        fits = [(field.name, arrow_type(field.type)) for field in table.schema] == list(columns.items())
    if not fits:
        raise damaged(path, "it has other columns than were written")
    if rows is not None and table.num_rows != rows:
        raise damaged(path, f"it has {table.num_rows:,} rows, not {rows:,}")
    return table


def arrow_type(kind: Any) -> str:
    """Return the name of an Arrow type, without the names of list items, which differ between versions."""
    return str(kind).replace("item: ", "").replace("element: ", "")


def _check_chunk(path: Path, chunk: Any) -> None:
    """Raise if the offsets of strings or lists point outside their values, the one way Arrow data can crash."""
    import pyarrow as pa

    kind = chunk.type
    if pa.types.is_large_string(kind) or pa.types.is_string(kind):
        _, offsets, values = chunk.buffers()
        wide = np.int64 if pa.types.is_large_string(kind) else np.int32
        size = 0 if values is None else values.size
    elif pa.types.is_large_list(kind) or pa.types.is_list(kind):
        offsets = chunk.buffers()[1]
        wide = np.int64 if pa.types.is_large_list(kind) else np.int32
        size = len(chunk.values)
        _check_chunk(path, chunk.values)
    elif pa.types.is_primitive(kind):
        return
    else:
        raise damaged(path, f"it holds {kind}, which hin does not write")
    if offsets is None:
        if len(chunk):
            raise damaged(path, "its offsets do not match its values")
        return
    found: npt.NDArray[Any] = np.frombuffer(offsets, dtype=wide)[chunk.offset : chunk.offset + len(chunk) + 1]
    if len(chunk) and (
        len(found) != len(chunk) + 1 or found[0] < 0 or found[-1] > size or bool((found[1:] < found[:-1]).any())
    ):
        raise damaged(path, "its offsets do not match its values")


def check_text(path: Path, strings: pa.Array) -> None:
    """Raise unless strings whose offsets were checked are UTF-8.

    One pass over all bytes, then over the offsets: that is a fifth of the work of checking each string.

    Examples
    --------
    >>> import pyarrow as pa
    >>> halves = pa.array([b"\\xc3", b"\\xa9"], pa.large_binary()).view(pa.large_string())
    >>> check_text(Path("a/b.arrow"), halves)
    Traceback (most recent call last):
    hin.errors.DamagedGraph: a/b.arrow is damaged: a name is not UTF-8; ...
    """
    import pyarrow as pa

    _, offsets, values = strings.buffers()
    if offsets is None or values is None or not len(strings):
        return
    cuts: npt.NDArray[Any] = np.frombuffer(offsets, dtype=np.int64)[strings.offset : strings.offset + len(strings) + 1]
    ends = pa.py_buffer(np.array([cuts[0], cuts[-1]], dtype=np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, ends, values]).validate(full=True)
    except ValueError:
        raise damaged(path, "a name is not UTF-8") from None
    # Continuation bytes of UTF-8 (10xxxxxx, so less than -64 as signed numbers): no string may begin with one.
    inside = np.flatnonzero(np.frombuffer(values, dtype=np.int8)[: cuts[-1]] < -64)
    if len(inside) and bool((cuts[np.searchsorted(cuts, inside)] == inside).any()):
        raise damaged(path, "a name is not UTF-8")


def _message_of(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
