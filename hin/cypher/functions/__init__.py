"""Cypher's functions, one file a family, found by name in `table`."""
