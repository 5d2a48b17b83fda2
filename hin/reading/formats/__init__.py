"""File formats, one a file: each registers itself, and `--format`, the help and Python know it by its name."""

from hin.reading.formats.base import FORMATS, Format, Row, format_by_name, format_of, without_leaflets

__all__ = ["FORMATS", "Format", "Row", "format_by_name", "format_of", "without_leaflets"]
