"""One SELECT: its sources, its conditions, and the properties it looks up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hin.cypher.folder.column import Column
from hin.cypher.folder.layout import NodeTable, RelationshipTable
from hin.cypher.sql_terms import NotPushed, Sql, SqlVariable


class Tables:
    """The tables and columns that a statement needs, and its parameters: values are never part of its text."""

    def __init__(self) -> None:
        self.columns: dict[NodeTable | RelationshipTable, dict[Any, str]] = {}
        self.derived: dict[tuple[NodeTable | RelationshipTable, Any], Column] = {}
        self.names: dict[NodeTable | RelationshipTable, str] = {}
        self.parameters: dict[str, Any] = {}
        #: (name, SELECT) of intermediate results that are used twice.
        self.views: list[tuple[str, str]] = []
        self._count = 0

    def fresh(self, letter: str) -> str:
        """Return a name that is not used yet."""
        self._count += 1
        return f"{letter}{self._count}"

    def name(self, table: NodeTable | RelationshipTable) -> str:
        """Return the name of a table."""
        if table not in self.names:
            self.names[table] = f"{'n' if isinstance(table, NodeTable) else 'r'}{table.index}"
            self.columns[table] = {}
        return self.names[table]

    def column(self, table: NodeTable | RelationshipTable, key: Any) -> str:
        """Return the name of a table's column for a property (or for a derived value)."""
        self.name(table)
        alias = table.aliases.setdefault(key, f"c{len(table.aliases)}")
        self.columns[table][key] = alias
        return alias

    def bind(self, value: Any) -> str:
        """Return a parameter that holds a value."""
        name = self.fresh("p")
        self.parameters[name] = value
        return f"${name}"


@dataclass
class Scan:
    """A table, or a union of several, in FROM; requests the columns that turn out to be needed.

    `ways` are (table, forwards): for relationships `a` is the start of the pattern's step and `b` its end.
    """

    alias: str
    tables: Tables
    ways: Sequence[tuple[NodeTable | RelationshipTable, bool]]
    keys: list[Any] = field(default_factory=list)
    both: bool = False

    @property
    def of_nodes(self) -> bool:
        """Whether it reads nodes, and not relationships."""
        table, _ = self.ways[0]
        return isinstance(table, NodeTable)

    def column(self, key: Any) -> str:
        """Return the column of a property."""
        if key not in self.keys:
            self.keys.append(key)
        return f"{self.alias}.k{self.keys.index(key)}"

    def text(self) -> str:
        """Return the scan as SQL."""
        return f"({' UNION ALL '.join(self._one(table, forward) for table, forward in self.ways)}) AS {self.alias}"

    def _one(self, table: NodeTable | RelationshipTable, forward: bool) -> str:
        if isinstance(table, NodeTable):
            columns = ["g"]
        else:
            columns = ["rid", "s AS a", "t AS b"] if forward else ["rid", "t AS a", "s AS b"]
        for i, key in enumerate(self.keys):
            there = (table, key) in self.tables.derived or (isinstance(key, str) and table.column(key) is not None)
            columns.append(f"{self.tables.column(table, key) if there else 'NULL'} AS k{i}")
        # Against the arrows of an open direction a loop would come a second time.
        loops = " WHERE s <> t" if self.both and not forward else ""
        return f"SELECT {', '.join(columns)} FROM {self.tables.name(table)}{loops}"


@dataclass(frozen=True)
class Head:
    """A faster SELECT for the first rows: it reads only nodes below a bound, and says how many rows are enough.

    Without ORDER BY, rows are in the order of their first node or relationship, so the rows of low numbers come first.
    """

    text: str
    parameter: str
    first: int
    last: int
    rows: int

    def bounds(self) -> Iterator[int]:
        """Yield rising bounds, until nearly all nodes would be read."""
        step = 64
        while self.first + 4 * step < self.last:
            yield self.first + step
            step *= 32


