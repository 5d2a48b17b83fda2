"""The instances of several patterns together: the result of the `motifs` stage, on which embeddings are trained."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hin.arrays.arrow_columns import lists, numbers, texts
from hin.arrays.types import Bools, Doubles, Int64
from hin.errors import DamagedGraph
from hin.files.checked import check_offsets, check_range, load_array, read_json
from hin.files.mapped import mapped_zeros, release_pages
from hin.graph import Csr, Graph
from motifs.instance_names import parse_name
from motifs.joins.arrays import transpose
from motifs.joins.sorted_edges import Columns
from motifs.language.pattern import Pattern
from motifs.significance.result import PatternSignificance, Significance
from motifs.table import MotifTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from hin.stores.findings import Findings

_FORMAT = 1
_CHANCE = {"method": str, "observed": int, "expected": float, "z": float, "p": float}
_LIMITS = {"min_count": int, "max_per_document": int, "skipped": [int]}
_TABLE = {"pattern": str, "instances": int, **_LIMITS, "chance?": (None, _CHANCE)}
_HEAD = {"format": int, "documents": int, "tables": [_TABLE]}


class MotifSet:
    """Tables of several patterns; instances are numbered through all of them.

    Parameters
    ----------
    tables : tuple of MotifTable
    graph : Graph

    Examples
    --------
    >>> from motifs import match_all
    >>> from motifs.samples import tiny_graph
    >>> motifs = match_all(tiny_graph(), ["venue", "venue-year"], min_count=2)
    >>> motifs.n_instances, motifs.name(1), motifs.find("YEAR[2008]-VENUE[KDD]")
    (2, 'VENUE[KDD]-YEAR[2008]', 1)
    >>> motifs.by_document().row(0).tolist()
    [0, 1]
    """

    def __init__(self, tables: tuple[MotifTable, ...], graph: Graph) -> None:
        self.tables = tables
        self.graph = graph
        self.offsets: Int64 = np.zeros(len(tables) + 1, dtype=np.int64)
        np.cumsum([len(table) for table in tables], out=self.offsets[1:])

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[MotifTable]:
        return iter(self.tables)

    def __repr__(self) -> str:
        inside = ", ".join(f"{table.pattern.name}: {len(table):,}" for table in self.tables)
        return f"MotifSet({inside})"

    def _repr_html_(self) -> str:
        from motifs.output import set_card

        return set_card(self)

    @property
    def n_instances(self) -> int:
        """How many instances there are in all tables."""
        return int(self.offsets[-1])

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The pattern of each table."""
        return tuple(table.pattern for table in self.tables)

    @cached_property
    def documents(self) -> np.ndarray:
        """The number of distinct anchor documents of each instance."""
        counts = [table.documents for table in self.tables]
        return np.concatenate(counts) if counts else np.empty(0, dtype=np.int32)

    def table(self, pattern: Pattern | str) -> MotifTable | None:
        """Return the table of a pattern, None if it was not matched."""
        wanted = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
        return next((table for table in self.tables if table.pattern == wanted), None)

    def instances_of(self, pattern: Pattern | str) -> range:
        """Return the numbers of a pattern's instances, none if it was not matched."""
        table = self.table(pattern)
        if table is None:
            return range(0)
        start = int(self.offsets[self.tables.index(table)])
        return range(start, start + len(table))

    def table_of(self, instance: int) -> tuple[int, int]:
        """Return the number of the instance's table and its row there."""
        if not 0 <= instance < self.n_instances:
            raise IndexError(instance)
        number = int(np.searchsorted(self.offsets, instance, side="right")) - 1
        return number, int(instance - self.offsets[number])

    def pattern_of(self, instance: int) -> Pattern:
        """Return the pattern that an instance belongs to."""
        return self.tables[self.table_of(instance)[0]].pattern

    def name(self, instance: int) -> str:
        """Return the name of one instance."""
        number, row = self.table_of(instance)
        return self.tables[number].name(row)

    def names(self) -> list[str]:
        """Return the names of all instances."""
        return [name for table in self.tables for name in table.names()]

    def find(self, name: str, pattern: Pattern | str | None = None) -> int | None:
        """Return the number of the instance with a name, None if there is none.

        Long-form patterns may give the same name as short ones; without `pattern` the short form is searched.
        """
        parts = parse_name(name, self.graph.node_types)
        wanted = Pattern(pattern) if isinstance(pattern, str) else pattern
        order = sorted(range(len(self.tables)), key=lambda t: not self.tables[t].pattern.is_star)
        for number in order:
            if wanted is None or self.tables[number].pattern == wanted:
                row = self.tables[number].find_parts(parts)
                if row is not None:
                    return int(self.offsets[number]) + row
        return None

    @cached_property
    def incidence(self) -> Csr:
        """The documents of each instance, over all tables."""
        offsets: Int64 = np.zeros(self.n_instances + 1, dtype=np.int64)
        np.cumsum(self.documents, out=offsets[1:])
        targets = mapped_zeros((int(offsets[-1]),), np.int32)
        for table, first in zip(self.tables, offsets[self.offsets[:-1]].tolist(), strict=True):
            targets[first : first + len(table.incidence.targets)] = table.incidence.targets
            release_pages(targets, table.incidence.targets)
        return Csr(offsets, targets)

    @cached_property
    def _by_document(self) -> Csr:
        transposed = transpose(self.incidence, len(self.graph))
        del self.__dict__["incidence"]  # it is as large, and can be computed again
        release_pages(transposed.targets)
        return transposed

    def by_document(self) -> Csr:
        """The instances of each document over all tables, sorted: the document–motif edges (section 3.1)."""
        return self._by_document

    def findings(self) -> Findings:
        """Return the instances in the form in which stores show them.

        Examples
        --------
        >>> from motifs import match_all
        >>> from motifs.samples import tiny_graph
        >>> match_all(tiny_graph(), ["venue"], min_count=2).findings().motifs.column("name").to_pylist()
        ['VENUE[KDD]']
        """
        import pyarrow as pa

        from hin.stores.findings import Findings

        tables = []
        for table in filter(len, self.tables):
            n, width = len(table), len(table.fields)
            ends = np.arange(n + 1) * width
            columns = {
                "pattern": texts([table.pattern.name] * n),
                "name": texts(table.names()),
                "documents": numbers(table.documents, "int32"),
                "part_types": lists(ends, texts([*table.fields] * n).cast(pa.string())),
                "part_nodes": lists(ends, numbers(table.parts.ravel(), "int32")),
            }
            tables.append(pa.table(columns))
        found = pa.concat_tables(tables) if tables else Findings.of(motifs=[]).motifs
        return Findings(motifs=found, has_motif=self.by_document(), chance=self._chance())

    def _chance(self) -> pa.Table:
        """Return the comparison of all instances with chance, null where there is none."""
        import pyarrow as pa

        figures = self.chance()
        return pa.table([numbers(row, "float64", ~np.isnan(row)) for row in figures], names=["expected", "lift", "q"])

    def chance(self) -> Doubles:
        """Return expected documents, lift and q of all instances, a row each; NaN where there is no comparison.

        Examples
        --------
        >>> from motifs import match_all
        >>> from motifs.samples import tiny_graph
        >>> match_all(tiny_graph(), ["venue-year"], min_count=2).chance().round(2).tolist()
        [[2.25], [0.89], [1.0]]
        """
        figures = np.full((3, self.n_instances), np.nan)
        for (table, found), start in zip(self._compared(), self.offsets, strict=False):
            if found is not None:
                figures[:, start : start + len(table)] = found.expected, found.lift, found.q
        return figures

    def _compared(self) -> Iterator[tuple[MotifTable, Significance | None]]:
        """Yield each table with its comparison with chance, None where that would take long."""
        columns = Columns(self.graph)
        for table in self.tables:
            yield table, table.quick_significance(columns)

    def adds(self, max_q: float = 0.05) -> Bools:
        """Return the mask of the instances that are more frequent than chance; True also where that is not known.

        Examples
        --------
        >>> from motifs import match_all
        >>> from motifs.samples import tiny_graph
        >>> match_all(tiny_graph(), ["venue", "venue-year"], min_count=2).adds().tolist()
        [True, False]
        """
        known = self._compared()
        every = [np.ones(len(t), dtype=np.bool_) if found is None else found.adds(max_q) for t, found in known]
        return np.concatenate(every) if every else np.ones(0, dtype=np.bool_)

    def save(self, path: str | Path) -> None:
        """Write the tables into a folder: same tables, same bytes."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        described = []
        for number, (table, chance) in enumerate(self._compared()):
            _write(folder / f"{number:03d}-parts.npy", table.parts)
            _write(folder / f"{number:03d}-offsets.npy", table.incidence.offsets)
            _write(folder / f"{number:03d}-documents.npy", table.incidence.targets)
            if chance is not None:
                figures = [chance.documents, chance.expected, chance.p, chance.q, chance.error]
                _write(folder / f"{number:03d}-chance.npy", np.array(figures, dtype=np.float64))
            described.append(
                {
                    "pattern": table.pattern.name,
                    "instances": len(table),
                    "min_count": table.min_count,
                    "max_per_document": table.max_per_document,
                    "skipped": table.skipped.tolist(),
                    "chance": None if chance is None else {"method": chance.method, **chance.pattern.as_dict()},
                }
            )
        head = {"format": _FORMAT, "documents": len(self.graph), "tables": described}
        (folder / "motifs.json").write_text(json.dumps(head, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def open(cls, path: str | Path, graph: Graph) -> MotifSet:
        """Open what `save` wrote, memory-mapped."""
        folder = Path(path)
        try:
            head = read_json(folder / "motifs.json", _HEAD, _FORMAT)
            if head["documents"] != len(graph):
                raise DamagedGraph(f"{folder} was matched on another graph", hint="run `hin motifs` again")
            tables = tuple(_read(folder, number, described, graph) for number, described in enumerate(head["tables"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedGraph(f"{folder} holds no readable motifs ({error})", hint="run `hin motifs` again") from error
        return cls(tables, graph)


def _write(path: Path, array: np.ndarray) -> None:
    np.save(path, np.ascontiguousarray(array), allow_pickle=False)


def _read(folder: Path, number: int, described: dict[str, Any], graph: Graph) -> MotifTable:
    pattern, n = Pattern(described["pattern"]), int(described["instances"])
    pattern.check(graph)
    path = folder / f"{number:03d}-parts.npy"
    parts = load_array(path, "int32", (n, len(pattern.fields)))
    for column, name in enumerate(pattern.fields):
        check_range(path, np.ascontiguousarray(parts[:, column]), len(graph.names(name)))
    offsets = load_array(folder / f"{number:03d}-offsets.npy", "int64", (n + 1,))
    path = folder / f"{number:03d}-documents.npy"
    documents = load_array(path, "int32")
    check_offsets(folder / f"{number:03d}-offsets.npy", offsets, len(documents))
    check_range(path, documents, len(graph))
    skipped = np.array(described["skipped"], dtype=np.int64).reshape(-1)
    check_range(folder / "motifs.json", skipped, len(graph))
    chance, compared = described.get("chance"), None
    if chance is not None:
        figures = load_array(folder / f"{number:03d}-chance.npy", "float64", (5, n))
        whole = PatternSignificance(*(chance[name] for name in ("observed", "expected", "z", "p")))
        expected, p, q, error = figures[1:]
        compared = Significance(figures[0].astype(np.int64), expected, p, q, error, chance["method"], whole)
    return MotifTable(
        pattern,
        parts,
        Csr(offsets, documents),
        graph,
        int(described["min_count"]),
        int(described["max_per_document"]),
        skipped,
        compared,
    )
