"""The words that stand for a missing value."""

from __future__ import annotations

__all__ = ["NA_WORDS"]

#: In small letters; `--na-values` names others.
NA_WORDS = frozenset(("na", "n/a", "#n/a", "<na>", "nan", "null", "none", "-", "--", "unknown"))
