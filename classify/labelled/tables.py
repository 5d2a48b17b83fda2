"""`hin.classify`: a table in, the same table with labels out."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from classify.categories.category_file import Category
from classify.labelled.added import added_columns, free_names
from classify.labelled.rows import rows_of_files, rows_of_table
from classify.labelled.writing import LabelledTable
from hin.reading.memory_tables import is_table
from hin.reading.options import LoadOptions


def classify(
    documents: Any,
    categories: Sequence[str | Category] | Mapping[str, Iterable[str]] | str | Path,
    *,
    several: bool = False,
    scores: bool = False,
    seed: int = 0,
    vectors: Any = None,
    random_state: int | None = None,
    **reading: Any,
) -> Any:
    """Label the documents of a table from the categories' names: the same table with three more columns.

    They are `category`, `confidence` and `because`, the three strongest reasons; a number is appended to a name that
    the table has already. They are empty in a row that becomes no document.

    Parameters
    ----------
    documents : DataFrame (pandas, polars), Arrow table, list of dicts, or the name of a file
    categories : names, lines of a labels file, names with keywords, or the path of a labels file
    several : a document may have several categories: `categories`, a list, takes the place of `category`.
    scores : add the scores of all categories.
    seed : the same seed gives the same labels.
    vectors : one vector for each document, as for `MotifClassifier.fit`.
    random_state : deprecated, use `seed`: only the estimator has scikit-learn's names.
    reading : options of `hin.load`, such as ``text=["subject", "body"]`` or ``label="topic"``.

    Returns
    -------
    DataFrame of the same package, with its index; of files and lists an Arrow table.

    See Also
    --------
    MotifClassifier : every option, new documents, and the reasons in full.
    """
    from classify.estimator import MotifClassifier
    from hin.loading import load

    if random_state is not None:
        warnings.warn("classify(random_state=...) becomes classify(seed=...)", DeprecationWarning, stacklevel=2)
        seed = random_state
    graph = load(documents, **reading)  # the error names the unknown option
    options = LoadOptions(**{name: value for name, value in reading.items() if name not in ("graph", "progress")})
    model = MotifClassifier(categories, several=several, random_state=seed).fit(graph, vectors=vectors)
    added = added_columns(model, graph, model.probabilities_, model.decision(), scores)
    if not is_table(documents):
        files = [documents] if isinstance(documents, (str, os.PathLike)) else list(documents)
        return LabelledTable(rows_of_files([os.fspath(file) for file in files], options, graph), added).to_arrow()
    numbers = rows_of_table(documents, options, graph).tolist()
    columns = {name: [values[n] if n >= 0 else None for n in numbers] for name, values in added.items()}
    return _widened(documents, columns)


def _widened(table: Any, columns: Mapping[str, list[Any]]) -> Any:
    """Return a copy of a table with more columns."""
    import pyarrow as pa

    package = type(table).__module__.partition(".")[0]
    if package in ("pandas", "polars"):
        names = free_names(columns, map(str, table.columns))
        renamed = {names[name]: values for name, values in columns.items()}
        if package == "pandas":
            return table.assign(**renamed)
        polars = sys.modules["polars"]
        return table.with_columns([polars.Series(name, values) for name, values in renamed.items()])
    arrow = table if hasattr(table, "append_column") else pa.Table.from_pylist([dict(row) for row in table])
    names = free_names(columns, arrow.column_names)
    for name, values in columns.items():
        arrow = arrow.append_column(names[name], pa.array(values))
    return arrow
