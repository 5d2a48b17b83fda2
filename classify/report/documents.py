"""The documents of a report: which are shown, and how they are packed into the page."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.arrays.types import Array, Floats, Int32, Int64, Ints, Reals
from hin.human import shortened

if TYPE_CHECKING:
    from classify.report.data import ReportData
    from hin.graph import Texts


_SENTENCE = re.compile(r"(?:\w\w|[)\]\"'])([.?!]+) ")
#: Letters of each text in the page: the first of these that fits, and `_MOST_LETTERS` of all texts at most.
_LETTERS = (2_000, 700, 250, 0)
_MOST_LETTERS = 60_000_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def short_titles(texts: Texts, documents: Int64, width: int = 100) -> list[str]:
    """Return the first sentence of each document, on one line, shortened, without reading the texts to the end.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from hin.graph import Texts
    >>> texts = Texts(pa.table({"title": ["", "Graphs"], "text": ["Mining large graphs. We study the mining of", ""]}))
    >>> short_titles(texts, np.array([0, 1]))
    ['Mining large graphs', 'Graphs']
    """
    import pyarrow as pa
    from pyarrow import compute

    titles = [""] * len(documents)
    for column in texts.table.columns:
        missing = [i for i, title in enumerate(titles) if not title]
        if not missing:
            break
        # Spaces before a title may be many, so the cut is generous.
        starts = compute.utf8_slice_codeunits(column.take(pa.array(documents[missing])), 0, 8 * width).to_pylist()
        for i, start in zip(missing, starts, strict=True):
            lines = start.strip().splitlines()
            titles[i] = _first_sentence(lines[0][: 4 * width], width) if lines else ""
    return titles


def _beginnings(texts: Texts, documents: Int64, letters: int) -> list[str]:
    """Return the first letters of each document's text, its fields joined."""
    import pyarrow as pa
    from pyarrow import compute

    taken = [column.take(pa.array(documents)) for column in texts.table.columns]
    parts = [compute.utf8_slice_codeunits(column, 0, letters + 1).to_pylist() for column in taken]
    joined = (" · ".join(filter(None, (part.strip() for part in row))) for row in zip(*parts, strict=True))
    return [text if len(text) <= letters else text[:letters].rstrip() + "…" for text in joined]


def _first_sentence(line: str, width: int) -> str:
    line = _CONTROL.sub(" ", line).strip()
    # A very short first sentence is an abbreviation rather than a title.
    found = next((found for found in _SENTENCE.finditer(line) if found.start() >= 15), None)
    if found is not None:
        line = line[: found.end(1)].rstrip(".")
    return shortened(line, width)


def top_per_row(rows: Ints, items: Ints, weights: Reals, n_rows: int, wanted: int) -> tuple[Int32, Floats]:
    """Return the heaviest items of each row, heaviest first, filled up with -1.

    Examples
    --------
    >>> top_per_row(np.array([0, 0, 2]), np.array([5, 6, 7]), np.array([0.1, 0.3, 0.2]), 3, 2)[0].tolist()
    [[6, 5], [-1, -1], [7, -1]]
    """
    order = np.lexsort((items, -weights, rows))
    ranked = rows[order]
    rank = np.arange(len(ranked)) - np.searchsorted(ranked, ranked)
    keep = rank < wanted
    best = np.full((n_rows, wanted), -1, dtype=np.int32)
    value = np.zeros((n_rows, wanted), dtype=np.float32)
    best[ranked[keep], rank[keep]] = items[order][keep]
    value[ranked[keep], rank[keep]] = weights[order][keep]
    return best, value


