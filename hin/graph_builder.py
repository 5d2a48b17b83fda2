"""Records in, graph out: the only place where nodes get their numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hin.errors import BadInput, DuplicateDocument
from hin.graph import Csr, Dangling, ExtraEdges, Graph, Labels, Texts
from hin.node_names import NameTable
from hin.options import BuildOptions
from hin.progress import Progress, silent
from hin.reading.records import RecordBatch
from hin.text.phrases import TokenStream, mine_phrases
from hin.text.tokenize import Tokenizer

__all__ = ["BuildOptions", "GraphBuilder", "batches_of", "build_graph"]


class _Lists:
    """A growing table of names with one list of them a document."""

    def __init__(self, rows: int = 0) -> None:
        self.positions: dict[str, int] = {}
        self.targets = array("i")
        self.lengths = array("i", [0]) * rows

    def add(self, rows: Iterable[list[str]]) -> None:
        positions = self.positions
        for row in rows:
            # A value given twice is one edge; the order of first mention is kept.
            distinct = dict.fromkeys(row) if len(row) > 1 else row
            for value in distinct:
                self.targets.append(positions.setdefault(value, len(positions)))
            self.lengths.append(len(distinct))

    def csr(self) -> Csr:
        offsets = np.zeros(len(self.lengths) + 1, dtype=np.int64)
        np.cumsum(np.frombuffer(self.lengths, dtype=np.int32) if self.lengths else [], out=offsets[1:])
        targets = np.frombuffer(self.targets, dtype=np.int32).copy() if self.targets else np.zeros(0, np.int32)
        return Csr(offsets, targets)


class GraphBuilder:
    """Collects batches of records and numbers what they name in the order it is first met.

    Examples
    --------
    >>> builder = GraphBuilder()
    >>> builder.add(RecordBatch(["p1"], [("Mining graphs",)], {"year": [["2008"]]}, [None], {}, [("-", 1)]))
    >>> graph = builder.finish(text_fields=["text"])
    >>> graph.names("term").tolist(), graph.names("year").tolist()
    (['graphs', 'mining'], ['2008'])
    """

    def __init__(self, options: BuildOptions | None = None) -> None:
        self.options = options or BuildOptions()
        self.ids: dict[str, int] = {}
        self._texts: list[list[Any]] = []
        self._fields: dict[str, _Lists] = {}
        self._links: dict[str, _Lists] = {}
        self._labels: list[str | tuple[str, ...] | None] = []
        self._tokenizer = Tokenizer()
        self._tokens: list[tuple[Any, Any, Any]] = []

    def add(self, batch: RecordBatch) -> None:
        """Take one batch in."""
        import pyarrow as pa

        before = len(self.ids)
        for name, where in zip(batch.ids, batch.where, strict=True):
            if name in self.ids:
                raise DuplicateDocument(
                    f"{where[0]}, line {where[1]}: a second document with the id {name!r}",
                    hint="give each document its own id, or use --on-error skip to keep the first",
                )
            self.ids[name] = len(self.ids)
        for lists, columns in ((self._fields, batch.metadata), (self._links, batch.links)):
            for name in columns:
                if name not in lists:
                    lists[name] = _Lists(before)
            for name, column in lists.items():
                column.add(columns.get(name) or [[]] * len(batch))
        self._labels.extend(batch.labels)
        if batch.texts:
            columns_of_text = zip(*batch.texts, strict=True)
            self._texts.append([pa.array(part, type=pa.large_string()) for part in columns_of_text])
        joined = [parts[0] if len(parts) == 1 else "\n\n\u2029".join(parts) for parts in batch.texts]
        self._tokens.append(self._tokenizer.add(joined))

    def finish(
        self,
        text_fields: Iterable[str],
        schema: Mapping[str, Any] | None = None,
        fields: Iterable[str] = (),
        links: Iterable[str] = (),
        extra: Mapping[str, ExtraEdges] | None = None,
        progress: Progress = silent,
    ) -> Graph:
        """Mine the phrases, count the terms, and hand the graph over; the builder is used up."""
        import pyarrow as pa

        n = len(self.ids)
        if n == 0:
            raise BadInput("no documents in the input", hint="check the file, or see what --on-error skip left out")
        for columns, named in ((self._fields, fields), (self._links, links)):
            for name in named:
                columns.setdefault(name, _Lists(n))
        terms, tokens, term_edges = self._terms(progress)
        nodes = {"term": terms}
        adjacency = {"term": term_edges}
        for name, lists in self._fields.items():
            nodes[name] = NameTable.of(lists.positions, name)
            adjacency[name] = lists.csr()
        dangling = {}
        for name, lists in self._links.items():
            adjacency[name], dangling[name] = self._resolve(lists)
        texts = [pa.chunked_array([part[k] for part in self._texts]) for k in range(len(self._texts[0]))]
        return Graph(
            documents=NameTable.of(self.ids, "document"),
            fields=tuple(self._fields),
            links=tuple(self._links),
            nodes=nodes,
            adjacency=adjacency,
            tokens=tokens,
            texts=Texts(pa.table(texts, names=list(text_fields)).combine_chunks()),
            labels=self._label_codes(),
            extra=dict(extra or {}),
            schema=dict(schema or {}),
            dangling={name: rows for name, rows in dangling.items() if len(rows.rows)},
        )

    def _terms(self, progress: Progress) -> tuple[NameTable, Csr, Csr]:
        from hin.text.phrases_kernel import distinct_terms, first_mentions

        ids, breaks, lengths = (np.concatenate(column) for column in zip(*self._tokens, strict=True))
        self._tokens.clear()
        stream = TokenStream(np.r_[0, np.cumsum(lengths)].astype(np.int64), ids, breaks, self._tokenizer.spellings())
        if self.options.phrases:
            progress("mining phrases", 0, None)
            stream = mine_phrases(stream, self.options.mining)
        progress("counting terms", 0, None)
        documents = first_mentions(stream.offsets, stream.tokens, len(stream.spellings))
        # Terms are numbered from the most to the least frequent, equal ones by spelling.
        kept = np.flatnonzero(documents >= max(1, self.options.min_count)).tolist()
        spelling = stream.spellings
        kept.sort(key=lambda term: (-documents[term], spelling[term]))
        number = np.full(len(spelling), -1, dtype=np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        tokens, offsets = number[stream.tokens], stream.offsets
        if (tokens < 0).any():
            offsets = np.r_[0, np.cumsum(tokens >= 0)][offsets].astype(np.int64)
            tokens = tokens[tokens >= 0]
        terms = NameTable.of((spelling[term] for term in kept), "term")
        edges = distinct_terms(offsets, tokens, len(kept), int(documents[kept].sum()))
        return terms, Csr(offsets, tokens), Csr(*edges)

    def _resolve(self, lists: _Lists) -> tuple[Csr, Dangling]:
        """Link targets to document numbers; those that are not in the graph are kept apart."""
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
    """The records a graph was built from, for appending to it or writing them out again.

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
