"""File formats, one per file: each registers itself under the name that `--format`, the help and Python use."""

from hin.reading.formats.base import FORMATS, Format, Row, format_by_name, format_of, without_leaflets

__all__ = ["FORMATS", "Format", "Row", "format_by_name", "format_of", "without_leaflets"]