def choose_documents(confidence: Reals, margin: Reals, predicted: Ints, wanted: int, seed: int) -> Int64:
    """Sample the documents to show: half at random, a quarter of small margin, a quarter the surest of each category.

    The true labels are not used, so that the documents shown are no better than the rest.

    Examples
    --------
    >>> sure = np.array([0.9, 0.2, 0.8, 0.7])
    >>> choose_documents(sure, sure, np.array([0, 0, 1, 1]), 4, 0).tolist()
    [0, 1, 2, 3]
    >>> len(choose_documents(sure, sure, np.array([0, 0, 1, 1]), 2, 0))
    2
    """
    n = len(confidence)
    if wanted >= n:
        return np.arange(n, dtype=np.int64)
    border = np.argsort(margin, kind="stable")[: wanted // 4]
    by_category = np.lexsort((-confidence, predicted))
    grouped = predicted[by_category]
    rank = np.arange(n) - np.searchsorted(grouped, grouped)
    surest = by_category[np.argsort(rank, kind="stable")][: wanted // 4]
    kept = np.zeros(n, dtype=np.bool_)
    kept[border] = kept[surest] = True
    rest = np.flatnonzero(~kept)
    drawn = np.random.default_rng(seed).choice(rest, size=wanted - int(kept.sum()), replace=False)
    kept[drawn] = True
    return np.flatnonzero(kept)


def pack(columns: Sequence[tuple[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """Pack columns into one compressed text; return the index of the columns, and the zlib stream in base64.

    Numbers are split into byte planes (low bytes first), which compress better than mixed bytes; strings are joined by
    line breaks, so they must not contain any.

    Examples
    --------
    >>> index, text = pack([("n", np.array([1, 2], dtype=np.uint16)), ("s", ["a", "é"])])
    >>> index
    [{'name': 'n', 'type': 'u2', 'bytes': 4, 'items': 2}, {'name': 's', 'type': 'text', 'bytes': 4, 'items': 2}]
    >>> zlib.decompress(base64.b64decode(text))[:4]
    b'\\x01\\x02\\x00\\x00'
    """
    index, parts = [], []
    for name, values in columns:
        if isinstance(values, np.ndarray):
            size = values.dtype.itemsize
            flat = np.ascontiguousarray(values).reshape(-1).astype(values.dtype.newbyteorder("<"))
            data = flat.view(np.uint8).reshape(-1, size).T.tobytes()
            index.append({"name": name, "type": f"u{size}", "bytes": len(data), "items": flat.size})
        else:
            data = "\n".join(_CONTROL.sub(" ", value) for value in values).encode("utf-8", "replace")
            index.append({"name": name, "type": "text", "bytes": len(data), "items": len(values)})
        parts.append(data)
    return index, base64.b64encode(zlib.compress(b"".join(parts), 9)).decode("ascii")


def pack_documents(data: ReportData, max_bytes: int, seed: int) -> tuple[dict[str, Any], str]:
    """Pack the table of documents into at most `max_bytes`; fewer documents where not all fit."""
    ranked = data.source.ranked
    total = wanted = len(data.source.inputs.graph)
    margin = ranked.confidence - (ranked.second[1] if ranked.second is not None else 0)
    lengths = list(_LETTERS)
    while True:
        shown = choose_documents(ranked.confidence, margin, data.source.predicted, wanted, seed)
        letters = lengths[0] if len(shown) * lengths[0] <= _MOST_LETTERS else 0
        index, text = pack(_document_columns(data, shown, letters))
        if len(text) <= max_bytes or (wanted <= 1 and len(lengths) == 1):
            return {"total": total, "shown": len(shown), "columns": index, "letters": letters}, text
        if len(lengths) > 1:  # shorten the texts before any document is left out
            lengths.pop(0)
            continue
        wanted = max(1, int(wanted * max_bytes / len(text) * 0.98))


def _document_columns(data: ReportData, shown: Int64, letters: int) -> list[tuple[str, Any]]:
    inputs, ranked, reasons = data.source.inputs, data.source.ranked, data.source.reasons
    graph, truth = inputs.graph, inputs.truth
    columns: list[tuple[str, Any]] = [
        ("id", graph.documents.take(shown)),
        ("title", short_titles(graph.texts, shown)),
        ("category", _codes(data.source.predicted[shown])),
        ("confidence", _thousandths(ranked.confidence[shown])),
    ]
    if letters:
        columns.append(("text", _beginnings(graph.texts, shown, letters)))
    if ranked.second is not None:
        columns.append(("second", _codes(ranked.second[0][shown])))
        columns.append(("second_confidence", _thousandths(ranked.second[1][shown])))
    if truth is not None:
        columns.append(("label", _codes(truth[shown])))
    if data.sets is not None:
        columns.append(("also", data.sets.also(shown)))
        if data.sets.truth is not None:
            columns.append(("labels", data.sets.labels(shown)))
            columns.append(("right", data.sets.right(shown, data.source.predicted)))
    if reasons is not None and reasons.motifs.shape[1]:
        columns += _reason_columns(data, reasons.motifs[shown], reasons.weights[shown])
    return columns


def _reason_columns(data: ReportData, motifs: Ints, weights: Reals) -> list[tuple[str, Any]]:
    import pyarrow as pa

    counts = np.bincount(motifs[motifs >= 0], minlength=1)
    # The frequent instances get the small numbers, which compress best.
    used = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
    number = np.zeros(len(counts) + 1, dtype=np.uint32)
    number[used] = np.arange(1, len(used) + 1, dtype=np.uint32)
    # motifs are -1 where there is no reason: that index reads the last entry, which is 0.
    columns: list[tuple[str, Any]] = [
        ("reasons", number[motifs].T),
        ("weights", _thousandths(weights).T),  # as `hin explain` shows them
        ("motif", data.source.motifs.names.take(pa.array(used)).to_pylist() if len(used) else []),
        ("motif_pattern", data.source.motifs.pattern_of[used].astype(np.uint8)),
    ]
    kappa = data.source.inputs.findings.kappa
    if kappa is not None:
        tenths = np.clip(np.rint(np.nan_to_num(kappa[used]) * 10), 0, 2**32 - 1)
        columns.append(("motif_kappa", tenths.astype(np.uint32)))
    return columns


def _codes(codes: Ints) -> Array:
    """Shift codes that start at -1 to start at 0, in the smallest type."""
    return (codes + 1).astype(np.uint8 if codes.max(initial=0) < 255 else np.uint16)


def _thousandths(values: Reals) -> npt.NDArray[np.uint16]:
    return np.clip(np.rint(np.asarray(values) * 1000), 0, 65535).astype(np.uint16)
