"""CSV files for `neo4j-admin database import`."""

from __future__ import annotations

from pathlib import Path

from hin.exchange.formats import ExportSource, export_format


@export_format("neo4j-import", "-neo4j-import", folder=True)
def write_neo4j_import(source: ExportSource, folder: Path) -> None:
    """Write the CSV files and the script with the import command."""
    from hin.stores.neo4j.bulk_import import write_import_files

    write_import_files(folder, source.graph, findings=source.findings, options=source.options, progress=source.progress)
