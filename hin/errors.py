"""Every failure a user can meet, as one family of exceptions.

A message says what went wrong and where, the hint says what to do next. The command line prints both on one
line and never a traceback.
"""

from __future__ import annotations

import re

__all__ = [
    "BadInput",
    "BadUsage",
    "DamagedGraph",
    "DuplicateDocument",
    "GraphBusy",
    "GraphExists",
    "GraphNotFound",
    "HinError",
    "MissingStage",
    "NewerFormat",
    "NoSpace",
    "StoreError",
    "UnknownName",
]


class HinError(Exception):
    """A failure with a remedy.

    Parameters
    ----------
    message : str
        What happened and where.
    hint : str, optional
        What to do next.

    Examples
    --------
    >>> str(HinError("no graph at papers.hin", hint="run `hin load` first"))
    'no graph at papers.hin; run `hin load` first'
    >>> GraphNotFound("x").kind
    'graph_not_found'
    """

    #: Exit code of the command line: 1 failed, 2 bad usage.
    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def kind(self) -> str:
        """The failure's name in snake case, for machines."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self).__name__).lower()

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class BadUsage(HinError):
    """Options that contradict one another or make no sense."""

    exit_code = 2


class BadInput(HinError):
    """A file or record that cannot be read as documents."""


class DuplicateDocument(BadInput):
    """Two documents with one id."""


class GraphNotFound(HinError):
    """There is no graph where one was expected."""


class GraphExists(HinError):
    """A graph is already there and was not asked to be replaced."""


class GraphBusy(HinError):
    """Another process is writing to the graph."""


class NewerFormat(HinError):
    """The graph was written by a newer version."""


class DamagedGraph(HinError):
    """The graph's files are not what its manifest says."""


class MissingStage(HinError):
    """A stage that has to run first has not."""


class NoSpace(HinError):
    """The disk is full."""


class StoreError(HinError):
    """The store (a folder or a database) refused."""


class UnknownName(HinError, KeyError):
    """A name that the graph does not have."""

    __str__ = HinError.__str__
