"""Write graphs as a database of LadybugDB, the embedded graph database that follows Kuzu."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hin.cypher_names import quote
from hin.engines.local import core_count
from hin.errors import BadUsage, StoreError
from hin.exchange.formats import ExportSource, export_format
from hin.stores.layout import project
from hin.stores.property_graph import PropertyGraph, Relationships, name_type

if TYPE_CHECKING:
    import pyarrow as pa

#: The most memory of the database's cache, in bytes; its own default is most of the machine's.
_CACHE = 512 << 20
#: Its names of whole numbers, other numbers and text.
_TYPES = ("INT64", "DOUBLE", "STRING")


@export_format("ladybug", ".lbug")
def write_ladybug(source: ExportSource, path: Path) -> None:
    """Write the graph and the findings with the labels, relationships and properties that they have in Neo4j."""
    try:
        import ladybug
    except ModuleNotFoundError as error:
        hint = "install it with `pip install 'hin-toolkit[ladybug]'`"
        raise BadUsage("LadybugDB is not installed", hint=hint) from error
    # The database does not open an existing empty file such as the temporary one.
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        file = Path(folder) / "graph.lbug"
        try:
            with ladybug.Database(file, buffer_pool_size=_CACHE, max_num_threads=core_count()) as database:
                with ladybug.Connection(database) as connection:
                    _fill(connection, project(source.graph, source.findings))
        except RuntimeError as error:
            what = str(error).partition("\n")[0]
            raise StoreError(f"LadybugDB refused the graph: {what}", hint="try another format, such as csv") from error
        shutil.copyfile(file, path)


def _fill(connection: Any, graph: PropertyGraph) -> None:
    """Make a table of each label and relationship, and copy the graph into them."""
    for nodes in graph.nodes:
        label, columns = quote(nodes.label), _columns(nodes.table.schema)
        connection.execute(f"CREATE NODE TABLE {label}({', '.join(columns)}, PRIMARY KEY(`number`))")
        _copy(connection, f"COPY {label} FROM $given", nodes.table)
    for name, parts in graph.types().items():
        tables = [_table(part) for part in parts]
        ends = [f"FROM {quote(part.source)} TO {quote(part.target)}" for part in parts]
        columns = _columns(list(tables[0].schema)[2:])
        connection.execute(f"CREATE REL TABLE {quote(name)}({', '.join([*ends, *columns])})")
        for part, table in zip(parts, tables, strict=True):
            between = f"(from='{part.source}', to='{part.target}')"
            _copy(connection, f"COPY {quote(name)} FROM $given {between}", table)
    connection.execute("CHECKPOINT")


def _columns(fields: Iterable[Any]) -> list[str]:
    return [f"{quote(field.name)} {name_type(field.type, *_TYPES)}" for field in fields]


def _copy(connection: Any, statement: str, table: pa.Table) -> None:
    """Copy a table into the database, with types that it reads; it refuses an empty one."""
    import pyarrow as pa

    if table.num_rows:
        plain = [(column.name, _plain(column.type)) for column in table.schema]
        connection.execute(statement, {"given": table.cast(pa.schema(plain))})


def _table(part: Relationships) -> pa.Table:
    """Return relationships as a table: the numbers of source and target, then the properties; NaN is absent."""
    import pyarrow as pa

    given = {name: pa.array(values, from_pandas=True) for name, values in part.properties.items()}
    return pa.table({"source number": part.sources, "target number": part.targets, **given})


def _plain(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return pa.list_(_plain(kind.value_type))
    if pa.types.is_integer(kind):
        return pa.int64()
    return pa.float64() if pa.types.is_floating(kind) else pa.string()
