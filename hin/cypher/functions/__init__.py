"""Cypher's functions, one file per family, found by name in `table`."""
