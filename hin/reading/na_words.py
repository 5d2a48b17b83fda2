"""The words that stand for a missing value."""

from __future__ import annotations

#: In lower case (databases write `\N`); `--na-values` replaces them.
NA_WORDS = frozenset(("na", "n/a", "#n/a", "<na>", "nan", "null", "none", "\\n", "-", "--", "unknown"))
