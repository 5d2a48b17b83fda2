"""File formats, one per file: each registers itself under the name that `--format`, the help and Python use."""

from hin.reading.formats.base import FORMATS, Format, Row, data_members, format_by_name, format_of

__all__ = ["FORMATS", "Format", "Row", "format_by_name", "format_of", "data_members"]
