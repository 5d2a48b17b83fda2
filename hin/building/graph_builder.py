"""Records in, graph out: the only place where nodes get their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hin.arrays.spill import GrowingColumn, TextColumns
from hin.building.counting import count_terms
from hin.building.parts import Lists, Part, Terms, part_of, terms_of
from hin.errors import BadInput, DuplicateDocument
from hin.graph import Csr, Dangling, Graph, Labels, Texts
from hin.node_names import NameTable
from hin.progress import Progress, silent
from hin.reading.records import RecordBatch
from hin.text.options import BuildOptions
from hin.text.phrases import TokenStream, mine_phrases
from hin.text.tokenize import Tokenizer

__all__ = ["BuildOptions", "GraphBuilder", "batches_of", "build_graph"]


class _Lists:
    """A growing table of names, and one list of them per document."""

    def __init__(self, rows: int = 0) -> None:
        self.positions: dict[str, int] = {}
        self.targets = GrowingColumn(np.int32)
        self.lengths = GrowingColumn(np.int32)
        self.skip(rows)

    def skip(self, rows: int) -> None:
        """Add documents without a name."""
        self.lengths.add(np.zeros(rows, dtype=np.int32))

    def add(self, part: Lists) -> None:
        """Add the lists of some more documents."""
        positions = self.positions
        numbers = np.fromiter(
            (positions.setdefault(name, len(positions)) for name in part.names), dtype=np.int32, count=len(part.names)
        )
        self.targets.add(numbers[part.targets])
        self.lengths.add(part.lengths)

    def csr(self) -> Csr:
        return Csr.from_lengths(self.lengths.array(), self.targets.array())


class GraphBuilder:
    """Collects parts and numbers what they name in the order it is first met.

    Parameters
    ----------
    scratch : Path, optional
        A folder for columns that are too large for memory.
    text_names : callable, optional
        Returns the names of the text fields; called when the first texts are written to the folder.

    Examples
    --------
    >>> builder = GraphBuilder()
    >>> builder.add(RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)]))
    >>> graph = builder.finish(text_fields=["text"])
    >>> graph.names("term").tolist(), graph.names("year").tolist()
    (['graphs', 'mining'], ['2008'])
    """

    def __init__(
        self,
        options: BuildOptions | None = None,
        scratch: Path | None = None,
        text_names: Callable[[], list[str]] | None = None,
    ) -> None:
        self.options = options or BuildOptions()
        self.ids: dict[str, int] = {}
        self._scratch = scratch
        self._texts = TextColumns(None if scratch is None else scratch / "texts.arrow", text_names)
        self._fields: dict[str, _Lists] = {}
        self._links: dict[str, _Lists] = {}
        self._labels: list[str | tuple[str, ...] | None] = []
        self._same: dict[Any, Any] = {}
        self._tokenizer = Tokenizer()
        raw = [None if scratch is None else scratch / name for name in ("raw-tokens.npy", "raw-breaks.npy")]
        self._tokens, self._breaks = GrowingColumn(np.int32, raw[0]), GrowingColumn(np.uint8, raw[1])
        self._lengths = GrowingColumn(np.int64)

    def add(self, batch: RecordBatch) -> None:
        """Add one batch of records."""
        part = part_of(batch)
        self.merge(part, terms_of(part.texts))

    def merge(self, part: Part, terms: Terms) -> None:
        """Add one part, with the terms of its texts."""
        before = len(self.ids)
        for row, name in enumerate(part.ids):
            if name in self.ids:
                file, line = part.where[row]
                raise DuplicateDocument(
                    f"{file}, line {line}: a second document with the id {name!r}",
                    hint='give each document its own id, or use `on_error="skip"` to keep the first',
                )
            self.ids[name] = len(self.ids)
        for lists, columns in ((self._fields, part.fields), (self._links, part.links)):
            for name in columns:
                if name not in lists:
                    lists[name] = _Lists(before)
            for name, column in lists.items():
                if name in columns:
                    column.add(columns[name])
                else:
                    column.skip(len(part))
        # Parts from elsewhere bring a string for every document; one for each category is enough.
        self._labels.extend(self._same.setdefault(label, label) for label in part.labels)
        if len(part):
            self._texts.add(part.texts)
        numbers = self._tokenizer.absorb(terms.vocabulary)
        self._tokens.add(numbers[terms.tokens])
        self._breaks.add(terms.breaks)
        self._lengths.add(terms.lengths)

    def finish(
        self,
        text_fields: Iterable[str],
        schema: Mapping[str, Any] | None = None,
        links: Iterable[str] = (),
        progress: Progress = silent,
    ) -> Graph:
        """Mine the phrases, count the terms and return the graph; the builder cannot be used again."""
        n = len(self.ids)
        if n == 0:
            raise BadInput("no documents in the input", hint='check the file, or see what `on_error="skip"` left out')
        for name in links:  # fields that no document has a value of are included
            self._links.setdefault(name, _Lists(n))
        terms, tokens, term_edges = self._terms(progress)
        nodes = {"term": terms}
        adjacency = {"term": term_edges}
        for name, lists in self._fields.items():
            nodes[name] = NameTable.of(lists.positions, name)
            adjacency[name] = lists.csr()
        dangling = {}
        for name, lists in self._links.items():
            adjacency[name], dangling[name] = self._resolve(lists)
        texts = self._texts.table(list(text_fields))
        return Graph(
            documents=NameTable.of(self.ids, "document"),
            fields=tuple(self._fields),
            links=tuple(self._links),
            nodes=nodes,
            adjacency=adjacency,
            tokens=tokens,
            texts=Texts(texts, self._texts.path),
            labels=self._label_codes(),
            extra={},
            schema=dict(schema or {}),
            dangling={name: rows for name, rows in dangling.items() if len(rows.rows)},
        )

    def _terms(self, progress: Progress) -> tuple[NameTable, Csr, Csr]:
        offsets = np.zeros(self._lengths.size + 1, dtype=np.int64)
        np.cumsum(self._lengths.array(), out=offsets[1:])
        tokens, breaks = self._tokens.array(changing=True), self._breaks.array(changing=True)
        stream = TokenStream(offsets, tokens, breaks, self._tokenizer.spellings())
        self._tokenizer = Tokenizer()  # its tables are not needed any more
        if self.options.phrases:
            progress("mining phrases", 0, None)
            stream = mine_phrases(stream, self.options.mining)
        progress("counting terms", 0, None)
        return count_terms(stream, self.options.min_count, self._scratch)

    def _resolve(self, lists: _Lists) -> tuple[Csr, Dangling]:
        """Return the document numbers of link targets, and the targets that are not in the graph."""
        names = list(lists.positions)
        number = np.fromiter((self.ids.get(name, -1) for name in names), dtype=np.int32, count=len(names))
        raw = lists.csr()
        known = number[raw.targets] >= 0 if len(names) else np.zeros(0, bool)
        offsets = np.r_[0, np.cumsum(known)][raw.offsets].astype(np.int64)
        rows = raw.rows()[~known]
        missing = [names[i] for i in raw.targets[~known].tolist()]
        return Csr(offsets, number[raw.targets[known]]), Dangling(rows, tuple(missing))

    def _label_codes(self) -> Labels | None:
        labels = Labels.of(self._labels)
        return labels if labels.names else None


def build_graph(
    batches: Iterable[RecordBatch],
    text_fields: Iterable[str],
    options: BuildOptions | None = None,
    schema: Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> Graph:
    """Build a graph from batches of records.

    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> build_graph([batch], ["text"])
    Graph(1 document, 2 term, 1 year)
    """
    builder = GraphBuilder(options)
    for batch in batches:
        builder.add(batch)
        progress("reading", len(builder.ids), None)
    return builder.finish(text_fields, schema, progress=progress)


def batches_of(graph: Graph, size: int = 4096) -> Iterable[RecordBatch]:
    """Yield the records a graph was built from, for appending to it or writing them out again.

    >>> batch = RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)])
    >>> next(iter(batches_of(build_graph([batch], ["text"])))).metadata
    {'year': [['2008']]}
    """
    names = {name: graph.names(name).tolist() for name in graph.fields}
    ids = graph.documents.tolist() if graph.links else []
    dangling: dict[str, dict[int, list[str]]] = {name: {} for name in graph.links}
    for name, missing in graph.dangling.items():
        for row, target in zip(missing.rows.tolist(), missing.names, strict=True):
            dangling[name].setdefault(row, []).append(target)
    for start in range(0, len(graph), size):
        stop = min(start + size, len(graph))
        rows = range(start, stop)
        columns = [column.slice(start, size).to_pylist() for column in graph.texts.table.columns]
        yield RecordBatch(
            ids=graph.documents[start:stop],
            texts=list(zip(*columns, strict=True)),
            metadata={
                name: [[names[name][i] for i in graph.edges(name).row(row).tolist()] for row in rows]
                for name in graph.fields
            },
            labels=[None] * len(rows) if graph.labels is None else graph.labels.of_documents(start, stop),
            links={
                name: [
                    [ids[i] for i in graph.edges(name).row(row).tolist()] + dangling[name].get(row, []) for row in rows
                ]
                for name in graph.links
            },
            where=[("the graph", row + 1) for row in rows],
        )
