"""Motif templates: the template language, matching and counting, instance tables, pattern discovery (section 2)."""

from __future__ import annotations

from motifs.discovery import PatternWorth, discover
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
    "discover",
    "estimate",
    "instance_name",
    "match",
    "match_all",
    "parse_name",
]
