"""Recognise files that hold no table by their first bytes, with a remedy for each kind."""

from __future__ import annotations

import re

from hin.errors import BadInput

#: Formats of text, with what they look like at the beginning.
_TEXTS = (
    (
        re.compile(rb"From \S+ +\w{3} \w{3} [ \d]\d \d\d:\d\d"),
        "a mailbox",
        "write each message to a file .eml of its own, and name their folder",
    ),
    (
        re.compile(rb"\s*(%[^\n]*\s+)*@\w+\s*\{[^,{}\n]*,\s*\w+\s*="),
        "BibTeX",
        "write it as JSON first: pandoc -t csljson",
    ),
    (re.compile(rb"\s*TY  - "), "RIS", "write it as JSON first: pandoc -f ris -t csljson"),
    (re.compile(rb"(---\s+)?- \w+: [^\n]*\n  \w+: "), "YAML", "write it as JSON first"),
)
_KINDS: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF-", "a PDF", "take its text out first, for example with pdftotext"),
    (b"\x89PNG", "a picture", "expected a file of records"),
    (b"\xff\xd8\xff", "a picture", "expected a file of records"),
    (b"GIF8", "a picture", "expected a file of records"),
    (b"\x7fELF", "a program", "expected a file of records"),
    (b"\x89HDF", "HDF5", "write the table as Parquet or CSV first"),
    (b"\x93NUMPY", "a numpy array", "write the table as Parquet or CSV first"),
    (b"\x80\x04\x95", "a Python pickle, which could run code when read", "write the table as Parquet or CSV"),
    (b"\x80\x05\x95", "a Python pickle, which could run code when read", "write the table as Parquet or CSV"),
    (b"$FL2", "an SPSS file", "write the table as Parquet or CSV first"),
    (b"<stata_dta>", "a Stata file", "write the table as Parquet or CSV first"),
    (b"Obj\x01", "an Avro file", "write the table as Parquet or JSON first"),
    (b"version https://git-lfs.", "a pointer of Git LFS, not the file itself", "fetch it with `git lfs pull`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"Rar!", "a RAR archive", "unpack it first"),
    (b"<!DOCTYPE html", "a web page", "expected a file of records: one row or object per document"),
    (b"<table", "a table of a web page", "write it as CSV first"),
    (b"<html", "a web page", "expected a file of records: one row or object per document"),
    (b"<?xml", "XML", "write it as JSON or CSV first; graphs that `hin export` wrote end in .graphml"),
)


def refuse_binary(head: bytes, name: str) -> None:
    """Raise if the first bytes are those of a known format that is no table, with its name and a remedy.

    >>> refuse_binary(b"%PDF-1.7", "papers.csv")
    Traceback (most recent call last):
    hin.errors.BadInput: papers.csv: a PDF; take its text out first, for example with pdftotext
    """
    for start, what, hint in _KINDS:
        if head.startswith(start):
            raise BadInput(f"{name}: {what}", hint=hint)
    for pattern, what, hint in _TEXTS:
        if pattern.match(head.removeprefix(b"\xef\xbb\xbf")):
            raise BadInput(f"{name}: {what}", hint=hint)
    if head[257:262] == b"ustar":
        raise BadInput(f"{name}: a tar archive", hint="unpack it first, and name its files or their folder")
    if head.startswith(b"PK\x03\x04"):
        if b"word/" in head[:4096] or b"opendocument.text" in head[:200]:
            raise BadInput(f"{name}: a text document", hint="save the records as a table first")
        raise BadInput(f"{name}: a zip archive", hint="load it without --format, or unpack it first")
