"""Motif templates: the template language, matching and counting, instance tables, pattern discovery (section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hin.lazy_names import lazy_names

if TYPE_CHECKING:
    from motifs.as_edges import add_pattern_edges
    from motifs.discovery.search import discover
    from motifs.discovery.verdict import PatternWorth
    from motifs.errors import BadInstanceName, BadPattern, TooManyInstances
    from motifs.instance_names import instance_name, parse_name
    from motifs.language.pattern import Pattern
    from motifs.matching import estimate, match, match_all
    from motifs.motif_set import MotifSet
    from motifs.options import MotifOptions
    from motifs.table import MotifTable

__all__ = [
    "BadInstanceName",
    "BadPattern",
    "MotifOptions",
    "MotifSet",
    "MotifTable",
    "Pattern",
    "PatternWorth",
    "TooManyInstances",
    "add_pattern_edges",
    "discover",
    "estimate",
    "instance_name",
    "match",
    "match_all",
    "parse_name",
]

__getattr__, __dir__ = lazy_names(__name__)