class Block:
    """A SELECT under construction."""

    #: A faster statement for the first rows, if there is one.
    head: Head | None = None

    def __init__(
        self,
        tables: Tables,
        source: str | None = None,
        parent: Block | None = None,
        plain: tuple[str, dict[str, str]] | None = None,
    ) -> None:
        self.tables = tables
        self._plain = plain
        self.source = source
        self.parent = parent
        self.variables: dict[str, SqlVariable] = dict(parent.variables) if parent is not None else {}
        self.scans: list[Scan] = []
        self.extra: list[str] = []
        self.where: list[str] = []
        self.own: dict[str, Scan] = {}
        self._lookups: dict[str, tuple[Scan, bool]] = {}

    def scan(self, ways: Sequence[tuple[NodeTable | RelationshipTable, bool]], *, both: bool = False) -> Scan:
        """Read from tables."""
        made = Scan(self.tables.fresh("e"), self.tables, ways, both=both)
        self.scans.append(made)
        return made

    def scan_nodes(self, tables: Sequence[NodeTable]) -> Scan:
        """Read the nodes of some tables, which have no direction."""
        return self.scan([(table, True) for table in tables])

    def property_of(self, variable: SqlVariable, key: str) -> Sql:
        """Return a property of a node or relationship."""
        places: Sequence[NodeTable | RelationshipTable] = variable.nodes or variable.relationships
        columns = [column for table in places if (column := table.column(key)) is not None]
        if not columns:
            return Sql("NULL", "NULL")
        kinds = {column.kind for column in columns}
        if len(kinds) > 1:
            raise NotPushed
        if len(places) == 1 and columns[0].counts:  # nothing to look up
            text = f"(CAST({variable.sql.text} AS BIGINT) - {places[0].first})"
            return Sql(text, "INTEGER", places[0].count.bit_length())
        text = variable.block.lookup(variable).column(key)
        signed = any(column.signed for column in columns)
        return Sql(text, kinds.pop(), max(c.bits for c in columns), all(c.finite for c in columns), signed=signed)

    def lookup(self, variable: SqlVariable) -> Scan:
        """Return the scan that holds the properties of a variable of this block."""
        text = variable.sql.text
        if text in self.own:
            return self.own[text]
        if text not in self._lookups:
            places: Sequence[NodeTable | RelationshipTable] = variable.nodes or variable.relationships
            made = Scan(self.tables.fresh("e"), self.tables, [(place, True) for place in places])
            self._lookups[text] = (made, variable.nullable)
        return self._lookups[text][0]

    def derive(self, variable: SqlVariable, key: Any, columns: dict[NodeTable, Column], kind: str) -> Sql:
        """Return a value precomputed for every node that a variable may be."""
        for table, column in columns.items():
            self.tables.derived[(table, key)] = column
        text, found = variable.block.lookup(variable).column(key), columns.values()
        bits, signed = max(column.bits for column in found), any(column.signed for column in found)
        return Sql(text, kind, bits, all(column.finite for column in found), signed=signed)

    @property
    def plain(self) -> tuple[str, dict[str, str]] | None:
        """The inner SELECT and its columns, if nothing was added to it, so that its order is preserved."""
        return None if self.where or self.scans or self.extra or self._lookups else self._plain

    def select(self, columns: str, ending: str = "", also: Sequence[str] = ()) -> str:
        """Return the whole SELECT, under its conditions and others."""
        parts = [self.source] if self.source else []
        parts += [scan.text() for scan in self.scans] + self.extra
        text = " CROSS JOIN ".join(parts)
        for variable, (scan, nullable) in self._lookups.items():
            number = "g" if isinstance(scan.ways[0][0], NodeTable) else "rid"
            join = "LEFT JOIN" if nullable else "JOIN"
            text += f" {join} {scan.text()} ON {scan.alias}.{number} = {variable}"
        where = f" WHERE {' AND '.join([*self.where, *also])}" if self.where or also else ""
        return f"SELECT {columns}{f' FROM {text}' if text else ''}{where}{ending}"
