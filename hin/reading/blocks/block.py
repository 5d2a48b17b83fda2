"""A piece of a file that starts and ends between two records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["BLOCK_BYTES", "Block"]

#: Bytes of text in a block: some thousand documents, so that a block's own vocabulary is worth making.
BLOCK_BYTES = 1 << 23


@dataclass(frozen=True)
class Block:
    """Where some records of a file are.

    Attributes
    ----------
    number, file
        Which file of the input, and its path.
    kind : text, groups of rows, or whole for a file that is not cut
    format : str
        The name of the file's format.
    start, stop : int
        Bytes of the text, or row groups; `data` holds those bytes where they were read already.
    before : int
        Lines, or rows, of the file that come before.
    head : bytes
        The line with the names of a table's columns.
    """

    number: int
    file: str
    kind: Literal["text", "groups", "whole"] = "whole"
    format: str = ""
    start: int = 0
    stop: int = 0
    before: int = 0
    head: bytes = b""
    data: bytes | None = None

    def bytes(self) -> bytes:
        """Return the text of the block."""
        if self.data is not None:
            return self.data
        with open(self.file, "rb") as file:
            file.seek(self.start)
            return file.read(self.stop - self.start)
